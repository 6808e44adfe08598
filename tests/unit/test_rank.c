// SPDX-License-Identifier: BSD-2-Clause
/*
 * Rank tests against published tables and worked examples, and against every split
 * of small samples, enumerated here by brute force.
 */
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "random.h"
#include "stat/quantile.h"
#include "stat/rank.h"
#include "near.h"

#define NR(a)                      (sizeof(a) / sizeof((a)[0]))

static struct mann_whitney test_of(const double *x, size_t n, const double *y, size_t m)
{
	struct mann_whitney test;

	assert_int_equal(stat_mann_whitney(x, n, y, m, &test), 0);
	return test;
}

/* Without ties: x is 1 … n, and y has that U. */
static double p_of_u(size_t n, size_t m, size_t u)
{
	double x[STAT_RANK_MAX], y[STAT_RANK_MAX];
	struct mann_whitney test;
	size_t left = u, below;

	for (size_t i = 0; i < n; i++)
		x[i] = (double)i + 1;
	for (size_t i = 0; i < m; i++) {
		below = left < n ? left : n;
		left -= below;
		y[i] = (double)below + 0.5 + 0.001 * (double)i;
	}
	assert_int_equal(left, 0);
	test = test_of(x, n, y, m);
	assert_near(test.u, (double)u, 0);
	return test.p;
}

/* The table of critical values, two-sided 5%, as in Conover's and others' books. */
static void critical_values_as_published(void **state)
{
	static const struct {
		size_t n, m, u;
	} table[] = {
		{3, 5, 0},    {4, 4, 0},    {4, 6, 2},	  {4, 10, 5},	{5, 5, 2},
		{5, 10, 8},   {5, 15, 14},  {5, 20, 20},  {6, 6, 5},	{6, 10, 11},
		{7, 7, 8},    {7, 10, 14},  {8, 8, 13},	  {8, 10, 17},	{9, 9, 17},
		{9, 15, 34},  {10, 10, 23}, {10, 15, 39}, {10, 20, 55}, {11, 11, 30},
		{12, 12, 37}, {13, 13, 45}, {14, 14, 55}, {15, 15, 64}, {16, 16, 75},
		{17, 17, 87}, {18, 18, 99}, {19, 19, 113}, {20, 20, 127},
	};

	(void)state;
	for (size_t i = 0; i < NR(table); i++) {
		assert_true(p_of_u(table[i].n, table[i].m, table[i].u) <= 0.05);
		assert_true(p_of_u(table[i].n, table[i].m, table[i].u + 1) > 0.05);
	}
}

static void no_critical_value_of_three_and_three(void **state)
{
	(void)state;
	assert_near(p_of_u(3, 3, 0), 0.1, 1e-12);
	assert_near(stat_mann_whitney_least_p(3, 3), 0.1, 1e-12);
	assert_near(stat_mann_whitney_least_p(4, 4), 2 / 70.0, 1e-12);
	assert_near(stat_mann_whitney_least_p(5, 10), 2 / 3003.0, 1e-12);
	assert_near(stat_mann_whitney_least_p(1, 1), 1, 0);
	assert_near(stat_mann_whitney_least_p(0, 5), 1, 0);
	assert_near(p_of_u(1, 1, 0), 1, 1e-12);
}

/* Hollander & Wolfe, Table 4.1: tritiated water through the human chorioamnion. */
static const double at_term[] = {0.80, 0.83, 1.89, 1.04, 1.45,
				 1.38, 1.91, 1.64, 0.73, 1.46};
static const double earlier[] = {1.15, 0.88, 0.90, 0.74, 1.21};

/* One-sided p is 0.1272 there; the interval of 96% is that with C = 9. */
static void permeability_as_published(void **state)
{
	struct mann_whitney test = test_of(at_term, NR(at_term), earlier, NR(earlier));
	struct hodges_lehmann hl;

	(void)state;
	assert_near(test.u, 15, 0);
	assert_true(test.is_exact);
	assert_near(test.p, 2 * 0.1272, 1e-4);
	assert_int_equal(stat_hodges_lehmann(at_term, NR(at_term), earlier, NR(earlier),
					     &hl),
			 0);
	assert_near(hl.shift, -0.305, 1e-9);
	assert_near(hl.lo, -0.76, 1e-9);
	assert_near(hl.hi, 0.15, 1e-9);
}

