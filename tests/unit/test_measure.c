// SPDX-License-Identifier: BSD-2-Clause
/* Rounds, in worlds with a known answer: what runs, how often, and who is caught. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "bench/summary.h"
#include "synthetic.h"

/* ---- rounds ---------------------------------------------------------------- */

/* Of one round: each workload with N and 2N; which came first, and was N before 2N? */
static int check_round(const struct logged_run *run, const struct measurement *m,
		       int *ret_short_first)
{
	uint64_t sum[NR_WORKLOADS] = {0};
	int i, short_first = 0;

	for (i = 0; i < 6; i += 2) {
		assert_int_equal(run[i].id, run[i + 1].id);
		assert_int_equal(run[i].load, run[i + 1].load);
		assert_int_not_equal(run[i].nr, run[i + 1].nr);
		sum[run[i].id] += run[i].nr + run[i + 1].nr;
		short_first += run[i].nr < run[i + 1].nr;
	}
	assert_int_equal(sum[A], 3 * m->series[A]->nr);
	assert_int_equal(sum[B], 3 * m->series[B]->nr);
	assert_int_equal(sum[C], 3 * m->series[C]->nr);
	*ret_short_first += short_first;
	return run[0].id;
}

static void a_round_runs_all_in_an_order_left_to_chance(void **state)
{
	int came_first[NR_WORKLOADS] = {0}, short_first = 0, at = 0, load, round;
	struct measurement *m;

	(void)state;
	m = measure(WORKLOAD_BIT(A) | WORKLOAD_BIT(B) | WORKLOAD_BIT(C), 20);
	while (world.runs[at].load == 1)
		at++; /* here the trips were chosen */
	for (load = 2; load <= 20; load++) {
		at += 3; /* one run each, not measured */
		for (round = 0; round < ROUNDS; round++, at += 6)
			came_first[check_round(&world.runs[at], m, &short_first)]++;
	}
	assert_int_equal(at, world.nr_runs);
	/* 95 rounds, of which a third is 32; 285 pairs. */
	assert_in_range(came_first[A], 16, 48);
	assert_in_range(came_first[B], 16, 48);
	assert_in_range(came_first[C], 16, 48);
	assert_in_range(short_first, 110, 175);
	measurement__free(m);
}

static void no_budget_is_five_loads(void **state)
{
	struct measurement *m = NULL;

	(void)state;
	assert_int_equal(try_to_measure(WORKLOAD_BIT(A), 0, &m, NULL), 0);
	assert_int_equal(m->nr_loads, 5);
	assert_int_equal(m->series[A]->nr_rounds, 5 * ROUNDS);
	assert_exactly(series_cost(m->series[A], 5 * ROUNDS - 1), 2.5);
	assert_false(m->is_partial);
	measurement__free(m);
}

static void rounds_end_where_there_is_no_room_for_more(void **state)
{
	struct measurement *m = measure(WORKLOAD_BIT(A), MEASURE_MAX_ROUNDS / ROUNDS);

	(void)state;
	measurement__free(m);
	assert_int_equal(try_to_measure(WORKLOAD_BIT(A), 1000000, &m, NULL), 0);
	assert_int_equal(m->series[A]->nr_rounds, MEASURE_MAX_ROUNDS);
	measurement__free(m);
}

/* Without end, a workload that takes no time would double its trips for ever. */
static void trips_end_below_what_bpf_loop_takes(void **state)
{
	struct measurement *m;

	(void)state;
	world.cost[A] = 0;
	m = measure(WORKLOAD_BIT(A), 5);
	assert_in_range(m->series[A]->trips, 1 << 19, 1 << 22);
	measurement__free(m);
}

static void migrations_are_counted(void **state)
{
	struct measurement *m;

	(void)state;
	world.migrate_every = 7;
	m = measure(WORKLOAD_BIT(A), 10);
	assert_true(world.nr_migrated > 10);
	assert_int_equal(m->nr_migrations, world.nr_migrated);
	measurement__free(m);
}

static void poll_stops_with_what_there_is(void **state)
{
	struct measurement *m;
	struct bench_result row;

	(void)state;
	world.stop_after = 7;
	m = measure(WORKLOAD_BIT(A), 100);
	assert_true(m->is_partial);
	summarise(m, A, 1, &row);
	assert_true(row.measured);
	assert_int_equal(row.nr_rounds, 35);
	assert_exactly(row.median, 2.5);
	measurement__free(m);
}

static void an_early_stop_waits_for_enough_loads(void **state)
{
	struct measurement *m;
	struct bench_result row;

	(void)state;
	world.stop_after = 5; /* the first time that it is asked */
	m = measure(WORKLOAD_BIT(A), 100);
	assert_true(m->is_partial);
	summarise(m, A, 1, &row);
	assert_true(row.measured);
	assert_int_equal(row.nr_rounds, 5 * ROUNDS);
	assert_true(row.lo <= row.median && row.median <= row.hi);
	measurement__free(m);
}

/*
 * 180 ms a load, of which 65 are gone for loading: 115e6 / (4.5 * 5 * 17) ns. Alone it
 * would be above a millisecond, and where loading takes all below what the clock needs.
 */
