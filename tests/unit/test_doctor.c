// SPDX-License-Identifier: BSD-2-Clause
/* What doctor concludes from states that few hosts are in, and how it shows it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <bpf/btf.h>

#include "base/append.h"
#include "export/doctor.h"
#include "export/wrap.h"
#include "kernel/doctor.h"

/* The check of that name, on a host that is as d says. */
static struct check check(struct doctor *d, const char *name)
{
	struct check c;
	size_t row = 0;

	while (doctor_name(row) && strcmp(doctor_name(row), name) != 0)
		row++;
	assert_non_null(doctor_name(row));
	memset(&c, 0xff, sizeof(c));
	doctor_check(d, row, &c);
	assert_string_equal(c.name, name);
	assert_true(c.found[0] != '\0');
	/* What is not well has a consequence and a remedy; what is, needs none. */
	assert_true(c.status == CHECK_OK || c.consequence[0]);
	assert_int_equal(c.status != CHECK_OK, c.remedy[0] != '\0');
	return c;
}

#define ASSERT_CHECK(d, name, expected, found_begins, remedy_has)                 \
	do {                                                                      \
		struct check c_ = check(d, name);                                 \
		assert_int_equal(c_.status, expected);                            \
		assert_int_equal(                                                 \
			strncmp(c_.found, found_begins, strlen(found_begins)), 0); \
		assert_non_null(strstr(c_.remedy, remedy_has));                   \
	} while (0)

static struct doctor host(void)
{
	struct doctor d = {
		.id =
			{
				.release = "6.12.1",
				.arch = "x86_64",
				.clock_source = "tsc",
				.virtualised = "none",
				.lockdown = "none",
				.nr_cpus_online = 4,
				.nr_cpus_possible = 4,
				.jit_enable = 1,
				.has_btf = 1,
			},
	};

	return d;
}

static void a_host_without_obstacles_is_well(void **state)
{
	static const char *const names[] = {"kernel",        "lockdown",
					    "btf",           "bpf_jit_enable",
					    "bpf_jit_harden", "kptr_restrict",
					    "clock_source",  "cpus"};
	struct doctor d = host();

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		assert_int_equal(check(&d, names[i]).status, CHECK_OK);
}

static void confidentiality_alone_is_a_failure(void **state)
{
	struct doctor d = host();

	(void)state;
	strcpy(d.id.lockdown, "integrity");
	ASSERT_CHECK(&d, "lockdown", CHECK_OK, "integrity", "");
	strcpy(d.id.lockdown, "confidentiality");
	ASSERT_CHECK(&d, "lockdown", CHECK_FAIL, "confidentiality",
		     "lockdown=integrity");
	d.id.lockdown[0] = '\0';
	ASSERT_CHECK(&d, "lockdown", CHECK_WARN, "not known", "sudo itertrace doctor");
}

static void without_the_jit_only_arm64_fails(void **state)
{
	struct doctor d = host();

	(void)state;
	d.id.jit_enable = 0;
	ASSERT_CHECK(&d, "bpf_jit_enable", CHECK_WARN, "0: programs are interpreted",
		     "`sysctl -w net.core.bpf_jit_enable=1`");
	strcpy(d.id.arch, "aarch64");
	ASSERT_CHECK(&d, "bpf_jit_enable", CHECK_FAIL, "0: programs are interpreted",
		     "`sysctl -w net.core.bpf_jit_enable=1`");
	d.id.jit_enable = 2;
	ASSERT_CHECK(&d, "bpf_jit_enable", CHECK_WARN, "2", "bpf_jit_enable=1");
	d.id.jit_enable = -1;
	ASSERT_CHECK(&d, "bpf_jit_enable", CHECK_WARN, "not known", "sudo");
}

static void settings_that_hide_or_blind_are_warnings(void **state)
{
	struct doctor d = host();

	(void)state;
	d.id.jit_harden = 1;
	ASSERT_CHECK(&d, "bpf_jit_harden", CHECK_OK, "1: ", "");
	d.id.jit_harden = 2;
	ASSERT_CHECK(&d, "bpf_jit_harden", CHECK_WARN, "2: ",
		     "`sysctl -w net.core.bpf_jit_harden=1`");
	d.id.kptr_restrict = 1;
	ASSERT_CHECK(&d, "kptr_restrict", CHECK_OK, "1", "");
	d.id.kptr_restrict = 2;
	ASSERT_CHECK(&d, "kptr_restrict", CHECK_WARN, "2",
		     "`sysctl -w kernel.kptr_restrict=1`");
}

