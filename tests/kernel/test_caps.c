// SPDX-License-Identifier: BSD-2-Clause
/* Each claim in a child process, since what is dropped does not come back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include <bpf/bpf.h>
#include <cap-ng.h>
#include <errno.h>
#include <fcntl.h>

#include "base/file.h"
#include "counted.skel.h"
#include "kernel/caps.h"

#define BIT(n) (1ULL << (n))

/* A child's exit status names the line that failed; above 255 tests fail anyway. */
#define CHECK(condition)                                                        \
	do {                                                                    \
		if (!(condition)) {                                             \
			fprintf(stderr, "line %d: %s\n", __LINE__, #condition); \
			return 1;                                               \
		}                                                               \
	} while (0)

static void needs_root(void)
{
	if (!geteuid())
		return;
	print_message("changing capabilities needs root\n");
	skip();
}

static void run_in_child(int (*child)(void))
{
	int status;
	pid_t pid;

	needs_root();
	pid = fork();
	assert_true(pid >= 0);
	if (!pid)
		_exit(child());
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
}

/* A line of /proc/self/status, in hex; ~0: none. */
static uint64_t status_line(const char *name)
{
	char *text, *line;
	uint64_t value = ~0ULL;

	if (file_read(AT_FDCWD, "/proc/self/status", 65536, &text, NULL))
		return value;
	line = strstr(text, name);
	if (line)
		value = strtoull(line + strlen(name), NULL, 16);
	free(text);
	return value;
}

static int runs_and_counts(struct counted_bpf *skel)
{
	unsigned char packet[64] = {0};
	LIBBPF_OPTS(bpf_test_run_opts, opts, .data_in = packet,
		    .data_size_in = sizeof(packet), .repeat = 7);
	uint32_t key = 0;
	uint64_t before, after;
	int map = bpf_map__fd(skel->maps.count);

	CHECK(!bpf_map_lookup_elem(map, &key, &before));
	CHECK(!bpf_prog_test_run_opts(bpf_program__fd(skel->progs.count_run), &opts));
	CHECK(!bpf_map_lookup_elem(map, &key, &after));
	CHECK(after == before + 7);
	return 0;
}

static int check_sets(uint64_t kept)
{
	CHECK(status_line("\nCapEff:") == kept);
	CHECK(status_line("\nCapPrm:") == kept);
	CHECK(status_line("\nCapInh:") == 0);
	CHECK(status_line("\nCapBnd:") == 0);
	CHECK(status_line("\nCapAmb:") == 0);
	CHECK(status_line("\nNoNewPrivs:") == 1);
	return 0;
}

static int drop_but_sys_admin(void)
{
	struct counted_bpf *skel = counted_bpf__open_and_load();
	struct reason why;
	int fd;

	CHECK(skel);
	CHECK(!caps_drop(true, &why));
	CHECK(!check_sets(BIT(CAP_BPF) | BIT(CAP_PERFMON) | BIT(CAP_SYS_ADMIN)));
	CHECK(!runs_and_counts(skel));
	fd = bpf_enable_stats(BPF_STATS_RUN_TIME);
	CHECK(fd >= 0);
	close(fd);
	CHECK(!caps_require_bpf(&why));
	counted_bpf__destroy(skel);
	return 0;
}

static int drop_all_but_bpf(void)
{
	struct counted_bpf *skel = counted_bpf__open_and_load();
	struct reason why;

	CHECK(skel);
	CHECK(!caps_drop(false, &why));
	CHECK(!check_sets(BIT(CAP_BPF) | BIT(CAP_PERFMON)));
	CHECK(!runs_and_counts(skel));
	CHECK(bpf_enable_stats(BPF_STATS_RUN_TIME) == -EPERM);
	CHECK(!caps_require_bpf(&why));
	counted_bpf__destroy(skel);
	return 0;
}

static int have_only(uint64_t set)
{
	capng_clear(CAPNG_SELECT_CAPS);
	for (unsigned int cap = 0; cap < 64; cap++) {
		if (set & BIT(cap))
			CHECK(!capng_update(CAPNG_ADD,
					    CAPNG_EFFECTIVE | CAPNG_PERMITTED, cap));
	}
	CHECK(!capng_apply(CAPNG_SELECT_CAPS));
	return 0;
}

static int sys_admin_stands_for_both(void)
{
	struct reason why;

	CHECK(!have_only(BIT(CAP_SYS_ADMIN)));
	CHECK(!caps_require_bpf(&why));
	/* It is all there is to load programs with: it stays, asked for or not. */
	CHECK(!caps_drop(false, &why));
	CHECK(status_line("\nCapEff:") == BIT(CAP_SYS_ADMIN));
	CHECK(!caps_require_bpf(&why));
	return 0;
}

static int drop_without_setpcap(void)
{
	struct reason why;

	CHECK(!have_only(BIT(CAP_BPF) | BIT(CAP_PERFMON) | BIT(CAP_CHOWN)));
	CHECK(!caps_drop(true, &why));
	CHECK(status_line("\nCapEff:") == (BIT(CAP_BPF) | BIT(CAP_PERFMON)));
	CHECK(status_line("\nNoNewPrivs:") == 1);
	return 0;
}

static int executed_programs_have_nothing(void)
{
	struct reason why;
	int status;
	pid_t pid;

	CHECK(!caps_drop(true, &why));
	pid = fork();
	CHECK(pid >= 0);
	if (!pid) {
		execl("/bin/sh", "sh", "-c",
		      "grep -q '^CapEff:.*[^0]$' /proc/self/status", NULL);
		_exit(99);
	}
	CHECK(waitpid(pid, &status, 0) == pid);
	/* grep finds a last digit that is not 0 in no line. */
	CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 1);
	return 0;
}