/* Ozone in New York, May and August 1973: with ties W is 127.5 and p 0.0001208. */
static void ozone_as_published(void **state)
{
	static const double may[] = {41, 36, 12, 18, 28, 23, 19, 8,  7,
				     16, 11, 14, 18, 14, 34, 6,	 30, 11,
				     1,	 11, 4,	 32, 23, 45, 115, 37};
	static const double august[] = {39, 9,	16, 78, 35, 66, 122, 89, 110,
					44, 28, 65, 22, 59, 23, 31,  44, 21,
					9,  45, 168, 73, 76, 118, 84, 85};
	struct mann_whitney test = test_of(may, NR(may), august, NR(august));

	(void)state;
	assert_near(test.u, 26 * 26 - 127.5, 0);
	assert_false(test.is_exact);
	assert_near(test.p, 0.0001208, 5e-8);
}

/* --- every split of small samples -------------------------------------------- */

static double u_by_pairs(const double *x, size_t n, const double *y, size_t m)
{
	double u = 0;

	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < m; j++)
			u += y[j] > x[i] ? 1 : y[j] == x[i] ? 0.5 : 0;
	return u;
}

/* The share of the splits of all values whose U is as far from the middle. */
static double p_by_splits(const double *x, size_t n, const double *y, size_t m)
{
	double far = fabs(u_by_pairs(x, n, y, m) - (double)(n * m) / 2);
	double all[16], a[16], b[16];
	unsigned int nr = 0, nr_far = 0;

	for (size_t i = 0; i < n + m; i++)
		all[i] = i < n ? x[i] : y[i - n];
	for (unsigned int mask = 0; mask < 1U << (n + m); mask++) {
		size_t na = 0, nb = 0;

		if ((size_t)__builtin_popcount(mask) != n)
			continue;
		for (size_t i = 0; i < n + m; i++)
			*(mask >> i & 1 ? &a[na++] : &b[nb++]) = all[i];
		nr++;
		nr_far += fabs(u_by_pairs(a, n, b, m) - (double)(n * m) / 2) >= far;
	}
	return (double)nr_far / nr;
}

static void exact_p_is_that_of_all_splits(void **state)
{
	struct rng r = {7};

	(void)state;
	for (int round = 0; round < 150; round++) {
		size_t n = 1 + (size_t)(uniform(&r) * 6);
		size_t m = 1 + (size_t)(uniform(&r) * 6);
		double levels = 1 + floor(uniform(&r) * 8); /* few: many ties */
		double x[8], y[8];
		struct mann_whitney test;

		for (size_t i = 0; i < n; i++)
			x[i] = floor(uniform(&r) * levels);
		for (size_t i = 0; i < m; i++)
			y[i] = floor(uniform(&r) * levels) + (round % 3 == 0);
		test = test_of(x, n, y, m);
		assert_true(test.is_exact);
		assert_near(test.u, u_by_pairs(x, n, y, m), 1e-12);
		assert_near(test.p, p_by_splits(x, n, y, m), 1e-12);
	}
}

/*
 * Of the splits of n + m different values the interval holds 0 in 95% at least; and
 * with one difference less at each end it would not in enough.
 */
static void interval_covers_in_enough_splits(void **state)
{
	static const size_t sizes[][2] = {{3, 5}, {4, 4}, {5, 5}, {4, 7}, {6, 6}, {7, 5}};

	(void)state;
	for (size_t s = 0; s < NR(sizes); s++) {
		size_t n = sizes[s][0], m = sizes[s][1];
		unsigned int nr = 0, nr_held = 0;

		for (unsigned int mask = 0; mask < 1U << (n + m); mask++) {
			double x[8], y[8];
			struct hodges_lehmann hl;
			size_t nx = 0, ny = 0;

			if ((size_t)__builtin_popcount(mask) != n)
				continue;
			/* powers of 2: no two differences are equal */
			for (size_t i = 0; i < n + m; i++)
				*(mask >> i & 1 ? &x[nx++] : &y[ny++]) =
					(double)(1U << i);
			assert_int_equal(stat_hodges_lehmann(x, n, y, m, &hl), 0);
			nr++;
			nr_held += hl.lo <= 0 && hl.hi >= 0;
		}
		assert_true(nr_held >= 0.95 * nr);
		assert_true(nr_held < nr);
	}
}

