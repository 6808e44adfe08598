// SPDX-License-Identifier: BSD-2-Clause
/* What stands in a page: texts that stay texts, figures, and axes. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "export/html.h"
#include "export/svg.h"

static void assert_written(const char *text, const char *wanted)
{
	char *written = NULL;
	size_t size;
	FILE *out = open_memstream(&written, &size);

	assert_non_null(out);
	html_text(out, text);
	fclose(out);
	assert_string_equal(written, wanted);
	free(written);
}

#define BAD "\xEF\xBF\xBD" /* U+FFFD */

static void markup_stands_as_text(void **state)
{
	(void)state;
	assert_written("", "");
	assert_written("exec.argv", "exec.argv");
	assert_written("<b a=\"1\" c='2'>&amp;",
		       "&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;amp;");
	assert_written("]]></script>", "]]&gt;&lt;/script&gt;");
	assert_written("C:\\temp", "C:\\temp");
}

static void other_alphabets_are_kept(void **state)
{
	(void)state;
	assert_written("\xC3\xA9 \xE6\xBC\xA2 \xD7\xA9 \xF0\x9F\x90\x9D",
		       "\xC3\xA9 \xE6\xBC\xA2 \xD7\xA9 \xF0\x9F\x90\x9D");
}

static void what_misleads_is_replaced_a_byte_each(void **state)
{
	(void)state;
	assert_written("a\x1b[31m\t\n\x7f", "a" BAD "[31m" BAD BAD BAD);
	assert_written("\xC2\x85", BAD BAD);                          /* C1 */
	assert_written("\xE2\x80\xAE" "x", BAD BAD BAD "x");          /* U+202E */
	assert_written("\xE2\x81\xA6\xE2\x80\x8E", BAD BAD BAD BAD BAD BAD);
	assert_written("\xC0\xAF\xED\xA0\x80", BAD BAD BAD BAD BAD);  /* long, surrogate */
	assert_written("\xFF<\xE6\xBC", BAD "&lt;" BAD BAD);          /* cut */
}

static void figures_have_three_digits(void **state)
{
	static const struct {
		double figure;
		const char *wanted;
	} cases[] = {
		{0, "0"},
		{4.567, "4.57"},
		{0.012345, "0.0123"},
		{9.999, "10.0"},
		{99.96, "100"},
		{63.44, "63.4"},
		{999.4, "999"},
		{999.6, "1,000"},
		{2103075, "2,103,075"},
		{-4.567, "\xE2\x88\x92" "4.57"},
		{0.000024, "0.0000240"},
		{1e-8, "1e-08"},
		{1e300, "1e+300"},
		{NAN, "\xE2\x80\x93"},
		{INFINITY, "\xE2\x80\x93"},
	};
	char buf[HTML_FIGURE_LEN];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_string_equal(html_figure(buf, cases[i].figure), cases[i].wanted);
}

static void percentages_have_a_sign_but_zero(void **state)
{
	char buf[HTML_FIGURE_LEN];

	(void)state;
	assert_string_equal(html_percent(buf, 4.56), "+4.6%");
	assert_string_equal(html_percent(buf, -15.72), "\xE2\x88\x92" "15.7%");
	assert_string_equal(html_percent(buf, -0.04), "0.0%");
	assert_string_equal(html_percent(buf, NAN), "\xE2\x80\x93");
	assert_string_equal(html_probability(buf, 0.00009), "<0.0001");
	assert_string_equal(html_probability(buf, 0.61), "0.6100");
}

/* Labels of the axis over a range, with spaces between. */
static void assert_labels(double least, double most, int nr_steps, const char *wanted)
{
	struct svg_range range = {least, most};
	char label[SVG_LABEL_LEN], all[512] = "";
	struct svg_axis axis;
	size_t len = 0;
	int i;

	svg_axis_init(&axis, &range, nr_steps, 0, 100);
	for (i = 0; i < svg_nr_ticks(&axis); i++)
		len += (size_t)snprintf(all + len, sizeof(all) - len, "%s%s", i ? " " : "",
					svg_tick_label(label, &axis, i));
	assert_string_equal(all, wanted);
}

static void ticks_are_round(void **state)
{
	(void)state;
	assert_labels(0, 40, 5, "0 10 20 30 40");
	assert_labels(61, 70, 5, "62 64 66 68 70");
	assert_labels(0.31, 0.39, 5, "0.32 0.34 0.36 0.38");
	assert_labels(-28, 12, 5, "\xE2\x88\x92" "20 \xE2\x88\x92" "10 0 10");
	assert_labels(0, 12000, 5, "0 5,000 10,000");
	assert_labels(-5, 5, 4, "\xE2\x88\x92" "5 0 5");
}

static void one_value_has_an_axis_too(void **state)
{
	(void)state;
	assert_labels(0, 0, 5, "\xE2\x88\x92" "1.0 \xE2\x88\x92" "0.5 0.0 0.5 1.0");
	assert_labels(200, 200, 5, "190 195 200 205 210");
	assert_labels(1e9, 1e9 + 1, 5, "9.5e+08 1e+09 1.05e+09");
}

static void range_is_within_the_axis_and_places_are_linear(void **state)
{
	struct svg_range range = SVG_EMPTY;
	struct svg_axis axis;

	(void)state;
	svg_range_add(&range, 50);
	svg_range_add(&range, NAN);
	svg_range_add(&range, INFINITY);
	svg_range_add(&range, 1e300);
	svg_range_add(&range, 70);
	svg_axis_init(&axis, &range, 5, 52, 350);
	assert_true(axis.lo < 50 && axis.lo > 49 && axis.hi > 70 && axis.hi < 71);
	assert_true(svg_place(&axis, 50) > 52 && svg_place(&axis, 70) < 350);
	assert_true(fabs(svg_place(&axis, 60) - 201) < 1e-9);
}

/* Whatever the ends: from 2 to 20 ticks, all inside. */
static void every_range_has_some_ticks(void **state)
{
	struct svg_axis axis;
	struct svg_range r;
	double at, size;
	int nr;

	(void)state;
	for (size = 1e-12; size < 1e15; size *= 3.7)
		for (at = -0.99; at < 1; at += 0.013) {
			r = (struct svg_range){at * size, (at + 0.007 + fabs(at) / 3) * size};
			svg_axis_init(&axis, &r, 5, 0, 1);
			nr = svg_nr_ticks(&axis);
			assert_in_range(nr, 2, 20);
			assert_true(svg_place(&axis, svg_tick(&axis, 0)) > -1e-5);
			assert_true(svg_place(&axis, svg_tick(&axis, nr - 1)) < 1 + 1e-5);
		}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(markup_stands_as_text),
		cmocka_unit_test(other_alphabets_are_kept),
		cmocka_unit_test(what_misleads_is_replaced_a_byte_each),
		cmocka_unit_test(figures_have_three_digits),
		cmocka_unit_test(percentages_have_a_sign_but_zero),
		cmocka_unit_test(ticks_are_round),
		cmocka_unit_test(one_value_has_an_axis_too),
		cmocka_unit_test(range_is_within_the_axis_and_places_are_linear),
		cmocka_unit_test(every_range_has_some_ticks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
