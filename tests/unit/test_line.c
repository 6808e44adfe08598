// SPDX-License-Identifier: BSD-2-Clause
/*
 * The fit against lines that are known. Simulations have their own generator
 * and fixed seeds: the same numbers on every run.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/time.h"
#include "random.h"
#include "stat/line.h"
#include "near.h"

#define MAX_PAIRS     4096
#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

static void assert_finite(const struct line *l)
{
	const double figures[] = {l->a, l->a_lo, l->a_hi, l->b, l->b_lo, l->b_hi};

	for (size_t i = 0; i < ARRAY_SIZE(figures); i++)
		assert_true(isfinite(figures[i]));
	assert_true(l->a_lo <= l->a && l->a <= l->a_hi);
	assert_true(l->b_lo <= l->b && l->b <= l->b_hi);
}

/* ---- exact figures ------------------------------------------------------- */

static void an_exact_line_is_found(void **state)
{
	struct line_pair p[64];
	struct line l;

	(void)state;
	for (uint64_t i = 0; i < 64; i++)
		p[63 - i] = (struct line_pair){.trips = i, .ns = 100 + 7 * i};
	assert_int_equal(line_fit(p, 64, &l), 0);
	assert_int_equal(l.status, LINE_OK);
	assert_int_equal(l.nr_pairs, 64);
	assert_near(l.a, 100, 1e-6);
	assert_near(l.b, 7, 1e-6);
	assert_finite(&l);
}

/*
 * Worked by hand. Two groups of 9 at 10 and 20 trips:
 *	ns at 10: 100 110 120 130 140 150 160 170 180, median 140
 *	ns at 20: 300 320 340 360 380 400 420 440 460, median 380
 * n = 9: c = round(5 - 3) = 2, n - 2c + 1 = 6 spacings,
 * se = sqrt(9) * (y(8) - y(2)) / 12: 3 * 60 / 12 = 15 and 3 * 120 / 12 = 30.
 * Two points: b = (380 - 140) / 10 = 24, a = 140 - 240 = -100,
 * var b = (15^2 + 30^2) / 10^2 = 11.25, b's degrees of freedom by Satterthwaite
 * (225 + 900)^2 / (225^2 / 6 + 900^2 / 6) = 8.824, t between 2.306 (8) and 2.262
 * (9): share (1/8 - 1/8.824) / (1/8 - 1/9) = 0.840, t = 2.269;
 * half width 2.269 * sqrt(11.25) = 7.611.
 * a = 2 y1 - y2: var a = 4 * 225 + 900 = 1800, df = 1800^2 / (900^2 / 6 * 2)
 * = 12, t = 2.179, half width 2.179 * 42.43 = 92.4.
 */
static void two_groups_by_hand(void **state)
{
	struct line_pair p[18];
	struct line l;

	(void)state;
	for (uint64_t i = 0; i < 9; i++) {
		p[2 * i] = (struct line_pair){.trips = 20, .ns = 300 + 20 * i};
		p[2 * i + 1] = (struct line_pair){.trips = 10, .ns = 100 + 10 * i};
	}
	assert_int_equal(line_fit(p, 18, &l), 0);
	assert_int_equal(l.status, LINE_OK);
	assert_int_equal(l.nr_groups, 2);
	assert_near(l.b, 24, 1e-9);
	assert_near(l.a, -100, 1e-9);
	/* Readings are single and 10 ns apart: the spreading changes nothing. */
	assert_near(l.b_hi - l.b, 7.611, 0.01);
	assert_near(l.a_hi - l.a, 92.4, 0.1);
	assert_near(l.b - l.b_lo, l.b_hi - l.b, 1e-9);
}

/* Nine entries at a trip count with the given median and spacing. */
static void nine(struct line_pair *p, uint64_t trips, uint64_t median, uint64_t spacing)
{
	for (uint64_t i = 0; i < 9; i++)
		p[i] = (struct line_pair){trips, median + spacing * i - 4 * spacing};
}

