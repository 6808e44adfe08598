// SPDX-License-Identifier: BSD-2-Clause
/* Where programs must not be run without a JIT. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "kernel/interpreter.h"

static int check(const char *machine, int jit_enable, bool takes_kfuncs)
{
	struct reason why = {""};
	int err = interpreter_check_on(machine, jit_enable, takes_kfuncs, &why);

	assert_int_equal(err != 0, why.text[0] != '\0');
	return err;
}

static void only_arm64_without_the_jit_is_refused(void **state)
{
	(void)state;
	assert_int_equal(check("aarch64", 0, false), -ENOTSUP);
	assert_int_equal(check("aarch64", 1, true), 0);
	assert_int_equal(check("aarch64", 2, true), 0);
	/* Before 6.4 there are no iterators, whatever the JIT. */
	assert_int_equal(check("aarch64", 1, false), 0);
	assert_int_equal(check("x86_64", 0, false), 0);
}

static void what_cannot_be_read_is_told_by_the_kfuncs(void **state)
{
	(void)state;
	assert_int_equal(check("aarch64", -1, true), 0);
	assert_int_equal(check("aarch64", -1, false), -ENOTSUP);
	assert_int_equal(check("x86_64", -1, false), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_arm64_without_the_jit_is_refused),
		cmocka_unit_test(what_cannot_be_read_is_told_by_the_kfuncs),
	};

	return cmocka_run_group_tests_name("interpreter", tests, NULL, NULL);
}
