/* SPDX-License-Identifier: BSD-2-Clause */
/* Processes that tests start, and where the exec tracer lists them. */
#ifndef ITERTRACE_TESTS_PROCESSES_H
#define ITERTRACE_TESTS_PROCESSES_H

#include "tracing.h"

static char *const no_environment[] = {NULL};

/* In the new process, before it executes the program; not 0: do not. */
typedef int (*prepare_fn)(const void *arg);

static inline pid_t start(const char *file, char *const *argv, prepare_fn prepare,
			  const void *arg)
{
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid)
		return pid;
	if (!prepare || !prepare(arg))
		execve(file, argv, no_environment);
	_exit(127);
}

/* Start and wait: its pid. */
static inline pid_t run(const char *file, char *const *argv)
{
	pid_t pid = start(file, argv, NULL, NULL);

	wait_for(pid);
	return pid;
}

/* The one row of that process in the snapshot. */
static inline size_t row_of(const struct table *t, pid_t pid)
{
	size_t row = find_number(t, 0, "pid", (uint64_t)pid);

	if (row == t->nr_rows)
		fail_msg("process %d is not listed", (int)pid);
	if (find_number(t, row + 1, "pid", (uint64_t)pid) != t->nr_rows)
		fail_msg("process %d is listed twice", (int)pid);
	return row;
}

static inline void assert_list(const struct cell *c, char *const *expected)
{
	size_t i;

	assert_true(c->present);
	for (i = 0; expected[i] && c->list[i]; i++)
		assert_string_equal(c->list[i], expected[i]);
	assert_null(expected[i]);
	assert_null(c->list[i]);
}

/* One that each backend of the loops runs. */
#define ON(backend, id, name)                                                  \
	{                                                                      \
#name " on " backend, name, NULL, NULL, (void *)(intptr_t)(id) \
	}
#define ON_ALL(name)                                                              \
	ON("bpf_for", LOOPS_BPF_FOR, name), ON("bpf_loop", LOOPS_BPF_LOOP, name), \
		ON("can_loop", LOOPS_CAN_LOOP, name),                             \
		ON("bounded", LOOPS_BOUNDED, name)

#endif
