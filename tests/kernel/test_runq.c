// SPDX-License-Identifier: BSD-2-Clause
/*
 * The run-queue tracer against the scheduler's own accounting: busy tasks that
 * share a CPU, in a cgroup of their own, whose /proc/PID/schedstat is read when
 * they stand still before and after.
 */
#include "processes.h"

#include <signal.h>

#include "sched_count.skel.h"

#define BUSY_NS (600 * NSEC_PER_MSEC)

/* /proc/PID/schedstat; Documentation/scheduler/sched-stats.rst */
struct schedstat {
	uint64_t run_ns, wait_ns, slices;
};

/* A task that is busy for BUSY_NS when told so, and then waits until it is killed. */
struct task {
	pid_t pid;
	int go, done; /* ends of pipes */
	struct schedstat before, after;
	uint64_t arrivals; /* between the two, by sched_count.bpf.c */
};

struct crowd {
	struct sched_count_bpf *counter;
	char path[4096]; /* of the cgroup's directory */
	size_t root_len;
	struct task tasks[4];
	int nr;
};

static struct schedstat read_schedstat(pid_t pid)
{
	unsigned long long run, wait, slices;
	struct schedstat s = {0};
	char path[64];
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/schedstat", (int)pid);
	f = fopen(path, "re");
	assert_non_null(f);
	assert_int_equal(fscanf(f, "%llu %llu %llu", &run, &wait, &slices), 3);
	fclose(f);
	s = (struct schedstat){run, wait, slices};
	return s;
}

/* 'R', 'S', … */
static char state_of(pid_t pid)
{
	char path[64], stat[512] = "";
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	f = fopen(path, "re");
	assert_non_null(f);
	assert_non_null(fgets(stat, sizeof(stat), f));
	fclose(f);
	return strrchr(stat, ')')[2];
}

/*
 * What is about to sleep says so before it leaves the CPU, and may be preempted
 * then and need another slice: it sleeps when it has had none for a while.
 */
static void wait_until_asleep(pid_t pid)
{
	struct schedstat before, now = read_schedstat(pid);
	int tries = 0;

	do {
		assert_true(tries++ < 1000);
		before = now;
		sleep_ms(20);
		now = read_schedstat(pid);
	} while (state_of(pid) != 'S' || now.slices != before.slices);
}

/* One command, one byte; nothing but the clock in between, which is no system call. */
static void be_busy(int go, int done)
{
	uint64_t since;
	char byte;

	while (read(go, &byte, 1) == 1) {
		since = time_ns(CLOCK_MONOTONIC);
		while (time_ns(CLOCK_MONOTONIC) - since < BUSY_NS)
			;
		if (write(done, "d", 1) != 1)
			break;
	}
	_exit(1);
}

static void add_task(struct crowd *c, int cpu)
{
	struct task *t = &c->tasks[c->nr++];
	int go[2], done[2];
	cpu_set_t one;

	assert_int_equal(pipe2(go, O_CLOEXEC), 0);
	assert_int_equal(pipe2(done, O_CLOEXEC), 0);
	t->pid = fork();
	assert_true(t->pid >= 0);
	if (t->pid == 0) {
		close(go[1]);
		CPU_ZERO(&one);
		CPU_SET(cpu, &one);
		if (enter_cgroup(c->path) || sched_setaffinity(0, sizeof(one), &one) ||
		    write(done[1], "r", 1) != 1)
			_exit(2);
		be_busy(go[0], done[1]);
	}
	close(go[0]);
	close(done[1]);
	t->go = go[1];
	t->done = done[0];
}

/* What a task tells: 'r' that it is ready, 'd' that it is done. */
static void hear(const struct task *t, char what)
{
	char byte = 0;

	assert_int_equal(read(t->done, &byte, 1), 1);
	assert_int_equal(byte, what);
	wait_until_asleep(t->pid);
}

static void make_crowd(struct crowd *c, const char *name)
{
	*c = (struct crowd){.nr = 0};
	skip_unless_root();
	if (!make_cgroup(name, c->path, sizeof(c->path), &c->root_len))
		skip();
}

static void let_ready(struct crowd *c)
{
	int i;

	c->counter = sched_count_bpf__open_and_load();
	assert_non_null(c->counter);
	for (i = 0; i < c->nr; i++)
		c->counter->bss->pids[i] = (uint32_t)c->tasks[i].pid;
	assert_int_equal(sched_count_bpf__attach(c->counter), 0);
	for (i = 0; i < c->nr; i++) {
		hear(&c->tasks[i], 'r');
		c->tasks[i].before = read_schedstat(c->tasks[i].pid);
		c->counter->bss->arrivals[i] = 0;
	}
}