static void a_batch_is_as_long_as_the_budget_has_room_for(void **state)
{
	struct measure_options o = {.budget_ns = 18 * NSEC_PER_SEC,
				    .rounds_per_load = 5};
	const uint64_t ms = NSEC_PER_MSEC;

	(void)state;
	assert_int_equal(measure_batch_ns(&o, 17, 65 * ms), 300653);
	assert_int_equal(measure_batch_ns(&o, 1, 65 * ms), ms);
	assert_int_equal(measure_batch_ns(&o, 17, 200 * ms), 60000);
	/* More time is for more loads; in less, as many are wanted. */
	o.budget_ns = 80 * NSEC_PER_SEC;
	assert_int_equal(measure_batch_ns(&o, 17, 65 * ms), 300653);
	o.budget_ns = 9 * NSEC_PER_SEC;
	assert_int_equal(measure_batch_ns(&o, 17, 65 * ms), 65359); /* 25e6 / 382.5 */
}

/* A trip of A costs 2.5 ns. */
static void the_batch_is_chosen_where_none_is_given(void **state)
{
	struct measure_options o = {
		.set = WORKLOAD_BIT(A), .rounds_per_load = ROUNDS, .seed = 1};
	struct measurement *m = NULL;
	struct reason why;

	(void)state;
	assert_int_equal(measurement__new(&world.runner, &o, &m, &why), 0);
	/* No budget, so the shortest: 32768 trips are the first to take 60,000 ns. */
	assert_int_equal(m->series[A]->trips, 32768);
	measurement__free(m);
	new_world(NULL);
	world.load_ns = 100 * NSEC_PER_MSEC;
	o.budget_ns = 30 * NSEC_PER_SEC;
	assert_int_equal(measurement__new(&world.runner, &o, &m, &why), 0);
	/* 524288 trips are the first to take a millisecond. */
	assert_int_equal(m->series[A]->trips, 524288);
	measurement__free(m);
}

/* ---- workloads that cheat, runners that fail -------------------------------- */

static uint64_t half(struct world *w, enum workload_id id, uint64_t trips)
{
	(void)w;
	return id == B ? trips / 2 : trips;
}

static uint64_t none_from_load_2_on(struct world *w, enum workload_id id,
				    uint64_t trips)
{
	return id == B && w->load >= 2 ? 0 : trips;
}

/* B's N is 16384: 6.25 ns of them are the first to take 60,000. */
static uint64_t not_the_second_half(struct world *w, enum workload_id id,
				    uint64_t trips)
{
	(void)w;
	return id == B && trips > 16384 ? 16384 : trips;
}

static uint64_t one_more(struct world *w, enum workload_id id, uint64_t trips)
{
	(void)w;
	return id == B ? trips + 1 : trips;
}

static void expect_failure(int err, const char *sentence)
{
	struct measurement *untouched = (struct measurement *)&world, *m = untouched;
	struct reason why = {""};

	assert_int_equal(try_to_measure(WORKLOAD_BIT(A) | WORKLOAD_BIT(B), 4, &m, &why),
			 err);
	assert_ptr_equal(m, untouched);
	assert_string_equal(why.text, sentence);
}

static void a_workload_with_other_trips_than_told_is_caught(void **state)
{
	(void)state;
	world.trips_made = half;
	expect_failure(-EPROTO,
		       "bpf_loop made 512 trips where it was told to make 1024");
	new_world(NULL);
	world.trips_made = one_more;
	expect_failure(-EPROTO,
		       "bpf_loop made 1025 trips where it was told to make 1024");
}

static void a_workload_that_stops_counting_later_is_caught(void **state)
{
	(void)state;
	world.trips_made = none_from_load_2_on;
	expect_failure(-EPROTO,
		       "bpf_loop made 0 trips where it was told to make 16384");
	assert_int_equal(world.load, 2);
}

static void a_workload_that_saves_the_second_half_is_caught(void **state)
{
	(void)state;
	world.trips_made = not_the_second_half;
	expect_failure(-EPROTO,
		       "bpf_loop made 16384 trips where it was told to make 32768");
}

static void errors_of_the_runner_come_through(void **state)
{
	(void)state;
	world.fail_load = 1;
	expect_failure(-EBUSY, "no room for load 1");
	new_world(NULL);
	world.fail_load = 3;
	expect_failure(-EBUSY, "no room for load 3");
	new_world(NULL);
	world.fail_run = 2;
	expect_failure(-EIO, "run in load 2 failed");
}

#define claim(name) cmocka_unit_test_setup(name, new_world)

int main(void)
{
	const struct CMUnitTest tests[] = {
		claim(a_round_runs_all_in_an_order_left_to_chance),
		claim(no_budget_is_five_loads),
		claim(rounds_end_where_there_is_no_room_for_more),
		claim(trips_end_below_what_bpf_loop_takes),
		claim(migrations_are_counted),
		claim(poll_stops_with_what_there_is),
		claim(an_early_stop_waits_for_enough_loads),
		claim(a_batch_is_as_long_as_the_budget_has_room_for),
		claim(the_batch_is_chosen_where_none_is_given),
		claim(a_workload_with_other_trips_than_told_is_caught),
		claim(a_workload_that_stops_counting_later_is_caught),
		claim(a_workload_that_saves_the_second_half_is_caught),
		claim(errors_of_the_runner_come_through),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
