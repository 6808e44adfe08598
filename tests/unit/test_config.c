// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/config.h"

/* What take was given, as "name=value;" one after another. */
struct taken {
	char text[4096];
};

static int take(void *context, const char *name, const char *value, struct reason *why)
{
	struct taken *t = context;
	size_t len = strlen(t->text);

	if (!strcmp(name, "unknown"))
		return -ENOENT;
	if (!strcmp(value, "bad"))
		return reason_set(why, -ERANGE, "that is bad");
	snprintf(t->text + len, sizeof(t->text) - len, "%s=%s;", name, value);
	return 0;
}

/* The file's name is cut off what is said. */
static int read_bytes(const void *bytes, size_t len, struct taken *ret, char said[512])
{
	char path[] = "/tmp/config-XXXXXX";
	struct reason why = {""};
	int fd = mkstemp(path), err;

	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes, len), len);
	close(fd);
	*ret = (struct taken){""};
	err = config_read(path, "run", take, ret, &why);
	unlink(path);
	snprintf(said, 512, "%s", why.text);
	if (!strncmp(why.text, path, strlen(path)))
		snprintf(said, 512, "%s", why.text + strlen(path));
	return err;
}

static void expect(const char *text, int err, const char *taken, const char *said)
{
	struct taken got;
	char got_said[512];

	assert_int_equal(read_bytes(text, strlen(text), &got, got_said), err);
	assert_string_equal(got.text, taken);
	assert_string_equal(got_said, said);
}

static void settings_are_taken_in_order(void **state)
{
	(void)state;
	expect("", 0, "", "");
	expect("[run]\n", 0, "", "");
	expect("# c\n\n[run]\nb = 2\na=1 ; c\n  c  =  x y \n;d = 4\ne =\n", 0,
	       "b=2;a=1;c=x y;e=;", "");
	expect("[run]\r\na = 1\r\nb = 2", 0, "a=1;b=2;", "");
}

static void errors_name_the_line(void **state)
{
	(void)state;
	expect("[run]\nunknown = 1\n", -EINVAL, "", ":2: there is no setting 'unknown'");
	expect("[run]\na = 1\n\nb = bad\n", -ERANGE, "a=1;", ":4: that is bad");
	expect("[run]\na = 1\nb = 2\na = 3\n", -EINVAL, "a=1;b=2;a=3;",
	       ":4: a was set in line 2 already");
	expect("[run]\na = 1\nhello\n", -EINVAL, "a=1;",
	       ":3: this is neither [section], 'name = value' nor a comment");
	expect("a = 1\n", -EINVAL, "",
	       ":1: a belongs under [run], and nothing else does");
	expect("[run]\n[other]\na = 1\n", -EINVAL, "",
	       ":2: there is no such section; all settings stand under [run]");
	expect("[runs]\n", -EINVAL, "",
	       ":1: there is no such section; all settings stand under [run]");
}

/* inih joins an indented line to the value before it. */
static void an_indented_line_is_a_setting_of_its_own(void **state)
{
	(void)state;
	expect("[run]\na = 1\n b = 2\n\tc = 3\n", 0, "a=1;b=2;c=3;", "");
}

static void a_line_may_have_198_bytes(void **state)
{
	char text[300] = "[run]\na=", taken[300];

	(void)state;
	memset(text + 8, 'x', 196);
	text[204] = '\n';
	snprintf(taken, sizeof(taken), "a=%.196s;", text + 8);
	expect(text, 0, taken, "");
	memset(text + 8, 'x', 197);
	text[205] = '\n';
	expect(text, -EINVAL, "", ":2: the line is too long, or not text");
}

static void what_is_no_text_is_refused(void **state)
{
	static const char zeros[1000];
	struct taken got;
	char said[512];

	(void)state;
	assert_int_equal(read_bytes(zeros, sizeof(zeros), &got, said), -EINVAL);
	assert_string_equal(said, ":1: the line is too long, or not text");
	assert_int_equal(read_bytes("[run]\na=1\0b=2\nc=3\n", 18, &got, said), -EINVAL);
	assert_non_null(strstr(said, ":2: "));
}

static void too_much_is_refused(void **state)
{
	size_t i, len = 6, size = 20000;
	char *text = calloc(1, size), said[512];
	struct taken got;

	(void)state;
	memcpy(text, "[run]\n", 6);
	for (i = 0; i < 65; i++)
		len += (size_t)sprintf(text + len, "s%zu=\n", i);
	assert_int_equal(read_bytes(text, len, &got, said), -EINVAL);
	assert_string_equal(said, ":66: too many settings");
	memset(text, '\n', 10001);
	assert_int_equal(read_bytes(text, 10001, &got, said), -EINVAL);
	assert_string_equal(said, ":10001: too many lines for a configuration");
	free(text);
}

static void a_file_that_cannot_be_read_is_named(void **state)
{
	struct reason why;
	struct taken t;

	(void)state;
	assert_int_equal(config_read("/nonexistent/x", "run", take, &t, &why), -ENOENT);
	assert_string_equal(why.text, "cannot open the configuration /nonexistent/x: "
				      "No such file or directory");
	assert_int_equal(config_read("/", "run", take, &t, &why), -EISDIR);
	assert_string_equal(why.text,
			    "cannot read the configuration /: Is a directory");
}

static void flags_are_words(void **state)
{
	bool flag = false;

	(void)state;
	assert_int_equal(config_parse_flag("Yes", &flag), 0);
	assert_true(flag);
	assert_int_equal(config_parse_flag("off", &flag), 0);
	assert_false(flag);
	assert_int_equal(config_parse_flag("true", &flag), 0);
	assert_true(flag);
	assert_int_equal(config_parse_flag("1", &flag), -EINVAL);
	assert_int_equal(config_parse_flag("", &flag), -EINVAL);
	assert_true(flag);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(settings_are_taken_in_order),
		cmocka_unit_test(errors_name_the_line),
		cmocka_unit_test(an_indented_line_is_a_setting_of_its_own),
		cmocka_unit_test(a_line_may_have_198_bytes),
		cmocka_unit_test(what_is_no_text_is_refused),
		cmocka_unit_test(too_much_is_refused),
		cmocka_unit_test(a_file_that_cannot_be_read_is_named),
		cmocka_unit_test(flags_are_words),
	};

	return cmocka_run_group_tests_name("config", tests, NULL, NULL);
}