static void let_run(struct crowd *c)
{
	int i;

	for (i = 0; i < c->nr; i++)
		assert_int_equal(write(c->tasks[i].go, "g", 1), 1);
	for (i = 0; i < c->nr; i++)
		hear(&c->tasks[i], 'd');
	for (i = 0; i < c->nr; i++) {
		c->tasks[i].after = read_schedstat(c->tasks[i].pid);
		c->tasks[i].arrivals = c->counter->bss->arrivals[i];
	}
}

static void disperse(struct crowd *c)
{
	int i;

	for (i = 0; i < c->nr; i++) {
		kill(c->tasks[i].pid, SIGKILL);
		wait_for(c->tasks[i].pid);
		close(c->tasks[i].go);
		close(c->tasks[i].done);
	}
	remove_cgroup(c->path);
	sched_count_bpf__destroy(c->counter);
}

static uint64_t arrivals_of(const struct crowd *c)
{
	uint64_t sum = 0;
	int i;

	for (i = 0; i < c->nr; i++)
		sum += c->tasks[i].arrivals;
	return sum;
}

/* What the scheduler says of all tasks together. */
static struct schedstat scheduled(const struct crowd *c)
{
	struct schedstat sum = {0};
	int i;

	for (i = 0; i < c->nr; i++) {
		sum.run_ns += c->tasks[i].after.run_ns - c->tasks[i].before.run_ns;
		sum.wait_ns += c->tasks[i].after.wait_ns - c->tasks[i].before.wait_ns;
		sum.slices += c->tasks[i].after.slices - c->tasks[i].before.slices;
	}
	return sum;
}

/*
 * Every time that a task comes to the CPU it has waited, be it for a moment: the
 * number of waits is that of arrivals, which is that of the scheduler's slices
 * where every switch is traced. Some kernels do not trace all: on one virtual
 * machine those that end the time of some idle or system tasks are missing from
 * ftrace, too. Such a switch is no fault of the tracer; what it may take away of
 * the time waited is a wait each. The scheduler's clock is not ours: 2%, and
 * 20 us a wait for what lies between its hooks and the tracepoints.
 */
static void assert_waits(const struct crowd *c, const struct snapshot *s,
			 uint64_t run_ns)
{
	const struct table *t = table_of(s, "cgroups");
	size_t row = find_text(t, "cgroup", c->path + c->root_len);
	struct schedstat expected = scheduled(c);
	uint64_t waits, wait_ns, p50, p99, max, off_cpu_ns, untraced, tolerance;

	assert_true(row < t->nr_rows);
	waits = number_in(t, row, "waits");
	wait_ns = number_in(t, row, "wait_ns");
	p50 = number_in(t, row, "p50_ns");
	p99 = number_in(t, row, "p99_ns");
	max = number_in(t, row, "max_ns");
	off_cpu_ns = number_in(t, row, "off_cpu_ns");
	print_message("%llu waits of %llu slices, %.3f of %.3f ms, longest %.3f ms\n",
		      (unsigned long long)waits, (unsigned long long)expected.slices,
		      (double)wait_ns / 1e6, (double)expected.wait_ns / 1e6,
		      (double)max / 1e6);
	assert_int_equal(waits, arrivals_of(c));
	assert_in_range(waits, expected.slices * 3 / 4, expected.slices);
	untraced = expected.slices - waits;
	tolerance = expected.wait_ns / 50 + waits * 20000;
	assert_true(wait_ns + tolerance + untraced * max >= expected.wait_ns);
	assert_true(wait_ns <= expected.wait_ns + tolerance);
	/* Two that share a CPU for so long cannot both have had it most of the time. */
	assert_true(wait_ns > BUSY_NS / 4);
	/* Who waits is off the CPU; since when is not known of what slept at the start. */
	assert_true(off_cpu_ns + (uint64_t)c->nr * max >= wait_ns);
	assert_true(p50 <= p99 && p99 <= max);
	/* A mean is not above the longest, nor is a wait above the time that there was. */
	assert_true(max >= wait_ns / waits);
	assert_true(max <= run_ns);
	assert_true(max <= wait_ns);
}

static void run_and_check(struct crowd *c, int loops)
{
	struct snapshot snapshot;
	struct session *s;
	uint64_t since;

	let_ready(c);
	since = time_ns(CLOCK_MONOTONIC);
	s = start_tracing("runq", loops, 4096);
	let_run(c);
	take_snapshot(s, false, &snapshot);
	assert_waits(c, &snapshot, time_ns(CLOCK_MONOTONIC) - since);
	assert_int_equal(lost_of(&snapshot, "tasks_full"), 0);
	assert_int_equal(lost_of(&snapshot, "cgroups_full"), 0);
	snapshot_release(&snapshot);
	session__free(s);
}