static void interval_agrees_with_the_test(void **state)
{
	struct rng r = {21};

	(void)state;
	for (int round = 0; round < 300; round++) {
		size_t n = 4 + (size_t)(uniform(&r) * 40);
		size_t m = 4 + (size_t)(uniform(&r) * 40);
		double x[64], y[64];
		struct hodges_lehmann hl;

		for (size_t i = 0; i < n; i++)
			x[i] = normal(&r);
		for (size_t i = 0; i < m; i++)
			y[i] = normal(&r) + uniform(&r);
		assert_int_equal(stat_hodges_lehmann(x, n, y, m, &hl), 0);
		assert_int_equal(hl.lo > 0 || hl.hi < 0, test_of(x, n, y, m).p <= 0.05);
	}
}

static void too_few_have_no_interval(void **state)
{
	static const double x[] = {1, 2, 3}, y[] = {4, 5, 6};
	struct hodges_lehmann hl;

	(void)state;
	assert_int_equal(stat_hodges_lehmann(x, 3, y, 3, &hl), 0);
	assert_near(hl.shift, 3, 0);
	assert_true(isnan(hl.lo) && isnan(hl.hi));
}

/* What an emulator that counts instructions measures: no spread at all. */
static void exact_measurements_have_an_exact_shift(void **state)
{
	double x[16], y[16];
	struct hodges_lehmann hl;

	(void)state;
	for (size_t i = 0; i < 16; i++) {
		x[i] = 18;
		y[i] = 15;
	}
	assert_int_equal(stat_hodges_lehmann(x, 16, y, 16, &hl), 0);
	assert_near(hl.shift, -3, 0);
	assert_near(hl.lo, -3, 0);
	assert_near(hl.hi, -3, 0);
	assert_near(test_of(x, 16, y, 16).p, stat_mann_whitney_least_p(16, 16), 1e-15);
	assert_near(test_of(x, 16, x, 16).p, 1, 1e-12);
}

static void all_equal_is_no_difference_in_large_samples_too(void **state)
{
	static double x[100], y[100];

	(void)state;
	assert_near(test_of(x, 100, y, 100).p, 1, 0);
}

/* Near the limit both ways must say nearly the same. */
static void approximation_meets_the_exact_distribution(void **state)
{
	struct rng r = {33};

	(void)state;
	for (int round = 0; round < 50; round++) {
		double x[30], y[30];
		double exact, approximate;

		for (size_t i = 0; i < 30; i++) {
			x[i] = floor(20 * uniform(&r));
			y[i] = floor(20 * uniform(&r)) + 3 * (round % 2);
		}
		exact = test_of(x, 25, y, 25).p;
		/* one value more, in the middle of all, hardly matters */
		for (size_t i = 25; i < 26; i++)
			x[i] = 9.5;
		approximate = test_of(x, 26, y, 25).p;
		assert_near(exact, approximate, 0.06);
	}
}

/* Two against many: exact whatever their number. */
static void few_against_many_are_exact(void **state)
{
	static double y[STAT_RANK_MAX];
	static const double x[] = {-1, -2};

	(void)state;
	for (size_t i = 0; i < STAT_RANK_MAX; i++)
		y[i] = (double)i;
	assert_true(test_of(x, 2, y, STAT_RANK_MAX).is_exact);
	assert_near(test_of(x, 2, y, STAT_RANK_MAX).p, 4.0 / (514 * 513.0), 1e-15);
	assert_near(stat_mann_whitney_least_p(2, STAT_RANK_MAX), 4.0 / (514 * 513.0),
		    1e-15);
}

