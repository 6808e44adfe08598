// SPDX-License-Identifier: BSD-2-Clause
/* Which entries of a loop site are timed, what user space takes of it, and the fit. */
#include "loaded_sites.h"

#include <math.h>

#define ALWAYS SITE_THRESHOLD(0)

/* One in eight of the hashes n * 0x9E3779B1 mod 2^32 is below this. */
#define ONE_IN_8 (1ULL << 29)

static void open_pinned(struct loaded *l, int *cpu)
{
	open_sites(l, LOOPS_BPF_FOR, true);
	*cpu = nth_cpu(&l->affinity, 0);
	pin_to(*cpu);
}

static void enter_with(const struct loaded *l, const char *name, int times,
		       uint32_t trips)
{
	struct sites_run run = {.end = trips};
	int fd = program_fd(l, name);

	while (times-- > 0)
		enter(fd, &run);
}

/* The accounting of one CPU; the caller's to free. */
static struct site_stat *read_all(const struct loaded *l, enum test_site site)
{
	struct site_stat *percpu =
		calloc((size_t)libbpf_num_possible_cpus(), sizeof(*percpu));

	assert_non_null(percpu);
	read_percpu(l, site, percpu);
	return percpu;
}

static void collect(const struct loaded *l, uint64_t elapsed_ns)
{
	struct reason why;

	assert_int_equal(sites_collect(l->sites, elapsed_ns, &why), 0);
}

/* --- which entries are timed --------------------------------------------------- */

static void threshold_of_k_0_times_every_entry(void **state)
{
	struct site_figures figures[NR_TEST_SITES];
	struct loaded l;
	int cpu;

	(void)state;
	open_pinned(&l, &cpu);
	l.skel->bss->site_threshold[SITE_COUNT] = ALWAYS;
	enter_with(&l, "sites_count", 200, 5);
	figures_of(&l, true, figures);
	assert_int_equal(figures[SITE_COUNT].timed, 200);
	close_sites(&l);
}

static void threshold_0_times_nothing(void **state)
{
	struct site_figures figures[NR_TEST_SITES];
	struct loaded l;
	int cpu;

	(void)state;
	open_pinned(&l, &cpu);
	l.skel->bss->site_threshold[SITE_COUNT] = 0;
	enter_with(&l, "sites_count", 8000, 5);
	figures_of(&l, true, figures);
	assert_int_equal(figures[SITE_COUNT].entries, 8000);
	assert_int_equal(figures[SITE_COUNT].timed, 0);
	assert_true(is_absent(figures[SITE_COUNT].mean_ns));
	assert_int_equal(figures[SITE_COUNT].fit, SITE_FIT_TOO_FEW);
	close_sites(&l);
}

/*
 * Every eighth of 8000 by the hash, and no other: the n-th entry makes n mod 512
 * trips, which the ring keeps. Multiples of the golden ratio lie so evenly that
 * their number is off by a few from 1000, whatever the place where one begins.
 */
static void threshold_of_k_3_times_the_eighth_that_the_hash_picks(void **state)
{
	unsigned int picked[1100], nr = 0, i;
	struct sites_run run = {0};
	struct site_stat *percpu;
	struct loaded l;
	uint64_t n;
	int cpu, fd;

	(void)state;
	open_pinned(&l, &cpu);
	l.skel->bss->site_threshold[SITE_COUNT] = SITE_THRESHOLD(3);
	fd = program_fd(&l, "sites_count");
	for (n = 1; n <= 8000; n++) {
		run.end = n % 512;
		enter(fd, &run);
		if (n * 2654435769ULL % (1ULL << 32) < ONE_IN_8)
			picked[nr++] = n % 512;
	}
	percpu = read_all(&l, SITE_COUNT);
	assert_int_equal(percpu[cpu].entries, 8000);
	assert_int_equal(percpu[cpu].timed, nr);
	assert_in_range(nr, 995, 1005);
	for (i = nr - SITE_RING; i < nr; i++)
		assert_int_equal(percpu[cpu].ring[i % SITE_RING] & SITE_TRIPS_MASK,
				 picked[i]);
	free(percpu);
	close_sites(&l);
}