/*
 * Three groups, weights by hand. se = 3 * 6 spacing / 12 = 1.5 spacing, so
 * spacings 10, 20, 20 give se 15, 30, 30 and weights 4, 1, 1 (times 1/900).
 * Points (0, 1000), (10, 1100), (20, 1300):
 *	mean x = (0 + 10 + 20) / 6 = 5, mean y = (4000 + 1100 + 1300) / 6 = 1066.67
 *	Sxx = 4 * 25 + 25 + 225 = 350
 *	Sxy = 4 * -5 * -66.67 + 5 * 33.33 + 15 * 233.33 = 5000
 *	b = 5000 / 350 = 14.2857, a = 1066.67 - 71.43 = 995.238
 * Residuals 4.762, -38.095, 19.048: chi^2 = (4 * 22.68 + 1451.2 + 362.8) / 900
 * = 2.1164 with 1 degree of freedom: scaled by sqrt(2.1164) = 1.4548.
 * var b = 900 / 350 = 2.5714. b's weights w (x - 5) / 350: -20, 5, 15 over 350,
 * variances 225 * 400, 900 * 25, 900 * 225 over 350^2: 90000, 22500, 202500;
 * df = 315000^2 * 6 / (90000^2 + 22500^2 + 202500^2) = 12.00, t = 2.179.
 * Half width 2.179 * 1.4548 * 1.6036 = 5.083.
 */
static void three_groups_weights_and_birge_ratio_by_hand(void **state)
{
	struct line_pair p[27];
	struct line l;

	(void)state;
	nine(p, 0, 1000, 10);
	nine(p + 9, 10, 1100, 20);
	nine(p + 18, 20, 1300, 20);
	assert_int_equal(line_fit(p, 27, &l), 0);
	assert_int_equal(l.nr_groups, 3);
	assert_near(l.b, 5000.0 / 350, 1e-6);
	assert_near(l.a, 995.238, 1e-3);
	assert_near(l.b_hi - l.b, 5.083, 0.01);
}

/* Three times further from a line: the interval widens with the misfit. */
static void a_poor_line_is_said_with_a_wide_interval(void **state)
{
	struct line_pair p[27];
	struct line straight, bent;

	(void)state;
	nine(p, 0, 1000, 10);
	nine(p + 9, 10, 1200, 10);
	nine(p + 18, 20, 1400, 10);
	assert_int_equal(line_fit(p, 27, &straight), 0);
	nine(p, 0, 1000, 10);
	nine(p + 9, 10, 1900, 10);
	nine(p + 18, 20, 1400, 10);
	assert_int_equal(line_fit(p, 27, &bent), 0);
	assert_near(straight.b, 20, 1e-6);
	assert_near(bent.b, 20, 1e-6);
	/* chi^2 = 6 * (700 / 3)^2 / 15^2 = 1452 */
	assert_near((bent.b_hi - bent.b) / (straight.b_hi - straight.b), sqrt(1451.85),
		    0.1);
}

/* A reading of 40 ns or 80 ns, a quarter the latter, is 50 ns. */
static void the_median_does_not_stick_to_a_coarse_clock(void **state)
{
	struct line_pair p[400];
	struct line l;

	(void)state;
	for (uint64_t i = 0; i < 200; i++) {
		p[i] = (struct line_pair){10, i % 4 ? 40 : 80};
		p[200 + i] = (struct line_pair){20, i % 2 ? 80 : 120};
	}
	assert_int_equal(line_fit(p, 400, &l), 0);
	assert_near(l.b, (100.0 - 50.0) / 10, 0.05);
	assert_true(l.b_hi - l.b < 1.5);
}

/* ---- what cannot be fitted ------------------------------------------------ */

static void constant_trips_are_said(void **state)
{
	struct line_pair p[100];
	struct line l;

	(void)state;
	for (uint64_t i = 0; i < 100; i++)
		p[i] = (struct line_pair){64, 100 + i};
	assert_int_equal(line_fit(p, 100, &l), 0);
	assert_int_equal(l.status, LINE_TRIPS_CONSTANT);
	assert_int_equal(l.nr_pairs, 100);
	assert_true(l.b == 0 && l.b_lo == 0 && l.b_hi == 0 && l.a == 0);
	assert_int_equal(line_fit(p, 1, &l), 0);
	assert_int_equal(l.status, LINE_TRIPS_CONSTANT);
}

static void too_few_are_said(void **state)
{
	struct line_pair p[107];
	struct line l;

	(void)state;
	assert_int_equal(line_fit(NULL, 0, &l), 0);
	assert_int_equal(l.status, LINE_TOO_FEW);
	for (uint64_t i = 0; i < 15; i++)
		p[i] = (struct line_pair){i, 10 * i};
	assert_int_equal(line_fit(p, 15, &l), 0);
	assert_int_equal(l.status, LINE_TOO_FEW);
	/* 7 others beside 100 of one kind are no second group. */
	for (uint64_t i = 0; i < 107; i++)
		p[i] = (struct line_pair){i < 100 ? 64 : 65 + i, 10 * i};
	assert_int_equal(line_fit(p, 107, &l), 0);
	assert_int_equal(l.status, LINE_TOO_FEW);
	assert_true(l.b == 0 && l.b_hi == 0);
}

