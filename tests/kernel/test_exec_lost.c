// SPDX-License-Identifier: BSD-2-Clause
/*
 * The exec tracer under load and against argument memory that goes away:
 * nothing is lost without being counted. The host starts and ends processes of
 * its own meanwhile, so the tracer's sums are held against those of another
 * program, exec_count.bpf.c, read before and after: they lie between the two,
 * and where the host is quiet the two are the same.
 */
#include "processes.h"

#include <pthread.h>
#include <signal.h>
#include <sys/personality.h>

#include "exec_count.skel.h"
#include "tiny_elf.h"

struct counts {
	uint64_t execs, exits;
};

static struct exec_count_bpf *count_all(void)
{
	struct exec_count_bpf *counter;

	skip_unless_root();
	libbpf_log_init();
	counter = exec_count_bpf__open_and_load();
	assert_non_null(counter);
	assert_int_equal(exec_count_bpf__attach(counter), 0);
	return counter;
}

static struct counts counted(const struct exec_count_bpf *counter)
{
	return (struct counts){
		.execs = __atomic_load_n(&counter->bss->execs, __ATOMIC_SEQ_CST),
		.exits = __atomic_load_n(&counter->bss->exits, __ATOMIC_SEQ_CST),
	};
}

/* What the host did while a session ran, at least and at most. */
struct bounds {
	struct exec_count_bpf *counter;
	struct counts before_start, after_start, before_end, after_end;
};

static struct session *start_bounded(struct bounds *b)
{
	struct session *s;

	b->counter = count_all();
	b->before_start = counted(b->counter);
	s = start_tracing("exec", LOOPS_AUTO, 4096);
	b->after_start = counted(b->counter);
	return s;
}

static void end_bounded(struct bounds *b, struct session *s, struct snapshot *ret)
{
	b->before_end = counted(b->counter);
	take_snapshot(s, false, ret);
	b->after_end = counted(b->counter);
	exec_count_bpf__destroy(b->counter);
}

/*
 * Every exec and exit is counted, whether the ring had room for the rest or not.
 * An exit that the kernel reports twice is told by its event alone: where events
 * were lost, a few such of other processes may be too many.
 */
static void assert_all_counted(const struct bounds *b, const struct snapshot *s)
{
	const struct counts *lo = &b->after_start, *hi = &b->before_start;
	uint64_t execs = total_of(s, "execs"), exits = total_of(s, "exits");
	uint64_t lost = lost_of(s, "ring_full");

	print_message("%llu execs, %llu exits, %llu lost\n", (unsigned long long)execs,
		      (unsigned long long)exits, (unsigned long long)lost);
	assert_in_range(execs, b->before_end.execs - lo->execs,
			b->after_end.execs - hi->execs);
	assert_in_range(exits, b->before_end.exits - lo->exits,
			b->after_end.exits - hi->exits + (lost ? 10 : 0));
	assert_int_equal(lost_of(s, "recursion"), 0);
}

/* Processes that are listed, or said not to be. */
static uint64_t processes_shown(const struct snapshot *s)
{
	return table_of(s, "processes")->nr_rows + s->sections[0].nr_unlisted;
}

/* --- load -------------------------------------------------------------------------- */

#define RATE    1000
#define SECONDS 3

/* vfork: the parent waits until the child has executed the program. */
static pid_t start_quickly(const char *path)
{
	char *argv[] = {"tiny", "one of many", NULL};
	pid_t pid = vfork();

	if (pid == 0) {
		execve(path, argv, no_environment);
		_exit(127);
	}
	assert_true(pid > 0);
	return pid;
}

static void run_tiny(const char *path)
{
	assert_int_equal(wait_for(start_quickly(path)), TINY_STATUS << 8);
}

