// SPDX-License-Identifier: BSD-2-Clause
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "stat/hist.h"
#include "near.h"

/* The definition of the header, with branches and a count of leading zeros. */
static unsigned int slot_by_definition(uint64_t v)
{
	unsigned int shift;

	if (v > HIST_VALUE_MAX)
		v = HIST_VALUE_MAX;
	if (v < 8)
		return (unsigned int)v;
	shift = 63 - (unsigned int)__builtin_clzll(v) - HIST_SUB_BITS;
	return 4 * shift + (unsigned int)(v >> shift);
}

static void slots_of_the_picture(void **state)
{
	(void)state;
	assert_int_equal(HIST_NR_SLOTS, 140);
	assert_int_equal(hist_slot(0), 0);
	assert_int_equal(hist_slot(7), 7);
	assert_int_equal(hist_slot(8), 8);
	assert_int_equal(hist_slot(9), 8);
	assert_int_equal(hist_slot(10), 9);
	assert_int_equal(hist_slot(15), 11);
	assert_int_equal(hist_slot(16), 12);
	assert_int_equal(hist_slot(HIST_VALUE_MAX), 139);
}

static void every_small_value_is_as_defined(void **state)
{
	(void)state;
	for (uint64_t v = 0; v < 1 << 20; v++)
		assert_int_equal(hist_slot(v), slot_by_definition(v));
}

static void monotone_and_inside_around_every_boundary(void **state)
{
	(void)state;
	for (uint32_t slot = 0; slot < HIST_NR_SLOTS; slot++) {
		uint64_t low = hist_slot_low(slot), high = hist_slot_high(slot);

		assert_true(low <= high);
		if (slot > 0)
			assert_int_equal(low, hist_slot_high(slot - 1) + 1);
		for (uint64_t v = low > 70 ? low - 70 : 0; v < low + 70; v++) {
			uint32_t in = hist_slot(v);

			assert_int_equal(in, slot_by_definition(v));
			assert_true(hist_slot_low(in) <= v);
			assert_true(v <= hist_slot_high(in) || v > HIST_VALUE_MAX);
			assert_true(hist_slot(v + 1) - in <= 1);
		}
		assert_int_equal(hist_slot(low), slot);
		assert_int_equal(hist_slot(high), slot);
	}
	assert_int_equal(hist_slot_high(HIST_NR_SLOTS - 1), HIST_VALUE_MAX);
}

static void values_above_the_range_saturate(void **state)
{
	(void)state;
	assert_int_equal(hist_slot(HIST_VALUE_MAX + 1), 139);
	for (unsigned int bit = 36; bit < 64; bit++) {
		assert_int_equal(hist_slot(1ULL << bit), 139);
		assert_int_equal(hist_slot((1ULL << bit) + 5), 139);
	}
	assert_int_equal(hist_slot((uint64_t)INT64_MAX), 139);
	assert_int_equal(hist_slot(UINT64_MAX), 139);
}

static void a_slot_is_at_most_a_quarter_wide(void **state)
{
	(void)state;
	for (uint32_t slot = 8; slot < HIST_NR_SLOTS; slot++)
		assert_true((hist_slot_high(slot) - hist_slot_low(slot)) * 4 <
			    hist_slot_low(slot));
}

static void an_empty_histogram_has_no_total(void **state)
{
	struct hist h = {0};

	(void)state;
	assert_int_equal(hist_total(&h), 0);
	assert_near(hist_quantile(&h, 0.5), 0, 0);
}

static void quantile_is_interpolated_in_its_slot(void **state)
{
	struct hist h = {0};

	(void)state;
	/* Slot 16 holds 32…39. 4 of 8: half way, 35.5. */
	h.slots[hist_slot(32)] = 8;
	assert_near(hist_quantile(&h, 0.5), 35.5, 1e-12);
	assert_near(hist_quantile(&h, 0), 32, 1e-12);
	assert_near(hist_quantile(&h, 1), 39, 1e-12);
	/* With 8 more at 5: the median is where the slot of 5 ends. */
	h.slots[5] = 8;
	assert_near(hist_quantile(&h, 0.5), 5, 1e-12);
	assert_near(hist_quantile(&h, 0.75), 35.5, 1e-12);
	assert_int_equal(hist_total(&h), 16);
}

static void quantile_is_not_above_the_maximum(void **state)
{
	struct hist h = {0};

	(void)state;
	hist_add(&h, 33);
	hist_add(&h, 34);
	assert_near(hist_quantile(&h, 1), 34, 0);
	assert_true(hist_quantile(&h, 0.99) <= 34);
	/* Above the range only the maximum knows. */
	hist_add(&h, 1ULL << 40);
	assert_near(hist_quantile(&h, 1), 0x1p40, 0);
	/* q out of range, and a maximum read too early. */
	assert_near(hist_quantile(&h, 7), 0x1p40, 0);
	h.max = 1;
	assert_near(hist_quantile(&h, 0), 32, 0);
}

static void maximum_is_not_summed(void **state)
{
	struct hist a = {0}, b = {0};

	(void)state;
	hist_add(&a, 100);
	hist_add(&b, 100);
	hist_add(&b, 7);
	hist_merge(&a, &b);
	assert_int_equal(a.max, 100);
	assert_int_equal(hist_total(&a), 3);
	assert_int_equal(a.slots[hist_slot(100)], 2);
	assert_int_equal(a.slots[7], 1);
}

/* Of 1…100000 every quantile is known. */
static void quantiles_are_within_the_stated_error(void **state)
{
	struct hist h = {0};

	(void)state;
	for (uint64_t v = 1; v <= 100000; v++)
		hist_add(&h, v);
	for (double q = 0.001; q <= 1; q += 0.001) {
		double exact = q * 100000, got = hist_quantile(&h, q);

		/* Evenly spread values suit the interpolation: far below 25%. */
		assert_near(got, exact, 0.01 * exact);
	}
}

/* The worst case: every value at one end of the widest slot. */
static void error_stays_below_a_quarter(void **state)
{
	(void)state;
	for (uint32_t slot = 1; slot < HIST_NR_SLOTS; slot++) {
		struct hist h = {0};
		double low = (double)hist_slot_low(slot);

		h.slots[slot] = 1000;
		assert_true(fabs(hist_quantile(&h, 0.999) - low) < 0.25 * low);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(slots_of_the_picture),
		cmocka_unit_test(every_small_value_is_as_defined),
		cmocka_unit_test(monotone_and_inside_around_every_boundary),
		cmocka_unit_test(values_above_the_range_saturate),
		cmocka_unit_test(a_slot_is_at_most_a_quarter_wide),
		cmocka_unit_test(an_empty_histogram_has_no_total),
		cmocka_unit_test(quantile_is_interpolated_in_its_slot),
		cmocka_unit_test(quantile_is_not_above_the_maximum),
		cmocka_unit_test(maximum_is_not_summed),
		cmocka_unit_test(quantiles_are_within_the_stated_error),
		cmocka_unit_test(error_stays_below_a_quarter),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
