// SPDX-License-Identifier: BSD-2-Clause
/* One mode or two; simulations with a generator of their own and fixed seeds. */
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "random.h"
#include "stat/modes.h"
#include "stat/quantile.h"
#include "near.h"

#define NR      100
#define NR_RUNS 1000
#define NR_MANY 100000

static double far_normal(struct rng *r)
{
	return 10 + normal(r);
}

static double exponential(struct rng *r)
{
	return -log(uniform(r));
}

static double lognormal(struct rng *r)
{
	return exp(0.3 * normal(r));
}

static double wide_lognormal(struct rng *r)
{
	return exp(1.5 * normal(r));
}

static double uniform_from_ten(struct rng *r)
{
	return 10 + 4 * uniform(r);
}

/* 80% at 1.67, 20% at 2, each with 1% of noise. */
static double two_modes(struct rng *r)
{
	return (uniform(r) < 0.8 ? 1.67 : 2.0) * (1 + 0.01 * normal(r));
}

static void draw(double *v, size_t nr, double (*one)(struct rng *), struct rng *r)
{
	for (size_t i = 0; i < nr; i++)
		v[i] = one(r);
	stat_sort(v, nr);
}

/* ---- the share of the variance ----------------------------------------------- */

/*
 * 1, 2 and 9, mean 4, split behind 2: class means
 * 1.5 and 9, so 2 * 2.5^2 + 5^2 = 37.5; whole 9 + 4 + 25 = 38.
 */
static void share_by_hand(void **state)
{
	static const double v[] = {1, 2, 9}, points[] = {1, 1, 1, 5},
			    same[] = {3, 3, 3};
	size_t nr_lower;

	(void)state;
	assert_near(stat_otsu(v, 3, &nr_lower), 37.5 / 38, 1e-12);
	assert_int_equal(nr_lower, 2);
	assert_near(stat_otsu(points, 4, &nr_lower), 1, 1e-12);
	assert_int_equal(nr_lower, 3);
	assert_near(stat_otsu(same, 3, &nr_lower), 0, 0);
	assert_int_equal(nr_lower, 3);
	assert_near(stat_otsu(v, 1, &nr_lower), 0, 0);
}

/*
 * 2 / pi and 3/4. Winsorised at a tenth, c = 1.2816, phi(c) = 0.1755: E|x| =
 * 2 (0.3989 - 0.1755) + 0.2 c = 0.7031, var = 0.8 - 2 c phi(c) + 0.2 c^2 = 0.6787,
 * 0.7031^2 / 0.6787 = 0.728; uniform on [-1, 1]: (0.32 + 0.16)^2 / (0.1707 + 0.128)
 * = 0.771.
 */
static void shares_of_one_mode_are_the_known_ones(void **state)
{
	static double v[NR_MANY];
	struct rng r = {1};
	struct stat_modes m;
	size_t nr_lower;

	(void)state;
	draw(v, NR_MANY, normal, &r);
	assert_near(stat_otsu(v, NR_MANY, &nr_lower), 2 / M_PI, 0.005);
	assert_near((double)nr_lower / NR_MANY, 0.5, 0.03);
	assert_int_equal(stat_modes_find(v, NR_MANY, &m), 0);
	assert_near(m.variance, 0.728, 0.005);
	draw(v, NR_MANY, uniform, &r);
	assert_near(stat_otsu(v, NR_MANY, &nr_lower), 0.75, 0.005);
	for (size_t i = 0; i < NR_MANY; i++)
		v[i] -= 0.5; /* no logarithms of negative values */
	assert_int_equal(stat_modes_find(v, NR_MANY, &m), 0);
	assert_near(m.variance, 0.771, 0.005);
}

/* ---- the decision ------------------------------------------------------------- */

static void one_mode_is_not_two(void **state)
{
	static double (*const shapes[])(struct rng *) = {
		far_normal, normal,      uniform,       uniform_from_ten,
		lognormal,  exponential, wide_lognormal};
	struct rng r = {2};
	struct stat_modes m;
	double v[NR];

	(void)state;
	for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {
		int nr_bimodal = 0;

		for (int run = 0; run < NR_RUNS; run++) {
			draw(v, NR, shapes[i], &r);
			assert_int_equal(stat_modes_find(v, NR, &m), 0);
			nr_bimodal += m.bimodal;
		}
		assert_true(nr_bimodal <= NR_RUNS / 100);
	}
}

