// SPDX-License-Identifier: BSD-2-Clause
/* Loads during which the core was slower, in worlds where it is known which. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bench/pace.h"
#include "bench/summary.h"
#include "synthetic.h"

#define PACE WORKLOAD_PACE

/* The core is slower in the first so many loads of each ten. */
static int nr_slow;
static double slower;

static double on_a_shared_core(struct world *w, enum workload_id id, double trips)
{
	return (w->load % 10 < nr_slow ? slower : 1) * w->cost[id] * trips;
}

static struct measurement *on_a_core_that_is(double factor, int in_ten,
					     uint64_t nr_loads)
{
	world.cost[PACE] = 100;
	world.model = on_a_shared_core;
	slower = factor;
	nr_slow = in_ten;
	return measure(WORKLOAD_BIT(A) | WORKLOAD_BIT(PACE), nr_loads);
}

/* What is said of a measurement of which nothing else is asked. */
static struct pace pace_of(struct measurement *m)
{
	struct pace pace;

	pace_sift(m, &pace);
	measurement__free(m);
	return pace;
}

/* Six in ten take half as long again: 3.75 is most loads' cost, and 2.5 the others'. */
static void slow_loads_are_left_out(void **state)
{
	struct measurement *m = on_a_core_that_is(1.5, 6, 40);
	struct bench_result row;
	struct pace pace;
	int i;

	(void)state;
	summarise(m, A, 1, &row);
	assert_true(row.median > 3);
	pace_sift(m, &pace);
	assert_int_equal(pace.nr_loads, 40);
	assert_int_equal(pace.nr_disturbed, 24);
	assert_true(pace.are_left_out);
	assert_exactly(pace.best_ns, 100);
	assert_int_equal(m->nr_loads, 16);
	assert_int_equal(m->series[A]->nr_rounds, 16 * ROUNDS);
	assert_int_equal(m->series[PACE]->nr_rounds, 16 * ROUNDS);
	for (i = 0; i < 16 * ROUNDS; i++) {
		assert_int_equal(m->series[A]->load[i], i / ROUNDS);
		assert_exactly(series_cost(m->series[A], i), 2.5);
	}
	summarise(m, A, 1, &row);
	assert_exactly(row.median, 2.5);
	assert_int_equal(row.nr_loads, 16);
	measurement__free(m);
}

/* What is measured may be slow by itself: only the pace tells of the core. */
static double slow_itself(struct world *w, enum workload_id id, double trips)
{
	return (id == A && w->load % 10 < 6 ? 1.5 : 1) * w->cost[id] * trips;
}

static void a_slow_workload_on_an_even_core_is_not(void **state)
{
	struct measurement *m;
	struct bench_result row;
	struct pace pace;

	(void)state;
	world.cost[PACE] = 100;
	world.model = slow_itself;
	m = measure(WORKLOAD_BIT(A) | WORKLOAD_BIT(PACE), 40);
	pace_sift(m, &pace);
	assert_int_equal(pace.nr_disturbed, 0);
	assert_false(pace.are_left_out);
	assert_int_equal(m->nr_loads, 40);
	summarise(m, A, 1, &row);
	assert_true(row.median > 3);
	measurement__free(m);
}

/* A little slower is the noise of any machine. */
static void a_seventh_is_within_bounds_and_a_sixth_is_not(void **state)
{
	struct pace pace;

	(void)state;
	pace = pace_of(on_a_core_that_is(8.0 / 7, 6, 40));
	assert_int_equal(pace.nr_disturbed, 0);
	pace = pace_of(on_a_core_that_is(7.0 / 6, 6, 40));
	assert_int_equal(pace.nr_disturbed, 24);
}

/* Of 40 loads 4 are enough by share, but not by number; of 60, 6 are. */
static void with_too_few_others_all_stay(void **state)
{
	struct measurement *m = on_a_core_that_is(1.5, 9, 40);
	struct pace pace;

	(void)state;
	pace_sift(m, &pace);
	assert_int_equal(pace.nr_disturbed, 36);
	assert_false(pace.are_left_out);
	assert_int_equal(m->nr_loads, 40);
	assert_int_equal(m->series[A]->nr_rounds, 40 * ROUNDS);
	measurement__free(m);
	pace = pace_of(on_a_core_that_is(1.5, 9, 60));
	assert_int_equal(pace.nr_disturbed, 54);
	assert_true(pace.are_left_out);
}

