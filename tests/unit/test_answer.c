// SPDX-License-Identifier: BSD-2-Clause
/* What a server answers to a query, as it should and as it should not. */
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "compare/answer.h"

#define VECTOR(samples)                                                           \
	"{\"status\":\"success\",\"data\":{\"resultType\":\"vector\",\"result\":" \
	"[" samples "]}}"
#define SAMPLE(value) "{\"metric\":{\"instance\":\"a\"},\"value\":[1.5,\"" value "\"]}"

static int read_status(long status, const char *text, struct answer *ret,
		       struct reason *why)
{
	return answer_read("http://s", status, text, strlen(text), ret, why);
}

static void samples_are_read(void **state)
{
	struct answer a;
	const json_t *labels;
	double value;

	(void)state;
	assert_int_equal(
		read_status(200, VECTOR(SAMPLE("2.5e-7") "," SAMPLE("-1")), &a, NULL),
		0);
	assert_int_equal(answer_size(&a), 2);
	assert_null(a.scalar);
	assert_int_equal(answer_sample(&a, 0, &labels, &value), 0);
	assert_true(value == 2.5e-7);
	assert_string_equal(answer_label(labels, "instance"), "a");
	assert_string_equal(answer_label(labels, "job"), "");
	assert_int_equal(answer_sample(&a, 1, &labels, &value), 0);
	assert_true(value == -1);
	assert_int_equal(answer_sample(&a, 2, &labels, &value), -EPROTO);
	assert_null(answer_warning(&a, 0));
	answer_release(&a);
}

static void none_are_no_error(void **state)
{
	struct answer a;

	(void)state;
	assert_int_equal(read_status(200, VECTOR(""), &a, NULL), 0);
	assert_int_equal(answer_size(&a), 0);
	answer_release(&a);
}

static void scalar_is_read(void **state)
{
	struct answer a;
	double value;

	(void)state;
	assert_int_equal(read_status(200,
				     "{\"status\":\"success\",\"data\":{\"resultType\":"
				     "\"scalar\",\"result\":[7,\"1795.25\"]}}",
				     &a, NULL),
			 0);
	assert_int_equal(answer_size(&a), 0);
	assert_int_equal(answer_scalar(&a, &value), 0);
	assert_true(value == 1795.25);
	answer_release(&a);
}

static double value_of(const char *text)
{
	struct answer a;
	const json_t *labels;
	double value = -7;

	assert_int_equal(read_status(200, text, &a, NULL), 0);
	assert_int_equal(answer_sample(&a, 0, &labels, &value), 0);
	answer_release(&a);
	return value;
}

static void what_is_no_number_is_a_value(void **state)
{
	(void)state;
	assert_true(isnan(value_of(VECTOR(SAMPLE("NaN")))));
	assert_true(value_of(VECTOR(SAMPLE("+Inf"))) == INFINITY);
	assert_true(value_of(VECTOR(SAMPLE("-Inf"))) == -INFINITY);
}

static void samples_that_are_none_are_refused(void **state)
{
	static const char *const texts[] = {
		VECTOR(SAMPLE("")),
		VECTOR(SAMPLE("12x")),
		VECTOR("7"),
		VECTOR("null"),
		VECTOR("[]"),
		VECTOR("{\"value\":[1,\"2\"]}"),
		VECTOR("{\"metric\":{}}"),
		VECTOR("{\"metric\":[],\"value\":[1,\"2\"]}"),
		VECTOR("{\"metric\":{\"instance\":7},\"value\":[1,\"2\"]}"),
		VECTOR("{\"metric\":{},\"value\":[1,2]}"),
		VECTOR("{\"metric\":{},\"value\":[1]}"),
		VECTOR("{\"metric\":{},\"value\":[1,\"2\",3]}"),
		VECTOR("{\"metric\":{},\"value\":\"2\"}"),
	};
	const json_t *labels;
	struct answer a;
	double value;

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		assert_int_equal(read_status(200, texts[i], &a, NULL), 0);
		assert_int_equal(answer_sample(&a, 0, &labels, &value), -EPROTO);
		answer_release(&a);
	}
}

