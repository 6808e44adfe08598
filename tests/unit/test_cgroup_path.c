// SPDX-License-Identifier: BSD-2-Clause
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "trace/cgroup_path.h"

#define ELLIPSIS "\xe2\x80\xa6"

/* names without their last NUL, which a string literal adds. */
#define assert_path(literal, is_cut, path) \
	assert_shown(literal, sizeof(literal), is_cut, path)

static void assert_shown(const char *names, size_t len, bool cut, const char *expected)
{
	struct cgroup_names c = {.len = (uint32_t)len, .cut = cut};
	char *path;

	assert_true(len <= sizeof(c.names));
	memcpy(c.names, names, len);
	path = cgroup_path(&c);
	assert_non_null(path);
	assert_string_equal(path, expected);
	free(path);
}

static void root_is_a_slash(void **state)
{
	(void)state;
	assert_shown("", 0, false, "/");
}

static void names_are_turned_around(void **state)
{
	(void)state;
	assert_path("a", false, "/a");
	assert_path("leaf\0middle\0top", false, "/top/middle/leaf");
	assert_path("x.service\0system.slice", false, "/system.slice/x.service");
}

static void missing_part_is_an_ellipsis(void **state)
{
	(void)state;
	assert_path("c\0b", true, ELLIPSIS "/b/c");
	assert_shown("", 0, true, ELLIPSIS);
}

static void names_are_made_printable(void **state)
{
	(void)state;
	assert_path("a\\x2db\0t\x1bp", false, "/t\\x1bp/a\\x5cx2db");
	assert_path("caf\xc3\xa9", false, "/caf\xc3\xa9");
	/* A name that was cut within a character. */
	assert_path("caf\xc3", false, "/caf\\xc3");
}

static void full_buffer_fits(void **state)
{
	struct cgroup_names c = {.len = sizeof(c.names), .cut = 1};
	char *path;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(c.names); i++)
		c.names[i] = i % 2 ? '\0' : 'n';
	path = cgroup_path(&c);
	assert_non_null(path);
	assert_int_equal(strlen(path), strlen(ELLIPSIS) + sizeof(c.names));
	assert_int_equal(strncmp(path, ELLIPSIS "/n/n/n", 9), 0);
	free(path);
}

static void length_beyond_the_buffer_is_no_path(void **state)
{
	struct cgroup_names c = {.len = sizeof(c.names) + 1};

	(void)state;
	assert_null(cgroup_path(&c));
	c.len = UINT32_MAX;
	assert_null(cgroup_path(&c));
}

static void version_2_is_the_hierarchy_without_number_and_name(void **state)
{
	(void)state;
	assert_true(cgroup_is_v2("0::/\n"));
	assert_true(cgroup_is_v2("9:name=systemd:/\n1:cpu:/a\n0::/b\n"));
	assert_false(cgroup_is_v2("9:name=systemd:/\n10::/\n1:cpu:/0::/\n"));
	assert_false(cgroup_is_v2(""));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(version_2_is_the_hierarchy_without_number_and_name),
		cmocka_unit_test(root_is_a_slash),
		cmocka_unit_test(names_are_turned_around),
		cmocka_unit_test(missing_part_is_an_ellipsis),
		cmocka_unit_test(names_are_made_printable),
		cmocka_unit_test(full_buffer_fits),
		cmocka_unit_test(length_beyond_the_buffer_is_no_path),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
