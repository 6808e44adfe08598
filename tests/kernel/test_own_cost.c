// SPDX-License-Identifier: BSD-2-Clause
/*
 * Own cost against a program whose runs are known: nothing but a test runs it.
 * Statistics being off shows in that its run count stands still.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include <bpf/bpf.h>
#include <fcntl.h>

#include "base/file.h"
#include "base/time.h"
#include "counted.skel.h"
#include "kernel/caps.h"
#include "trace/own_cost.h"

#define SYSCTL                     "/proc/sys/kernel/bpf_stats_enabled"
#define assert_near(a, b, epsilon) assert_true(fabs((a) - (b)) <= (epsilon))

struct fixture {
	struct counted_bpf *skel;
	int program, map;
	struct own_cost *cost;
	char sysctl[8]; /* as it was */
};

static int try_to_run(int program, int nr)
{
	unsigned char packet[64] = {0};
	LIBBPF_OPTS(bpf_test_run_opts, opts, .data_in = packet,
		    .data_size_in = sizeof(packet), .repeat = nr);

	return bpf_prog_test_run_opts(program, &opts);
}

static void run_times(int program, int nr)
{
	assert_int_equal(try_to_run(program, nr), 0);
}

static uint64_t run_count(int program)
{
	struct bpf_prog_info info = {0};
	uint32_t len = sizeof(info);

	assert_int_equal(bpf_obj_get_info_by_fd(program, &info, &len), 0);
	return info.run_cnt;
}

static bool statistics_are_on(int program)
{
	uint64_t before = run_count(program);

	run_times(program, 10);
	return run_count(program) != before;
}

static bool sysctl_is(char value)
{
	char line[8];

	assert_int_equal(file_read_line(AT_FDCWD, SYSCTL, line, sizeof(line)), 0);
	return line[0] == value;
}

static void write_sysctl(const char *value)
{
	int fd = open(SYSCTL, O_WRONLY | O_CLOEXEC);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, value, 1), 1);
	close(fd);
}

static void needs_root(void)
{
	if (!geteuid())
		return;
	print_message("loading BPF programs needs root\n");
	skip();
}

/* Somebody else's statistics would be taken for ours. */
static void needs_statistics_off(const struct fixture *f)
{
	for (int i = 0; i < 50; i++) {
		if (!statistics_are_on(f->program))
			return;
		usleep(100000);
	}
	print_message("another process has BPF statistics on\n");
	skip();
}

static int set_up(void **state)
{
	static struct fixture f;

	f = (struct fixture){0};
	*state = &f;
	if (geteuid())
		return 0;
	f.skel = counted_bpf__open_and_load();
	if (!f.skel || file_read_line(AT_FDCWD, SYSCTL, f.sysctl, sizeof(f.sysctl)))
		return -1;
	f.program = bpf_program__fd(f.skel->progs.count_run);
	f.map = bpf_map__fd(f.skel->maps.count);
	return own_cost__new(&f.program, 1, &f.map, 1, &f.cost, NULL);
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	own_cost__free(f->cost);
	counted_bpf__destroy(f->skel);
	return 0;
}

static int restore_sysctl(void **state)
{
	struct fixture *f = *state;

	if (f->sysctl[0])
		write_sysctl(f->sysctl);
	return tear_down(state);
}

/* ---- figures -------------------------------------------------------------- */

