// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/parse.h"

#define UNTOUCHED 0xdeadbeefULL
#define SECOND    1000000000ULL

typedef int (*parse_fn)(const char *option, const char *text, uint64_t min,
			uint64_t max, uint64_t *ret, struct reason *why);

static void assert_value(parse_fn parse, const char *text, uint64_t expected)
{
	uint64_t value = UNTOUCHED;

	if (parse("--option", text, 0, UINT64_MAX, &value, NULL))
		fail_msg("'%s' is refused", text);
	assert_int_equal(value, expected);
}

/* Refused with a sentence that names the option and what was wrong. */
static void assert_refused(parse_fn parse, const char *text, uint64_t min, uint64_t max,
			   int err)
{
	uint64_t value = UNTOUCHED;
	struct reason why = {""};

	if (parse("--option", text, min, max, &value, &why) != err)
		fail_msg("'%s' is not refused as it should be", text);
	assert_int_equal(value, UNTOUCHED);
	assert_int_equal(strncmp(why.text, "--option ", 9), 0);
	assert_non_null(strstr(why.text, text));
	/* why is optional. */
	assert_int_equal(parse("--option", text, min, max, &value, NULL), err);
}

static const parse_fn all[] = {parse_uint, parse_duration_ns, parse_bytes};

static void what_is_no_number_is_refused(void **state)
{
	static const char *const texts[] = {
		"",    " ",    "x",        "-1",   "+1",    " 1",  "1 ",
		"1 s", "0x10", "1.5",      "1e3",  "1,000", "--",  "s",
		"k",   "1ss",  "1kk",      "1S",   "1ms ",  "\t1", "1\n",
		"1MB", "1KiB", "\xd9\xa1", "1m1s", "inf",
	};
	size_t i, j;

	(void)state;
	for (i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		for (j = 0; j < sizeof(texts) / sizeof(texts[0]); j++)
			assert_refused(all[i], texts[j], 0, UINT64_MAX, -EINVAL);
}

static void whole_numbers_are_decimal(void **state)
{
	(void)state;
	assert_value(parse_uint, "0", 0);
	assert_value(parse_uint, "007", 7);
	assert_value(parse_uint, "10", 10);
	assert_value(parse_uint, "18446744073709551615", UINT64_MAX);
	assert_refused(parse_uint, "1s", 0, UINT64_MAX, -EINVAL);
	assert_refused(parse_uint, "1k", 0, UINT64_MAX, -EINVAL);
}

static void durations_have_units_and_are_seconds_without(void **state)
{
	(void)state;
	assert_value(parse_duration_ns, "0", 0);
	assert_value(parse_duration_ns, "1", SECOND);
	assert_value(parse_duration_ns, "7ns", 7);
	assert_value(parse_duration_ns, "7us", 7000);
	assert_value(parse_duration_ns, "250ms", 250000000);
	assert_value(parse_duration_ns, "10s", 10 * SECOND);
	assert_value(parse_duration_ns, "5m", 300 * SECOND);
	assert_value(parse_duration_ns, "2h", 7200 * SECOND);
	assert_value(parse_duration_ns, "1d", 86400 * SECOND);
	assert_refused(parse_duration_ns, "1k", 0, UINT64_MAX, -EINVAL);
}

static void sizes_have_powers_of_1024(void **state)
{
	(void)state;
	assert_value(parse_bytes, "4096", 4096);
	assert_value(parse_bytes, "64k", 65536);
	assert_value(parse_bytes, "64K", 65536);
	assert_value(parse_bytes, "1M", 1048576);
	assert_value(parse_bytes, "3G", 3221225472ULL);
	assert_refused(parse_bytes, "1s", 0, UINT64_MAX, -EINVAL);
	assert_refused(parse_bytes, "1m", 0, UINT64_MAX, -EINVAL);
}

static void overflow_is_refused(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		assert_refused(all[i], "18446744073709551616", 0, UINT64_MAX, -ERANGE);
		assert_refused(all[i], "99999999999999999999999", 0, UINT64_MAX,
			       -ERANGE);
	}
	/* 2^64 ns are 18446744073.709551616 s, and 213503.98 d. */
	assert_value(parse_duration_ns, "18446744073s", 18446744073ULL * SECOND);
	assert_refused(parse_duration_ns, "18446744074s", 0, UINT64_MAX, -ERANGE);
	assert_value(parse_duration_ns, "213503d", 213503ULL * 86400 * SECOND);
	assert_refused(parse_duration_ns, "213504d", 0, UINT64_MAX, -ERANGE);
	/* 2^64 bytes are 2^34 G. */
	assert_value(parse_bytes, "17179869183G", 17179869183ULL << 30);
	assert_refused(parse_bytes, "17179869184G", 0, UINT64_MAX, -ERANGE);
}

static void bounds_belong_to_the_range(void **state)
{
	uint64_t value;

	(void)state;
	assert_int_equal(parse_uint("-n", "5", 5, 7, &value, NULL), 0);
	assert_int_equal(parse_uint("-n", "7", 5, 7, &value, NULL), 0);
	assert_int_equal(value, 7);
	assert_refused(parse_uint, "4", 5, 7, -ERANGE);
	assert_refused(parse_uint, "8", 5, 7, -ERANGE);
	assert_int_equal(
		parse_duration_ns("-i", "100ms", SECOND / 10, SECOND, &value, NULL), 0);
	assert_int_equal(
		parse_duration_ns("-i", "1", SECOND / 10, SECOND, &value, NULL), 0);
	assert_refused(parse_duration_ns, "99ms", SECOND / 10, SECOND, -ERANGE);
	assert_refused(parse_duration_ns, "1001ms", SECOND / 10, SECOND, -ERANGE);
	assert_int_equal(parse_bytes("-b", "16k", 1, 16384, &value, NULL), 0);
	assert_refused(parse_bytes, "0", 1, 16384, -ERANGE);
	assert_refused(parse_bytes, "16385", 1, 16384, -ERANGE);
}

static void sentence_says_what_would_do(void **state)
{
	struct reason why;
	uint64_t value;

	(void)state;
	parse_uint("--threads", "9", 1, 4, &value, &why);
	assert_string_equal(why.text, "--threads takes a number from 1 to 4, not '9'");
	parse_uint("--threads", "many", 1, 4, &value, &why);
	assert_string_equal(why.text, "--threads takes a whole number, not 'many'");
	parse_duration_ns("--interval", "1ms", SECOND / 10, 3600 * SECOND, &value,
			  &why);
	assert_string_equal(why.text,
			    "--interval takes a time from 100 ms to 60 min, not '1ms'");
	parse_bytes("--argv-max", "1G", 1, 16384, &value, &why);
	assert_string_equal(why.text,
			    "--argv-max takes a size from 1 B to 16 KiB, not '1G'");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_no_number_is_refused),
		cmocka_unit_test(whole_numbers_are_decimal),
		cmocka_unit_test(durations_have_units_and_are_seconds_without),
		cmocka_unit_test(sizes_have_powers_of_1024),
		cmocka_unit_test(overflow_is_refused),
		cmocka_unit_test(bounds_belong_to_the_range),
		cmocka_unit_test(sentence_says_what_would_do),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
