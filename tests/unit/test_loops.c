// SPDX-License-Identifier: BSD-2-Clause
/* The part of loops.h that asks no kernel. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "trace/loops.h"

static void names_and_backends_match(void **state)
{
	static const char *const names[] = {
		[LOOPS_BPF_FOR] = "bpf_for",
		[LOOPS_BPF_LOOP] = "bpf_loop",
		[LOOPS_CAN_LOOP] = "can_loop",
		[LOOPS_BOUNDED] = "bounded",
	};
	int i, backend;

	(void)state;
	assert_int_equal(NR_LOOPS_BACKENDS, 4);
	for (i = 0; i < NR_LOOPS_BACKENDS; i++) {
		assert_string_equal(loops_name((enum loops_backend)i), names[i]);
		backend = -2;
		assert_int_equal(loops_parse(names[i], &backend), 0);
		assert_int_equal(backend, i);
	}
	assert_int_equal(loops_parse("auto", &backend), 0);
	assert_int_equal(backend, LOOPS_AUTO);
}

static void other_names_are_refused(void **state)
{
	static const char *const names[] = {"",        "bpf", "bpf_for ",
					    "BPF_FOR", "0",   "floor"};
	int backend = 77;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		assert_int_equal(loops_parse(names[i], &backend), -EINVAL);
	assert_int_equal(backend, 77);
}

static struct calibration prices(void)
{
	struct calibration cal = {.done = true};
	int i;

	/* 2, 3, 4, … ns in the order of the enum, each to a tenth. */
	for (i = 0; i < NR_PRICES; i++)
		cal.prices[i] = (struct bench_result){.measured = true,
						      .median = 2 + i,
						      .lo = 1.9 + i,
						      .hi = 2.1 + i};
	cal.prices[PRICE_SHAPE_7_3].median = 1.25;
	cal.prices[PRICE_SHAPE_7_3].lo = 1.15;
	cal.prices[PRICE_SHAPE_7_3].hi = 1.35;
	return cal;
}

static struct site_figures priced(enum loops_backend backend, bool is_called,
				  const struct calibration *cal)
{
	struct loops l = {.backend = backend, .iterator_is_called = is_called};
	struct site_figures site = {.iterator_ns = ABSENT, .inlined_saves_ns = ABSENT};

	loops_price(&l, cal, &site);
	return site;
}

static void each_backend_has_its_own_price(void **state)
{
	struct calibration cal = prices();

	(void)state;
	assert_true(priced(LOOPS_BPF_FOR, true, &cal).iterator_ns == 2);
	assert_true(priced(LOOPS_BPF_LOOP, true, &cal).iterator_ns == 3);
	assert_true(priced(LOOPS_CAN_LOOP, true, &cal).iterator_ns == 4);
	assert_true(priced(LOOPS_BOUNDED, true, &cal).iterator_ns == 5);
}

static void only_a_called_iterator_can_be_inlined(void **state)
{
	struct calibration cal = prices();

	(void)state;
	assert_true(priced(LOOPS_BPF_FOR, true, &cal).inlined_saves_ns == 0.75);
	assert_true(is_absent(priced(LOOPS_BPF_FOR, false, &cal).inlined_saves_ns));
	assert_true(is_absent(priced(LOOPS_BPF_LOOP, true, &cal).inlined_saves_ns));
	assert_true(is_absent(priced(LOOPS_CAN_LOOP, true, &cal).inlined_saves_ns));
	assert_true(is_absent(priced(LOOPS_BOUNDED, true, &cal).inlined_saves_ns));
}

/* Intervals that overlap: the two may cost the same. */
static void saving_that_cannot_be_told_from_0_is_absent(void **state)
{
	struct calibration cal = prices();
	struct site_figures site;

	(void)state;
	cal.prices[PRICE_SHAPE_7_3].hi = 1.95;
	site = priced(LOOPS_BPF_FOR, true, &cal);
	assert_true(site.iterator_ns == 2);
	assert_true(is_absent(site.inlined_saves_ns));
}

static void what_was_not_measured_stays_absent(void **state)
{
	struct calibration cal = prices();
	struct site_figures site;

	(void)state;
	cal.prices[PRICE_SHAPE_7_3].measured = false;
	site = priced(LOOPS_BPF_FOR, true, &cal);
	assert_true(site.iterator_ns == 2);
	assert_true(is_absent(site.inlined_saves_ns));
	cal = prices();
	cal.prices[PRICE_BPF_FOR].measured = false;
	site = priced(LOOPS_BPF_FOR, true, &cal);
	assert_true(is_absent(site.iterator_ns));
	assert_true(is_absent(site.inlined_saves_ns));
	cal = prices();
	cal.done = false;
	site = priced(LOOPS_BPF_FOR, true, &cal);
	assert_true(is_absent(site.iterator_ns));
	assert_true(is_absent(site.inlined_saves_ns));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_and_backends_match),
		cmocka_unit_test(other_names_are_refused),
		cmocka_unit_test(each_backend_has_its_own_price),
		cmocka_unit_test(only_a_called_iterator_can_be_inlined),
		cmocka_unit_test(saving_that_cannot_be_told_from_0_is_absent),
		cmocka_unit_test(what_was_not_measured_stays_absent),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