static void runs_in_the_window_are_counted(void **state)
{
	struct fixture *f = *state;
	struct own_cost_window w;
	struct self_figures figures;

	needs_root();
	needs_statistics_off(f);
	run_times(f->program, 500);
	own_cost_window_open(f->cost);
	assert_false(own_cost_last_window(f->cost, &w));
	run_times(f->program, 1000);
	own_cost_window_close(f->cost);
	run_times(f->program, 500);
	assert_true(own_cost_last_window(f->cost, &w));
	assert_int_equal(w.own_runs, 1000);
	assert_true(w.own_ns > 0 && w.length_ns > w.own_ns);
	assert_true(w.has_host);
	assert_true(w.host_runs >= 1000 && w.host_ns >= w.own_ns);
	assert_true(w.nr_programs >= 1);
	own_cost_read(f->cost, false, &figures);
	assert_near(figures.bpf_cpu_percent,
		    100 * (double)w.own_ns / (double)w.length_ns, 1e-9);
	assert_near(figures.host_bpf_cpu_percent,
		    100 * (double)w.host_ns / (double)w.length_ns, 1e-9);
	assert_string_equal(figures.reason, "");
	assert_false(own_cost_last_window(f->cost, &w));
}

/* Two million of them: more than all else on a host runs in these moments. */
static void runs_of_earlier_intervals_are_not_counted_again(void **state)
{
	struct fixture *f = *state;
	struct self_figures figures;
	struct own_cost_window w;

	needs_root();
	own_cost_window_open(f->cost);
	run_times(f->program, 2000000);
	own_cost_window_close(f->cost);
	own_cost_read(f->cost, false, &figures);
	own_cost_window_open(f->cost);
	run_times(f->program, 3);
	own_cost_window_close(f->cost);
	assert_true(own_cost_last_window(f->cost, &w));
	assert_int_equal(w.own_runs, 3);
	assert_true(w.has_host);
	assert_in_range(w.host_runs, 3, 1000000);
}

static void windows_of_an_interval_are_summed(void **state)
{
	struct fixture *f = *state;
	struct own_cost_window w;
	int i;

	needs_root();
	for (i = 0; i < 3; i++) {
		own_cost_window_open(f->cost);
		run_times(f->program, 100);
		own_cost_window_close(f->cost);
		run_times(f->program, 7); /* between windows: not seen */
	}
	assert_true(own_cost_last_window(f->cost, &w));
	assert_int_equal(w.own_runs, 300);
}

/* Two windows in two intervals, the second with three times the runs. */
static void the_summary_is_of_all_windows(void **state)
{
	struct fixture *f = *state;
	struct own_cost_window first, second;
	struct self_figures figures;

	needs_root();
	own_cost_window_open(f->cost);
	run_times(f->program, 1000);
	own_cost_window_close(f->cost);
	assert_true(own_cost_last_window(f->cost, &first));
	own_cost_read(f->cost, false, &figures);
	own_cost_window_open(f->cost);
	run_times(f->program, 3000);
	own_cost_window_close(f->cost);
	assert_true(own_cost_last_window(f->cost, &second));
	own_cost_read(f->cost, true, &figures);
	assert_int_equal(first.own_runs + second.own_runs, 4000);
	assert_near(figures.bpf_cpu_percent,
		    100 * (double)(first.own_ns + second.own_ns) /
			    (double)(first.length_ns + second.length_ns),
		    1e-9);
	assert_string_equal(figures.reason, "");
}

static void an_interval_without_a_window_has_no_run_time(void **state)
{
	struct fixture *f = *state;
	struct self_figures figures;

	needs_root();
	own_cost_window_close(f->cost);
	own_cost_read(f->cost, false, &figures);
	assert_true(is_absent(figures.bpf_cpu_percent));
	assert_true(is_absent(figures.host_bpf_cpu_percent));
	assert_non_null(strstr(figures.reason, "not known"));
	assert_true(figures.rss_bytes > 0);
}

static uint64_t process_cpu_ns(void)
{
	return time_ns(CLOCK_PROCESS_CPUTIME_ID);
}

