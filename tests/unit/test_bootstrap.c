// SPDX-License-Identifier: BSD-2-Clause
/*
 * The bootstrap against a published example, against distributions that can be
 * enumerated, and by simulation with its own generator and fixed seeds.
 */
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/time.h"
#include "random.h"
#include "stat/bootstrap.h"
#include "near.h"

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define NR_RESAMPLES  40000

static double centres[NR_RESAMPLES];

/* The shorter runs of most tests take no time, so that the longer ones are the cost. */
static const double nothing[4000];

static double centre(const double *values, const uint32_t *group, size_t nr)
{
	return stat_centre_of_differences(values, nothing, group, nr);
}

static int interval(const double *values, const uint32_t *group, size_t nr,
		    unsigned int resamples, uint64_t seed, struct stat_interval *ret)
{
	return stat_bootstrap_difference_ci(values, nothing, group, nr, resamples, seed,
					    ret);
}

static void resample(const double *values, const uint32_t *group, size_t nr,
		     uint64_t seed)
{
	assert_int_equal(stat_bootstrap_differences(values, nothing, group, nr,
						    NR_RESAMPLES, seed, centres),
			 0);
}

/* The share of the resamples with this statistic is p, within 4.5 standard errors. */
static void assert_share(double statistic, double p)
{
	size_t nr = 0;

	for (size_t i = 0; i < NR_RESAMPLES; i++)
		nr += centres[i] == statistic;
	assert_near((double)nr / NR_RESAMPLES, p,
		    4.5 * sqrt(p * (1 - p) / NR_RESAMPLES));
}

/* ---- published --------------------------------------------------------------- */

/*
 * Efron & Tibshirani, An Introduction to the Bootstrap, tables 2.1 and 2.2: mice
 * under treatment; the median is 94, its ideal bootstrap standard error 37.83. The
 * resampled median of 7 is the i-th smallest value with probability
 * P(Bin(7, (i-1)/7) <= 3) - P(Bin(7, i/7) <= 3): 0.0102, 0.0981, 0.2386, 0.3062, and
 * the same backwards. Below 23 lies 1.0%, up to it 10.8%: the interval is [23, 141].
 */
static void mouse_data_as_published(void **state)
{
	static const double mice[] = {94, 197, 16, 38, 99, 141, 23};
	static const double p[] = {0.0102, 0.0981, 0.2386, 0.3062,
				   0.2386, 0.0981, 0.0102};
	static const double sorted[] = {16, 23, 38, 94, 99, 141, 197};
	double mean, square = 0;
	struct stat_interval ci;

	(void)state;
	assert_near(centre(mice, NULL, 7), 94, 0);
	resample(mice, NULL, 7, 1);
	mean = stat_mean(centres, NR_RESAMPLES);
	for (size_t i = 0; i < NR_RESAMPLES; i++)
		square += (centres[i] - mean) * (centres[i] - mean) / NR_RESAMPLES;
	assert_near(sqrt(square), 37.83, 0.6);
	for (size_t i = 0; i < 7; i++)
		assert_share(sorted[i], p[i]);
	for (uint64_t seed = 0; seed < 20; seed++) {
		assert_int_equal(interval(mice, NULL, 7, 1000, seed, &ci), 0);
		assert_near(ci.lo, 23, 0);
		assert_near(ci.hi, 141, 0);
	}
}

/* ---- enumerated -------------------------------------------------------------- */

/*
 * Of the 27 draws of three values the median is the lowest in those with it twice
 * (6) or three times (1).
 */
static void median_of_three_by_hand(void **state)
{
	static const double v[] = {30, 10, 20};

	(void)state;
	resample(v, NULL, 3, 2);
	assert_share(10, 7.0 / 27);
	assert_share(20, 13.0 / 27);
	assert_share(30, 7.0 / 27);
}

/* Of an even number, the mean of the two in the middle: 4 draws of two values. */
static void median_of_two_by_hand(void **state)
{
	static const double v[] = {10, 20};

	(void)state;
	resample(v, NULL, 2, 3);
	assert_share(10, 0.25);
	assert_share(15, 0.5);
	assert_share(20, 0.25);
}

/*
 * Groups {0, 2} and {100}. Drawn (a, a): medians of 0, 1, 2 with 1/4, 1/2, 1/4
 * each, and their mean; (a, b): (m + 100) / 2, half of the draws; (b, b): 100.
 */
static void two_stages_by_hand(void **state)
{
	static const double v[] = {2, 100, 0};
	static const uint32_t group[] = {9, 4, 9};

	(void)state;
	assert_near(centre(v, group, 3), 50.5, 0);
	resample(v, group, 3, 4);
	assert_share(100, 1.0 / 4);
	assert_share(50, 1.0 / 8);
	assert_share(50.5, 1.0 / 4);
	assert_share(51, 1.0 / 8);
	assert_share(0, 1.0 / 64);
	assert_share(0.5, 4.0 / 64);
	assert_share(1, 6.0 / 64);
	assert_share(1.5, 4.0 / 64);
	assert_share(2, 1.0 / 64);
}

