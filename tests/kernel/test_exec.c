// SPDX-License-Identifier: BSD-2-Clause
/* What the exec tracer says of processes that this test starts itself. */
#include "processes.h"

#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>

#define ARGV_MAX 8192
#define MAX_ARGS 16

/* --- argv ------------------------------------------------------------------------ */

#define NR_CHILDREN 200

/* How a child ends: as its script says, or as /bin/true does. */
static const struct ending {
	const char *script;
	int exit_code, signal;
	const char *status;
} endings[] = {
	{NULL, 0, 0, "exit 0"},
	{"exit 7", 7, 0, "exit 7"},
	{"kill -KILL $$", 0, SIGKILL, "SIGKILL"},
	{"exit 255", 255, 0, "exit 255"},
};
#define NR_ENDINGS (sizeof(endings) / sizeof(endings[0]))

/* Up to 6 arguments of 0 to 1200 letters, some hundred bytes to 6 KiB in all. */
static size_t make_arguments(unsigned int child, char *const *head, char **argv)
{
	unsigned int nr = 1 + child % 6, i;
	size_t n = 0, len, bytes = 0;

	for (; head[n]; n++)
		argv[n] = strdup(head[n]);
	for (i = 0; i < nr; i++, n++) {
		len = (size_t)(child * 131 + i * 577) % 1201 * (i % 3 != 2);
		argv[n] = malloc(len + 1);
		memset(argv[n], 'a' + (int)((child + i) % 26), len);
		argv[n][len] = '\0';
	}
	argv[n] = NULL;
	while (n > 0)
		bytes += strlen(argv[--n]) + 1;
	return bytes;
}

static void free_arguments(char **argv)
{
	for (; *argv; argv++)
		free(*argv);
}

struct child {
	pid_t pid;
	char *argv[MAX_ARGS];
	size_t bytes;
	const struct ending *ending;
};

static void start_child(struct child *c, unsigned int number)
{
	char sh[] = "sh", dash_c[] = "-c", script[32] = "", end[] = "true";
	char *by_script[] = {sh, dash_c, script, NULL}, *by_true[] = {end, NULL};

	c->ending = &endings[number % NR_ENDINGS];
	if (c->ending->script)
		snprintf(script, sizeof(script), "%s", c->ending->script);
	c->bytes = make_arguments(number, c->ending->script ? by_script : by_true,
				  c->argv);
	c->pid =
		start(c->ending->script ? "/bin/sh" : "/bin/true", c->argv, NULL, NULL);
}

static void assert_child(const struct table *t, const struct child *c)
{
	size_t row = row_of(t, c->pid);

	assert_list(cell_of(t, row, "argv"), c->argv);
	assert_int_equal(number_in(t, row, "argv_bytes"), c->bytes);
	assert_int_equal(number_in(t, row, "argv_truncated"), 0);
	assert_int_equal(number_in(t, row, "ppid"), getpid());
	assert_int_equal(number_in(t, row, "uid"), getuid());
	assert_string_equal(text_in(t, row, "comm"), c->argv[0]);
	assert_string_equal(text_in(t, row, "status"), c->ending->status);
	if (c->ending->signal) {
		assert_int_equal(number_in(t, row, "signal"), c->ending->signal);
		assert_false(cell_of(t, row, "exit_code")->present);
	} else {
		assert_int_equal(number_in(t, row, "exit_code"), c->ending->exit_code);
		assert_false(cell_of(t, row, "signal")->present);
	}
}

/* Twenty at a time, for a snapshot lists a bounded number and the host has others. */
static void children_are_listed_with_argv_pid_parent_and_end(void **state)
{
	struct session *s = start_tracing("exec", (int)(intptr_t)*state, ARGV_MAX);
	struct child children[20];
	struct snapshot snapshot;
	unsigned int i, first;

	for (first = 0; first < NR_CHILDREN; first += 20) {
		for (i = 0; i < 20; i++)
			start_child(&children[i], first + i);
		for (i = 0; i < 20; i++)
			wait_for(children[i].pid);
		take_snapshot(s, false, &snapshot);
		for (i = 0; i < 20; i++) {
			assert_child(table_of(&snapshot, "processes"), &children[i]);
			free_arguments(children[i].argv);
		}
		snapshot_release(&snapshot);
	}
	session__free(s);
}