static void old_kernels_are_told_by_both_numbers(void **state)
{
	struct doctor d = host();

	(void)state;
	strcpy(d.id.release, "6.1.0-50-cloud-amd64");
	ASSERT_CHECK(&d, "kernel", CHECK_OK, "Linux 6.1.0", "");
	strcpy(d.id.release, "6.0.19");
	ASSERT_CHECK(&d, "kernel", CHECK_WARN, "Linux 6.0.19", "6.1 or later");
	strcpy(d.id.release, "5.15.0");
	ASSERT_CHECK(&d, "kernel", CHECK_WARN, "Linux 5.15.0", "6.1 or later");
	strcpy(d.id.release, "7.0.0");
	ASSERT_CHECK(&d, "kernel", CHECK_OK, "Linux 7.0.0", "");
}

static void only_x86_wants_the_tsc(void **state)
{
	struct doctor d = host();

	(void)state;
	strcpy(d.id.clock_source, "hpet");
	assert_int_equal(check(&d, "clock_source").status, CHECK_WARN);
	strcpy(d.id.clock_source, "tsc-early");
	assert_int_equal(check(&d, "clock_source").status, CHECK_OK);
	strcpy(d.id.arch, "aarch64");
	strcpy(d.id.clock_source, "arch_sys_counter");
	ASSERT_CHECK(&d, "clock_source", CHECK_OK, "arch_sys_counter; a reading", "");
}

static void one_cpu_is_a_warning_with_what_can_be_done(void **state)
{
	struct doctor d = host();

	(void)state;
	d.id.nr_cpus_online = 1;
	ASSERT_CHECK(&d, "cpus", CHECK_WARN, "1 online, 4 possible",
		     "`echo 1 >/sys/devices/system/cpu/cpu1/online`");
	d.id.nr_cpus_possible = 1;
	ASSERT_CHECK(&d, "cpus", CHECK_WARN, "1 online, 1 possible", "more CPUs");
}

static void who_may_not_load_programs_is_told_who_may(void **state)
{
	struct doctor d = host();

	(void)state;
	ASSERT_CHECK(&d, "bpf_for", CHECK_WARN, "not known", "`sudo itertrace doctor`");
	ASSERT_CHECK(&d, "trampolines", CHECK_WARN, "not known",
		     "`sudo itertrace doctor`");
}

/* A kernel with functions of these names and no others. */
static struct btf *kernel_with(const char *const *functions)
{
	struct btf *btf = btf__new_empty();
	int proto;

	assert_non_null(btf);
	proto = btf__add_func_proto(btf, btf__add_int(btf, "int", 4, BTF_INT_SIGNED));
	for (; *functions; functions++)
		assert_true(btf__add_func(btf, *functions, BTF_FUNC_GLOBAL, proto) > 0);
	return btf;
}

static void debug_options_are_told_by_their_functions(void **state)
{
	static const char *const plain[] = {"schedule", "kasan_reporter", NULL};
	static const char *const debug[] = {"schedule", "lock_acquire", "kasan_report",
					    NULL};
	struct doctor d = host();
	struct check c;

	(void)state;
	d.vmlinux.btf = kernel_with(plain);
	ASSERT_CHECK(&d, "debug_options", CHECK_OK, "none", "");
	vmlinux_btf_release(&d.vmlinux);
	d.vmlinux.btf = kernel_with(debug);
	c = check(&d, "debug_options");
	assert_int_equal(c.status, CHECK_WARN);
	assert_string_equal(c.found, "CONFIG_KASAN, CONFIG_LOCKDEP");
	vmlinux_btf_release(&d.vmlinux);
}

static const struct check three[] = {
	{"first", CHECK_OK, "all is well", "", ""},
	{"second_of_all", CHECK_WARN, "a setting of 2", "something is lost by it, and more",
	 "as root: `sysctl -w kernel.some_setting_of_it=1`; then again"},
	{"third", CHECK_FAIL, "forbidden", "nothing runs", "allow it"},
};

