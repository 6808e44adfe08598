// SPDX-License-Identifier: BSD-2-Clause
/* The two text formats, against texts written by hand from their specifications. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "export/exposition.h"

static const struct family counter = {"t_events", FAMILY_COUNTER, NULL, "Events \"seen\".\nAll \\ of them"};
static const struct family gauge = {"t_age_seconds", FAMILY_GAUGE, "seconds", "Age."};
static const struct family info = {"t_build", FAMILY_INFO, NULL, "Which."};
static const struct family histogram = {"t_wait_seconds", FAMILY_HISTOGRAM, "seconds", "Waits."};

#define LABELS(...) ((const struct label[]){__VA_ARGS__, {NULL, NULL}})

static struct exposition begin(enum exposition_format format, char **text, size_t *len)
{
	struct exposition e = {.format = format, .max_series = 100};

	e.out = open_memstream(text, len);
	assert_non_null(e.out);
	return e;
}

static void write_all(enum exposition_format format, char **text)
{
	static const double bounds[] = {0, 1, 0.001024, 4.096e-06};
	static const uint64_t counts[] = {2, 0, 1, 0, 3};
	size_t len;
	struct exposition e = begin(format, text, &len);

	exposition_family(&e, &info);
	exposition_count(&e, LABELS({"a", "x"}, {"b", ""}), 1);
	exposition_family(&e, &counter);
	exposition_count(&e, LABELS({"tracer", "exec"}), 18446744073709551615ULL);
	exposition_family(&e, &gauge);
	exposition_value(&e, NULL, 1.5e-9);
	exposition_value(&e, LABELS({"site", "s"}), NAN);
	exposition_family(&e, &histogram);
	exposition_histogram(&e, LABELS({"site", "s"}), bounds, counts, 4, 0.25);
	exposition_end(&e);
	fclose(e.out);
}

static void openmetrics_is_as_specified(void **state)
{
	char *text;

	(void)state;
	write_all(EXPOSITION_OPENMETRICS, &text);
	assert_string_equal(text,
			    "# HELP t_build Which.\n"
			    "# TYPE t_build info\n"
			    "t_build_info{a=\"x\",b=\"\"} 1\n"
			    "# HELP t_events Events \\\"seen\\\".\\nAll \\\\ of them\n"
			    "# TYPE t_events counter\n"
			    "t_events_total{tracer=\"exec\"} 18446744073709551615\n"
			    "# HELP t_age_seconds Age.\n"
			    "# TYPE t_age_seconds gauge\n"
			    "# UNIT t_age_seconds seconds\n"
			    "t_age_seconds 1.5e-09\n"
			    "# HELP t_wait_seconds Waits.\n"
			    "# TYPE t_wait_seconds histogram\n"
			    "# UNIT t_wait_seconds seconds\n"
			    "t_wait_seconds_bucket{site=\"s\",le=\"0.0\"} 2\n"
			    "t_wait_seconds_bucket{site=\"s\",le=\"1.0\"} 2\n"
			    "t_wait_seconds_bucket{site=\"s\",le=\"0.001024\"} 3\n"
			    "t_wait_seconds_bucket{site=\"s\",le=\"4.096e-06\"} 3\n"
			    "t_wait_seconds_bucket{site=\"s\",le=\"+Inf\"} 6\n"
			    "t_wait_seconds_sum{site=\"s\"} 0.25\n"
			    "t_wait_seconds_count{site=\"s\"} 6\n"
			    "# EOF\n");
	free(text);
}

static void text_format_is_as_specified(void **state)
{
	char *text;

	(void)state;
	write_all(EXPOSITION_TEXT, &text);
	assert_string_equal(text,
			    "# HELP t_build_info Which.\n"
			    "# TYPE t_build_info gauge\n"
			    "t_build_info{a=\"x\",b=\"\"} 1\n"
			    "# HELP t_events_total Events \"seen\".\\nAll \\\\ of them\n"
			    "# TYPE t_events_total counter\n"
			    "t_events_total{tracer=\"exec\"} 18446744073709551615\n"
			    "# HELP t_age_seconds Age.\n"
			    "# TYPE t_age_seconds gauge\n"
			    "t_age_seconds 1.5e-09\n"
			    "# HELP t_wait_seconds Waits.\n"
			    "# TYPE t_wait_seconds histogram\n"
			    "t_wait_seconds_bucket{site=\"s\",le=\"0.0\"} 2\n"
			    "t_wait_seconds_bucket{site=\"s\",le=\"1.0\"} 2\n"
			    "t_wait_seconds_bucket{site=\"s\",le=\"0.001024\"} 3\n"
			    "t_wait_seconds_bucket{site=\"s\",le=\"4.096e-06\"} 3\n"
			    "t_wait_seconds_bucket{site=\"s\",le=\"+Inf\"} 6\n"
			    "t_wait_seconds_sum{site=\"s\"} 0.25\n"
			    "t_wait_seconds_count{site=\"s\"} 6\n");
	free(text);
}

/* A quote ends no label, a backslash escapes nothing, and bytes that are no UTF-8,
 * which a server refuses, are written out. */
static void labels_are_escaped(void **state)
{
	static const struct {
		const char *value, *written;
	} cases[] = {
		{"plain #1 {x=\"y\"}", "plain #1 {x=\\\"y\\\"}"},
		{"two\nlines", "two\\\\x0alines"},
		{"back\\slash", "back\\\\x5cslash"},
		{"\xff", "\\\\xff"},
		{"Gr\xc3\xbc\xc3\x9f" "e", "Gr\xc3\xbc\xc3\x9f" "e"},
	};
	char *text, expected[128];
	struct exposition e;
	size_t i, len;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		e = begin(EXPOSITION_TEXT, &text, &len);
		e.family = &gauge;
		exposition_count(&e, LABELS({"cpu", cases[i].value}), 1);
		fclose(e.out);
		snprintf(expected, sizeof(expected), "t_age_seconds{cpu=\"%s\"} 1\n",
			 cases[i].written);
		assert_string_equal(text, expected);
		free(text);
	}
}

/* A histogram of two bounds has five series: it does not fit where four do. */
static void what_does_not_fit_is_left_out_as_a_whole_and_counted(void **state)
{
	static const double bounds[] = {1, 2};
	static const uint64_t counts[] = {1, 1, 1};
	struct exposition e;
	char *text;
	size_t len;

	(void)state;
	e = begin(EXPOSITION_TEXT, &text, &len);
	e.max_series = 5;
	e.family = &gauge;
	exposition_count(&e, NULL, 1);
	exposition_histogram(&e, NULL, bounds, counts, 2, 1);
	exposition_count(&e, NULL, 2);
	fclose(e.out);
	assert_string_equal(text, "t_age_seconds 1\nt_age_seconds 2\n");
	assert_int_equal(e.nr_series, 2);
	assert_int_equal(e.nr_left_out, 5);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(openmetrics_is_as_specified),
		cmocka_unit_test(text_format_is_as_specified),
		cmocka_unit_test(labels_are_escaped),
		cmocka_unit_test(what_does_not_fit_is_left_out_as_a_whole_and_counted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