/* --- what user space takes ----------------------------------------------------- */

/* 744 entries of 10 trips, then as many of 20 as the ring holds. */
static void ring_that_ran_over_leaves_its_newest_entries(void **state)
{
	struct site_figures figures[NR_TEST_SITES], *f = &figures[SITE_COUNT];
	struct loaded l;
	int cpu;

	(void)state;
	open_pinned(&l, &cpu);
	l.skel->bss->site_threshold[SITE_COUNT] = ALWAYS;
	enter_with(&l, "sites_count", 744, 10);
	enter_with(&l, "sites_count", SITE_RING, 20);
	figures_of(&l, false, figures);
	assert_int_equal(f->entries, 1000);
	assert_int_equal(f->trips, 12560);
	assert_int_equal(f->max_trips, 20);
	assert_int_equal(f->timed, 256);
	/* Were one of the older among them, the trips would vary. */
	assert_int_equal(f->fit, SITE_FIT_TRIPS_CONSTANT);

	/* Nothing is taken twice. */
	l.skel->bss->site_threshold[SITE_COUNT] = ALWAYS;
	enter_with(&l, "sites_count", 5, 10);
	figures_of(&l, false, figures);
	assert_int_equal(f->timed, 5);
	close_sites(&l);
}

static void constant_trips_have_a_mean_and_no_cost_a_trip(void **state)
{
	struct site_figures figures[NR_TEST_SITES], *f = &figures[SITE_COUNT];
	struct loaded l;
	int cpu;

	(void)state;
	open_pinned(&l, &cpu);
	l.skel->bss->site_threshold[SITE_COUNT] = ALWAYS;
	enter_with(&l, "sites_count", 200, 64);
	figures_of(&l, false, figures);
	assert_int_equal(f->fit, SITE_FIT_TRIPS_CONSTANT);
	assert_true(is_absent(f->ns_per_trip));
	assert_true(is_absent(f->ns_per_trip_lo) && is_absent(f->ns_per_trip_hi));
	assert_true(is_absent(f->ns_per_loop));
	/* A trip costs more than half a cycle of any CPU there is, and less than a disk access. */
	assert_true(f->mean_ns > 64 * 0.1 && f->mean_ns < 1e6);
	close_sites(&l);
}

/*
 * At most 128 a collection and CPU are wanted: of 8000 that is one in 64 (125;
 * one in 32 would be 250), of 129 one in 2; less than a second is scaled up.
 */
static void threshold_follows_the_rate(void **state)
{
	static const struct {
		int entries;
		uint64_t elapsed_ns;
		uint32_t threshold;
	} cases[] = {
		{8000, NSEC_PER_SEC, 0x03ffffff},
		{0, NSEC_PER_SEC, 0xffffffff},
		{128, NSEC_PER_SEC, 0xffffffff},
		{129, NSEC_PER_SEC, 0x7fffffff},
		{13, NSEC_PER_SEC / 10, 0x7fffffff},
		{12, NSEC_PER_SEC / 10, 0xffffffff},
	};
	uint32_t *threshold;
	struct loaded l;
	size_t i;
	int cpu;

	(void)state;
	open_pinned(&l, &cpu);
	threshold = &l.skel->bss->site_threshold[SITE_COUNT];
	/* Nothing is known of a site before its first collection: all. */
	assert_int_equal(*threshold, 0xffffffff);
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		enter_with(&l, "sites_count", cases[i].entries, 1);
		collect(&l, cases[i].elapsed_ns);
		assert_int_equal(*threshold, cases[i].threshold);
	}
	close_sites(&l);
}