static void argv_is_shown_without_control_characters_and_as_utf8(void **state)
{
	char *argv[] = {"",
			"a\tb\nc",
			"\x1b[31m",
			"back\\slash",
			"caf\xc3\xa9",
			"\xff\xfe",
			"\xed\xa0\x80",
			"cut \xe2\x82",
			"\x7f",
			"\xc2\x9b",
			"",
			NULL};
	char *shown[] = {"",
			 "a\\x09b\\x0ac",
			 "\\x1b[31m",
			 "back\\x5cslash",
			 "caf\xc3\xa9",
			 "\\xff\\xfe",
			 "\\xed\\xa0\\x80",
			 "cut \\xe2\\x82",
			 "\\x7f",
			 "\\xc2\\x9b",
			 "",
			 NULL};
	struct session *s = start_tracing("exec", LOOPS_AUTO, ARGV_MAX);
	pid_t pid = run("/bin/true", argv);
	struct snapshot snapshot;
	const struct table *t;

	(void)state;
	take_snapshot(s, false, &snapshot);
	t = table_of(&snapshot, "processes");
	assert_list(cell_of(t, row_of(t, pid), "argv"), shown);
	snapshot_release(&snapshot);
	session__free(s);
}

/* "true" and 5000 letters, of which argv_max bytes are kept: both are 5006 bytes. */
static void assert_cut_at(int loops, uint32_t argv_max)
{
	static char letters[5001], cut[5001];
	char *argv[] = {"true", letters, NULL}, *shown[] = {"true", cut, NULL};
	struct session *s = start_tracing("exec", loops, argv_max);
	struct snapshot snapshot;
	const struct table *t;
	size_t i, row;
	pid_t pid;

	for (i = 0; i < 5000; i++)
		letters[i] = (char)('a' + i % 26);
	if (argv_max <= 5) {
		/* Not even the first argument's NUL, or no more than it. */
		shown[0] = cut;
		shown[1] = NULL;
		snprintf(cut, sizeof(cut), "%.*s", (int)argv_max, "true");
	} else {
		snprintf(cut, sizeof(cut), "%.*s", (int)argv_max - 5, letters);
	}
	pid = run("/bin/true", argv);
	take_snapshot(s, false, &snapshot);
	t = table_of(&snapshot, "processes");
	row = row_of(t, pid);
	assert_list(cell_of(t, row, "argv"), shown);
	assert_int_equal(number_in(t, row, "argv_bytes"), 5006);
	assert_int_equal(number_in(t, row, "argv_truncated"), argv_max < 5006);
	snapshot_release(&snapshot);
	session__free(s);
}

static void long_argv_is_cut_and_says_its_full_length(void **state)
{
	static const uint32_t max[] = {1,  4,    5,    6,    63,   64,
				       65, 4096, 5005, 5006, 5007, 16384};
	size_t i;

	for (i = 0; i < sizeof(max) / sizeof(max[0]); i++)
		assert_cut_at((int)(intptr_t)*state, max[i]);
}

/* --- ancestry -------------------------------------------------------------------- */

/* "comm(pid)" and the parent of a process, by /proc. */
static pid_t describe(pid_t pid, char *text, size_t size)
{
	char path[64], stat[512] = "", *comm, *end;
	pid_t parent;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	f = fopen(path, "re");
	assert_non_null(f);
	assert_non_null(fgets(stat, sizeof(stat), f));
	fclose(f);
	comm = strchr(stat, '(') + 1;
	end = strrchr(stat, ')');
	*end = '\0';
	assert_int_equal(sscanf(end + 1, " %*c %d", &parent), 1);
	snprintf(text, size, "%s(%d)", comm, (int)pid);
	return parent;
}

