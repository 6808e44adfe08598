// SPDX-License-Identifier: BSD-2-Clause
/*
 * The accounting of loop sites against loops whose trips are known: programs of
 * sites.bpf.c, where a run is an entry, on every backend.
 */
#include "loaded_sites.h"

#include <pthread.h>

#include "kernel/prog_code.h"

/* Trips of that class in so many entries. */
struct class_count {
	int class;
	uint64_t entries;
};

/* Exactly these totals, and exactly these classes (up to one with 0 entries). */
static void assert_site(const struct loaded *l, enum test_site site, uint64_t entries,
			uint64_t trips, uint64_t longest,
			const struct class_count *classes)
{
	uint64_t expected[SITE_NR_CLASSES] = {0}, found[SITE_NR_CLASSES] = {0};
	size_t nr_cpus = (size_t)libbpf_num_possible_cpus(), cpu, i;
	struct site_stat *percpu = calloc(nr_cpus, sizeof(*percpu));
	struct site_figures figures[NR_TEST_SITES];

	assert_non_null(percpu);
	read_percpu(l, site, percpu);
	for (; classes->entries; classes++)
		expected[classes->class] = classes->entries;
	for (cpu = 0; cpu < nr_cpus; cpu++)
		for (i = 0; i < SITE_NR_CLASSES; i++)
			found[i] += percpu[cpu].classes[i];
	for (i = 0; i < SITE_NR_CLASSES; i++)
		if (found[i] != expected[i])
			fail_msg("class %zu has %llu entries, not %llu", i,
				 (unsigned long long)found[i],
				 (unsigned long long)expected[i]);
	free(percpu);
	figures_of(l, true, figures);
	assert_string_equal(figures[site].name, site_names[site]);
	assert_int_equal(figures[site].entries, entries);
	assert_int_equal(figures[site].trips, trips);
	assert_int_equal(figures[site].max_trips, longest);
}

#define CLASSES(...) ((const struct class_count[]){__VA_ARGS__, {0, 0}})

/* The plain loop of this backend, and its site. */
static const char *counting(const struct loaded *l, enum test_site *site)
{
	bool is_plain = has_program(l, "sites_count");

	*site = is_plain ? SITE_COUNT : SITE_FUNCTION;
	return is_plain ? "sites_count" : "sites_function";
}

/* --- exact counts, on every backend ------------------------------------------ */

static void fifty_entries_of_64_trips(void **state)
{
	struct loaded l;
	enum test_site site;
	const char *name;

	open_sites(&l, (enum loops_backend)(uintptr_t)*state, true);
	name = counting(&l, &site);
	/* 0 + 1 + … + 63 = 63 * 64 / 2 */
	enter_often(&l, name, 50, (struct sites_run){.end = 64, .stop = 1000}, 2016);
	assert_site(&l, site, 50, 3200, 64, CLASSES({7, 50}));
	close_sites(&l);
}

static void loops_without_a_trip_are_entries(void **state)
{
	struct loaded l;
	enum test_site site;
	const char *name;

	open_sites(&l, (enum loops_backend)(uintptr_t)*state, true);
	name = counting(&l, &site);
	enter_often(&l, name, 10, (struct sites_run){.stop = 1000}, 0);
	enter_often(&l, name, 1, (struct sites_run){.start = 5, .end = 5, .stop = 1000},
		    0);
	enter_often(&l, name, 1, (struct sites_run){.start = 9, .end = 3, .stop = 1000},
		    0);
	assert_site(&l, site, 12, 0, 0, CLASSES({0, 12}));
	close_sites(&l);
}

static void a_loop_may_start_above_0(void **state)
{
	struct loaded l;
	enum test_site site;
	const char *name;

	open_sites(&l, (enum loops_backend)(uintptr_t)*state, true);
	name = counting(&l, &site);
	/* 10 + 11 + … + 73 = 64 * (10 + 73) / 2 */
	enter_often(&l, name, 3, (struct sites_run){10, 74, 1000, 0, 0, 0}, 2656);
	assert_site(&l, site, 3, 192, 64, CLASSES({7, 3}));
	close_sites(&l);
}