static void thousand_execs_a_second_are_all_counted(void **state)
{
	struct tiny_elf tiny;
	struct bounds bounds;
	struct session *s = start_bounded(&bounds);
	uint64_t since = time_ns(CLOCK_MONOTONIC), due, now;
	struct snapshot snapshot;
	char path[64];
	int fd, i;

	(void)state;
	tiny_elf_init(&tiny);
	fd = tiny_file("tiny", &tiny, path);
	for (i = 0; i < RATE * SECONDS; i++) {
		run_tiny(path);
		if (i % 10 == 0)
			session_consume(s);
		due = since + (uint64_t)i * NSEC_PER_SEC / RATE;
		now = time_ns(CLOCK_MONOTONIC);
		if (due > now + NSEC_PER_MSEC)
			sleep_ms((long)((due - now) / NSEC_PER_MSEC));
	}
	end_bounded(&bounds, s, &snapshot);
	assert_all_counted(&bounds, &snapshot);
	assert_true(total_of(&snapshot, "execs") >= RATE * SECONDS);
	/* Each was shown but what was lost; none twice, in a first interval. */
	assert_true(table_of(&snapshot, "processes")->nr_rows > 0);
	assert_in_range(processes_shown(&snapshot),
			RATE * SECONDS - lost_of(&snapshot, "ring_full"),
			total_of(&snapshot, "execs"));
	snapshot_release(&snapshot);
	session__free(s);
	close(fd);
}

/* Nothing is taken from the ring meanwhile: some hundred KiB, for twice 2000 events. */
static void what_a_full_ring_drops_is_counted(void **state)
{
	struct tiny_elf tiny;
	struct bounds bounds;
	struct session *s = start_bounded(&bounds);
	struct snapshot snapshot;
	uint64_t execs, lost;
	char path[64];
	int fd, i;

	(void)state;
	tiny_elf_init(&tiny);
	fd = tiny_file("tiny", &tiny, path);
	for (i = 0; i < 2000; i++)
		run_tiny(path);
	end_bounded(&bounds, s, &snapshot);
	assert_all_counted(&bounds, &snapshot);
	execs = total_of(&snapshot, "execs");
	lost = lost_of(&snapshot, "ring_full");
	assert_true(execs >= 2000 && lost > 0);
	/* What is not shown is lost. */
	assert_in_range(execs, processes_shown(&snapshot) + 1,
			processes_shown(&snapshot) + lost);
	snapshot_release(&snapshot);

	/* And it goes on; losses are of the interval. */
	run_tiny(path);
	take_snapshot(s, false, &snapshot);
	assert_int_equal(lost_of(&snapshot, "ring_full"), 0);
	assert_true(total_of(&snapshot, "execs") >= 1);
	snapshot_release(&snapshot);
	session__free(s);
	close(fd);
}

/* --- many threads that end at once ------------------------------------------------- */

/* All threads of a process are killed at once and race to be the last. */
static void process_of_many_threads_ends_once(void **state)
{
	struct bounds bounds;
	struct session *s;
	struct snapshot snapshot;
	char *argv[] = {"many", "threads", NULL};
	int i;

	(void)state;
	s = start_bounded(&bounds);
	for (i = 0; i < 300; i++) {
		assert_int_equal(wait_for(start("/proc/self/exe", argv, NULL, NULL)),
				 0);
		session_consume(s);
	}
	end_bounded(&bounds, s, &snapshot);
	assert_int_equal(lost_of(&snapshot, "ring_full"), 0);
	assert_all_counted(&bounds, &snapshot);
	snapshot_release(&snapshot);
	session__free(s);
}

/* --- argument memory that cannot be read ------------------------------------------- */

#define ARGUMENT_LEN 9000
#define TRIES        20000

/* Where the stack of a process without randomisation ends. */
static unsigned long stack_end(void)
{
	FILE *f = popen("setarch -R cat /proc/self/maps", "re");
	unsigned long from, to, end = 0;
	char line[512];

	assert_non_null(f);
	while (fgets(line, sizeof(line), f))
		if (strstr(line, "[stack]") && sscanf(line, "%lx-%lx", &from, &to) == 2)
			end = to;
	pclose(f);
	assert_true(end > 0);
	return end;
}

static int fix_addresses(const void *arg)
{
	(void)arg;
	return personality(ADDR_NO_RANDOMIZE) < 0;
}

/* Take the page out of all address spaces and put it back, again and again. */
static pid_t start_pulling(int fd, const char *page, size_t size)
{
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid)
		return pid;
	for (;;)
		if (fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
			      (off_t)size, (off_t)size) ||
		    pwrite(fd, page, size, (off_t)size) != (ssize_t)size)
			_exit(1);
}