/*
 * Medians 2, 20 and 7: every group counts the same, whatever its size. The pairs'
 * means are 2, 4.5, 7, 11, 13.5 and 20, whose median is 9.
 */
static void groups_count_the_same(void **state)
{
	static const double v[] = {3, 20, 7, 1, 7, 7, 7, 2, 7};
	static const uint32_t group[] = {0, 1, 2, 0, 2, 2, 2, 0, 2};
	static const uint32_t one[9];

	(void)state;
	assert_near(centre(v, group, 9), 9, 0);
	assert_near(centre(v, one, 9), 7, 0);
	assert_near(centre(v, NULL, 9), 7, 0);
	assert_near(centre(v, group, 2), 11.5, 0);
}

/*
 * Three groups at 1.7 and four at 2.1: their median is 2.1, though the next load may
 * make it 1.7. Of the 28 pairs, 6 have the mean 1.7, 12 1.9, and 10 2.1.
 */
static void centre_lies_between_two_kinds(void **state)
{
	static const double v[] = {2.1, 1.7, 2.1, 1.7, 2.1, 1.7, 2.1};
	static const uint32_t group[] = {0, 1, 2, 3, 4, 5, 6};

	(void)state;
	assert_near(centre(v, group, 7), 1.9, 1e-12);
}

/* Two of eight at 1.7: of the 36 pairs, 21 have the mean 2.1. */
static void centre_is_that_of_a_large_majority(void **state)
{
	static const double v[] = {2.1, 1.7, 2.1, 1.7, 2.1, 2.1, 2.1, 2.1};
	static const uint32_t group[] = {0, 1, 2, 3, 4, 5, 6, 7};

	(void)state;
	assert_near(centre(v, group, 8), 2.1, 1e-12);
}

/* 12 less 3. The single runs' differences are 7, 13 and 4, and their median is 7. */
static void difference_is_that_of_the_medians(void **state)
{
	static const double longer[] = {10, 14, 12}, shorter[] = {3, 1, 8};

	(void)state;
	assert_near(stat_centre_of_differences(longer, shorter, NULL, 3), 9, 0);
}

/* Against all pairs, sorted, for every number of groups, with ties. */
static void centre_as_by_sorting(void **state)
{
	static double pairs[STAT_MAX_GROUPS * STAT_MAX_GROUPS];
	double v[STAT_MAX_GROUPS + 1] = {0};
	uint32_t group[STAT_MAX_GROUPS + 1];
	struct rng r = {5};
	size_t nr, i, j, n;

	(void)state;
	for (i = 0; i <= STAT_MAX_GROUPS; i++)
		group[i] = (uint32_t)(1000 - i); /* one value each */
	for (nr = 1; nr <= STAT_MAX_GROUPS; nr++) {
		for (i = 0; i < nr; i++)
			v[i] = floor(40 * uniform(&r));
		for (i = 0, n = 0; i < nr; i++)
			for (j = 0; j <= i; j++)
				pairs[n++] = (v[i] + v[j]) / 2;
		stat_sort(pairs, n);
		assert_near(centre(v, group, nr), stat_median(pairs, n), 1e-12);
	}
	assert_true(isnan(centre(v, group, nr)));
	assert_int_equal(
		stat_bootstrap_differences(v, nothing, group, nr, 100, 1, centres),
		-E2BIG);
}

/* ---- limits ------------------------------------------------------------------ */

static void same_seed_gives_the_same(void **state)
{
	struct stat_interval a, b, c;
	struct rng r = {6};
	double v[50];

	(void)state;
	for (size_t i = 0; i < 50; i++)
		v[i] = normal(&r);
	assert_int_equal(interval(v, NULL, 50, 999, 42, &a), 0);
	assert_int_equal(interval(v, NULL, 50, 999, 42, &b), 0);
	assert_int_equal(interval(v, NULL, 50, 199, 43, &c), 0);
	assert_memory_equal(&a, &b, sizeof(a));
	assert_true(a.lo < a.hi);
	assert_memory_not_equal(&a, &c, sizeof(a));
}

/* k = 0.025 * 1000 = 25: the 25th from either end. Ten groups: hardly any ties. */
static void interval_is_the_percentile_one(void **state)
{
	struct stat_interval ci;
	struct rng r = {12};
	uint32_t group[400];
	double v[400];

	(void)state;
	for (size_t i = 0; i < 400; i++) {
		v[i] = normal(&r);
		group[i] = (uint32_t)(i % 10);
	}
	assert_int_equal(
		stat_bootstrap_differences(v, nothing, group, 400, 999, 1, centres), 0);
	stat_sort(centres, 999);
	assert_int_equal(interval(v, group, 400, 999, 1, &ci), 0);
	assert_near(ci.lo, centres[24], 0);
	assert_near(ci.hi, centres[999 - 25], 0);
	assert_true(centres[23] < centres[24] && centres[24] < centres[25]);
	assert_true(centres[973] < centres[974] && centres[974] < centres[975]);
}

