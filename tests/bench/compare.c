// SPDX-License-Identifier: BSD-2-Clause
/*
 * How fast "itertrace compare" reads, and how much memory it takes, measured, beside
 * the bars: 100 recordings of an hour at 10 s, and the same of fewer ones ten times as
 * long. Not a test: a loaded machine may miss a bar. Exit status 1 if one was missed.
 */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>

#include "base/time.h"

#define NR_RECORDINGS 100
#define NR_INTERVALS  360 /* an hour at 10 s */
#define NR_LONG       10
#define INTERVAL_NS   (10 * NSEC_PER_SEC)
#define SECONDS_BAR   10.0
#define MIB_BAR       200.0
#define GROWTH_BAR    1.1
#define NR_CGROUPS    20

static const char *const sites[] = {
	"exec.argv",	   "exec.parents",     "exec.cgroup", "runq.cgroup",
	"runq.merge_cpus", "runq.merge_slots", "syscall.top",
};
#define NR_SITES (sizeof(sites) / sizeof(sites[0]))

static int missed;

struct source {
	gzFile file;
	uint64_t nr_bytes, random;
};

/* Knuth's MMIX generator; 0 … below - 1. */
static unsigned int chance(struct source *s, unsigned int below)
{
	s->random = s->random * 6364136223846793005ULL + 1442695040888963407ULL;
	return (unsigned int)((s->random >> 33) % below);
}

#define WRITE(s, ...) ((s)->nr_bytes += (uint64_t)gzprintf((s)->file, __VA_ARGS__))

static void write_head(struct source *s, size_t number, bool is_new)
{
	WRITE(s,
	      "{\"schema\":\"itertrace.recording/1\",\"command\":\"run\","
	      "\"itertrace\":\"0.1.0\",\"compiler\":\"clang\",\"host\":\"host\","
	      "\"time_ns\":%zu,\"interval_ns\":%llu,\"loops\":\"bpf_for\",\"kernel\":{"
	      "\"release\":\"%s\",\"version\":\"#1\",\"arch\":\"x86_64\",\"boot_id\":"
	      "\"%08zx-0000-0000-0000-000000000000\",\"cpu\":\"A processor\","
	      "\"clock_source\":\"tsc\",\"virtualised\":\"none\",\"jit_enable\":1,"
	      "\"jit_harden\":0,\"btf\":true},\"features\":[]}\n",
	      number, INTERVAL_NS, is_new ? "7.3.0" : "7.2.0", number);
}

static void write_site(struct source *s, size_t site)
{
	double ns = 20.0 * (double)(site + 1) * (1 + 0.0001 * (chance(s, 600) - 300.0));
	double loop = 40 + chance(s, 2000) / 100.0;
	unsigned int entries = 1000 + chance(s, 1000);

	WRITE(s,
	      "%s{\"site\":\"%s\",\"entries\":%u,\"trips\":%u,\"max_trips\":64,"
	      "\"timed\":%u,\"trips_log2\":[%u,%u,%u,%u,%u,%u,%u],\"fit\":\"ok\","
	      "\"ns_per_trip\":%.9g,\"ns_per_trip_lo\":%.9g,\"ns_per_trip_hi\":%.9g,"
	      "\"ns_per_loop\":%.9g,\"ns_per_loop_lo\":%.9g,\"ns_per_loop_hi\":%.9g,"
	      "\"mean_ns\":%.9g,\"iterator_ns\":1.95012345,"
	      "\"inlined_saves_ns\":0.786712345}",
	      site ? "," : "", sites[site], entries, 16 * entries, entries,
	      chance(s, 10), chance(s, 50), chance(s, 90), chance(s, 300),
	      chance(s, 500), chance(s, 300), chance(s, 90), ns, 0.9 * ns, 1.1 * ns,
	      loop, 0.9 * loop, 1.1 * loop, loop + 16 * ns);
}

static void write_tables(struct source *s)
{
	WRITE(s, "\"runq\":{\"waits\":%u,\"cgroups\":[", chance(s, 100000));
	for (size_t i = 0; i < NR_CGROUPS; i++)
		WRITE(s,
		      "%s{\"cgroup\":\"/system.slice/service-%zu.service\",\"waits\":%u,"
		      "\"p50_ns\":%u,\"p99_ns\":%u,\"max_ns\":%u,\"waited_ns\":%u,"
		      "\"off_cpu_ns\":%u}",
		      i ? "," : "", i, chance(s, 30000), chance(s, 99999),
		      chance(s, 9999999), chance(s, 99999999), chance(s, 999999999),
		      chance(s, 999999999));
	WRITE(s, "],\"unlisted\":0}}\n");
}

static void write_interval(struct source *s, size_t at)
{
	WRITE(s,
	      "{\"schema\":\"itertrace.snapshot/1\",\"time_ns\":%llu,"
	      "\"interval_ns\":%llu,\"loops\":\"bpf_for\",\"tracers\":[{\"name\":\"exec\","
	      "\"state\":\"on\",\"reason\":null,\"events\":%u,\"lost\":{\"ring_full\":0,"
	      "\"read_fault\":0,\"recursion\":0}},{\"name\":\"runq\",\"state\":\"on\","
	      "\"reason\":null,\"events\":%u,\"lost\":{\"tasks_full\":0}}],\"sites\":[",
	      (at + 1) * INTERVAL_NS, INTERVAL_NS, chance(s, 9999), chance(s, 99999));
	for (size_t i = 0; i < NR_SITES; i++)
		write_site(s, i);
	WRITE(s,
	      "],\"self\":{\"cpu_percent\":0.71234567,\"bpf_cpu_percent\":1.6412345,"
	      "\"bpf_window_ns\":1000000000,\"rss_bytes\":12345678,\"map_bytes\":4194304,"
	      "\"reason\":null},\"host_bpf\":{\"cpu_percent\":1.64},\"calibration\":null,");
	write_tables(s);
}