/*
 * A program whose interpreter maps a page of a file over the middle of its
 * argument; at *interpreter.
 */
static int make_overlaid(int *interpreter, const char *page, size_t size, char path[64])
{
	unsigned long middle = stack_end() - 2 * size;
	struct tiny_elf program, overlay;

	tiny_elf_init(&overlay);
	overlay.segments[0] = tiny_segment(middle, size, size, PF_R);
	tiny_elf_init(&program);
	*interpreter = tiny_file("overlay", &overlay, program.interpreter);
	assert_int_equal(pwrite(*interpreter, page, size, (off_t)size), size);
	program.head.e_phnum = 2;
	program.segments[1] = program.segments[0];
	program.segments[0] = (Elf64_Phdr){
		.p_type = PT_INTERP,
		.p_offset = offsetof(struct tiny_elf, interpreter),
		.p_filesz = strlen(program.interpreter) + 1,
	};
	return tiny_file("overlaid", &program, path);
}

/* Every row of these processes says of its argv what is so. */
static uint64_t check_overlaid(const struct snapshot *s)
{
	const struct table *t = table_of(s, "processes");
	uint64_t nr_faults = lost_of(s, "read_fault"), nr_cut = 0, shown;
	const struct cell *argv;
	size_t row, i;

	for (row = 0; row < t->nr_rows; row++) {
		argv = cell_of(t, row, "argv");
		if (!argv->list[0] || strcmp(argv->list[0], "overlaid"))
			continue;
		for (shown = 0, i = 0; argv->list[i]; i++)
			shown += strlen(argv->list[i]) + 1;
		if (number_in(t, row, "argv_truncated")) {
			nr_cut++;
			assert_in_range(shown, 1, number_in(t, row, "argv_bytes"));
			assert_string_equal(text_in(t, row, "status"), "exit 9");
		}
	}
	assert_int_equal(nr_cut, nr_faults);
	return nr_faults;
}

/*
 * At exec the kernel has touched all of the arguments; a page is gone a few
 * microseconds later only if somebody takes it away just then. So somebody does,
 * all the time, until it happened to an exec: one in some hundred.
 */
static void argument_that_cannot_be_read_is_counted_and_the_argv_cut(void **state)
{
	size_t size = (size_t)sysconf(_SC_PAGESIZE);
	char letters[ARGUMENT_LEN + 1], *page = malloc(size), path[64];
	char *argv[] = {"overlaid", letters, NULL};
	int interpreter, program, cpus[2], tries = 0;
	struct snapshot snapshot;
	uint64_t nr_faults = 0;
	struct session *s;
	pid_t puller;

	(void)state;
	skip_unless_two_cpus(cpus);
	s = start_tracing("exec", LOOPS_AUTO, 16384);
	memset(letters, 'a', ARGUMENT_LEN);
	letters[ARGUMENT_LEN] = '\0';
	memset(page, 'b', size);
	program = make_overlaid(&interpreter, page, size, path);
	puller = start_pulling(interpreter, page, size);
	while (!nr_faults && tries < TRIES) {
		for (int i = 0; i < 50; i++, tries++)
			wait_for(start(path, argv, fix_addresses, NULL));
		take_snapshot(s, false, &snapshot);
		nr_faults = check_overlaid(&snapshot);
		snapshot_release(&snapshot);
	}
	kill(puller, SIGKILL);
	wait_for(puller);
	session__free(s);
	close(interpreter);
	close(program);
	free(page);
	print_message("%d execs\n", tries);
	assert_true(nr_faults > 0);
}

static void *wait_long(void *arg)
{
	sleep_ms(60000);
	return arg;
}

static int become_threads(void)
{
	pthread_t thread;
	int i;

	for (i = 0; i < 8; i++)
		if (pthread_create(&thread, NULL, wait_long, NULL))
			return 1;
	return 0;
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(thousand_execs_a_second_are_all_counted),
		cmocka_unit_test(what_a_full_ring_drops_is_counted),
		cmocka_unit_test(process_of_many_threads_ends_once),
		cmocka_unit_test(
			argument_that_cannot_be_read_is_counted_and_the_argv_cut),
	};

	if (argc == 2 && !strcmp(argv[1], "threads"))
		return become_threads();
	libbpf_log_init();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
