// SPDX-License-Identifier: BSD-2-Clause
/*
 * The whole estimator, rounds to rows, in worlds with a known answer. All costs are
 * halves or quarters of a ns, so that without noise a run's ns are whole and the
 * answer is exact.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "bench/summary.h"
#include "synthetic.h"

/* The row of A, after so many loads. */
static struct bench_result row_of_a(uint64_t nr_loads)
{
	struct measurement *m = measure(WORKLOAD_BIT(A), nr_loads);
	struct bench_result row;

	summarise(m, A, 1, &row);
	measurement__free(m);
	return row;
}

/* ---- cost ----------------------------------------------------------------- */

/* 16384 trips take 40,960 ns and 100; twice as many are the first with 60,000. */
static void a_known_cost_is_found_exactly(void **state)
{
	struct bench_result row;

	(void)state;
	world.fixed_ns = 100;
	row = row_of_a(10);
	assert_true(row.measured);
	assert_string_equal(row.name, "bpf_for");
	assert_int_equal(row.nr_loops, 32768);
	assert_int_equal(row.nr_loads, 10);
	assert_int_equal(row.nr_rounds, 50);
	assert_exactly(row.median, 2.5);
	assert_exactly(row.lo, 2.5);
	assert_exactly(row.hi, 2.5);
	/* Of the long run, 65536 trips, with the 100 ns that it costs once. */
	assert_exactly(row.min, (65536 * 2.5 + 100) / 65536);
	assert_true(row.is_linear);
	assert_false(row.is_bimodal);
	assert_false(row.is_noisy);
}

static void cost_is_for_a_trip_not_for_a_batch_of_them(void **state)
{
	struct bench_result row;

	(void)state;
	world.batch = 1000;
	row = row_of_a(5);
	assert_int_equal(row.nr_loops, 32000);
	assert_exactly(row.median, 2.5);
}

static void fixed_cost_cancels(void **state)
{
	static const double fixed_ns[] = {0, 500, 3000, 1000000};
	struct bench_result row;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(fixed_ns) / sizeof(fixed_ns[0]); i++) {
		new_world(NULL);
		world.fixed_ns = fixed_ns[i];
		row = row_of_a(5);
		assert_exactly(row.median, 2.5);
	}
	/* 1,024 trips are 2,560 of 1,002,560 ns: no figure to rely on. */
	assert_false(row.is_linear);
	assert_near(row.nonlinearity, 1005120.0 / 2005120 - 1, 1e-12);
}

/* N is 32768 in all; (4 + 4x) / (2 (2 + x)) - 1 = x / (2 + x), x being N / bend. */
static void cost_that_grows_with_the_trips_is_named(void **state)
{
	static const struct {
		double bend, nonlinearity;
		bool is_linear;
	} cases[] = {
		{0, 0, true},
		{32768 * 16, 1.0 / 33, true},
		{32768 * 8, 1.0 / 17, false},
		{32768 * 2, 0.2, false},
	};
	struct bench_result row;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		new_world(NULL);
		world.cost[A] = 2;
		world.bend = cases[i].bend;
		row = row_of_a(5);
		assert_int_equal(row.nr_loops, 32768);
		assert_near(row.nonlinearity, cases[i].nonlinearity, 1e-12);
		assert_int_equal(row.is_linear, cases[i].is_linear);
	}
}

/* Runs of 1%, so a round of sqrt(1² + 2²)% of N: by far less than 10% of the cost. */
static void noise_widens_the_interval_and_moves_the_median_little(void **state)
{
	struct bench_result row;

	(void)state;
	world.noise = 0.01;
	row = row_of_a(40);
	assert_near(row.median, 2.5, 0.02);
	assert_true(row.lo < row.median && row.median < row.hi);
	assert_true(row.hi - row.lo < 0.05);
	assert_false(row.is_bimodal);
	assert_false(row.is_noisy);
	world.noise = 0.3;
	assert_true(row_of_a(10).is_noisy);
}

/* Of 300 measurements of 20 loads: how many intervals hold the truth, and how wide. */
struct coverage {
	int nr_covering;
	double width; /* mean, over that of a normal median's 95% */
};

static void count_covering(struct coverage *ret)
{
	double width = 0, sum = 0, squares = 0, sd;
	struct bench_result row;
	int i;

	*ret = (struct coverage){0};
	for (i = 0; i < 300; i++) {
		row = row_of_a(20);
		ret->nr_covering += row.lo <= 2.5 && row.hi >= 2.5;
		width += row.hi - row.lo;
		sum += row.median - 2.5;
		squares += (row.median - 2.5) * (row.median - 2.5);
	}
	sd = sqrt(squares / 300 - (sum / 300) * (sum / 300));
	ret->width = width / 300 / (2 * 1.96 * sd);
}

/*
 * What the rounds of a load share is no evidence five times over. 91 to 98.6%: half
 * as wide, the intervals would hold the truth in 67%; twice as wide, in 99.99%. A
 * little wide they are: 20 loads are dealt into 16 groups, of one or two.
 */
