/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What the exec tracer's programs send, and its sites. */
#ifndef ITERTRACE_EXEC_H
#define ITERTRACE_EXEC_H

#include <linux/types.h>

#include "cgroup.h"

enum exec_site {
	SITE_EXEC_ARGV,    /* pieces of the argument area */
	SITE_EXEC_PARENTS, /* ancestors */
	SITE_EXEC_CGROUP,  /* levels of the cgroup's path */
	NR_EXEC_SITES,
};

enum exec_lost {
	EXEC_LOST_RING_FULL,  /* whole events */
	EXEC_LOST_READ_FAULT, /* the rest of an argv: its memory was not readable */
	NR_EXEC_LOST,
};

#define EXEC_COMM_LEN    16
#define EXEC_MAX_PARENTS 16
#define EXEC_ARGV_PIECE  64
#define EXEC_ARGV_MAX    16384 /* the most that --argv-max can ask for */

enum exec_event_type {
	EXEC_EVENT_EXEC = 1,
	EXEC_EVENT_EXIT,
};

struct exec_parent {
	__u32 pid;
	char comm[EXEC_COMM_LEN];
};

/* A process ended. Also the head of struct exec_event. */
struct exec_exit {
	__u32 type;
	__u32 pid;       /* of the process: the kernel's tgid */
	__u64 time_ns;   /* CLOCK_MONOTONIC */
	__u64 born_ns;   /* when it was forked, same clock */
	__s32 exit_code; /* as wait(2) reports it */
	char comm[EXEC_COMM_LEN];
};

struct exec_event {
	struct exec_exit head; /* exit_code 0 */
	__u32 uid;
	__u32 argv_len;   /* of the bytes that follow */
	__u32 argv_total; /* of the whole argument area */
	__u32 nr_parents;
	__u32 parents_cut; /* 1: there were more */
	__u32 argv_fault;  /* 1: reading stopped at argv_len */
	struct exec_parent parents[EXEC_MAX_PARENTS];
	struct cgroup_names cgroup;
	char argv[]; /* argv_len bytes, NUL between arguments */
};

#endif