static void classes_are_powers_of_two(void **state)
{
	static const unsigned int trips[] = {0,   1,   2,   3,   4,  7,  8,
					     15,  16,  31,  32,  63, 64, 127,
					     128, 255, 256, 511, 512};
	struct loaded l;
	enum test_site site;
	const char *name;
	size_t i;

	open_sites(&l, (enum loops_backend)(uintptr_t)*state, true);
	name = counting(&l, &site);
	for (i = 0; i < sizeof(trips) / sizeof(trips[0]); i++)
		enter_often(&l, name, 1,
			    (struct sites_run){.end = trips[i], .stop = 1000},
			    (uint64_t)trips[i] * (trips[i] - 1) / 2);
	assert_site(&l, site, 19, 2035, 512,
		    CLASSES({0, 1}, {1, 1}, {2, 2}, {3, 2}, {4, 2}, {5, 2}, {6, 2},
			    {7, 2}, {8, 2}, {9, 2}, {10, 1}));
	close_sites(&l);
}

static void a_trip_that_breaks_counts(void **state)
{
	struct loaded l;
	enum test_site site = SITE_BREAK;
	const char *name = "sites_break";

	open_sites(&l, (enum loops_backend)(uintptr_t)*state, true);
	if (!has_program(&l, name)) {
		site = SITE_FUNCTION;
		name = "sites_function";
	}
	/* Trips 0 … 5, of which the last adds nothing; 0; 0 … 19, which ends by itself. */
	enter_often(&l, name, 4, (struct sites_run){.end = 20, .stop = 5}, 10);
	enter_often(&l, name, 2, (struct sites_run){.end = 20, .stop = 0}, 0);
	enter_often(&l, name, 1, (struct sites_run){.end = 20, .stop = 20}, 190);
	assert_site(&l, site, 7, 4 * 6 + 2 * 1 + 20, 20,
		    CLASSES({3, 4}, {1, 2}, {5, 1}));
	close_sites(&l);
}

/* Which of the body's ways on there are depends on the backend: these need site_for. */
static void a_trip_that_continues_counts(void **state)
{
	struct loaded l;

	open_sites(&l, (enum loops_backend)(uintptr_t)*state, true);
	enter_often(&l, "sites_continue", 3, (struct sites_run){.end = 20, .stop = 7},
		    183);
	assert_site(&l, SITE_CONTINUE, 3, 60, 20, CLASSES({5, 3}));
	close_sites(&l);
}

static void a_trip_that_returns_counts(void **state)
{
	struct sites_run run = {.end = 20, .stop = 5};
	struct loaded l;
	int i;

	open_sites(&l, (enum loops_backend)(uintptr_t)*state, true);
	for (i = 0; i < 4; i++) {
		assert_int_equal(enter(program_fd(&l, "sites_return"), &run), 7);
		assert_int_equal(run.sum, 5);
	}
	run.stop = 100;
	assert_int_equal(enter(program_fd(&l, "sites_return"), &run), 0);
	assert_site(&l, SITE_RETURN, 5, 4 * 6 + 20, 20, CLASSES({3, 4}, {5, 1}));
	close_sites(&l);
}

/* Six inner loops of 0, 1, 2, 3, 4, 5 trips; they add 0, 0, 1, 3, 6, 10. */
static void nested_sites_count_apart(void **state)
{
	static const struct class_count inner[] = {
		{0, 2}, {1, 2}, {2, 4}, {3, 4}, {0, 0}};
	struct sites_run run = {.end = 6};
	struct loaded l;

	open_sites(&l, (enum loops_backend)(uintptr_t)*state, true);
	enter_often(&l, "sites_function_nested", 2, run, 20);
	assert_site(&l, SITE_FUNCTION_OUTER, 2, 12, 6, CLASSES({3, 2}));
	assert_site(&l, SITE_FUNCTION_INNER, 12, 30, 5, inner);
	if (has_program(&l, "sites_nested")) {
		enter_often(&l, "sites_nested", 2, run, 20);
		assert_site(&l, SITE_OUTER, 2, 12, 6, CLASSES({3, 2}));
		assert_site(&l, SITE_INNER, 12, 30, 5, inner);
	}
	close_sites(&l);
}