static void the_list_has_what_fails_first_and_keeps_commands_whole(void **state)
{
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	(void)state;
	assert_non_null(out);
	doctor_print(out, three, 3, false, 60);
	fclose(out);
	assert_string_equal(text,
			    "fail  third          forbidden\n"
			    "                     nothing runs\n"
			    "                     remedy: allow it\n"
			    "warn  second_of_all  a setting of 2\n"
			    "                     something is lost by it, and more\n"
			    "                     remedy: as root:\n"
			    "                     `sysctl -w kernel.some_setting_of_it=1`;\n"
			    "                     then again\n"
			    "ok    first          all is well\n");
	free(text);
}

static void json_has_every_check_in_order_and_null_for_nothing(void **state)
{
	json_t *json = doctor_to_json(three, 3);
	char *text = json_dumps(json, JSON_COMPACT);

	(void)state;
	assert_string_equal(
		text,
		"{\"schema\":\"itertrace.doctor/1\",\"checks\":["
		"{\"name\":\"first\",\"status\":\"ok\",\"found\":\"all is well\","
		"\"consequence\":null,\"remedy\":null},"
		"{\"name\":\"second_of_all\",\"status\":\"warn\",\"found\":\"a setting of "
		"2\",\"consequence\":\"something is lost by it, and more\",\"remedy\":\"as "
		"root: `sysctl -w kernel.some_setting_of_it=1`; then again\"},"
		"{\"name\":\"third\",\"status\":\"fail\",\"found\":\"forbidden\","
		"\"consequence\":\"nothing runs\",\"remedy\":\"allow it\"}]}");
	free(text);
	json_decref(json);
}

static void the_worst_of_all_is_told(void **state)
{
	(void)state;
	assert_int_equal(checks_worst(three, 0), CHECK_OK);
	assert_int_equal(checks_worst(three, 1), CHECK_OK);
	assert_int_equal(checks_worst(three, 2), CHECK_WARN);
	assert_int_equal(checks_worst(three, 3), CHECK_FAIL);
}

static void assert_wrapped(const char *text, const char *expected)
{
	char *wrapped = NULL;
	size_t len;
	FILE *out = open_memstream(&wrapped, &len);

	assert_non_null(out);
	wrap_print(out, text, 2, 10);
	fclose(out);
	assert_string_equal(wrapped, expected);
	free(wrapped);
}

static void words_are_wrapped_and_quoted_ones_kept_together(void **state)
{
	(void)state;
	assert_wrapped("", "");
	assert_wrapped("one two", "one two");
	assert_wrapped("one  two six ten", "one two\n  six ten");
	assert_wrapped("longer-than-the-line x", "longer-than-the-line\n  x");
	assert_wrapped("do `a b c d e f` now", "do\n  `a b c d e f`\n  now");
	assert_wrapped("a `lone one is none", "a `lone\n  one is\n  none");
}

static void lists_are_joined_and_cut(void **state)
{
	char buf[12] = "";

	(void)state;
	append_listed(buf, sizeof(buf), ", ", "%s", "one");
	assert_string_equal(buf, "one");
	append_listed(buf, sizeof(buf), ", ", "%s", "two");
	assert_string_equal(buf, "one, two");
	append_listed(buf, sizeof(buf), ", ", "%s", "three");
	assert_string_equal(buf, "one, two, t");
	append_listed(buf, sizeof(buf), ", ", "%s", "four");
	assert_string_equal(buf, "one, two, t");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_host_without_obstacles_is_well),
		cmocka_unit_test(confidentiality_alone_is_a_failure),
		cmocka_unit_test(without_the_jit_only_arm64_fails),
		cmocka_unit_test(settings_that_hide_or_blind_are_warnings),
		cmocka_unit_test(old_kernels_are_told_by_both_numbers),
		cmocka_unit_test(only_x86_wants_the_tsc),
		cmocka_unit_test(one_cpu_is_a_warning_with_what_can_be_done),
		cmocka_unit_test(who_may_not_load_programs_is_told_who_may),
		cmocka_unit_test(debug_options_are_told_by_their_functions),
		cmocka_unit_test(the_list_has_what_fails_first_and_keeps_commands_whole),
		cmocka_unit_test(json_has_every_check_in_order_and_null_for_nothing),
		cmocka_unit_test(the_worst_of_all_is_told),
		cmocka_unit_test(words_are_wrapped_and_quoted_ones_kept_together),
		cmocka_unit_test(lists_are_joined_and_cut),
	};

	return cmocka_run_group_tests_name("doctor", tests, NULL, NULL);
}