static void wrong_sizes_are_refused(void **state)
{
	static double x[STAT_RANK_MAX + 1];
	struct hodges_lehmann hl = {42, 42, 42};
	struct mann_whitney test = {.u = 42};

	(void)state;
	assert_int_equal(stat_mann_whitney(x, 0, x, 3, &test), -EINVAL);
	assert_int_equal(stat_mann_whitney(x, 3, x, 0, &test), -EINVAL);
	assert_int_equal(stat_mann_whitney(x, STAT_RANK_MAX + 1, x, 3, &test), -E2BIG);
	assert_int_equal(stat_hodges_lehmann(x, 0, x, 3, &hl), -EINVAL);
	assert_int_equal(stat_hodges_lehmann(x, 3, x, STAT_RANK_MAX + 1, &hl), -E2BIG);
	assert_near(test.u, 42, 0);
	assert_near(hl.shift, 42, 0);
}

/* By hand: sorted 0.005 * 4, 0.01 * 3, 0.03 * 2, 0.04 * 1 but not below the last. */
static void holm_by_hand(void **state)
{
	static const double p[] = {0.01, 0.04, 0.03, 0.005};
	static const double large[] = {0.9, 0.6};
	double adjusted[4];

	(void)state;
	assert_int_equal(stat_holm(p, 4, adjusted), 0);
	assert_near(adjusted[0], 0.03, 1e-12);
	assert_near(adjusted[1], 0.06, 1e-12);
	assert_near(adjusted[2], 0.06, 1e-12);
	assert_near(adjusted[3], 0.02, 1e-12);
	assert_int_equal(stat_holm(large, 2, adjusted), 0);
	assert_near(adjusted[0], 1, 0);
	assert_near(adjusted[1], 1, 0);
	assert_int_equal(stat_holm(p, 0, adjusted), 0);
}

/* By hand: about the mean 2.5 the products are 0.75 - 0.25 + 0.75, the squares 5. */
static void lag1_correlation_by_hand(void **state)
{
	static const double rising[] = {1, 2, 3, 4}, flat[] = {2, 2, 2};

	(void)state;
	assert_near(stat_lag1_correlation(rising, 4), 1.25 / 5, 1e-12);
	assert_near(stat_lag1_correlation(flat, 3), 0, 0);
	assert_near(stat_lag1_correlation(rising, 2), 0, 0);
}

/* 1.96 standard errors are 0.05; over the root of 4, 0.98 are 0.3271. */
static void inflated_p_by_the_normal_table(void **state)
{
	(void)state;
	assert_near(stat_inflate_p(0.05, 4), 0.3271, 1e-4);
	assert_near(stat_inflate_p(0.05, 1), 0.05, 1e-12);
	assert_near(stat_inflate_p(1, 3), 1, 1e-12);
	assert_true(stat_inflate_p(1e-12, 2) > 1e-12);
	assert_true(stat_inflate_p(0, 2) < 1e-100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(critical_values_as_published),
		cmocka_unit_test(no_critical_value_of_three_and_three),
		cmocka_unit_test(permeability_as_published),
		cmocka_unit_test(ozone_as_published),
		cmocka_unit_test(exact_p_is_that_of_all_splits),
		cmocka_unit_test(interval_covers_in_enough_splits),
		cmocka_unit_test(interval_agrees_with_the_test),
		cmocka_unit_test(too_few_have_no_interval),
		cmocka_unit_test(exact_measurements_have_an_exact_shift),
		cmocka_unit_test(all_equal_is_no_difference_in_large_samples_too),
		cmocka_unit_test(approximation_meets_the_exact_distribution),
		cmocka_unit_test(few_against_many_are_exact),
		cmocka_unit_test(wrong_sizes_are_refused),
		cmocka_unit_test(holm_by_hand),
		cmocka_unit_test(lag1_correlation_by_hand),
		cmocka_unit_test(inflated_p_by_the_normal_table),
	};

	return cmocka_run_group_tests_name("rank", tests, NULL, NULL);
}
