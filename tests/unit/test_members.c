// SPDX-License-Identifier: BSD-2-Clause
/* Texts on their way into JSON. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "export/members.h"

static void what_was_cut_within_a_character_loses_only_that(void **state)
{
	static const struct {
		const char *text, *expected; /* NULL: null */
	} cases[] = {
		{"", ""},
		{"plain", "plain"},
		{"caf\xc3\xa9", "caf\xc3\xa9"},
		{"caf\xc3", "caf"},
		{"20 \xe2\x82", "20 "},
		{"20 \xe2", "20 "},
		{"x\xf0\x9f\x98", "x"},
		{"\xf0\x9f\x98", ""},
		{"\xff in front", NULL},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		json_t *json = text_to_json(cases[i].text);

		if (cases[i].expected)
			assert_string_equal(json_string_value(json), cases[i].expected);
		else
			assert_true(json_is_null(json));
		json_decref(json);
	}
}

static void no_text_is_null(void **state)
{
	json_t *object = json_object();

	(void)state;
	member_text(object, "a", "");
	member_text(object, "b", "b");
	assert_true(json_is_null(json_object_get(object, "a")));
	assert_string_equal(json_string_value(json_object_get(object, "b")), "b");
	json_decref(object);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_cut_within_a_character_loses_only_that),
		cmocka_unit_test(no_text_is_null),
	};

	return cmocka_run_group_tests_name("members", tests, NULL, NULL);
}