/* Bytes of JSON; 0: it failed. */
static uint64_t write_recording(const char *path, size_t number, bool is_new,
				size_t nr_intervals)
{
	struct source s = {.file = gzopen(path, "wb6"), .random = number + 1};

	if (!s.file)
		return 0;
	write_head(&s, number, is_new);
	for (size_t i = 0; i < nr_intervals; i++)
		write_interval(&s, i);
	WRITE(&s,
	      "{\"schema\":\"itertrace.end/1\",\"time_ns\":1,\"end\":\"done\","
	      "\"lines\":%zu,\"lost\":0}\n",
	      nr_intervals);
	return gzclose(s.file) ? 0 : s.nr_bytes;
}

/* Of one comparison. */
struct cost {
	double seconds, cpu_seconds, mib;
	uint64_t nr_bytes; /* of JSON */
};

static double seconds_of(struct timeval t)
{
	return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

/* Half of them a side. */
static int compare(const char *program, char **paths, size_t nr, struct cost *ret)
{
	char *argv[NR_RECORDINGS + 5], compare_word[] = "compare", dashes[] = "--";
	extern char **environ;
	posix_spawn_file_actions_t actions;
	struct rusage usage;
	size_t at = 0;
	uint64_t since;
	int status, err;
	pid_t pid;

	argv[at++] = (char *)program;
	argv[at++] = compare_word;
	for (size_t i = 0; i < nr; i++) {
		if (i == nr / 2)
			argv[at++] = dashes;
		argv[at++] = paths[i];
	}
	argv[at] = NULL;
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
	since = time_ns(CLOCK_MONOTONIC);
	err = posix_spawn(&pid, program, &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	if (err)
		return -err;
	if (wait4(pid, &status, 0, &usage) < 0)
		return -errno;
	ret->seconds = (double)(time_ns(CLOCK_MONOTONIC) - since) / 1e9;
	ret->cpu_seconds = seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
	ret->mib = (double)usage.ru_maxrss / 1024;
	/* the two sides are alike: no difference */
	return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : -EPROTO;
}

/* One size: files are made, compared and removed. */
static int measure(const char *program, const char *directory, size_t nr,
		   size_t nr_intervals, struct cost *ret)
{
	char *paths[NR_RECORDINGS] = {NULL};
	int err = 0;

	ret->nr_bytes = 0;
	for (size_t i = 0; i < nr && !err; i++) {
		uint64_t bytes;

		if (asprintf(&paths[i], "%s/%zu.itr", directory, i) < 0) {
			paths[i] = NULL;
			err = -ENOMEM;
			break;
		}
		bytes = write_recording(paths[i], i, i >= nr / 2, nr_intervals);
		if (!bytes)
			err = -EIO;
		ret->nr_bytes += bytes;
	}
	if (!err)
		err = compare(program, paths, nr, ret);
	for (size_t i = 0; i < nr && paths[i]; i++) {
		unlink(paths[i]);
		free(paths[i]);
	}
	return err;
}

static void row(const char *what, double value, const char *unit, double bar)
{
	printf("%-52s %8.3f %-4s bar %g: %s\n", what, value, unit, bar,
	       value <= bar ? "met" : "MISSED");
	fflush(stdout);
	missed |= value > bar;
}

static int measure_all(const char *program, const char *directory)
{
	struct cost hundred, ten, ten_long;
	double mb;
	int err;

	err = measure(program, directory, NR_RECORDINGS, NR_INTERVALS, &hundred);
	if (err)
		return err;
	mb = (double)hundred.nr_bytes / 1e6;
	row("compare 100 recordings of an hour at 10 s", hundred.seconds, "s", SECONDS_BAR);
	printf("%-52s %8.1f MB/s, %.1f a second of CPU: %.0f MB in lines of %.1f KB\n",
	       "  JSON read", mb / hundred.seconds, mb / hundred.cpu_seconds, mb,
	       1e3 * mb / NR_RECORDINGS / NR_INTERVALS);
	row("  its peak of memory", hundred.mib, "MiB", MIB_BAR);
	err = measure(program, directory, NR_LONG, NR_INTERVALS, &ten);
	if (!err)
		err = measure(program, directory, NR_LONG, 10 * NR_INTERVALS, &ten_long);
	if (err)
		return err;
	printf("%-52s %8.3f MiB\n", "  peak of 10 recordings of an hour", ten.mib);
	row("  of 10 recordings ten times as long, over that", ten_long.mib / ten.mib, "",
	    GROWTH_BAR);
	return 0;
}

int main(int argc, char **argv)
{
	char directory[] = "/tmp/itertrace-compare-XXXXXX";
	int err;

	if (argc != 2) {
		fprintf(stderr, "usage: compare ITERTRACE\n");
		return 2;
	}
	if (!mkdtemp(directory)) {
		fprintf(stderr, "compare: cannot make a directory in /tmp: %s\n",
			strerror(errno));
		return 4;
	}
	err = measure_all(argv[1], directory);
	rmdir(directory);
	if (err) {
		fprintf(stderr, "compare: %s\n", strerror(-err));
		return 4;
	}
	return missed;
}