static void interval_covers_the_truth_when_loads_differ(void **state)
{
	struct coverage c;

	(void)state;
	world.noise = 0.002;
	world.load_spread = 0.05;
	count_covering(&c);
	assert_in_range(c.nr_covering, 273, 296);
	assert_near(c.width, 1.2, 0.2);
}

/* Drawing among the five rounds of a load too then makes it wider than need be. */
static void interval_covers_the_truth_when_only_runs_differ(void **state)
{
	struct coverage c;

	(void)state;
	world.noise = 0.01;
	count_covering(&c);
	assert_in_range(c.nr_covering, 285, 300);
	assert_near(c.width, 1.5, 0.3);
}

/* A round is two runs, so a tenth of the rounds is hit, in either direction. */
static void interrupts_move_neither_median_nor_minimum(void **state)
{
	struct bench_result row;

	(void)state;
	world.interrupt_share = 0.05;
	world.interrupt_ns = 50000;
	row = row_of_a(100);
	assert_in_range(world.nr_interrupted, 30, 75);
	assert_exactly(row.median, 2.5);
	assert_exactly(row.lo, 2.5);
	assert_exactly(row.hi, 2.5);
	assert_exactly(row.min, 2.5);
	assert_false(row.is_bimodal);
	assert_true(row.is_linear);
}

/* ---- steps and placements -------------------------------------------------- */

static double slower_from_load_21_on(struct world *w, enum workload_id id, double trips)
{
	return (w->load > 20 ? 1.5 : 1) * w->cost[id] * trips;
}

static void a_step_half_way_is_two_modes(void **state)
{
	struct bench_result row;

	(void)state;
	world.cost[A] = 2;
	world.model = slower_from_load_21_on;
	row = row_of_a(40);
	assert_true(row.is_bimodal);
	assert_exactly(row.mode_lo, 2);
	assert_exactly(row.mode_hi, 3);
	assert_exactly(row.mode_hi_share, 0.5);
	assert_exactly(row.median, 2.5);
	assert_true(row.lo < 2.5 && row.hi > 2.5);
	assert_true(row.is_noisy);
}

/* The costs at the addresses 0, 8, 16, … 56 of a cache line. */
static const double cost_at[8] = {2, 4, 8, 3, 4, 4, 8, 8};
static int (*place_of)(int load);

static int placed_by_load(struct world *w, enum workload_id id)
{
	(void)id;
	return 8 * place_of(w->load);
}

static double costs_by_placement(struct world *w, enum workload_id id, double trips)
{
	(void)id;
	return cost_at[place_of(w->load)] * trips;
}

static void place_by(int (*place)(int load))
{
	place_of = place;
	world.placed = placed_by_load;
	world.model = costs_by_placement;
}

static int alternately_0_and_24(int load)
{
	return load % 2 ? 0 : 3;
}

static void placements_that_differ_are_two_modes(void **state)
{
	struct bench_result row;

	(void)state;
	place_by(alternately_0_and_24);
	row = row_of_a(40);
	assert_int_equal(row.nr_placements, 2);
	assert_true(row.is_bimodal);
	assert_exactly(row.mode_lo, 2);
	assert_exactly(row.mode_hi, 3);
	assert_exactly(row.mode_hi_share, 0.5);
	assert_exactly(row.median, 2.5);
}

static int mostly_0(int load)
{
	return load % 10 < 6 ? 0 : load % 10 - 5;
}

static int mostly_16(int load)
{
	return load % 10 < 6 ? 2 : load % 10 - (load % 10 < 8 ? 6 : 5);
}

/* Six loads in ten at one of the five addresses, one at each of the others. */
static void every_placement_counts_alike_however_often_it_came(void **state)
{
	struct bench_result row;

	(void)state;
	/*
	 * 2 at address 0, then 4, 8, 3 and 4. The fifteen pairs' means, in order: 2, 2.5,
	 * 3, 3, 3, 3.5, 3.5, 4, …
	 */
	place_by(mostly_0);
	row = row_of_a(40);
	assert_int_equal(row.nr_placements, 5);
	assert_exactly(row.median, 4);
	assert_true(row.lo >= 2 && row.lo <= 4 && row.hi >= 4 && row.hi <= 8);
	/* 8 at address 16, then 2, 4, 3 and 4: the same five. */
	new_world(NULL);
	place_by(mostly_16);
	row = row_of_a(40);
	assert_int_equal(row.nr_placements, 5);
	assert_exactly(row.median, 4);
}

/* Then loads are dealt into 16 groups, of three here: two of them cost 2. */
static int one_in_three_at_24(int load)
{
	return load % 3 ? 0 : 3;
}

static void few_placements_are_no_groups(void **state)
{
	struct bench_result row;

	(void)state;
	place_by(one_in_three_at_24);
	row = row_of_a(48);
	assert_int_equal(row.nr_placements, 2);
	assert_exactly(row.median, 2);
}

