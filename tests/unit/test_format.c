// SPDX-License-Identifier: BSD-2-Clause
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/format.h"

struct shown {
	uint64_t value;
	const char *text;
};

static void assert_shown(const char *(*format)(char *buf, uint64_t value),
			 const struct shown *cases, size_t nr)
{
	char buf[FORMAT_LEN];
	size_t i;

	for (i = 0; i < nr; i++) {
		assert_ptr_equal(format(buf, cases[i].value), buf);
		assert_string_equal(buf, cases[i].text);
	}
}
#define assert_all_shown(format, cases) \
	assert_shown(format, cases, sizeof(cases) / sizeof((cases)[0]))

static void durations_have_three_digits(void **state)
{
	static const struct shown cases[] = {
		{0, "0 ns"},
		{1, "1 ns"},
		{870, "870 ns"},
		{999, "999 ns"},
		{1234, "1.23 us"},
		{1235, "1.24 us"},
		{12340, "12.3 us"},
		{123400, "123 us"},
		{1500000, "1.50 ms"},
		{10040000000, "10.0 s"},
		{119000000001, "119 s"},
		{90000000000, "90 s"},
		{150000000000, "2.50 min"},
		{9000000000000, "2.50 h"},
	};

	(void)state;
	assert_all_shown(format_ns, cases);
}

static void whole_durations_have_no_decimals(void **state)
{
	static const struct shown cases[] = {
		{1000, "1 us"},
		{20000000, "20 ms"},
		{10000000000, "10 s"},
		{120000000000, "2 min"},
		{3600000000000, "60 min"},
		{7200000000000, "2 h"},
		{86400000000000, "24 h"},
	};

	(void)state;
	assert_all_shown(format_ns, cases);
}

/* What rounds up to a thousand is one of the next unit, not a number of four digits. */
static void rounding_up_changes_the_unit(void **state)
{
	static const struct shown durations[] = {
		{999499, "999 us"},      {999500, "1.00 ms"},
		{999999, "1.00 ms"},     {999499999, "999 ms"},
		{999500000, "1.00 s"},   {9994, "9.99 us"},
		{9996, "10.0 us"},       {99960, "100 us"},
		{119499999999, "119 s"}, {119600000000, "1.99 min"},
	};
	static const struct shown sizes[] = {
		{1048063, "1023 KiB"},
		{1048064, "1.00 MiB"},
		{1048575, "1.00 MiB"},
	};

	(void)state;
	assert_all_shown(format_ns, durations);
	assert_all_shown(format_bytes, sizes);
}

static void sizes_are_in_powers_of_1024(void **state)
{
	static const struct shown cases[] = {
		{0, "0 B"},
		{512, "512 B"},
		{1023, "1023 B"},
		{1024, "1 KiB"},
		{1536, "1.50 KiB"},
		{65537, "64.0 KiB"},
		{1310720, "1.25 MiB"},
		{1ULL << 30, "1 GiB"},
		{5ULL << 40, "5 TiB"},
		{5000ULL << 40, "5000 TiB"},
	};

	(void)state;
	assert_all_shown(format_bytes, cases);
}

static void counts_are_in_groups_of_three(void **state)
{
	static const struct shown cases[] = {
		{0, "0"},
		{12, "12"},
		{999, "999"},
		{1000, "1,000"},
		{12345, "12,345"},
		{123456, "123,456"},
		{1234567, "1,234,567"},
		{1000000000, "1,000,000,000"},
		{UINT64_MAX, "18,446,744,073,709,551,615"},
	};

	(void)state;
	assert_all_shown(format_count, cases);
}

static void largest_values_fit(void **state)
{
	char buf[FORMAT_LEN];

	(void)state;
	/* 2^64 ns are 5124095.58 hours, 2^64 bytes 2^24 TiB. */
	assert_string_equal(format_ns(buf, UINT64_MAX), "5124096 h");
	assert_string_equal(format_bytes(buf, UINT64_MAX), "16777216 TiB");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(durations_have_three_digits),
		cmocka_unit_test(whole_durations_have_no_decimals),
		cmocka_unit_test(rounding_up_changes_the_unit),
		cmocka_unit_test(sizes_are_in_powers_of_1024),
		cmocka_unit_test(counts_are_in_groups_of_three),
		cmocka_unit_test(largest_values_fit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