/* 39 resamples: the first and the last one. */
static void too_little_is_refused(void **state)
{
	static const double v[] = {1, 2, 3};
	struct stat_interval ci = {7, 8};
	double first[39];

	(void)state;
	assert_int_equal(interval(v, NULL, 0, 1000, 1, &ci), -EINVAL);
	assert_int_equal(interval(v, NULL, 3, 38, 1, &ci), -EINVAL);
	assert_near(ci.lo, 7, 0);
	assert_near(ci.hi, 8, 0);
	assert_int_equal(stat_bootstrap_differences(v, nothing, NULL, 3, 0, 1, first),
			 -EINVAL);
	assert_true(isnan(centre(v, NULL, 0)));
	assert_int_equal(stat_bootstrap_differences(v, nothing, NULL, 3, 39, 1, first),
			 0);
	stat_sort(first, 39);
	assert_int_equal(interval(v, NULL, 3, 39, 1, &ci), 0);
	assert_near(ci.lo, first[0], 0);
	assert_near(ci.hi, first[38], 0);
	assert_int_equal(interval(v, NULL, 1, 1000, 1, &ci), 0);
	assert_near(ci.lo, 1, 0);
	assert_near(ci.hi, 1, 0);
}

/* ---- simulated --------------------------------------------------------------- */

/* How often the interval covers 0, of groups with 20 values each. */
static double coverage(size_t nr_groups, double between, uint64_t seed)
{
	const int nr_runs = 400;
	struct rng r = {seed};
	struct stat_interval ci;
	double v[400], offset = 0;
	uint32_t group[400];
	int covered = 0;

	for (int run = 0; run < nr_runs; run++) {
		for (size_t i = 0; i < nr_groups * 20; i++) {
			if (i % 20 == 0)
				offset = between * normal(&r);
			v[i] = offset + 0.3 * normal(&r);
			group[i] = (uint32_t)(i / 20);
		}
		assert_int_equal(
			interval(v, group, nr_groups * 20, 199, (uint64_t)run, &ci), 0);
		covered += ci.lo <= 0 && ci.hi >= 0;
	}
	return (double)covered / nr_runs;
}

/* 0.95 by claim; a standard error is 0.011. */
static void interval_covers_the_median(void **state)
{
	double plain = coverage(1, 0, 7), ten = coverage(10, 1, 8),
	       many = coverage(20, 1, 9);

	(void)state;
	assert_true(plain >= 0.90 && plain <= 0.98);
	assert_true(ten >= 0.89 && ten <= 0.98);
	assert_true(many >= 0.90 && many <= 0.98);
}

/*
 * Values of a group are no independent evidence: an interval that takes them for
 * it is several times too narrow. 10 groups of 20: groups' medians spread by 1.
 */
static void groups_widen_the_interval(void **state)
{
	struct stat_interval grouped, plain;
	struct rng r = {10};
	uint32_t group[200];
	double v[200], offset = 0;

	(void)state;
	for (size_t i = 0; i < 200; i++) {
		if (i % 20 == 0)
			offset = normal(&r);
		v[i] = offset + 0.3 * normal(&r);
		group[i] = (uint32_t)(i / 20);
	}
	assert_int_equal(interval(v, group, 200, 999, 1, &grouped), 0);
	assert_int_equal(interval(v, NULL, 200, 999, 1, &plain), 0);
	assert_true(grouped.hi - grouped.lo > 2 * (plain.hi - plain.lo));
}

/* 50 ms on an idle machine; ten times that only on a broken one, or a sanitized. */
static void large_samples_are_quick(void **state)
{
	static double v[4000];
	static uint32_t group[4000];
	struct stat_interval ci;
	struct rng r = {11};
	uint64_t since;

	(void)state;
	for (size_t i = 0; i < 4000; i++) {
		v[i] = normal(&r);
		group[i] = (uint32_t)(i % 60);
	}
	since = time_ns(CLOCK_THREAD_CPUTIME_ID);
	assert_int_equal(interval(v, group, 4000, 1000, 1, &ci), 0);
	assert_true(time_ns(CLOCK_THREAD_CPUTIME_ID) - since < 500 * NSEC_PER_MSEC);
	assert_true(ci.lo < 0 && ci.hi > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(mouse_data_as_published),
		cmocka_unit_test(median_of_three_by_hand),
		cmocka_unit_test(median_of_two_by_hand),
		cmocka_unit_test(two_stages_by_hand),
		cmocka_unit_test(groups_count_the_same),
		cmocka_unit_test(centre_lies_between_two_kinds),
		cmocka_unit_test(centre_is_that_of_a_large_majority),
		cmocka_unit_test(difference_is_that_of_the_medians),
		cmocka_unit_test(centre_as_by_sorting),
		cmocka_unit_test(same_seed_gives_the_same),
		cmocka_unit_test(interval_is_the_percentile_one),
		cmocka_unit_test(too_little_is_refused),
		cmocka_unit_test(interval_covers_the_median),
		cmocka_unit_test(groups_widen_the_interval),
		cmocka_unit_test(large_samples_are_quick),
	};

	return cmocka_run_group_tests_name("bootstrap", tests, NULL, NULL);
}