static void assert_two_modes(const double *sorted, size_t nr)
{
	struct stat_modes m;

	assert_int_equal(stat_modes_find(sorted, nr, &m), 0);
	assert_true(m.bimodal);
	assert_near(m.lower, 1.67, 0.01);
	assert_near(m.upper, 2.0, 0.04);
	assert_near(m.upper_share, 0.2, 0.17);
}

static void two_modes_are_found(void **state)
{
	struct rng r = {3};
	double v[NR];

	(void)state;
	for (int run = 0; run < NR_RUNS; run++) {
		draw(v, NR, two_modes, &r);
		/* 20% of 100 is 8% or less once in thousands of samples */
		if (v[NR - 11] < 1.85)
			continue;
		assert_two_modes(v, NR);
	}
}

/* 2% at ten times the value, above and then below. */
static void far_outliers_do_not_hide_two_modes(void **state)
{
	static const double factors[] = {10, 0.1, 1000};
	struct rng r = {4};
	double v[500];

	(void)state;
	for (size_t f = 0; f < 3; f++) {
		draw(v, 500, two_modes, &r);
		for (size_t i = 0; i < 500; i += 50)
			v[i] *= factors[f];
		stat_sort(v, 500);
		assert_two_modes(v, 500);
	}
}

/* Less than a tenth is outliers, not a mode; a little more is one. */
static void less_than_a_tenth_is_no_mode(void **state)
{
	struct stat_modes m;
	double v[NR];

	(void)state;
	for (size_t i = 0; i < NR; i++)
		v[i] = (i < 91 ? 1 : 10) + 1e-4 * (double)i;
	assert_int_equal(stat_modes_find(v, NR, &m), 0);
	assert_false(m.bimodal);
	for (size_t i = 0; i < NR; i++)
		v[i] = (i < 88 ? 1 : 10) + 1e-4 * (double)i;
	assert_int_equal(stat_modes_find(v, NR, &m), 0);
	assert_true(m.bimodal);
	assert_near(m.upper_share, 0.12, 1e-12);
	assert_near(m.lower, 1 + 1e-4 * 43.5, 1e-12);
	assert_near(m.upper, 10 + 1e-4 * 93.5, 1e-12);
}

/* 4% apart, as sharp as may be: nothing that matters. */
static void modes_that_hardly_differ_are_one(void **state)
{
	struct stat_modes m;
	double v[NR];

	(void)state;
	for (size_t i = 0; i < NR; i++)
		v[i] = i < 50 ? 1 : 1.04;
	assert_int_equal(stat_modes_find(v, NR, &m), 0);
	assert_near(m.variance, 1, 1e-9);
	assert_false(m.bimodal);
	for (size_t i = 50; i < NR; i++)
		v[i] = 1.06;
	assert_int_equal(stat_modes_find(v, NR, &m), 0);
	assert_true(m.bimodal);
}

static void one_value_and_too_few(void **state)
{
	struct stat_modes m = {.upper = 7};
	double v[NR];

	(void)state;
	for (size_t i = 0; i < NR; i++)
		v[i] = 3;
	assert_int_equal(stat_modes_find(v, MODES_MIN_VALUES - 1, &m), -ERANGE);
	assert_near(m.upper, 7, 0);
	assert_int_equal(stat_modes_find(v, MODES_MIN_VALUES, &m), 0);
	assert_false(m.bimodal);
	assert_near(m.lower, 3, 0);
	assert_near(m.upper, 3, 0);
	assert_near(m.upper_share, 0, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(share_by_hand),
		cmocka_unit_test(shares_of_one_mode_are_the_known_ones),
		cmocka_unit_test(one_mode_is_not_two),
		cmocka_unit_test(two_modes_are_found),
		cmocka_unit_test(far_outliers_do_not_hide_two_modes),
		cmocka_unit_test(less_than_a_tenth_is_no_mode),
		cmocka_unit_test(modes_that_hardly_differ_are_one),
		cmocka_unit_test(one_value_and_too_few),
	};

	return cmocka_run_group_tests_name("modes", tests, NULL, NULL);
}