static void sixteen_are_enough(void **state)
{
	struct line_pair p[16];
	struct line l;

	(void)state;
	for (uint64_t i = 0; i < 16; i++)
		p[i] = (struct line_pair){i, 50 + 10 * i};
	assert_int_equal(line_fit(p, 16, &l), 0);
	assert_int_equal(l.status, LINE_OK);
	assert_near(l.b, 10, 1e-6);
}

static void nothing_is_ever_nan(void **state)
{
	static const uint64_t odd[] = {
		0, 1, 2, 63, 1000, 1ULL << 32, UINT64_MAX - 1, UINT64_MAX};
	static struct line_pair p[MAX_PAIRS];
	struct rng r = {4711};
	struct line l;

	(void)state;
	for (int run = 0; run < 3000; run++) {
		size_t nr = (size_t)(uniform(&r) * 90);

		for (size_t i = 0; i < nr; i++) {
			p[i].trips = odd[(size_t)(uniform(&r) * (run % 8 + 1))];
			p[i].ns = odd[(size_t)(uniform(&r) * ARRAY_SIZE(odd))];
		}
		assert_int_equal(line_fit(p, nr, &l), 0);
		assert_finite(&l);
		assert_true(l.nr_groups <= 32);
	}
	/* Trip counts that differ, but not as doubles. */
	for (size_t i = 0; i < 40; i++)
		p[i] = (struct line_pair){(1ULL << 63) + (i & 1), i};
	assert_int_equal(line_fit(p, 40, &l), 0);
	assert_int_equal(l.status, LINE_TOO_FEW);
	/* Any number of distinct trip counts stays within 32 groups. */
	for (size_t i = 0; i < MAX_PAIRS; i++)
		p[i] = (struct line_pair){i / (1 + i % 3), i};
	assert_int_equal(line_fit(p, MAX_PAIRS, &l), 0);
	assert_in_range(l.nr_groups, 10, 32);
}

/* ---- simulations ---------------------------------------------------------- */

#define TRUE_A 101.3
#define TRUE_B 3.137

typedef uint64_t (*trips_fn)(struct rng *r);
typedef double (*noise_fn)(struct rng *r, double ns);

static uint64_t trips_uniform(struct rng *r)
{
	return 1 + (uint64_t)(uniform(r) * 1000);
}

static uint64_t trips_two(struct rng *r)
{
	return uniform(r) < 0.5 ? 16 : 64;
}

static uint64_t trips_three(struct rng *r)
{
	static const uint64_t classes[] = {8, 64, 128};

	return classes[(size_t)(uniform(r) * 3)];
}

static uint64_t trips_five(struct rng *r)
{
	static const uint64_t classes[] = {1, 4, 16, 64, 256};

	return classes[(size_t)(uniform(r) * 5)];
}

static uint64_t trips_concentrated(struct rng *r)
{
	return uniform(r) < 0.95 ? 64 : 1 + (uint64_t)(uniform(r) * 256);
}

static uint64_t trips_skewed(struct rng *r)
{
	return (uint64_t)exp(7 * uniform(r));
}

static double noise_same(struct rng *r, double ns)
{
	return ns + 20 * normal(r);
}

static double noise_proportional(struct rng *r, double ns)
{
	return ns * (1 + 0.1 * normal(r));
}

static double noise_lognormal(struct rng *r, double ns)
{
	return ns * exp(0.3 * normal(r));
}

static double noise_heavy(struct rng *r, double ns)
{
	return ns * exp(normal(r));
}

static const struct {
	const char *name;
	trips_fn trips;
} trips_kinds[] = {
	{"uniform", trips_uniform},
	{"2 classes", trips_two},
	{"3 classes", trips_three},
	{"5 classes", trips_five},
	{"95% in one class", trips_concentrated},
	{"skewed", trips_skewed},
};

static const struct {
	const char *name;
	noise_fn noise;
} noise_kinds[] = {
	{"same everywhere", noise_same},
	{"proportional", noise_proportional},
	{"lognormal 0.3", noise_lognormal},
	{"lognormal 1", noise_heavy},
};

/* interrupted: the share of entries lengthened by 50 us. */
static void simulate(struct rng *r, struct line_pair *p, size_t nr, trips_fn trips,
		     noise_fn noise, double interrupted)
{
	for (size_t i = 0; i < nr; i++) {
		double ns;

		p[i].trips = trips(r);
		ns = noise(r, TRUE_A + TRUE_B * (double)p[i].trips);
		if (uniform(r) < interrupted)
			ns += 50000;
		p[i].ns = ns < 0 ? 0 : (uint64_t)llround(ns);
	}
}

