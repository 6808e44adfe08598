// SPDX-License-Identifier: BSD-2-Clause
/*
 * Ranks within strata: by hand, against every kind of deal of the values between the
 * sides, and by simulation.
 */
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "near.h"
#include "random.h"
#include "stat/strata.h"

static struct stat_strata compared(const struct stat_stratum_value *x, size_t n,
				   const struct stat_stratum_value *y, size_t m)
{
	struct stat_strata ret;

	assert_int_equal(stat_strata_compare(x, n, y, m, &ret), 0);
	return ret;
}

/*
 * 1 … 20 against 21 … 40. U is 400 where 200 is expected, with a variance of
 * 20 * 20 * 41 / 12 = 1366.67: z = 5.4100, p = 6.30e-8. The differences 1 … 39 come
 * 1 … 20 … 1 times: their median is 20. 200 - 1.96 * 36.97 = 127.5 of them lie below
 * the interval: 1 + … + 15 = 120 are at most 15, so it begins at 16, and ends at 24.
 */
static void one_stratum_by_hand(void **state)
{
	struct stat_stratum_value x[20], y[20];
	struct stat_strata r;

	(void)state;
	for (size_t i = 0; i < 20; i++) {
		x[i] = (struct stat_stratum_value){(double)i + 1, 7};
		y[i] = (struct stat_stratum_value){(double)i + 21, 7};
	}
	r = compared(x, 20, y, 20);
	assert_int_equal(r.nr_strata, 1);
	assert_int_equal(r.n, 20);
	assert_int_equal(r.m, 20);
	assert_near(r.p, 6.30e-8, 0.005e-8);
	assert_near(r.shift, 20, 0);
	assert_near(r.lo, 16, 0);
	assert_near(r.hi, 24, 0);
	r = compared(y, 20, x, 20);
	assert_near(r.p, 6.30e-8, 0.005e-8);
	assert_near(r.shift, -20, 0);
	assert_near(r.lo, -24, 0);
	assert_near(r.hi, -16, 0);
}

/*
 * Stratum 1: ten values 0 against ten of 1: U is 100 of 100, w = 1 / 21, ties
 * 2 * (1000 - 10). Stratum 2: fifteen of 0 against ten of 5: U is 150 of 150, w = 1 / 26,
 * ties 3375 - 15 + 1000 - 10. Of the differences' weights 100 / 21 = 4.76 are of 1, and
 * 150 / 26 = 5.77 are of 5.
 */
static void ties_by_hand(void **state)
{
	struct stat_stratum_value x[25], y[20];
	struct stat_strata r;
	size_t i;

	(void)state;
	for (i = 0; i < 10; i++) {
		x[i] = (struct stat_stratum_value){0, 1};
		y[i] = (struct stat_stratum_value){1, 1};
	}
	for (i = 10; i < 25; i++)
		x[i] = (struct stat_stratum_value){0, 2};
	/* In a stratum that x has not: the others are too few. */
	for (i = 10; i < 20; i++)
		y[i] = (struct stat_stratum_value){5, 3};
	assert_int_equal(stat_strata_compare(x, 25, y, 20, &r), -ENODATA);
	for (i = 10; i < 20; i++)
		y[i].stratum = 2;
	r = compared(x, 25, y, 20);
	assert_int_equal(r.nr_strata, 2);
	assert_near(r.p,
		    erfc((50.0 / 21 + 75.0 / 26) /
			 sqrt(2 * (100.0 / 12 * (21 - 1980.0 / 380) / 441 +
				   150.0 / 12 * (26 - 4350.0 / 600) / 676))),
		    1e-15);
	assert_near(r.shift, 5, 0);
	assert_near(r.lo, 1, 0);
	assert_near(r.hi, 5, 0);
}

/* p of all ways to deal the values of each stratum between the sides, by chance. */
static double dealt_p(const struct stat_stratum_value *x, size_t n,
		      const struct stat_stratum_value *y, size_t m, struct rng *r)
{
	struct stat_stratum_value all[200];
	double seen = 0, far;
	int nr = 0, nr_deals = 20000;

	memcpy(all, x, n * sizeof(*x));
	memcpy(all + n, y, m * sizeof(*y));
	for (int deal = -1; deal < nr_deals; deal++) {
		for (size_t i = n + m; deal >= 0 && i-- > 1;) {
			struct stat_stratum_value swap = all[i];
			size_t j = (size_t)(uniform(r) * (double)(i + 1));

			/* only among values of one stratum: others stay */
			if (all[j].stratum != all[i].stratum)
				continue;
			all[i] = all[j];
			all[j] = swap;
		}
		far = 0;
		for (unsigned int s = 0; s < 4; s++) {
			double u = 0, nx = 0, ny = 0;

			for (size_t i = 0; i < n; i++)
				nx += all[i].stratum == s;
			for (size_t j = n; j < n + m; j++)
				ny += all[j].stratum == s;
			for (size_t i = 0; i < n; i++)
				for (size_t j = n; j < n + m; j++)
					if (all[i].stratum == s && all[j].stratum == s)
						u += (all[j].value > all[i].value) +
						     (all[j].value == all[i].value) / 2.0;
			far += (u - nx * ny / 2) / (nx + ny + 1);
		}
		if (deal < 0)
			seen = fabs(far);
		else
			nr += fabs(far) >= seen - 1e-9;
	}
	return (double)nr / nr_deals;
}