static void ancestry_is_that_of_proc(void **state)
{
	char *argv[] = {"true", NULL}, *expected[32] = {NULL};
	struct session *s = start_tracing("exec", (int)(intptr_t)*state, ARGV_MAX);
	struct snapshot snapshot;
	const struct table *t;
	pid_t pid, parent;
	size_t nr, row;

	for (nr = 0, parent = getpid(); parent && nr < 16; nr++) {
		expected[nr] = malloc(64);
		parent = describe(parent, expected[nr], 64);
	}
	pid = run("/bin/true", argv);
	take_snapshot(s, false, &snapshot);
	t = table_of(&snapshot, "processes");
	row = row_of(t, pid);
	assert_list(cell_of(t, row, "ancestry"), expected);
	assert_int_equal(number_in(t, row, "ancestry_truncated"), parent != 0);
	snapshot_release(&snapshot);
	session__free(s);
	while (nr > 0)
		free(expected[--nr]);
}

#define DEPTH 20

/* Each process forks the next and waits for it; the last executes a program. */
static void descend(pid_t *pids)
{
	char *argv[] = {"true", NULL};
	int depth;
	pid_t pid;

	for (depth = 1; depth < DEPTH; depth++) {
		pids[depth] = getpid();
		pid = fork();
		if (pid)
			_exit(pid < 0 || waitpid(pid, NULL, 0) != pid);
	}
	pids[DEPTH] = getpid();
	execve("/bin/true", argv, no_environment);
	_exit(127);
}

static void long_ancestry_is_cut_and_says_so(void **state)
{
	struct session *s = start_tracing("exec", (int)(intptr_t)*state, ARGV_MAX);
	pid_t *pids = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
			   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	char *expected[17] = {NULL}, self[64];
	struct snapshot snapshot;
	const struct table *t;
	pid_t pid;
	size_t row;
	int i;

	assert_true(pids != MAP_FAILED);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0)
		descend(pids);
	assert_int_equal(wait_for(pid), 0);
	describe(getpid(), self, sizeof(self));
	*strrchr(self, '(') = '\0';
	for (i = 0; i < 16; i++)
		assert_true(asprintf(&expected[i], "%s(%d)", self,
				     (int)pids[DEPTH - 1 - i]) > 0);
	take_snapshot(s, false, &snapshot);
	t = table_of(&snapshot, "processes");
	row = row_of(t, pids[DEPTH]);
	assert_list(cell_of(t, row, "ancestry"), expected);
	assert_int_equal(number_in(t, row, "ancestry_truncated"), 1);
	snapshot_release(&snapshot);
	session__free(s);
	for (i = 0; i < 16; i++)
		free(expected[i]);
	munmap(pids, 4096);
}

/* --- time, and processes that are not simple --------------------------------------- */

static int doze(const void *ms)
{
	sleep_ms(*(const long *)ms);
	return 0;
}

static void lifetime_is_from_fork_to_exit(void **state)
{
	struct session *s = start_tracing("exec", LOOPS_AUTO, ARGV_MAX);
	char *argv[] = {"true", NULL};
	uint64_t before, after, exec_ns;
	const long ms = 50;
	struct snapshot snapshot;
	const struct table *t;
	size_t row;
	pid_t pid;

	(void)state;
	before = time_ns(CLOCK_MONOTONIC);
	pid = start("/bin/true", argv, doze, &ms);
	wait_for(pid);
	after = time_ns(CLOCK_MONOTONIC);
	take_snapshot(s, false, &snapshot);
	t = table_of(&snapshot, "processes");
	row = row_of(t, pid);
	assert_in_range(number_in(t, row, "lifetime_ns"), 50 * NSEC_PER_MSEC,
			after - before);
	exec_ns = number_in(t, row, "exec_time_ns");
	assert_in_range(exec_ns, before + 50 * NSEC_PER_MSEC, after);
	snapshot_release(&snapshot);
	session__free(s);
}

