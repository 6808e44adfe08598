/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What the system call tracer's programs keep, and its sites. */
#ifndef ITERTRACE_SYSCALL_H
#define ITERTRACE_SYSCALL_H

#include <linux/types.h>

enum syscall_site {
	SITE_SYSCALL_TOP, /* places of the list of slowest calls */
	NR_SYSCALL_SITES,
};

enum syscall_lost {
	SYSCALL_LOST_STORAGE, /* calls that found no memory for their start */
	NR_SYSCALL_LOST,
};

/* Numbers of the native table below this; one more row for all other calls. */
#define SYSCALL_NR_NATIVE 512
#define SYSCALL_OTHER     SYSCALL_NR_NATIVE
#define SYSCALL_NR_ROWS   (SYSCALL_NR_NATIVE + 1)

/* One system call on one CPU: calls that returned. Only grows. */
struct syscall_stat {
	__u64 count;
	__u64 errors; /* returned -4095 … -1 */
	__u64 total_ns;
	__u64 max_ns;
};

#define SYSCALL_COMM_LEN 16
#define SYSCALL_NR_TOP   8

struct syscall_slow {
	__u64 ns;
	__u32 nr; /* SYSCALL_OTHER: not of the native table */
	__u32 pid;
	char comm[SYSCALL_COMM_LEN];
};

/* The slowest calls of an interval that ended on one CPU, slowest first. */
struct syscall_top {
	__u64 interval; /* of which these are; else stale */
	struct syscall_slow slow[SYSCALL_NR_TOP];
};

#endif