static void p_is_that_of_all_deals(void **state)
{
	struct stat_stratum_value x[26], y[30];
	struct rng r = {11};

	(void)state;
	for (int trial = 0; trial < 4; trial++) {
		for (size_t i = 0; i < 26; i++)
			x[i] = (struct stat_stratum_value){floor(8 * uniform(&r)), i % 4};
		for (size_t i = 0; i < 30; i++)
			y[i] = (struct stat_stratum_value){
				floor(8 * uniform(&r)) + 0.4 * trial, i % 4};
		assert_near(compared(x, 26, y, 30).p, dealt_p(x, 26, y, 30, &r), 0.02);
	}
}

/* What it is for: the sides stood at the two places in different shares. */
static void another_mix_is_no_difference(void **state)
{
	struct stat_stratum_value x[100], y[100];
	struct stat_strata s;
	struct rng r = {5};

	(void)state;
	for (size_t i = 0; i < 100; i++) {
		x[i].stratum = i < 80;
		x[i].value = 1 + x[i].stratum + 0.01 * normal(&r);
		y[i].stratum = i < 20;
		y[i].value = 1.05 + y[i].stratum + 0.01 * normal(&r);
	}
	s = compared(x, 100, y, 100);
	assert_near(s.shift, 0.05, 0.005);
	assert_true(s.lo > 0.04 && s.hi < 0.06);
	assert_true(s.p < 1e-9);
}

/* Strata of very different costs and noise, and no difference. */
static void errs_as_often_as_it_says(void **state)
{
	struct rng r = {3};
	int nr_below = 0, nr_covered = 0, nr = 2000;

	(void)state;
	for (int trial = 0; trial < nr; trial++) {
		struct stat_stratum_value x[60], y[45];
		struct stat_strata s;

		for (size_t i = 0; i < 105; i++) {
			unsigned int at = (unsigned int)(14 * uniform(&r));
			struct stat_stratum_value v = {
				(1 + at) * (1 + 0.1 * normal(&r)), at};

			*(i < 60 ? &x[i] : &y[i - 60]) = v;
		}
		s = compared(x, 60, y, 45);
		nr_below += s.p < 0.05;
		nr_covered += s.lo <= 0 && s.hi >= 0;
	}
	print_message("of %d without a difference: p < 5%% in %d, 0 covered in %d\n", nr,
		      nr_below, nr_covered);
	/* four standard errors: 4 * sqrt(0.05 * 0.95 / 2000) = 1.95% */
	assert_true(nr_below > 61 && nr_below < 139);
	assert_true(nr_covered > 1861 && nr_covered < 1939);
}

static void equal_values_show_no_difference(void **state)
{
	struct stat_stratum_value x[30];
	struct stat_strata s;

	(void)state;
	for (size_t i = 0; i < 30; i++)
		x[i] = (struct stat_stratum_value){18 + (double)(i % 3), i % 3};
	s = compared(x, 30, x, 30);
	assert_near(s.p, 1, 0);
	assert_near(s.shift, 0, 0);
	assert_near(s.lo, 0, 0);
	assert_near(s.hi, 0, 0);
}

static void too_few_and_too_many_are_refused(void **state)
{
	struct stat_stratum_value x[STAT_STRATA_MAX + 1] = {{0}};
	struct stat_strata s;

	(void)state;
	assert_int_equal(stat_strata_compare(x, 0, x, 30, &s), -ENODATA);
	assert_int_equal(stat_strata_compare(x, 30, x, STAT_STRATA_LEAST - 1, &s),
			 -ENODATA);
	assert_int_equal(stat_strata_compare(x, STAT_STRATA_MAX + 1, x, 30, &s), -E2BIG);
	assert_int_equal(stat_strata_compare(x, 30, x, STAT_STRATA_MAX + 1, &s), -E2BIG);
	/* the largest, all in one stratum */
	assert_int_equal(compared(x, STAT_STRATA_MAX, x, STAT_STRATA_MAX).n,
			 STAT_STRATA_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_stratum_by_hand),
		cmocka_unit_test(ties_by_hand),
		cmocka_unit_test(p_is_that_of_all_deals),
		cmocka_unit_test(another_mix_is_no_difference),
		cmocka_unit_test(errs_as_often_as_it_says),
		cmocka_unit_test(equal_values_show_no_difference),
		cmocka_unit_test(too_few_and_too_many_are_refused),
	};

	return cmocka_run_group_tests_name("strata", tests, NULL, NULL);
}
