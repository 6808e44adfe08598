// SPDX-License-Identifier: BSD-2-Clause
/*
 * The system call tracer against known numbers of calls that nothing else on a
 * host makes, and against strace.
 */
#include "processes.h"

#include <pthread.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

/* What "calls" as an argument makes of this program, by two threads each. */
#define NR_GOOD    1000 /* sched_rr_get_interval(0, …) */
#define NR_BAD     37   /* sched_rr_get_interval(-1, …): EINVAL */
#define NR_TEE     250  /* tee(-1, …): EBADF, if its flags are right */
#define NR_UNKNOWN 50   /* syscall(1000): ENOSYS */
#define THREADS    2

static void *make_calls(void *arg)
{
	struct timespec ts;
	int i;

	for (i = 0; i < NR_GOOD; i++)
		syscall(SYS_sched_rr_get_interval, 0, &ts);
	for (i = 0; i < NR_BAD; i++)
		syscall(SYS_sched_rr_get_interval, -1, &ts);
	for (i = 0; i < NR_TEE; i++)
		syscall(SYS_tee, -1, -1, 1, 0);
	for (i = 0; i < NR_UNKNOWN; i++)
		syscall(1000, 0);
	return arg;
}

static int become_calls(void)
{
	pthread_t threads[THREADS];
	int i;

	for (i = 0; i < THREADS; i++)
		if (pthread_create(&threads[i], NULL, make_calls, NULL))
			return 1;
	for (i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	return 0;
}

static void run_calls(void)
{
	char *argv[] = {"test_syscall", "calls", NULL};

	assert_int_equal(wait_for(start("/proc/self/exe", argv, NULL, NULL)), 0);
}

struct call {
	uint64_t count, errors;
};

/* 0 of both where the call is not listed. */
static struct call call_in(const struct snapshot *s, const char *name)
{
	const struct table *t = table_of(s, "by_total");
	size_t row = find_text(t, "name", name);
	struct call c = {0};

	if (row == t->nr_rows)
		return c;
	c.count = number_in(t, row, "count");
	c.errors = number_in(t, row, "errors");
	return c;
}

static void assert_call(const struct snapshot *s, const char *name, uint64_t count,
			uint64_t errors)
{
	struct call c = call_in(s, name);

	if (c.count != count || c.errors != errors)
		fail_msg("%s: %llu calls, %llu errors; not %llu, %llu", name,
			 (unsigned long long)c.count, (unsigned long long)c.errors,
			 (unsigned long long)count, (unsigned long long)errors);
}

static void assert_calls(const struct snapshot *s, unsigned int times)
{
	assert_call(s, "sched_rr_get_interval", times * THREADS * (NR_GOOD + NR_BAD),
		    times * THREADS * NR_BAD);
	assert_call(s, "tee", times * THREADS * NR_TEE, times * THREADS * NR_TEE);
	assert_call(s, "(32-bit or unknown)", times * THREADS * NR_UNKNOWN,
		    times * THREADS * NR_UNKNOWN);
}

static void calls_and_errors_are_exact(void **state)
{
	struct session *s = start_tracing("syscall", (int)(intptr_t)*state, 4096);
	struct snapshot snapshot;

	run_calls();
	take_snapshot(s, false, &snapshot);
	assert_calls(&snapshot, 1);
	assert_int_equal(lost_of(&snapshot, "no_storage"), 0);
	snapshot_release(&snapshot);
	/* Of the interval, not since the start. */
	take_snapshot(s, false, &snapshot);
	assert_call(&snapshot, "tee", 0, 0);
	snapshot_release(&snapshot);
	run_calls();
	run_calls();
	take_snapshot(s, false, &snapshot);
	assert_calls(&snapshot, 2);
	snapshot_release(&snapshot);
	take_snapshot(s, true, &snapshot);
	assert_calls(&snapshot, 3);
	snapshot_release(&snapshot);
	session__free(s);
}

/* Calls that are made one after the other cannot take longer than their thread ran. */
static void times_fit_into_the_run(void **state)
{
	struct session *s = start_tracing("syscall", LOOPS_AUTO, 4096);
	uint64_t before, elapsed, total, mean, longest, count;
	struct snapshot snapshot;
	const struct table *t;
	size_t row;

	(void)state;
	before = time_ns(CLOCK_MONOTONIC);
	run_calls();
	elapsed = time_ns(CLOCK_MONOTONIC) - before;
	take_snapshot(s, false, &snapshot);
	t = table_of(&snapshot, "by_total");
	row = find_text(t, "name", "sched_rr_get_interval");
	assert_true(row < t->nr_rows);
	count = number_in(t, row, "count");
	total = number_in(t, row, "total_ns");
	mean = number_in(t, row, "mean_ns");
	longest = number_in(t, row, "max_since_start_ns");
	assert_in_range(total, 1, THREADS * elapsed);
	assert_int_equal(mean, total / count);
	assert_in_range(longest, mean, total - (count - 1));
	snapshot_release(&snapshot);
	session__free(s);
}

/*
 * The counts of a call in a table of strace -c:
 * "% time  seconds  usecs/call  calls  [errors]  syscall".
 */
static struct call call_by_strace(FILE *f, const char *name)
{
	char line[512], last[64], fifth[64];
	struct call c = {0};
	unsigned long calls;
	int nr;

	rewind(f);
	while (fgets(line, sizeof(line), f)) {
		nr = sscanf(line, "%*s %*s %*s %lu %63s %63s", &calls, fifth, last);
		if (nr == 2 && !strcmp(fifth, name))
			c.count = calls;
		if (nr == 3 && !strcmp(last, name))
			c = (struct call){calls, strtoul(fifth, NULL, 10)};
	}
	return c;
}

static void counts_are_those_of_strace(void **state)
{
	static const char *const names[] = {"sched_rr_get_interval", "tee", "clone3",
					    "execve"};
	char self[4096] = "", output[] = "/tmp/test_syscall.XXXXXX";
	char *argv[] = {"strace", "-f", "-c", "-o", output, self, "calls", NULL};
	struct session *s = start_tracing("syscall", LOOPS_AUTO, 4096);
	struct call ours, theirs;
	struct snapshot snapshot;
	FILE *f;
	size_t i;

	(void)state;
	run_calls();
	take_snapshot(s, false, &snapshot);
	session__free(s);
	if (access("/usr/bin/strace", X_OK)) {
		print_message("there is no strace\n");
		skip();
	}
	assert_true(readlink("/proc/self/exe", self, sizeof(self) - 1) > 0);
	f = fdopen(mkstemp(output), "r");
	assert_non_null(f);
	assert_int_equal(wait_for(start("/usr/bin/strace", argv, NULL, NULL)), 0);
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		ours = call_in(&snapshot, names[i]);
		theirs = call_by_strace(f, names[i]);
		assert_true(theirs.count > 0);
		/* Others on the host may make the common ones, too. */
		if (i < 2) {
			assert_int_equal(ours.count, theirs.count);
			assert_int_equal(ours.errors, theirs.errors);
		} else {
			assert_true(ours.count >= theirs.count);
		}
	}
	fclose(f);
	unlink(output);
	snapshot_release(&snapshot);
}