static void intervals_begin_anew_and_the_run_does_not(void **state)
{
	struct site_figures figures[NR_TEST_SITES], *f = &figures[SITE_COUNT];
	struct loaded l;
	int cpu;

	(void)state;
	open_pinned(&l, &cpu);
	enter_with(&l, "sites_count", 10, 30);
	figures_of(&l, false, figures);
	assert_int_equal(f->entries, 10);
	assert_int_equal(f->trips, 300);
	enter_with(&l, "sites_count", 4, 5);
	figures_of(&l, false, figures);
	assert_int_equal(f->entries, 4);
	assert_int_equal(f->trips, 20);
	assert_int_equal(f->max_trips, 30);
	figures_of(&l, true, figures);
	assert_int_equal(f->entries, 14);
	assert_int_equal(f->trips, 320);
	assert_int_equal(f->max_trips, 30);
	close_sites(&l);
}

/* --- the cost of a trip -------------------------------------------------------- */

#define ROUNDS       1000
#define PLAIN_TRIPS  64
#define EXTRA_NS     50000
#define COLLECT_EACH 100
#define INTERVALS    11
#define ATTEMPTS     400

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Of ascending values, q a share of them. */
static double quantile(const double *sorted, size_t nr, double q)
{
	return sorted[(size_t)(q * (double)(nr - 1) + 0.5)];
}

/* ns between the clock readings around so many trips of plain work. */
static double time_plain(int fd, uint32_t trips)
{
	struct sites_run run = {.end = trips};

	enter(fd, &run);
	return (double)run.ns;
}

/* One interval of a site, and the plain loop's figures of the same time. */
struct measured {
	struct site_figures site;
	double plain_ns; /* a trip, the median */
	bool is_steady;
};

/*
 * The site and the plain loop by turns, so that whatever slows the CPU down for a
 * while slows both. 1 to 64 trips; every hundredth entry waits, if it is to.
 *
 * A virtual CPU may take 98 ns for a trip or 177, by what else the machine
 * beneath it does; if each half of the time, a median is one or the other by
 * chance, of the plain loop as well as of a site. So it is steady only if the
 * plain loop's middle half lies within 15%; which tells nothing of the site.
 */
static void measure(const struct loaded *l, uint32_t delay_ns, struct measured *ret)
{
	int plain = program_fd(l, "sites_plain_work"),
	    work = program_fd(l, "sites_work");
	struct site_figures figures[NR_TEST_SITES];
	static double per_trip[ROUNDS];
	struct sites_run run;
	double once;
	int round;

	for (round = 0; round < ROUNDS; round++) {
		if (round % COLLECT_EACH == 0) {
			collect(l, NSEC_PER_SEC);
			l->skel->bss->site_threshold[SITE_WORK] = ALWAYS;
		}
		run = (struct sites_run){.end = 1 + (uint32_t)round * 37 % 64};
		run.delay_ns = round % 100 == 50 ? delay_ns : 0;
		enter(work, &run);
		assert_true(run.ns >= run.delay_ns);
		once = time_plain(plain, PLAIN_TRIPS);
		per_trip[round] =
			(time_plain(plain, 2 * PLAIN_TRIPS) - once) / PLAIN_TRIPS;
	}
	qsort(per_trip, ROUNDS, sizeof(*per_trip), compare);
	figures_of(l, false, figures);
	ret->site = figures[SITE_WORK];
	ret->plain_ns = quantile(per_trip, ROUNDS, 0.5);
	ret->is_steady = quantile(per_trip, ROUNDS, 0.75) <
			 1.15 * quantile(per_trip, ROUNDS, 0.25);
	assert_int_equal(ret->site.entries, ROUNDS);
	assert_int_equal(ret->site.timed, ROUNDS);
}

static void skip_restless(void)
{
	print_message("the CPU changes its speed all the time\n");
	skip();
}

/*
 * The plain loop is compiled apart: a site's trip has one register move more,
 * some tenths of a nanosecond of a hundred; and of an interval that passes as
 * steady a quarter may be slower, which median and line weigh differently. With work
 * on the core's other thread 6% was seen; 10% is for all of it.
 */