static void cpu_time_is_that_of_the_process(void **state)
{
	struct fixture *f = *state;
	uint64_t cpu = process_cpu_ns(), wall = time_ns(CLOCK_MONOTONIC);
	struct self_figures figures;
	double expected;

	needs_root();
	own_cost_read(f->cost, false, &figures);
	cpu = process_cpu_ns();
	wall = time_ns(CLOCK_MONOTONIC);
	while (process_cpu_ns() < cpu + 100 * NSEC_PER_MSEC)
		;
	usleep(100000);
	own_cost_read(f->cost, false, &figures);
	expected = 100 * (double)(process_cpu_ns() - cpu) /
		   (double)(time_ns(CLOCK_MONOTONIC) - wall);
	assert_true(figures.cpu_percent > 1);
	/* getrusage() may lag behind by a tick of 10 ms where ticks account. */
	assert_near(figures.cpu_percent / expected, 1, 0.15);
}

static void map_memory_is_the_kernels_own_figure(void **state)
{
	struct fixture *f = *state;
	struct self_figures figures;
	struct own_cost *none;
	int maps[2] = {f->map, f->map};
	double one;

	needs_root();
	own_cost_read(f->cost, false, &figures);
	one = figures.map_bytes;
	assert_true(one >= 8 && one < 1 << 20);
	assert_int_equal(own_cost__new(NULL, 0, maps, 2, &none, NULL), 0);
	own_cost_read(none, false, &figures);
	assert_near(figures.map_bytes, 2 * one, 0);
	own_cost__free(none);
	assert_int_equal(own_cost__new(NULL, 0, NULL, 0, &none, NULL), 0);
	own_cost_read(none, false, &figures);
	assert_near(figures.map_bytes, 0, 0);
	own_cost__free(none);
}

static void programs_may_come_and_go_in_a_window(void **state)
{
	struct fixture *f = *state;
	struct counted_bpf *leaves, *comes;
	struct own_cost_window w;

	needs_root();
	leaves = counted_bpf__open_and_load();
	assert_non_null(leaves);
	own_cost_window_open(f->cost);
	run_times(bpf_program__fd(leaves->progs.count_run), 50);
	counted_bpf__destroy(leaves);
	usleep(100000); /* freed, and out of the list, after a grace period */
	comes = counted_bpf__open_and_load();
	assert_non_null(comes);
	run_times(bpf_program__fd(comes->progs.count_run), 700);
	own_cost_window_close(f->cost);
	assert_true(own_cost_last_window(f->cost, &w));
	assert_int_equal(w.own_runs, 0);
	assert_true(w.has_host);
	assert_true(w.host_runs >= 700);
	assert_true(w.nr_appeared >= 1);
	assert_true(w.nr_gone >= 1);
	counted_bpf__destroy(comes);
}

static void a_window_is_a_tenth_of_a_second_or_of_a_shorter_interval(void **state)
{
	(void)state;
	assert_int_equal(own_cost_window_ns(10 * NSEC_PER_SEC), NSEC_PER_SEC / 10);
	assert_int_equal(own_cost_window_ns(NSEC_PER_SEC / 2), NSEC_PER_SEC / 20);
	assert_int_equal(own_cost_window_ns(100 * NSEC_PER_MSEC), 10 * NSEC_PER_MSEC);
}

/* ---- the host's state ------------------------------------------------------ */

static void statistics_are_off_outside_windows(void **state)
{
	struct fixture *f = *state;

	needs_root();
	needs_statistics_off(f);
	own_cost_window_open(f->cost);
	assert_true(statistics_are_on(f->program));
	assert_true(sysctl_is('0'));
	own_cost_window_close(f->cost);
	assert_false(statistics_are_on(f->program));
	own_cost_window_open(f->cost);
	own_cost__free(f->cost);
	f->cost = NULL;
	assert_false(statistics_are_on(f->program));
	assert_true(sysctl_is('0'));
}

/* A child with an open window, which ends as told once the parent has looked. */
static void end_with_an_open_window(struct fixture *f, int signal_nr)
{
	int ready[2], status;
	char byte = 0;
	pid_t pid;

	assert_int_equal(pipe(ready), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (!pid) {
		own_cost_window_open(f->cost);
		if (write(ready[1], &byte, 1) == 1)
			pause();
		_exit(1);
	}
	assert_int_equal(read(ready[0], &byte, 1), 1);
	assert_true(statistics_are_on(f->program));
	assert_int_equal(kill(pid, signal_nr), 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status));
	close(ready[0]);
	close(ready[1]);
}