static void two_tasks_on_one_cpu_wait_as_the_scheduler_says(void **state)
{
	cpu_set_t allowed;
	struct crowd c;

	make_crowd(&c, "itertrace-test-runq");
	sched_getaffinity(0, sizeof(allowed), &allowed);
	add_task(&c, nth_cpu(&allowed, 0));
	add_task(&c, nth_cpu(&allowed, 0));
	run_and_check(&c, (int)(intptr_t)*state);
	disperse(&c);
}

/* The cgroup's histograms lie on two CPUs. */
static void tasks_on_two_cpus_are_merged(void **state)
{
	struct crowd c;
	int cpus[2], i;

	skip_unless_two_cpus(cpus);
	make_crowd(&c, "itertrace-test-runq");
	for (i = 0; i < 4; i++)
		add_task(&c, cpus[i % 2]);
	run_and_check(&c, (int)(intptr_t)*state);
	disperse(&c);
}

static void idle_cgroup_is_not_listed(void **state)
{
	struct crowd busy, idle;
	struct snapshot snapshot;
	const struct table *t;
	cpu_set_t allowed;
	struct session *s;

	(void)state;
	make_crowd(&busy, "itertrace-test-runq-busy");
	make_crowd(&idle, "itertrace-test-runq-idle");
	sched_getaffinity(0, sizeof(allowed), &allowed);
	add_task(&busy, nth_cpu(&allowed, 0));
	add_task(&idle, nth_cpu(&allowed, 0));
	let_ready(&busy);
	let_ready(&idle);
	s = start_tracing("runq", LOOPS_AUTO, 4096);
	let_run(&busy);
	take_snapshot(s, false, &snapshot);
	t = table_of(&snapshot, "cgroups");
	assert_true(find_text(t, "cgroup", busy.path + busy.root_len) < t->nr_rows);
	assert_int_equal(find_text(t, "cgroup", idle.path + idle.root_len), t->nr_rows);
	snapshot_release(&snapshot);
	/* Nor is the busy one any longer. */
	take_snapshot(s, false, &snapshot);
	t = table_of(&snapshot, "cgroups");
	assert_int_equal(find_text(t, "cgroup", busy.path + busy.root_len), t->nr_rows);
	snapshot_release(&snapshot);
	session__free(s);
	disperse(&busy);
	disperse(&idle);
}

/* Two intervals: each its own waits, the summary those of both. */
static void summary_is_the_sum_of_the_intervals(void **state)
{
	uint64_t waits[3], wait_ns[3], max[3];
	struct snapshot snapshot;
	const struct table *t;
	cpu_set_t allowed;
	struct session *s;
	struct crowd c;
	size_t row;
	int i;

	(void)state;
	make_crowd(&c, "itertrace-test-runq");
	sched_getaffinity(0, sizeof(allowed), &allowed);
	add_task(&c, nth_cpu(&allowed, 0));
	add_task(&c, nth_cpu(&allowed, 0));
	let_ready(&c);
	s = start_tracing("runq", LOOPS_AUTO, 4096);
	for (i = 0; i < 3; i++) {
		if (i < 2)
			let_run(&c);
		take_snapshot(s, i == 2, &snapshot);
		t = table_of(&snapshot, "cgroups");
		row = find_text(t, "cgroup", c.path + c.root_len);
		assert_true(row < t->nr_rows);
		waits[i] = number_in(t, row, "waits");
		wait_ns[i] = number_in(t, row, "wait_ns");
		max[i] = number_in(t, row, "max_ns");
		snapshot_release(&snapshot);
	}
	assert_int_equal(waits[0] + waits[1], arrivals_of(&c));
	assert_int_equal(waits[2], waits[0] + waits[1]);
	assert_int_equal(wait_ns[2], wait_ns[0] + wait_ns[1]);
	assert_int_equal(max[2], max[0] > max[1] ? max[0] : max[1]);
	session__free(s);
	disperse(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ON_ALL(two_tasks_on_one_cpu_wait_as_the_scheduler_says),
		ON_ALL(tasks_on_two_cpus_are_merged),
		cmocka_unit_test(idle_cgroup_is_not_listed),
		cmocka_unit_test(summary_is_the_sum_of_the_intervals),
	};

	libbpf_log_init();
	return cmocka_run_group_tests(tests, NULL, remove_cgroups);
}
