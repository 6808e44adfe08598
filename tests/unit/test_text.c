// SPDX-License-Identifier: BSD-2-Clause
/* UTF-8 by RFC 3629, and what a terminal must not get. */
#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"

#define assert_kept(literal)        assert_shown(literal, sizeof(literal) - 1, literal)
#define assert_text(literal, shown) assert_shown(literal, sizeof(literal) - 1, shown)

static void assert_shown(const char *bytes, size_t len, const char *shown)
{
	/* The exact size, so that a byte too many is found. */
	char *copy = malloc(len ? len : 1), *text;

	assert_non_null(copy);
	memcpy(copy, bytes, len);
	text = text_printable(copy, len);
	free(copy);
	assert_non_null(text);
	assert_string_equal(text, shown);
	free(text);
}

static void printable_ascii_is_kept_but_the_backslash(void **state)
{
	char one[2] = "", shown[8];
	int c;

	(void)state;
	assert_kept("");
	assert_kept("a b~!");
	for (c = 0x20; c < 0x7f; c++) {
		one[0] = (char)c;
		snprintf(shown, sizeof(shown), c == '\\' ? "\\x5c" : "%c", c);
		assert_shown(one, 1, shown);
	}
}

static void controls_are_escaped(void **state)
{
	char one[1], shown[8];
	int c;

	(void)state;
	for (c = 0; c < 0x20; c++) {
		one[0] = (char)c;
		snprintf(shown, sizeof(shown), "\\x%c%c", "01"[c / 16],
			 "0123456789abcdef"[c % 16]);
		assert_shown(one, 1, shown);
	}
	assert_text("\x7f", "\\x7f");
	assert_text("a\0b", "a\\x00b");
	assert_text("\x1b[2J\a", "\\x1b[2J\\x07");
}

/* U+0080 … U+009F: CSI is one of them. */
static void c1_controls_are_escaped(void **state)
{
	(void)state;
	assert_text("\xc2\x80", "\\xc2\\x80");
	assert_text("\xc2\x9b", "\\xc2\\x9b");
	assert_text("\xc2\x9f", "\\xc2\\x9f");
	assert_kept("\xc2\xa0");
}

/* The first and the last character of each length. */
static void boundaries_of_utf8_are_kept(void **state)
{
	(void)state;
	assert_kept("\xc3\xbf");         /* U+00FF */
	assert_kept("\xdf\xbf");         /* U+07FF */
	assert_kept("\xe0\xa0\x80");     /* U+0800 */
	assert_kept("\xe2\x82\xac");     /* U+20AC */
	assert_kept("\xec\xbf\xbf");     /* U+CFFF */
	assert_kept("\xed\x9f\xbf");     /* U+D7FF, before the surrogates */
	assert_kept("\xee\x80\x80");     /* U+E000, behind them */
	assert_kept("\xef\xbf\xbf");     /* U+FFFF */
	assert_kept("\xf0\x90\x80\x80"); /* U+10000 */
	assert_kept("\xf3\xbf\xbf\xbf"); /* U+FFFFF */
	assert_kept("\xf4\x8f\xbf\xbf"); /* U+10FFFF */
}

static void longer_forms_than_needed_are_escaped(void **state)
{
	(void)state;
	assert_text("\xc0\x80", "\\xc0\\x80");
	assert_text("\xc0\xaf", "\\xc0\\xaf");
	assert_text("\xc1\xbf", "\\xc1\\xbf");
	assert_text("\xe0\x80\xaf", "\\xe0\\x80\\xaf");
	assert_text("\xe0\x9f\xbf", "\\xe0\\x9f\\xbf");
	assert_text("\xf0\x80\x80\xaf", "\\xf0\\x80\\x80\\xaf");
	assert_text("\xf0\x8f\xbf\xbf", "\\xf0\\x8f\\xbf\\xbf");
}

static void surrogates_and_beyond_unicode_are_escaped(void **state)
{
	(void)state;
	assert_text("\xed\xa0\x80", "\\xed\\xa0\\x80");
	assert_text("\xed\xbf\xbf", "\\xed\\xbf\\xbf");
	assert_text("\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80");
	assert_text("\xf5\x80\x80\x80", "\\xf5\\x80\\x80\\x80");
	assert_text("\xf8\x88\x80\x80\x80", "\\xf8\\x88\\x80\\x80\\x80");
	assert_text("\xfe\xff", "\\xfe\\xff");
}

/* The rest of what was cut is looked at by itself. */
static void cut_characters_are_escaped(void **state)
{
	(void)state;
	assert_text("\xc3", "\\xc3");
	assert_text("\xe2\x82", "\\xe2\\x82");
	assert_text("\xf0\x9f\x98", "\\xf0\\x9f\\x98");
	assert_text("\x80", "\\x80");
	assert_text("\xbf", "\\xbf");
	assert_text("\xc3(", "\\xc3(");
	assert_text("\xe2\x82(", "\\xe2\\x82(");
	assert_text("\xe2(\xac", "\\xe2(\\xac");
	assert_text("\xf0\x9f(\x98", "\\xf0\\x9f(\\x98");
	assert_text("\xc3\xc3\xa9", "\\xc3\xc3\xa9");
	assert_text("\xf0\x9f\xc3\xa9", "\\xf0\\x9f\xc3\xa9");
}

/* Any four bytes of those that matter become something that JSON takes. */
static void whatever_comes_in_json_takes_it(void **state)
{
	static const unsigned char bytes[] = {
		0x00, 0x1f, 0x20, '\\', 0x7e, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf,
		0xc0, 0xc2, 0xdf, 0xe0, 0xe1, 0xed, 0xef, 0xf0, 0xf3, 0xf4, 0xf5, 0xff};
	const size_t nr = sizeof(bytes);
	size_t i;

	(void)state;
	for (i = 0; i < nr * nr * nr * nr; i++) {
		char in[4] = {(char)bytes[i % nr], (char)bytes[i / nr % nr],
			      (char)bytes[i / nr / nr % nr],
			      (char)bytes[i / nr / nr / nr]};
		char *text = text_printable(in, 4), *c;
		json_t *json = json_string(text);

		assert_non_null(json);
		json_decref(json);
		for (c = text; *c; c++)
			assert_true((unsigned char)*c >= 0x20 && *c != 0x7f);
		free(text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(printable_ascii_is_kept_but_the_backslash),
		cmocka_unit_test(controls_are_escaped),
		cmocka_unit_test(c1_controls_are_escaped),
		cmocka_unit_test(boundaries_of_utf8_are_kept),
		cmocka_unit_test(longer_forms_than_needed_are_escaped),
		cmocka_unit_test(surrogates_and_beyond_unicode_are_escaped),
		cmocka_unit_test(cut_characters_are_escaped),
		cmocka_unit_test(whatever_comes_in_json_takes_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