#if defined(__x86_64__)
/* getpid by the 32-bit table, whose number is that of writev in the native one. */
static int become_32_bit(void)
{
	long ret;
	int i;

	for (i = 0; i < 77; i++) {
		asm volatile("int $0x80"
			     : "=a"(ret)
			     : "a"(20)
			     : "r8", "r9", "r10", "r11", "memory");
		if (ret != getpid())
			return 1;
	}
	return 0;
}

static void calls_of_the_32_bit_table_are_counted_apart(void **state)
{
	struct session *s = start_tracing("syscall", LOOPS_AUTO, 4096);
	char *argv[] = {"test_syscall", "32", NULL};
	struct snapshot snapshot;
	int status;

	(void)state;
	status = wait_for(start("/proc/self/exe", argv, NULL, NULL));
	take_snapshot(s, false, &snapshot);
	session__free(s);
	if (WIFSIGNALED(status)) {
		print_message("this kernel has no 32-bit system calls\n");
		skip();
	}
	assert_int_equal(status, 0);
	assert_call(&snapshot, "(32-bit or unknown)", 77, 0);
	snapshot_release(&snapshot);
}
#endif

#define SLEEP_NS (300 * NSEC_PER_MSEC)

/* No glibc: its nanosleep() is another system call. */
static int sleep_in_kernel(const void *arg)
{
	struct timespec ts = {.tv_nsec = SLEEP_NS};

	prctl(PR_SET_NAME, "sleeper");
	return (int)syscall(SYS_nanosleep, &ts, NULL) || arg;
}

/*
 * A snapshot right after a session that was hardly longer than the call: all
 * else that was waiting began before it and is not seen.
 */
static void slow_call_is_on_the_list(void **state)
{
	struct session *s = start_tracing("syscall", (int)(intptr_t)*state, 4096);
	char *argv[] = {"true", NULL};
	const struct table *t;
	struct snapshot snapshot;
	uint64_t before, ns;
	size_t row, i;
	pid_t pid;

	before = time_ns(CLOCK_MONOTONIC);
	pid = start("/bin/true", argv, sleep_in_kernel, NULL);
	wait_for(pid);
	take_snapshot(s, false, &snapshot);
	t = table_of(&snapshot, "slowest");
	row = find_number(t, 0, "pid", (uint64_t)pid);
	assert_true(row < t->nr_rows);
	assert_string_equal(text_in(t, row, "name"), "nanosleep");
	assert_string_equal(text_in(t, row, "comm"), "sleeper");
	ns = number_in(t, row, "ns");
	assert_in_range(ns, SLEEP_NS, time_ns(CLOCK_MONOTONIC) - before);
	for (i = 1; i < t->nr_rows; i++)
		assert_true(number_in(t, i - 1, "ns") >= number_in(t, i, "ns"));
	snapshot_release(&snapshot);
	/* The next interval's list is another. */
	take_snapshot(s, false, &snapshot);
	t = table_of(&snapshot, "slowest");
	assert_int_equal(find_number(t, 0, "pid", (uint64_t)pid), t->nr_rows);
	snapshot_release(&snapshot);
	session__free(s);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		ON_ALL(calls_and_errors_are_exact),
		cmocka_unit_test(times_fit_into_the_run),
		cmocka_unit_test(counts_are_those_of_strace),
#if defined(__x86_64__)
		cmocka_unit_test(calls_of_the_32_bit_table_are_counted_apart),
#endif
		ON_ALL(slow_call_is_on_the_list),
	};

	if (argc == 2 && !strcmp(argv[1], "calls"))
		return become_calls();
#if defined(__x86_64__)
	if (argc == 2 && !strcmp(argv[1], "32"))
		return become_32_bit();
#endif
	libbpf_log_init();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