static void cost_a_trip_is_that_of_a_plain_loop(void **state)
{
	double ratios[INTERVALS], ratio;
	const struct site_figures *f;
	int cpu, nr = 0, attempts;
	struct measured m;
	struct loaded l;

	(void)state;
	open_pinned(&l, &cpu);
	f = &m.site;
	for (attempts = 0; nr < INTERVALS && attempts < ATTEMPTS; attempts++) {
		measure(&l, 0, &m);
		if (!m.is_steady)
			continue;
		assert_int_equal(f->fit, SITE_FIT_OK);
		assert_true(f->ns_per_trip_lo <= f->ns_per_trip &&
			    f->ns_per_trip <= f->ns_per_trip_hi);
		/* An interval so wide that it holds anything would say nothing. */
		assert_true(f->ns_per_trip_hi - f->ns_per_trip_lo <
			    0.2 * f->ns_per_trip);
		ratios[nr++] = f->ns_per_trip / m.plain_ns;
	}
	if (nr < INTERVALS)
		skip_restless();
	qsort(ratios, INTERVALS, sizeof(*ratios), compare);
	ratio = quantile(ratios, INTERVALS, 0.5);
	print_message("plain %.2f ns, site %.2f [%.2f, %.2f] ns; ratio %.3f\n",
		      m.plain_ns, f->ns_per_trip, f->ns_per_trip_lo, f->ns_per_trip_hi,
		      ratio);
	assert_true(ratio > 0.9 && ratio < 1.1);
	close_sites(&l);
}

/*
 * 1% of the entries 50 us longer: on the average by a sixth, which is 17 ns a
 * trip. The same program with and without, one right after the other.
 */
static void interrupted_entries_do_not_move_the_cost_a_trip(void **state)
{
	struct measured clean, disturbed;
	double ratios[INTERVALS], ratio;
	int cpu, nr = 0, attempts;
	struct loaded l;

	(void)state;
	open_pinned(&l, &cpu);
	for (attempts = 0; nr < INTERVALS && attempts < ATTEMPTS; attempts++) {
		measure(&l, 0, &clean);
		measure(&l, EXTRA_NS, &disturbed);
		if (!clean.is_steady || !disturbed.is_steady)
			continue;
		assert_int_equal(clean.site.fit, SITE_FIT_OK);
		assert_int_equal(disturbed.site.fit, SITE_FIT_OK);
		/* Where the plain loop became slower in between, so did the site. */
		ratios[nr++] = disturbed.site.ns_per_trip / disturbed.plain_ns /
			       (clean.site.ns_per_trip / clean.plain_ns);
	}
	if (nr < INTERVALS)
		skip_restless();
	qsort(ratios, INTERVALS, sizeof(*ratios), compare);
	ratio = quantile(ratios, INTERVALS, 0.5);
	print_message("undisturbed %.2f ns, disturbed %.2f ns; ratio %.3f\n",
		      clean.site.ns_per_trip, disturbed.site.ns_per_trip, ratio);
	assert_true(ratio > 0.95 && ratio < 1.05);
	close_sites(&l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(threshold_of_k_0_times_every_entry),
		cmocka_unit_test(threshold_0_times_nothing),
		cmocka_unit_test(threshold_of_k_3_times_the_eighth_that_the_hash_picks),
		cmocka_unit_test(ring_that_ran_over_leaves_its_newest_entries),
		cmocka_unit_test(constant_trips_have_a_mean_and_no_cost_a_trip),
		cmocka_unit_test(threshold_follows_the_rate),
		cmocka_unit_test(intervals_begin_anew_and_the_run_does_not),
		cmocka_unit_test(cost_a_trip_is_that_of_a_plain_loop),
		cmocka_unit_test(interrupted_entries_do_not_move_the_cost_a_trip),
	};

	libbpf_log_init();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
