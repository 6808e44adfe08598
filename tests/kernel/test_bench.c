// SPDX-License-Identifier: BSD-2-Clause
/* The workloads on this kernel: do they make the trips that they report? */
#include <time.h>

#include "base/time.h"
#include "bench/measure.h"
#include "bench/summary.h"
#include "bench_claims.h"
#include "bench_counted.skel.h"
#include "stat/quantile.h"

struct counted_fixture {
	struct fixture real;
	struct bench_counted_bpf *counted;
};

static const uint64_t some_nr[] = {1, 2, 7, 100, 1013};

/* ---- set up ------------------------------------------------------------------ */

/* The programs of both objects that this kernel can run. */
static int load_counted(struct counted_fixture *f)
{
	workload_set possible = programs_possible(f->real.programs);
	struct bpf_program *program;
	int i;

	f->counted = bench_counted_bpf__open();
	if (!f->counted)
		return -1;
	for (i = 0; i < NR_WORKLOADS; i++) {
		program = bpf_object__find_program_by_name(f->counted->obj,
							   workloads[i].program);
		if (program)
			bpf_program__set_autoload(program, possible & WORKLOAD_BIT(i));
	}
	bpf_program__set_autoload(f->counted->progs.bench_lies, true);
	bpf_program__set_autoload(f->counted->progs.bench_sweep_bpf_for,
				  possible & WORKLOAD_BIT(WORKLOAD_BPF_FOR));
	bpf_program__set_autoload(f->counted->progs.bench_sweep_bpf_loop,
				  possible & WORKLOAD_BIT(WORKLOAD_BPF_LOOP));
	bpf_program__set_autoload(f->counted->progs.bench_sweep_can_loop,
				  possible & WORKLOAD_BIT(WORKLOAD_CAN_LOOP));
	return bench_counted_bpf__load(f->counted);
}

static int set_up(void **state)
{
	static struct counted_fixture f;

	*state = &f;
	if (geteuid())
		return 0;
	return load_workloads(&f.real) ? -1 : load_counted(&f);
}

static int tear_down(void **state)
{
	struct counted_fixture *f = *state;

	bench_counted_bpf__destroy(f->counted);
	unload_workloads(&f->real);
	return 0;
}

static struct counted_fixture *loaded(void **state)
{
	need_root();
	return *state;
}

static void run(const struct counted_fixture *f, enum workload_id id,
		struct bench_run *r)
{
	struct reason why;

	if (f->real.runner->run(f->real.runner->context, id, r, &why))
		fail_msg("%s", why.text);
}

/* ---- trips ------------------------------------------------------------------- */

static void every_workload_reports_the_trips_that_it_was_told(void **state)
{
	struct counted_fixture *f = loaded(state);
	size_t i;
	int id;

	for (id = 0; id < NR_WORKLOADS; id++) {
		struct bench_result lack;

		if (!is_possible(&f->real, id)) {
			programs_lack(f->real.programs, id, &lack);
			assert_true(lack.reason[0]);
			print_message("%s: %s\n", workloads[id].name, lack.reason);
			continue;
		}
		for (i = 0; i < NR(some_nr); i++) {
			struct bench_run r = {.nr = some_nr[i]};

			run(f, id, &r);
			if (r.trips != some_nr[i] * workloads[id].batch)
				fail_msg("%s made %llu trips of %llu",
					 workloads[id].name,
					 (unsigned long long)r.trips,
					 (unsigned long long)some_nr[i] *
						 workloads[id].batch);
			assert_true(r.ns > 0);
		}
	}
}

/* Trips that the bodies of a program of bench_counted.bpf.c count. */
static uint64_t count(struct counted_fixture *f, const struct bpf_program *program,
		      struct bench_run *r)
{
	LIBBPF_OPTS(bpf_test_run_opts, opts, .ctx_in = r, .ctx_size_in = sizeof(*r));
	volatile __u64 *counted = &f->counted->bss->counted;
	uint64_t before = *counted;

	assert_int_equal(bpf_prog_test_run_opts(bpf_program__fd(program), &opts), 0);
	return *counted - before;
}

static void expect_counted(struct counted_fixture *f, enum workload_id id,
			   unsigned int bodies)
{
	const struct bpf_program *program = bpf_object__find_program_by_name(
		f->counted->obj, workloads[id].program);
	size_t i;

	assert_non_null(program);
	for (i = 0; i < NR(some_nr); i++) {
		struct bench_run r = {.nr = some_nr[i]};
		uint64_t bodies_run = count(f, program, &r);

		if (bodies_run != some_nr[i] * bodies)
			fail_msg("%s ran %llu bodies of %llu", workloads[id].name,
				 (unsigned long long)bodies_run,
				 (unsigned long long)some_nr[i] * bodies);
		if (workloads[id].counts_trips)
			assert_int_equal(r.trips, some_nr[i] * workloads[id].batch);
	}
}