static void answers_that_are_none_are_refused(void **state)
{
	static const char *const texts[] = {
		"",
		"<!DOCTYPE html><title>Hello</title>",
		"null",
		"[]",
		"7",
		"{}",
		"{\"status\":\"success\"}",
		"{\"status\":\"success\",\"data\":7}",
		"{\"status\":\"success\",\"data\":{\"resultType\":\"vector\"}}",
		"{\"status\":\"success\",\"data\":{\"resultType\":\"matrix\","
		"\"result\":[]}}",
		"{\"status\":7,\"data\":{\"resultType\":\"vector\",\"result\":[]}}",
		"{\"status\":\"success\",\"data\":{\"resultType\":\"vector\","
		"\"result\":"
		"{}}}",
		VECTOR(SAMPLE("1")) "x",
		"{\"status\":\"success\",\"data\":{\"resultType\":\"vector\","
		"\"result\":"
		"[",
	};
	struct answer a = {0};
	struct reason why;

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		assert_int_equal(read_status(200, texts[i], &a, &why), -EPROTO);
		assert_non_null(strstr(why.text, "http://s"));
	}
	/* deeper than any reader goes */
	char *deep = malloc(100001);

	assert_non_null(deep);
	memset(deep, '[', 100000);
	deep[100000] = '\0';
	assert_int_equal(read_status(200, deep, &a, &why), -EPROTO);
	free(deep);
	assert_null(a.root);
}

static void errors_of_the_server_are_shown(void **state)
{
	const char *bad = "{\"status\":\"error\",\"errorType\":\"bad_data\","
			  "\"error\":\"parse error\\u001b[31m here\"}";
	struct answer a;
	struct reason why;

	(void)state;
	assert_int_equal(read_status(400, bad, &a, &why), -EREMOTEIO);
	assert_string_equal(why.text,
			    "http://s refuses the query: parse error?[31m here");
	/* some say so with another status */
	assert_int_equal(read_status(200, bad, &a, &why), -EREMOTEIO);
	assert_int_equal(read_status(401, "Unauthorized", &a, &why), -EREMOTEIO);
	assert_non_null(strstr(why.text, "does not let you in"));
	assert_int_equal(read_status(500, "oops", &a, &why), -EPROTO);
	assert_non_null(strstr(why.text, "HTTP status 500"));
	/* success, and yet none */
	assert_int_equal(read_status(502, VECTOR(SAMPLE("1")), &a, &why), -EPROTO);
}

static void warnings_are_told(void **state)
{
	struct answer a;

	(void)state;
	assert_int_equal(read_status(200,
				     "{\"status\":\"success\",\"warnings\":[\"one\","
				     "\"two\"],\"isPartial\":true,\"data\":"
				     "{\"resultType\":\"vector\",\"result\":[]}}",
				     &a, NULL),
			 0);
	assert_string_equal(answer_warning(&a, 0), "one");
	assert_string_equal(answer_warning(&a, 1), "two");
	assert_string_equal(answer_warning(&a, 2), "the answer is partial");
	assert_null(answer_warning(&a, 3));
	answer_release(&a);
}

/* Each member of a text of three bytes a member takes a hundred times as much. */
static void too_many_members_are_not_read(void **state)
{
	size_t len = 3 * (ANSWER_MAX_MEMBERS / 2 + 1) + 1;
	char *text = malloc(len);
	struct answer a;
	struct reason why;

	(void)state;
	assert_non_null(text);
	text[0] = '[';
	for (size_t i = 1; i + 3 <= len; i += 3)
		memcpy(text + i, "{},", 3);
	text[len - 1] = ']';
	assert_int_equal(answer_read("http://s", 200, text, len, &a, &why), -EPROTO);
	assert_non_null(strstr(why.text, "too large"));
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(samples_are_read),
		cmocka_unit_test(none_are_no_error),
		cmocka_unit_test(scalar_is_read),
		cmocka_unit_test(what_is_no_number_is_a_value),
		cmocka_unit_test(samples_that_are_none_are_refused),
		cmocka_unit_test(answers_that_are_none_are_refused),
		cmocka_unit_test(errors_of_the_server_are_shown),
		cmocka_unit_test(warnings_are_told),
		cmocka_unit_test(too_many_members_are_not_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