/* may_goto has a budget of 2^23 trips and may stop after a quarter second. */
static void long_loops_are_counted_to_the_end(void **state)
{
	static const unsigned int trips[] = {65535,   65536,   1048575,
					     1048576, 8388607, 8388608};
	struct loaded l;
	enum test_site site = SITE_LONG;
	const char *name = "sites_long";
	int i, nr;

	open_sites(&l, (enum loops_backend)(uintptr_t)*state, true);
	if (!has_program(&l, name)) {
		site = SITE_LONG_FUNCTION;
		name = "sites_long_function";
	}
	nr = l.backend == LOOPS_CAN_LOOP ? 4 : 6;
	for (i = 0; i < nr; i++)
		enter_often(&l, name, 1, (struct sites_run){.end = trips[i]},
			    (uint64_t)trips[i] * (trips[i] - 1) / 2);
	if (nr == 4)
		assert_site(&l, site, 4, 2228222, 1048576,
			    CLASSES({16, 1}, {17, 1}, {20, 1}, {21, 1}));
	else
		assert_site(
			&l, site, 6, 19005437, 8388608,
			CLASSES({16, 1}, {17, 1}, {20, 1}, {21, 1}, {23, 1}, {24, 1}));
	close_sites(&l);
}

/* --- CPUs ---------------------------------------------------------------------- */

static void maximum_is_not_summed_over_cpus(void **state)
{
	struct loaded l;
	int cpus[2];

	(void)state;
	skip_unless_two_cpus(cpus);
	open_sites(&l, LOOPS_BPF_FOR, true);
	pin_to(cpus[0]);
	enter_often(&l, "sites_count", 10, (struct sites_run){.end = 40}, 780);
	pin_to(cpus[1]);
	enter_often(&l, "sites_count", 10, (struct sites_run){.end = 50}, 1225);
	assert_site(&l, SITE_COUNT, 20, 900, 50, CLASSES({6, 20}));
	close_sites(&l);
}

struct entering {
	const struct loaded *l;
	int cpu;
};

#define CONCURRENT 20000

static void *enter_on_one_cpu(void *arg)
{
	const struct entering *e = arg;
	struct sites_run run = {.end = 3};
	LIBBPF_OPTS(bpf_test_run_opts, opts, .ctx_in = &run,
		    .ctx_size_in = sizeof(run));
	int fd = program_fd(e->l, "sites_count"), i;
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(e->cpu, &one);
	if (sched_setaffinity(0, sizeof(one), &one))
		return NULL;
	for (i = 0; i < CONCURRENT; i++)
		if (bpf_prog_test_run_opts(fd, &opts))
			return NULL;
	return arg;
}

static void entries_on_two_cpus_at_once_are_all_counted(void **state)
{
	pthread_t threads[2];
	struct entering entering[2];
	struct loaded l;
	int cpus[2], i;
	void *done;

	(void)state;
	skip_unless_two_cpus(cpus);
	open_sites(&l, LOOPS_BPF_FOR, true);
	for (i = 0; i < 2; i++) {
		entering[i] = (struct entering){&l, cpus[i]};
		assert_int_equal(pthread_create(&threads[i], NULL, enter_on_one_cpu,
						&entering[i]),
				 0);
	}
	for (i = 0; i < 2; i++) {
		pthread_join(threads[i], &done);
		assert_non_null(done);
	}
	assert_site(&l, SITE_COUNT, 2 * CONCURRENT, 2 * 3 * CONCURRENT, 3,
		    CLASSES({2, 2 * CONCURRENT}));
	close_sites(&l);
}