/* The same; the five loads of a group are the even ones of ten, or the odd: three cost 2. */
static void hidden_placements_are_dealt_into_groups(void **state)
{
	struct bench_result row;

	(void)state;
	place_by(mostly_0);
	world.placed = NULL;
	row = row_of_a(80);
	assert_int_equal(row.nr_placements, 0);
	assert_exactly(row.median, 2);
}

/*
 * The runs of a load cost 1, 2, 3, 4 and 5 a trip in turn: quartiles 2 and 4, median
 * 3. That the loads differ by more does not count: they lie elsewhere.
 */
static double one_to_five(struct world *w, enum workload_id id, double trips)
{
	static int run;

	(void)id;
	if (trips < 20000)
		return 4 * trips; /* while the trips are chosen, and the short runs */
	return (1 + run++ % 5) * (1 + w->load % 3) * trips;
}

static void spread_is_that_of_runs_at_one_placement(void **state)
{
	struct measurement *m;

	(void)state;
	world.model = one_to_five;
	m = measure(WORKLOAD_BIT(C), 40);
	assert_near(summary_spread(m, C), 2.0 / 3, 1e-12);
	assert_true(isnan(summary_spread(m, A)));
	measurement__free(m);
}

/* ---- pairs ------------------------------------------------------------------ */

static struct bench_pair pair_of_a_and_b(uint64_t nr_loads)
{
	struct measurement *m = measure(WORKLOAD_BIT(A) | WORKLOAD_BIT(B), nr_loads);
	struct bench_pair pair;

	assert_true(summarise_pair(m, A, B, &pair));
	measurement__free(m);
	return pair;
}

/* 6.25 - 2.5, and 2.5 / 6.25. */
static void a_pair_is_what_the_first_saves_and_its_ratio(void **state)
{
	struct bench_pair pair = pair_of_a_and_b(5);

	(void)state;
	assert_string_equal(pair.name, "bpf_for");
	assert_string_equal(pair.than, "bpf_loop");
	assert_exactly(pair.saves, 3.75);
	assert_exactly(pair.saves_lo, 3.75);
	assert_exactly(pair.saves_hi, 3.75);
	assert_exactly(pair.ratio, 0.4);
	assert_exactly(pair.ratio_lo, 0.4);
	assert_exactly(pair.ratio_hi, 0.4);
}

static void a_pair_has_an_interval(void **state)
{
	struct bench_pair pair;

	(void)state;
	world.noise = 0.01;
	pair = pair_of_a_and_b(40);
	assert_true(pair.saves_lo < 3.75 && 3.75 < pair.saves_hi);
	assert_true(pair.saves_hi - pair.saves_lo < 0.2);
	assert_true(pair.ratio_lo < 0.4 && 0.4 < pair.ratio_hi);
	assert_true(pair.ratio_hi - pair.ratio_lo < 0.03);
}

/* The pair is the rows' difference, also where the rows weigh placements. */
static void a_pair_agrees_with_its_rows(void **state)
{
	struct measurement *m;
	struct bench_result a, b;
	struct bench_pair pair;

	(void)state;
	world.noise = 0.05;
	m = measure(WORKLOAD_BIT(A) | WORKLOAD_BIT(B), 40);
	summarise(m, A, 1, &a);
	summarise(m, B, 1, &b);
	assert_true(summarise_pair(m, A, B, &pair));
	assert_exactly(pair.saves, b.median - a.median);
	assert_exactly(pair.ratio, a.median / b.median);
	measurement__free(m);
}

static void a_pair_of_which_one_was_not_measured_is_none(void **state)
{
	struct measurement *m = measure(WORKLOAD_BIT(A), 5);
	struct bench_pair pair;

	(void)state;
	assert_false(summarise_pair(m, A, B, &pair));
	assert_false(summarise_pair(m, B, A, &pair));
	measurement__free(m);
}

#define claim(name) cmocka_unit_test_setup(name, new_world)

int main(void)
{
	const struct CMUnitTest tests[] = {
		claim(a_known_cost_is_found_exactly),
		claim(cost_is_for_a_trip_not_for_a_batch_of_them),
		claim(fixed_cost_cancels),
		claim(cost_that_grows_with_the_trips_is_named),
		claim(noise_widens_the_interval_and_moves_the_median_little),
		claim(interval_covers_the_truth_when_loads_differ),
		claim(interval_covers_the_truth_when_only_runs_differ),
		claim(interrupts_move_neither_median_nor_minimum),
		claim(a_step_half_way_is_two_modes),
		claim(placements_that_differ_are_two_modes),
		claim(every_placement_counts_alike_however_often_it_came),
		claim(few_placements_are_no_groups),
		claim(hidden_placements_are_dealt_into_groups),
		claim(spread_is_that_of_runs_at_one_placement),
		claim(a_pair_is_what_the_first_saves_and_its_ratio),
		claim(a_pair_has_an_interval),
		claim(a_pair_agrees_with_its_rows),
		claim(a_pair_of_which_one_was_not_measured_is_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
