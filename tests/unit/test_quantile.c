// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "stat/quantile.h"
#include "near.h"

static void quantile_is_type_7(void **state)
{
	/* numpy.quantile([1, 2, 3, 4, 10], q): at = 4 q. */
	static const double v[] = {1, 2, 3, 4, 10};

	(void)state;
	assert_near(stat_quantile(v, 5, 0), 1, 0);
	assert_near(stat_quantile(v, 5, 0.1), 1.4, 1e-12);
	assert_near(stat_quantile(v, 5, 0.25), 2, 1e-12);
	assert_near(stat_quantile(v, 5, 0.9), 7.6, 1e-12);
	assert_near(stat_quantile(v, 5, 1), 10, 0);
}

static void quantile_is_clamped(void **state)
{
	static const double v[] = {1, 2}, one[] = {7};

	(void)state;
	assert_near(stat_quantile(v, 2, -1), 1, 0);
	assert_near(stat_quantile(v, 2, 2), 2, 0);
	assert_near(stat_quantile(one, 1, 0.3), 7, 0);
}

static void median_of_even_number_is_between(void **state)
{
	static const double v[] = {1, 3, 8, 100};

	(void)state;
	assert_near(stat_median(v, 4), 5.5, 1e-12);
	assert_near(stat_median(v, 3), 3, 0);
	assert_near(stat_mean(v, 4), 28, 1e-12);
}

static void sort_is_ascending(void **state)
{
	double v[] = {3, -1, 2, 2, -INFINITY};
	static const double want[] = {-INFINITY, -1, 2, 2, 3};

	(void)state;
	stat_sort(v, 5);
	assert_memory_equal(v, want, sizeof(want));
}

static void mad_by_hand(void **state)
{
	/* Wikipedia, "Median absolute deviation": deviations 1 1 0 0 2 4 7. */
	static const double odd[] = {1, 1, 2, 2, 4, 6, 9};
	/* Median 2.5; deviations 1.5 0.5 0.5 7.5, whose median is 1. */
	static const double even[] = {1, 2, 3, 10};
	static const double one[] = {5};
	static const double same[] = {5, 5, 5, 5};

	(void)state;
	assert_near(stat_mad(odd, 7), 1, 0);
	assert_near(stat_mad(even, 4), 1, 1e-12);
	assert_near(stat_mad(one, 1), 0, 0);
	assert_near(stat_mad(same, 4), 0, 0);
}

/*
 * The ranks are those of the tables, e.g. Conover, table A3: with n = 10,
 * P(Binomial <= 1) = 11/1024 = 1.07% and P(<= 2) = 5.5%, so [x(2), x(9)].
 */
static void median_interval_has_the_tabulated_ranks(void **state)
{
	static const struct {
		size_t nr, rank;
	} table[] = {{6, 1},  {8, 1},  {9, 2},   {10, 2},  {12, 3},  {15, 4},
		     {20, 6}, {25, 8}, {30, 10}, {40, 14}, {50, 18}, {100, 40}};
	double v[100];
	struct stat_interval ci;

	(void)state;
	for (size_t i = 0; i < 100; i++)
		v[i] = (double)(i + 1);
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		assert_int_equal(stat_median_ci(v, table[i].nr, &ci), 0);
		assert_near(ci.lo, (double)table[i].rank, 0);
		assert_near(ci.hi, (double)(table[i].nr + 1 - table[i].rank), 0);
	}
}

static void median_interval_of_a_large_sample(void **state)
{
	static double v[20000];
	struct stat_interval ci;

	(void)state;
	for (size_t i = 0; i < 20000; i++)
		v[i] = (double)(i + 1);
	assert_int_equal(stat_median_ci(v, 20000, &ci), 0);
	/* n/2 - 1.96 sqrt(n)/2 = 9861.4 */
	assert_near(ci.lo, 9861, 1);
	assert_near(ci.hi, 10140, 1);
}

static void median_interval_needs_six_values(void **state)
{
	static const double v[] = {1, 2, 3, 4, 5};
	struct stat_interval ci = {7, 8};

	(void)state;
	assert_int_equal(stat_median_ci(v, 5, &ci), -ERANGE);
	assert_near(ci.lo, 7, 0);
	assert_near(ci.hi, 8, 0);
}

/* Any table of Student's t. */
static void student_quantiles(void **state)
{
	(void)state;
	assert_near(stat_t975(0.5), 12.706, 1e-3);
	assert_near(stat_t975(1), 12.706, 1e-3);
	assert_near(stat_t975(4), 2.776, 1e-3);
	assert_near(stat_t975(9), 2.262, 1e-3);
	assert_near(stat_t975(10), 2.228, 1e-3);
	assert_near(stat_t975(15), 2.131, 1e-3);
	assert_near(stat_t975(30), 2.042, 1e-3);
	assert_near(stat_t975(120), 1.980, 1e-3);
	assert_near(stat_t975(1e9), 1.960, 1e-3);
	/* Between whole ones by numerical integration of the density. */
	assert_near(stat_t975(3.5), 2.9401, 0.012);
	assert_near(stat_t975(6.5), 2.4020, 0.002);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(quantile_is_type_7),
		cmocka_unit_test(quantile_is_clamped),
		cmocka_unit_test(median_of_even_number_is_between),
		cmocka_unit_test(sort_is_ascending),
		cmocka_unit_test(mad_by_hand),
		cmocka_unit_test(median_interval_has_the_tabulated_ranks),
		cmocka_unit_test(median_interval_of_a_large_sample),
		cmocka_unit_test(median_interval_needs_six_values),
		cmocka_unit_test(student_quantiles),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