static void running_process_is_listed_when_it_starts_and_when_it_ends(void **state)
{
	struct session *s = start_tracing("exec", LOOPS_AUTO, ARGV_MAX);
	char *argv[] = {"sleep", "1000", NULL};
	pid_t pid = start("/bin/sleep", argv, NULL, NULL);
	struct snapshot snapshot;
	const struct table *t;
	int tries = 0;
	size_t row;

	(void)state;
	do {
		sleep_ms(10);
		take_snapshot(s, false, &snapshot);
		t = table_of(&snapshot, "processes");
		row = find_number(t, 0, "pid", (uint64_t)pid);
		if (row < t->nr_rows)
			break;
		snapshot_release(&snapshot);
	} while (++tries < 1000);
	assert_true(tries < 1000);
	assert_string_equal(text_in(t, row, "status"), "running");
	assert_false(cell_of(t, row, "lifetime_ns")->present);
	snapshot_release(&snapshot);
	/* Nothing new. */
	take_snapshot(s, false, &snapshot);
	t = table_of(&snapshot, "processes");
	assert_int_equal(find_number(t, 0, "pid", (uint64_t)pid), t->nr_rows);
	snapshot_release(&snapshot);
	kill(pid, SIGTERM);
	wait_for(pid);
	take_snapshot(s, false, &snapshot);
	t = table_of(&snapshot, "processes");
	row = row_of(t, pid);
	assert_string_equal(text_in(t, row, "status"), "SIGTERM");
	assert_list(cell_of(t, row, "argv"), argv);
	snapshot_release(&snapshot);
	session__free(s);
}

static void failed_exec_is_not_listed(void **state)
{
	struct session *s = start_tracing("exec", LOOPS_AUTO, ARGV_MAX);
	char *argv[] = {"nothing", NULL}, *next[] = {"true", NULL};
	pid_t pid = run("/nonexistent/nothing", argv), other;
	struct snapshot snapshot;
	const struct table *t;

	(void)state;
	other = run("/bin/true", next);
	take_snapshot(s, false, &snapshot);
	t = table_of(&snapshot, "processes");
	row_of(t, other);
	assert_int_equal(find_number(t, 0, "pid", (uint64_t)pid), t->nr_rows);
	snapshot_release(&snapshot);
	session__free(s);
}

/* The first program was replaced by the second, which ended. */
static void process_that_executes_twice_ends_with_the_last_argv(void **state)
{
	char *argv[] = {"sh", "-c", "exec /bin/true last words", NULL};
	char *last[] = {"/bin/true", "last", "words", NULL};
	struct session *s = start_tracing("exec", LOOPS_AUTO, ARGV_MAX);
	pid_t pid = run("/bin/sh", argv);
	struct snapshot snapshot;
	const struct table *t;
	size_t first, second;

	(void)state;
	take_snapshot(s, false, &snapshot);
	t = table_of(&snapshot, "processes");
	first = find_number(t, 0, "pid", (uint64_t)pid);
	assert_true(first < t->nr_rows);
	assert_string_equal(text_in(t, first, "status"), "replaced");
	assert_string_equal(text_in(t, first, "comm"), "sh");
	assert_list(cell_of(t, first, "argv"), argv);
	assert_false(cell_of(t, first, "exit_code")->present);
	second = find_number(t, first + 1, "pid", (uint64_t)pid);
	assert_true(second < t->nr_rows);
	assert_string_equal(text_in(t, second, "status"), "exit 0");
	assert_string_equal(text_in(t, second, "comm"), "true");
	assert_list(cell_of(t, second, "argv"), last);
	assert_int_equal(find_number(t, second + 1, "pid", (uint64_t)pid), t->nr_rows);
	assert_true(total_of(&snapshot, "execs") >= 2);
	snapshot_release(&snapshot);
	session__free(s);
}