/* By bench.h: 1000 or 2000 trips a batch, 64 a loop of the pair. */
static void bodies_run_as_often_as_is_reported(void **state)
{
	static const struct {
		enum workload_id id;
		unsigned int bodies; /* for each nr */
	} cases[] = {
		{WORKLOAD_BPF_FOR, 1},    {WORKLOAD_BPF_FOR_CONST, 1000},
		{WORKLOAD_BPF_REPEAT, 1}, {WORKLOAD_BPF_LOOP, 1},
		{WORKLOAD_CAN_LOOP, 1},   {WORKLOAD_BPF_LOOP_INDIRECT, 1},
		{WORKLOAD_BOUNDED, 2000}, {WORKLOAD_SMP_ID, 2000},
		{WORKLOAD_CLOCK, 1},      {WORKLOAD_PLAIN_LOOP, 64},
		{WORKLOAD_SITE_LOOP, 64},
	};
	struct counted_fixture *f = loaded(state);
	size_t i;

	for (i = 0; i < NR(cases); i++)
		if (is_possible(&f->real, cases[i].id))
			expect_counted(f, cases[i].id, cases[i].bodies);
}

static void bodies_of_the_sweep_run_as_often_as_is_reported(void **state)
{
	struct counted_fixture *f = loaded(state);
	const struct bpf_program *programs[] = {
		f->counted->progs.bench_sweep_bpf_for,
		f->counted->progs.bench_sweep_bpf_loop,
		f->counted->progs.bench_sweep_can_loop,
	};
	size_t i;

	for (i = 0; i < NR(programs); i++) {
		struct bench_run r = {.nr = 13, .loop = 501};

		if (bpf_program__fd(programs[i]) < 0)
			continue; /* not loaded: this kernel lacks it */
		assert_int_equal(count(f, programs[i], &r), 13 * 501);
		assert_int_equal(r.trips, 13 * 501);
	}
}

static void the_count_finds_a_workload_that_lies(void **state)
{
	struct counted_fixture *f = loaded(state);
	struct bench_run r = {.nr = 1000};

	assert_int_equal(count(f, f->counted->progs.bench_lies, &r), 500);
	assert_int_equal(r.trips, 1000);
}

static void per_cpu_values_grow_by_the_trips(void **state)
{
	static const struct {
		enum workload_id id;
		const char *map;
		unsigned int batch;
	} cases[] = {
		{WORKLOAD_ARR_INC, "arr", 1000},
		{WORKLOAD_HASH_INC, "hash", 200},
		{WORKLOAD_GLOB_ARR_INC, ".bss", 1000},
	};
	struct counted_fixture *f = loaded(state);
	struct bench_run r = {.nr = 17};
	uint64_t before;
	size_t i;

	for (i = 0; i < NR(cases); i++) {
		before = sum_of(&f->real, cases[i].id, cases[i].map);
		run(f, cases[i].id, &r);
		assert_int_equal(r.trips, 17 * cases[i].batch);
		assert_int_equal(sum_of(&f->real, cases[i].id, cases[i].map) - before,
				 17 * cases[i].batch);
	}
}

/* ---- order of magnitude --------------------------------------------------------- */

static uint64_t clock_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* A million trips in one system call, timed from here: the median of five. */
static double time_plainly(const struct counted_fixture *f)
{
	double ns[5];
	size_t i;

	for (i = 0; i < NR(ns); i++) {
		struct bench_run r = {.nr = 1000000};
		uint64_t since = clock_now();

		run(f, WORKLOAD_BPF_LOOP, &r);
		ns[i] = (double)(clock_now() - since) / 1e6;
	}
	stat_sort(ns, NR(ns));
	return stat_median(ns, NR(ns));
}

static void a_plainly_timed_batch_has_the_same_order_of_magnitude(void **state)
{
	struct counted_fixture *f = loaded(state);
	struct measure_options options = {
		.set = WORKLOAD_BIT(WORKLOAD_BPF_LOOP),
		.budget_ns = NSEC_PER_SEC / 2,
		.batch_ns = 60 * NSEC_PER_USEC,
		.rounds_per_load = 5,
	};
	struct measurement *m = NULL;
	struct bench_result row;
	double plain;

	assert_int_equal(measurement__new(f->real.runner, &options, &m, NULL), 0);
	summarise(m, WORKLOAD_BPF_LOOP, 1, &row);
	measurement__free(m);
	assert_true(row.measured);
	plain = time_plainly(f);
	print_message("%.3f ns a trip in rounds, %.3f timed plainly\n", row.median,
		      plain);
	assert_true(plain < 3 * row.median);
	assert_true(row.median < 3 * plain);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_workload_reports_the_trips_that_it_was_told),
		cmocka_unit_test(bodies_run_as_often_as_is_reported),
		cmocka_unit_test(bodies_of_the_sweep_run_as_often_as_is_reported),
		cmocka_unit_test(the_count_finds_a_workload_that_lies),
		cmocka_unit_test(per_cpu_values_grow_by_the_trips),
		cmocka_unit_test(a_plainly_timed_batch_has_the_same_order_of_magnitude),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
