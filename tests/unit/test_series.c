// SPDX-License-Identifier: BSD-2-Clause
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "compare/series.h"
#include "random.h"
#include "near.h"

static void add(struct series *s, double ns)
{
	assert_int_equal(series_add(s, (struct series_value){.at_s = ns, .ns = ns}), 0);
}

/* 0, 1, 2 … in as many values as there is room for: each is the mean of its stretch. */
static void length_does_not_grow(void **state)
{
	struct series s = {0};

	(void)state;
	for (int i = 0; i < 1000000; i++) {
		add(&s, i);
		assert_true(s.nr < SERIES_MAX && s.room <= SERIES_MAX);
	}
	assert_int_equal(series_finish(&s), 0);
	assert_true(s.nr >= SERIES_MAX / 2);
	for (size_t i = 0; i + 1 < s.nr; i++)
		assert_near(s.values[i].ns,
			    (double)s.nr_per_value * ((double)i + 0.5) - 0.5, 1e-6);
	assert_near(s.values[3].at_s, s.values[3].ns, 0);
	series_release(&s);
}

static void half_a_value_at_the_end_counts(void **state)
{
	struct series s = {0};
	size_t i, nr;

	(void)state;
	for (i = 0; i < SERIES_MAX; i++)
		add(&s, 1);
	assert_int_equal(s.nr, SERIES_MAX / 2);
	nr = s.nr;
	add(&s, 7);
	assert_int_equal(s.nr, nr);
	assert_int_equal(series_finish(&s), 0);
	assert_int_equal(s.nr, nr + 1);
	assert_near(s.values[nr].ns, 7, 0);
	series_release(&s);
}

static void batches_are_ten_to_nineteen(void **state)
{
	double batches[SERIES_MAX_BATCHES], inflation;

	(void)state;
	for (size_t nr = 10; nr < 600; nr++) {
		struct series s = {0};
		size_t nr_batches;

		for (size_t i = 0; i < nr; i++)
			add(&s, 1);
		nr_batches = series_batches(&s, 100, batches, &inflation);
		assert_in_range(nr_batches, SERIES_BATCHES, SERIES_MAX_BATCHES);
		assert_near(inflation, 1, 0);
		assert_near(batches[nr_batches - 1], 1, 1e-12);
		assert_in_range(series_batches(&s, 3, batches, &inflation), 2, 3);
		series_release(&s);
	}
}

static void batches_are_means_of_neighbours(void **state)
{
	double batches[SERIES_MAX_BATCHES], inflation;
	struct series s = {0};

	(void)state;
	for (int i = 0; i < 30; i++)
		add(&s, i);
	assert_int_equal(series_batches(&s, 100, batches, &inflation), 10);
	assert_near(batches[0], 1, 1e-12);
	assert_near(batches[9], 28, 1e-12);
	series_release(&s);
}

/*
 * Of an autoregression with 0.9, in ten batches of 20: 19 over 1 and twice the sum of
 * (1 - j/20) 0.9^j for j from 1 to 19, which is 5.047; of independent values 1.
 */
static void inflation_is_that_of_the_correlation(void **state)
{
	static const struct {
		double memory, inflation;
	} cases[] = {{0.9, 19 / (1 + 2 * 5.047)}, {0, 1}};
	double batches[SERIES_MAX_BATCHES], inflation, value = 0, sum;
	struct rng r = {5};

	(void)state;
	for (size_t c = 0; c < 2; c++) {
		sum = 0;
		for (int round = 0; round < 400; round++) {
			struct series s = {0};

			for (int i = 0; i < 200; i++) {
				value = cases[c].memory * value + normal(&r);
				add(&s, 100 + value);
			}
			series_batches(&s, 100, batches, &inflation);
			assert_true(inflation >= 1);
			sum += inflation;
			series_release(&s);
		}
		assert_near(sum / 400, cases[c].inflation, 0.15);
	}
}

static void empty_series_has_nothing(void **state)
{
	double batches[SERIES_MAX_BATCHES], inflation;
	struct series s = {0};

	(void)state;
	assert_int_equal(series_finish(&s), 0);
	assert_int_equal(series_batches(&s, 100, batches, &inflation), 0);
	assert_int_equal(series_values(&s, 100, batches), 0);
	assert_near(series_median(&s), 0, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(length_does_not_grow),
		cmocka_unit_test(half_a_value_at_the_end_counts),
		cmocka_unit_test(batches_are_ten_to_nineteen),
		cmocka_unit_test(batches_are_means_of_neighbours),
		cmocka_unit_test(inflation_is_that_of_the_correlation),
		cmocka_unit_test(empty_series_has_nothing),
	};

	return cmocka_run_group_tests_name("series", tests, NULL, NULL);
}