/* Killed when its exec is over, as its descriptor that closes on exec tells. */
static void process_killed_right_after_exec_is_whole(void **state)
{
	struct session *s = start_tracing("exec", LOOPS_AUTO, ARGV_MAX);
	char *argv[] = {"sleep", "1000", NULL};
	struct snapshot snapshot;
	const struct table *t;
	int i, pipe_fds[2], nr_listed = 0;
	pid_t pids[50];
	char byte;
	size_t row;

	(void)state;
	for (i = 0; i < 50; i++) {
		assert_int_equal(pipe2(pipe_fds, O_CLOEXEC), 0);
		pids[i] = start("/bin/sleep", argv, NULL, NULL);
		close(pipe_fds[1]);
		assert_int_equal(read(pipe_fds[0], &byte, 1), 0);
		close(pipe_fds[0]);
		kill(pids[i], SIGKILL);
		assert_int_equal(wait_for(pids[i]), SIGKILL);
	}
	take_snapshot(s, false, &snapshot);
	t = table_of(&snapshot, "processes");
	for (i = 0; i < 50; i++) {
		/* Descriptors are closed before the kernel has made up its mind: not all exec. */
		row = find_number(t, 0, "pid", (uint64_t)pids[i]);
		if (row == t->nr_rows)
			continue;
		nr_listed++;
		assert_list(cell_of(t, row_of(t, pids[i]), "argv"), argv);
		assert_string_equal(text_in(t, row, "status"), "SIGKILL");
		assert_int_equal(number_in(t, row, "ppid"), getpid());
	}
	print_message("%d of 50 had begun their program\n", nr_listed);
	assert_true(nr_listed > 0);
	snapshot_release(&snapshot);
	session__free(s);
}

static void *last_thread(void *arg)
{
	(void)arg;
	sleep_ms(100);
	exit(3);
}

static void *other_thread(void *arg)
{
	sleep_ms((long)(intptr_t)arg);
	return NULL;
}

/* What this program does with the argument "threads": its leader goes first. */
static int become_threads(void)
{
	pthread_t thread;
	int i;

	for (i = 0; i < 4; i++)
		if (pthread_create(&thread, NULL, other_thread,
				   (void *)(intptr_t)(10 * i)))
			return 1;
	if (pthread_create(&thread, NULL, last_thread, NULL))
		return 1;
	pthread_exit(NULL);
}

static void process_of_many_threads_ends_with_the_last(void **state)
{
	struct session *s = start_tracing("exec", LOOPS_AUTO, ARGV_MAX);
	char *argv[] = {"many", "threads", NULL};
	struct snapshot snapshot;
	const struct table *t;
	uint64_t before, after;
	size_t row;
	pid_t pid;

	(void)state;
	before = time_ns(CLOCK_MONOTONIC);
	pid = run("/proc/self/exe", argv);
	after = time_ns(CLOCK_MONOTONIC);
	take_snapshot(s, false, &snapshot);
	t = table_of(&snapshot, "processes");
	row = row_of(t, pid);
	assert_string_equal(text_in(t, row, "status"), "exit 3");
	assert_list(cell_of(t, row, "argv"), argv);
	assert_in_range(number_in(t, row, "lifetime_ns"), 100 * NSEC_PER_MSEC,
			after - before);
	snapshot_release(&snapshot);
	session__free(s);
}

#define TEST(name) cmocka_unit_test(name)
int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		ON_ALL(children_are_listed_with_argv_pid_parent_and_end),
		ON_ALL(long_argv_is_cut_and_says_its_full_length),
		ON_ALL(ancestry_is_that_of_proc),
		ON_ALL(long_ancestry_is_cut_and_says_so),
		TEST(argv_is_shown_without_control_characters_and_as_utf8),
		TEST(lifetime_is_from_fork_to_exit),
		TEST(running_process_is_listed_when_it_starts_and_when_it_ends),
		TEST(failed_exec_is_not_listed),
		TEST(process_that_executes_twice_ends_with_the_last_argv),
		TEST(process_killed_right_after_exec_is_whole),
		TEST(process_of_many_threads_ends_with_the_last),
	};

	if (argc == 2 && !strcmp(argv[1], "threads"))
		return become_threads();
	libbpf_log_init();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