/* --- compiled out -------------------------------------------------------------- */

struct size_of_program {
	size_t insns;
	size_t refers; /* to the map of the accounting */
};

static struct size_of_program size_of(const struct loaded *l, const char *name)
{
	struct size_of_program size = {0};
	struct bpf_map_info map = {0};
	__u32 len = sizeof(map);
	struct prog_code code;
	struct reason why;
	size_t i;

	assert_int_equal(bpf_obj_get_info_by_fd(bpf_map__fd(l->skel->maps.site_stats),
						&map, &len),
			 0);
	assert_int_equal(prog_code_read(program_fd(l, name), &code, &why), 0);
	if (!code.xlated) {
		print_message("%s\n", code.why_no_xlated.text);
		skip();
	}
	size.insns = code.nr_xlated;
	for (i = 0; i < code.nr_xlated; i++)
		size.refers += code.xlated[i].code == (BPF_LD | BPF_IMM | BPF_DW) &&
			       code.xlated[i].src_reg == BPF_PSEUDO_MAP_FD &&
			       (__u32)code.xlated[i].imm == map.id;
	prog_code_release(&code);
	return size;
}

static void disabled_sites_leave_no_trace(void **state)
{
	enum loops_backend backend = (enum loops_backend)(uintptr_t)*state;
	struct size_of_program with, without;
	struct loaded l;
	enum test_site site;
	const char *name;

	open_sites(&l, backend, true);
	with = size_of(&l, counting(&l, &site));
	close_sites(&l);
	open_sites(&l, backend, false);
	name = counting(&l, &site);
	without = size_of(&l, name);
	enter_often(&l, name, 50, (struct sites_run){.end = 64, .stop = 1000}, 2016);
	assert_site(&l, site, 0, 0, 0, CLASSES({0, 0}));
	close_sites(&l);
	assert_true(with.refers > 0);
	assert_int_equal(without.refers, 0);
	assert_true(without.insns < with.insns);
}

#define ON(backend, id, name)                                                   \
	{                                                                       \
#name " on " backend, name, NULL, NULL, (void *)(uintptr_t)(id) \
	}
#define ON_BPF_FOR(name)  ON("bpf_for", LOOPS_BPF_FOR, name)
#define ON_BPF_LOOP(name) ON("bpf_loop", LOOPS_BPF_LOOP, name)
#define ON_CAN_LOOP(name) ON("can_loop", LOOPS_CAN_LOOP, name)
#define ON_ALL_BUT_BPF_LOOP(name) \
	ON_BPF_FOR(name), ON_CAN_LOOP(name), ON("bounded", LOOPS_BOUNDED, name)
#define ON_ALL(name) ON_ALL_BUT_BPF_LOOP(name), ON_BPF_LOOP(name)

int main(void)
{
	const struct CMUnitTest tests[] = {
		ON_ALL(fifty_entries_of_64_trips),
		ON_ALL(loops_without_a_trip_are_entries),
		ON_ALL(a_loop_may_start_above_0),
		ON_ALL(classes_are_powers_of_two),
		ON_ALL(a_trip_that_breaks_counts),
		ON_ALL_BUT_BPF_LOOP(a_trip_that_continues_counts),
		ON_ALL_BUT_BPF_LOOP(a_trip_that_returns_counts),
		ON_ALL(nested_sites_count_apart),
		ON_BPF_FOR(long_loops_are_counted_to_the_end),
		ON_BPF_LOOP(long_loops_are_counted_to_the_end),
		ON_CAN_LOOP(long_loops_are_counted_to_the_end),
		cmocka_unit_test(maximum_is_not_summed_over_cpus),
		cmocka_unit_test(entries_on_two_cpus_at_once_are_all_counted),
		ON_ALL(disabled_sites_leave_no_trace),
	};

	libbpf_log_init();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
