// SPDX-License-Identifier: BSD-2-Clause
/*
 * What itertrace promises of its own speed and size, measured, beside the bars:
 * "make bench". Not a test: a loaded machine may miss a bar. Exit status 1 if
 * one was missed.
 */
#include <bpf/bpf.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/time.h"
#include "bench/bench.h"
#include "bench/summary.h"
#include "stat/quantile.h"

#define START_ROUNDS 21
#define START_BAR_MS 300.0
#define RSS_BAR_MIB  20.0
#define RSS_SECONDS  5
#define SITE_BAR     1.05

static int missed;

static void row(const char *what, const double *sorted, size_t nr, double bar,
		const char *unit)
{
	struct stat_interval ci = {sorted[0], sorted[nr - 1]};
	double median = stat_median(sorted, nr);

	stat_median_ci(sorted, nr, &ci);
	printf("%-52s %8.3f [%.3f, %.3f] %-4s bar %g: %s\n", what, median, ci.lo, ci.hi,
	       unit, bar, median <= bar ? "met" : "MISSED");
	fflush(stdout);
	missed |= median > bar;
}

/* The newest link on the host; 0 if there is none. */
static __u32 last_link_id(void)
{
	__u32 id = 0, next;

	while (!bpf_link_get_next_id(id, &next))
		id = next;
	return id;
}

/* Is the link one to the program that itertrace attaches first? */
static bool is_first_program(__u32 link_id)
{
	struct bpf_prog_info program = {0};
	struct bpf_link_info link = {0};
	__u32 link_len = sizeof(link), program_len = sizeof(program);
	int link_fd, program_fd = -1;

	link_fd = bpf_link_get_fd_by_id(link_id);
	if (link_fd >= 0 && !bpf_obj_get_info_by_fd(link_fd, &link, &link_len))
		program_fd = bpf_prog_get_fd_by_id(link.prog_id);
	if (program_fd >= 0)
		bpf_obj_get_info_by_fd(program_fd, &program, &program_len);
	close(program_fd);
	close(link_fd);
	return !strcmp(program.name, "exec_start");
}

static bool is_attached(__u32 id)
{
	while (!bpf_link_get_next_id(id, &id))
		if (is_first_program(id))
			return true;
	return false;
}

static pid_t start_run(const char *program, const char *duration)
{
	char *argv[] = {(char *)program,  "run", "--no-calibrate", "--duration",
			(char *)duration, NULL};
	pid_t pid = fork();
	int null;

	if (pid)
		return pid;
	null = open("/dev/null", O_RDWR | O_CLOEXEC);
	dup2(null, STDOUT_FILENO);
	dup2(null, STDERR_FILENO);
	execv(program, argv);
	_exit(127);
}

static int bench_start(const char *program)
{
	double ms[START_ROUNDS];
	uint64_t since, now;
	__u32 before;
	size_t i;
	pid_t pid;

	for (i = 0; i < START_ROUNDS; i++) {
		before = last_link_id();
		since = time_ns(CLOCK_MONOTONIC);
		pid = start_run(program, "100ms");
		do {
			usleep(500);
			now = time_ns(CLOCK_MONOTONIC);
		} while (!is_attached(before) && now - since < 5 * NSEC_PER_SEC);
		ms[i] = (double)(now - since) / 1e6;
		waitpid(pid, NULL, 0);
	}
	stat_sort(ms, START_ROUNDS);
	row("exec of itertrace run to its first attached program", ms, START_ROUNDS,
	    START_BAR_MS, "ms");
	return 0;
}

static long status_kib(pid_t pid, const char *key)
{
	char path[64], line[256];
	long kib = -1;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/status", pid);
	f = fopen(path, "r");
	while (f && fgets(line, sizeof(line), f))
		if (!strncmp(line, key, strlen(key)))
			kib = atol(line + strlen(key) + 1);
	if (f)
		fclose(f);
	return kib;
}

static int bench_rss(const char *program)
{
	double mib[RSS_SECONDS];
	pid_t pid = start_run(program, "1h");
	size_t i;

	for (i = 0; i < RSS_SECONDS; i++) {
		sleep(1);
		mib[i] = (double)status_kib(pid, "VmRSS") / 1024;
	}
	printf("%-52s %8.3f MiB, no bar\n", "  its peak, while it loads",
	       (double)status_kib(pid, "VmHWM") / 1024);
	kill(pid, SIGTERM);
	waitpid(pid, NULL, 0);
	if (mib[RSS_SECONDS - 1] <= 0)
		return -ESRCH;
	stat_sort(mib, RSS_SECONDS);
	row("RSS of itertrace run with all tracers", mib, RSS_SECONDS, RSS_BAR_MIB,
	    "MiB");
	return 0;
}

/* site_for's cost over that of bpf_for, load by load; the number of loads. */
static size_t load_ratios(const struct measurement *m, double *ret)
{
	double plain[MEASURE_MAX_ROUNDS];
	size_t i, nr;

	summary_load_costs(m->series[WORKLOAD_PLAIN_LOOP], plain);
	nr = summary_load_costs(m->series[WORKLOAD_SITE_LOOP], ret);
	for (i = 0; i < nr; i++)
		ret[i] /= plain[i];
	return nr;
}

/*
 * The kernel puts a program at another place each time it is loaded, and where
 * a loop of few instructions comes to lie moves its cost by more than what is
 * measured here: so the figure is over many loads.
 */
static int bench_site(void)
{
	struct measure_options options = {
		.set = WORKLOAD_BIT(WORKLOAD_PLAIN_LOOP) |
		       WORKLOAD_BIT(WORKLOAD_SITE_LOOP),
		.budget_ns = 6 * NSEC_PER_SEC,
		.batch_ns = 60 * NSEC_PER_USEC,
		.rounds_per_load = 15,
		.seed = 1,
	};
	struct measurement *m = NULL;
	struct probe *p = NULL;
	struct reason why;
	double *ratios;
	size_t nr;
	int err;

	err = probe__new(&p, &why);
	if (!err)
		err = bench_measure(p, &options, &m, &why);
	if (!err && (!m->series[WORKLOAD_SITE_LOOP] || !m->series[WORKLOAD_PLAIN_LOOP]))
		err = reason_set(&why, -ENOTSUP,
				 "this kernel lacks what the pair needs");
	if (err) {
		fprintf(stderr, "site_for over bpf_for: %s\n", why.text);
	} else {
		ratios = calloc(MEASURE_MAX_ROUNDS, sizeof(*ratios));
		nr = load_ratios(m, ratios);
		stat_sort(ratios, nr);
		row("site_for over bpf_for, 64 trips of an empty body", ratios, nr,
		    SITE_BAR, "");
		free(ratios);
	}
	measurement__free(m);
	probe__free(p);
	return err;
}

int main(int argc, char **argv)
{
	struct utsname u;
	int err;

	if (argc != 2) {
		fprintf(stderr, "usage: bars ITERTRACE\n");
		return 2;
	}
	uname(&u);
	printf("kernel %s %s; medians with their 95%% intervals\n", u.release,
	       u.machine);
	fflush(stdout);
	err = bench_start(argv[1]);
	if (!err)
		err = bench_rss(argv[1]);
	if (!err)
		err = bench_site();
	if (err) {
		fprintf(stderr, "bars: %s\n", strerror(-err));
		return 4;
	}
	return missed;
}