static int missing_both_is_said(void)
{
	struct reason why = {""};

	CHECK(!have_only(BIT(CAP_NET_ADMIN)));
	CHECK(caps_require_bpf(&why) == -EPERM);
	CHECK(strstr(why.text, "CAP_BPF and CAP_PERFMON are missing"));
	CHECK(strstr(why.text, "run it as root"));
	CHECK(caps_require_bpf(NULL) == -EPERM);
	return 0;
}

static int missing_one_is_said(void)
{
	struct reason why = {""};

	CHECK(!have_only(BIT(CAP_BPF)));
	CHECK(caps_require_bpf(&why) == -EPERM);
	CHECK(strstr(why.text, ": CAP_PERFMON is missing"));
	return 0;
}

static int other_one_missing_is_said(void)
{
	struct reason why = {""};

	CHECK(!have_only(BIT(CAP_PERFMON)));
	CHECK(caps_require_bpf(&why) == -EPERM);
	CHECK(strstr(why.text, ": CAP_BPF is missing"));
	return 0;
}

static void after_the_drop_maps_programs_and_statistics_work(void **state)
{
	(void)state;
	run_in_child(drop_but_sys_admin);
}

static void without_sys_admin_only_statistics_are_refused(void **state)
{
	(void)state;
	run_in_child(drop_all_but_bpf);
}

static void sys_admin_alone_is_enough_and_is_kept(void **state)
{
	(void)state;
	run_in_child(sys_admin_stands_for_both);
}

static void bounding_set_that_cannot_be_cleared_is_no_error(void **state)
{
	(void)state;
	run_in_child(drop_without_setpcap);
}

static void what_is_executed_has_no_capabilities(void **state)
{
	(void)state;
	run_in_child(executed_programs_have_nothing);
}

static void missing_capabilities_are_named(void **state)
{
	(void)state;
	run_in_child(missing_both_is_said);
	run_in_child(missing_one_is_said);
	run_in_child(other_one_missing_is_said);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(after_the_drop_maps_programs_and_statistics_work),
		cmocka_unit_test(without_sys_admin_only_statistics_are_refused),
		cmocka_unit_test(sys_admin_alone_is_enough_and_is_kept),
		cmocka_unit_test(bounding_set_that_cannot_be_cleared_is_no_error),
		cmocka_unit_test(what_is_executed_has_no_capabilities),
		cmocka_unit_test(missing_capabilities_are_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
