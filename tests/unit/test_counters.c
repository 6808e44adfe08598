// SPDX-License-Identifier: BSD-2-Clause
/* The arithmetic of counters; and, where there is no PMU, that it is said. */
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "bench/counters.h"

static void full_time_is_not_scaled(void **state)
{
	struct counter_value v = counters_scale(1000, 500, 500);

	(void)state;
	assert_true(v.present);
	assert_false(v.scaled);
	assert_true(v.value == 1000);
}

/* A quarter of the time on the processor: four times the count. */
static void part_of_the_time_is_scaled(void **state)
{
	struct counter_value v = counters_scale(1000, 2000, 500);

	(void)state;
	assert_true(v.present);
	assert_true(v.scaled);
	assert_true(v.value == 4000);
}

/* Never on the processor: no figure, which is not a figure of 0. */
static void never_counted_is_absent(void **state)
{
	(void)state;
	assert_false(counters_scale(0, 2000, 0).present);
	assert_false(counters_scale(0, 0, 0).present);
	assert_true(counters_scale(0, 10, 10).present);
	assert_true(counters_scale(0, 10, 10).value == 0);
}

static void pmu_that_counts_nothing_is_absent(void **state)
{
	struct counter_values v = {0};

	(void)state;
	v.v[COUNTER_CYCLES] = counters_scale(100, 1, 1);
	v.v[COUNTER_INSTRUCTIONS] = counters_scale(200, 1, 1);
	v.v[COUNTER_BRANCH_MISSES] = counters_scale(0, 1, 1);
	counters_drop_dead(&v);
	assert_true(v.v[COUNTER_CYCLES].present);
	assert_true(v.v[COUNTER_BRANCH_MISSES].present);
	v.v[COUNTER_INSTRUCTIONS].value = 0;
	counters_drop_dead(&v);
	for (int i = 0; i < NR_COUNTERS; i++)
		assert_false(v.v[i].present);
}

/* An instruction counter that is absent by itself says nothing of the others. */
static void absent_counter_is_not_dead(void **state)
{
	struct counter_values v = {0};

	(void)state;
	v.v[COUNTER_CYCLES] = counters_scale(100, 1, 1);
	counters_drop_dead(&v);
	assert_true(v.v[COUNTER_CYCLES].present);
}

static void names_are_all_there_and_differ(void **state)
{
	(void)state;
	for (unsigned int i = 0; i < NR_COUNTERS; i++) {
		assert_non_null(counters_name(i));
		for (unsigned int k = 0; k < i; k++)
			assert_string_not_equal(counters_name(i), counters_name(k));
	}
	assert_null(counters_name(NR_COUNTERS));
}

/* Event and umask as the kernel's tools/perf/pmu-events list them. */
static void raw_events_by_processor(void **state)
{
	static const struct {
		struct counters_cpu cpu;
		uint64_t blocks, stalls, slots, bound;
	} table[] = {
		{{VENDOR_INTEL, 6, 0x2a}, 0x0203, 0, 0, 0},           /* Sandy Bridge */
		{{VENDOR_INTEL, 6, 0x55}, 0x0203, 0, 0, 0},           /* Skylake-SP */
		{{VENDOR_INTEL, 6, 0x6a}, 0x0203, 0, 0x01a4, 0x02a4}, /* Ice Lake-SP */
		{{VENDOR_INTEL, 6, 0x8f},
		 0x8203,
		 0,
		 0x01a4,
		 0x02a4}, /* Sapphire Rapids */
		{{VENDOR_INTEL, 6, 0xcf},
		 0x8203,
		 0,
		 0x01a4,
		 0x02a4},                              /* Emerald Rapids */
		{{VENDOR_INTEL, 6, 0x5c}, 0, 0, 0, 0}, /* Goldmont */
		{{VENDOR_INTEL, 6, 0x12a}, 0, 0, 0, 0},
		{{VENDOR_INTEL, 15, 0x8f}, 0, 0, 0, 0},
		{{VENDOR_AMD, 0x19, 0x21}, 0x0224, 0, 0, 0}, /* Zen 3 */
		{{VENDOR_AMD, 0x15, 0x02}, 0, 0, 0, 0},      /* Bulldozer */
		{{VENDOR_ARM64, 0, 0}, 0, 0x24, 0, 0},
		{{VENDOR_OTHER, 6, 0x8f}, 0, 0, 0, 0},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		const struct counters_cpu *cpu = &table[i].cpu;

		assert_int_equal(counters_raw_event(cpu, COUNTER_STORE_FORWARD_BLOCKS),
				 table[i].blocks);
		assert_int_equal(counters_raw_event(cpu, COUNTER_BACKEND_STALL_CYCLES),
				 table[i].stalls);
		assert_int_equal(counters_raw_event(cpu, COUNTER_SLOTS),
				 table[i].slots);
		assert_int_equal(counters_raw_event(cpu, COUNTER_BACKEND_BOUND_SLOTS),
				 table[i].bound);
		/* the generic events serve: a raw one would hide that they are not there */
		assert_int_equal(counters_raw_event(cpu, COUNTER_CYCLES), 0);
	}
}

static void check_absence(int err, const struct reason *why)
{
	bool no_pmu = err == -ENOENT || err == -EOPNOTSUPP || err == -ENODEV;
	bool forbidden = err == -EACCES || err == -EPERM;

	assert_non_null(strstr(why->text, "no hardware counters: "));
	if (no_pmu)
		assert_non_null(strstr(why->text, "no PMU"));
	if (forbidden)
		assert_non_null(strstr(why->text, "CAP_PERFMON"));
}

/* Some system calls are kernel work. Either it is counted, or the reason is said. */
static void kernel_work_is_counted_or_it_is_said_why_not(void **state)
{
	struct counters *c = NULL;
	struct counter_values v;
	struct reason why = {""};
	int err = counters__new(&c, &why);

	(void)state;
	if (err) {
		assert_null(c);
		check_absence(err, &why);
		return;
	}
	assert_null(counters_absence(c, COUNTER_CYCLES));
	assert_int_equal(counters_begin(c), 0);
	for (int i = 0; i < 1000; i++)
		getppid();
	assert_int_equal(counters_end(c, &v), 0);
	for (int i = 0; i < NR_COUNTERS; i++)
		if (counters_absence(c, (enum counter_id)i))
			assert_false(v.v[i].present);
	if (v.v[COUNTER_INSTRUCTIONS].present)
		assert_true(v.v[COUNTER_INSTRUCTIONS].value > 1000);
	counters__free(c);
	counters__free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(full_time_is_not_scaled),
		cmocka_unit_test(part_of_the_time_is_scaled),
		cmocka_unit_test(never_counted_is_absent),
		cmocka_unit_test(pmu_that_counts_nothing_is_absent),
		cmocka_unit_test(absent_counter_is_not_dead),
		cmocka_unit_test(names_are_all_there_and_differ),
		cmocka_unit_test(raw_events_by_processor),
		cmocka_unit_test(kernel_work_is_counted_or_it_is_said_why_not),
	};

	return cmocka_run_group_tests_name("counters", tests, NULL, NULL);
}