/* 64 loads, of which six are not slowed: enough by number, and not by share. */
static double all_but_six(struct world *w, enum workload_id id, double trips)
{
	return (w->load > 6 ? 1.5 : 1) * w->cost[id] * trips;
}

static void a_tenth_at_least_has_to_be_left(void **state)
{
	struct pace pace;

	(void)state;
	world.cost[PACE] = 100;
	world.model = all_but_six;
	pace = pace_of(measure(WORKLOAD_BIT(A) | WORKLOAD_BIT(PACE), 64));
	assert_int_equal(pace.nr_disturbed, 58);
	assert_false(pace.are_left_out);
}

/* Then the best is slow too, and only another run's pace could tell. */
static void a_core_that_is_slow_throughout_is_not_noticed(void **state)
{
	struct pace pace;

	(void)state;
	pace = pace_of(on_a_core_that_is(1.5, 10, 40));
	assert_int_equal(pace.nr_disturbed, 0);
	assert_exactly(pace.best_ns, 150);
}

/* Of the five rounds of a load two or three are slow: a load is what most of it is. */
static int nr_slow_rounds;

static double slow_rounds_in_odd_loads(struct world *w, enum workload_id id,
				       double trips)
{
	static int run, load;

	if (id != PACE)
		return w->cost[id] * trips;
	if (load != w->load) {
		load = w->load;
		run = -1; /* the warm-up, in all loads but the first */
	}
	run++;
	return (w->load > 1 && w->load % 2 && run > 2 * (5 - nr_slow_rounds) ? 2 : 1) *
	       w->cost[id] * trips;
}

static void a_load_is_what_most_of_its_rounds_are(void **state)
{
	struct pace pace;

	(void)state;
	world.cost[PACE] = 100;
	world.model = slow_rounds_in_odd_loads;
	nr_slow_rounds = 2;
	pace = pace_of(measure(WORKLOAD_BIT(A) | WORKLOAD_BIT(PACE), 40));
	assert_int_equal(pace.nr_disturbed, 0);
	nr_slow_rounds = 3;
	pace = pace_of(measure(WORKLOAD_BIT(A) | WORKLOAD_BIT(PACE), 40));
	assert_int_equal(pace.nr_disturbed, 19);
}

static int placed_by_tens(struct world *w, enum workload_id id)
{
	(void)id;
	return w->load % 10;
}

/* The first six in ten are slow, so that the places 6, 7, 8 and 9 are left. */
static void rounds_keep_their_placement(void **state)
{
	struct measurement *m;
	struct pace pace;
	int i;

	(void)state;
	world.placed = placed_by_tens;
	m = on_a_core_that_is(1.5, 6, 40);
	pace_sift(m, &pace);
	for (i = 0; i < m->series[A]->nr_rounds; i++)
		assert_int_equal(m->series[A]->placement[i], 6 + i / ROUNDS % 4);
	measurement__free(m);
}

static void without_the_pace_nothing_is_known(void **state)
{
	struct measurement *m = measure(WORKLOAD_BIT(A), 10);
	struct pace pace;

	(void)state;
	pace_sift(m, &pace);
	assert_int_equal(pace.nr_disturbed, -1);
	assert_false(pace.are_left_out);
	assert_int_equal(m->nr_loads, 10);
	measurement__free(m);
}

#define claim(name) cmocka_unit_test_setup(name, new_world)

int main(void)
{
	const struct CMUnitTest tests[] = {
		claim(slow_loads_are_left_out),
		claim(a_slow_workload_on_an_even_core_is_not),
		claim(a_seventh_is_within_bounds_and_a_sixth_is_not),
		claim(with_too_few_others_all_stay),
		claim(a_tenth_at_least_has_to_be_left),
		claim(a_core_that_is_slow_throughout_is_not_noticed),
		claim(a_load_is_what_most_of_its_rounds_are),
		claim(rounds_keep_their_placement),
		claim(without_the_pace_nothing_is_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