static void check_coverage(struct rng *r, size_t trips, size_t noise, size_t nr)
{
	static struct line_pair p[MAX_PAIRS];
	const int nr_runs = 600;
	int a_in = 0, b_in = 0, fits = 0;
	struct line l;

	for (int run = 0; run < nr_runs; run++) {
		simulate(r, p, nr, trips_kinds[trips].trips, noise_kinds[noise].noise,
			 0);
		assert_int_equal(line_fit(p, nr, &l), 0);
		if (l.status != LINE_OK)
			continue;
		fits++;
		a_in += l.a_lo <= TRUE_A && TRUE_A <= l.a_hi;
		b_in += l.b_lo <= TRUE_B && TRUE_B <= l.b_hi;
	}
	print_message("%5zu entries, trips %s, noise %s: b in %.1f%%, a in %.1f%%\n",
		      nr, trips_kinds[trips].name, noise_kinds[noise].name,
		      100.0 * b_in / fits, 100.0 * a_in / fits);
	assert_true(fits > nr_runs / 2);
	assert_in_range(1000 * b_in / fits, 920, 985);
	/* a with two standard deviations of the simulation itself to spare. */
	assert_in_range(1000 * a_in / fits, 910, 995);
}

static void intervals_cover_as_often_as_they_say(void **state)
{
	struct rng r = {88172645463325252ULL};

	(void)state;
	for (size_t t = 0; t < ARRAY_SIZE(trips_kinds); t++)
		for (size_t n = 0; n < ARRAY_SIZE(noise_kinds); n++)
			check_coverage(&r, t, n, 512);
	check_coverage(&r, 0, 2, 2048);
	check_coverage(&r, 3, 3, 2048);
}

/*
 * The same entries with and without 1% of them lengthened by 50 us. The noise
 * is such that b itself is known to better than a percent.
 */
static void interrupts_do_not_move_the_slope(void **state)
{
	static struct line_pair clean[2048], hit[2048];
	struct rng r = {1234567};
	struct line before, after;

	(void)state;
	for (size_t t = 0; t < ARRAY_SIZE(trips_kinds); t++) {
		for (int run = 0; run < 50; run++) {
			simulate(&r, clean, 2048, trips_kinds[t].trips,
				 noise_proportional, 0);
			memcpy(hit, clean, sizeof(hit));
			for (size_t i = 0; i < 2048; i++)
				hit[i].ns += uniform(&r) < 0.01 ? 50000 : 0;
			assert_int_equal(line_fit(clean, 2048, &before), 0);
			assert_int_equal(line_fit(hit, 2048, &after), 0);
			assert_int_equal(after.status, LINE_OK);
			assert_true(fabs(after.b / before.b - 1) < 0.05);
		}
	}
}

static void a_fit_takes_less_than_two_ms(void **state)
{
	static struct line_pair p[2048];
	struct rng r = {99};
	uint64_t best = UINT64_MAX, start, took;
	struct line l;

	(void)state;
	for (int run = 0; run < 20; run++) {
		simulate(&r, p, 2048, trips_uniform, noise_lognormal, 0.01);
		start = time_ns(CLOCK_MONOTONIC);
		assert_int_equal(line_fit(p, 2048, &l), 0);
		took = time_ns(CLOCK_MONOTONIC) - start;
		best = took < best ? took : best;
	}
	print_message("2048 entries: %.2f ms\n", (double)best / 1e6);
#if !defined(__SANITIZE_ADDRESS__)
	assert_true(best < 2 * NSEC_PER_MSEC);
#endif
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_exact_line_is_found),
		cmocka_unit_test(two_groups_by_hand),
		cmocka_unit_test(three_groups_weights_and_birge_ratio_by_hand),
		cmocka_unit_test(a_poor_line_is_said_with_a_wide_interval),
		cmocka_unit_test(the_median_does_not_stick_to_a_coarse_clock),
		cmocka_unit_test(constant_trips_are_said),
		cmocka_unit_test(too_few_are_said),
		cmocka_unit_test(sixteen_are_enough),
		cmocka_unit_test(nothing_is_ever_nan),
		cmocka_unit_test(intervals_cover_as_often_as_they_say),
		cmocka_unit_test(interrupts_do_not_move_the_slope),
		cmocka_unit_test(a_fit_takes_less_than_two_ms),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