static void statistics_go_off_with_a_killed_process(void **state)
{
	struct fixture *f = *state;

	needs_root();
	needs_statistics_off(f);
	end_with_an_open_window(f, SIGTERM);
	assert_false(statistics_are_on(f->program));
	end_with_an_open_window(f, SIGKILL);
	assert_false(statistics_are_on(f->program));
	assert_true(sysctl_is('0'));
}

static void anothers_statistics_stay_on(void **state)
{
	struct fixture *f = *state;
	struct self_figures figures;
	int theirs;

	needs_root();
	theirs = bpf_enable_stats(BPF_STATS_RUN_TIME);
	assert_true(theirs >= 0);
	own_cost_window_open(f->cost);
	own_cost_window_close(f->cost);
	assert_true(statistics_are_on(f->program));
	close(theirs);
	write_sysctl("1");
	own_cost_window_open(f->cost);
	own_cost_window_close(f->cost);
	assert_true(sysctl_is('1'));
	assert_true(statistics_are_on(f->program));
	own_cost_read(f->cost, false, &figures);
	assert_false(is_absent(figures.bpf_cpu_percent));
}

/* ---- without CAP_SYS_ADMIN ------------------------------------------------- */

/* In a child: 0 if the figures are as expected. */
static int figures_without_sys_admin(struct fixture *f, bool has_own)
{
	struct self_figures figures;

	if (caps_drop(false, NULL))
		return 1;
	own_cost_window_open(f->cost);
	if (try_to_run(f->program, 100))
		return 6;
	own_cost_window_close(f->cost);
	own_cost_read(f->cost, false, &figures);
	if (is_absent(figures.bpf_cpu_percent) == has_own)
		return 2;
	if (!is_absent(figures.host_bpf_cpu_percent))
		return 3;
	if (!strstr(figures.reason, "CAP_SYS_ADMIN"))
		return 4;
	return is_absent(figures.map_bytes) || is_absent(figures.cpu_percent) ? 5 : 0;
}

static void expect_without_sys_admin(struct fixture *f, bool has_own)
{
	int status;
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (!pid)
		_exit(figures_without_sys_admin(f, has_own));
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
}

static void without_sys_admin_run_time_is_absent_with_a_reason(void **state)
{
	needs_root();
	expect_without_sys_admin(*state, false);
}

static void with_the_sysctl_on_own_run_time_is_known_without_sys_admin(void **state)
{
	needs_root();
	write_sysctl("1");
	expect_without_sys_admin(*state, true);
}

#define claim(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
#define claim_with_sysctl(name) \
	cmocka_unit_test_setup_teardown(name, set_up, restore_sysctl)

int main(void)
{
	const struct CMUnitTest tests[] = {
		claim(runs_in_the_window_are_counted),
		claim(runs_of_earlier_intervals_are_not_counted_again),
		claim(windows_of_an_interval_are_summed),
		claim(the_summary_is_of_all_windows),
		claim(an_interval_without_a_window_has_no_run_time),
		claim(cpu_time_is_that_of_the_process),
		claim(map_memory_is_the_kernels_own_figure),
		claim(programs_may_come_and_go_in_a_window),
		claim(a_window_is_a_tenth_of_a_second_or_of_a_shorter_interval),
		claim(statistics_are_off_outside_windows),
		claim(statistics_go_off_with_a_killed_process),
		claim_with_sysctl(anothers_statistics_stay_on),
		claim(without_sys_admin_run_time_is_absent_with_a_reason),
		claim_with_sysctl(
			with_the_sysctl_on_own_run_time_is_known_without_sys_admin),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
