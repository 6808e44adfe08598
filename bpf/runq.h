/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What the run-queue tracer's programs keep, and its sites. */
#ifndef ITERTRACE_RUNQ_H
#define ITERTRACE_RUNQ_H

#include <linux/types.h>

#include "hist.h"

enum runq_site {
	SITE_RUNQ_CGROUP, /* levels of a new cgroup's path */
	SITE_RUNQ_CPUS,   /* CPUs whose histograms are merged */
	SITE_RUNQ_SLOTS,  /* slots of one CPU's histogram */
	NR_RUNQ_SITES,
};

enum runq_lost {
	RUNQ_LOST_TASKS_FULL,   /* switches of tasks that found no place */
	RUNQ_LOST_MAP_BUSY,     /* switches or waits that could not get at a map */
	RUNQ_LOST_CGROUPS_FULL, /* waits charged to RUNQ_OTHER_CGROUPS instead */
	NR_RUNQ_LOST,
};

/* Key of what cgroups that found no place of their own are charged to. */
#define RUNQ_OTHER_CGROUPS 0

/* One cgroup on one CPU. The counters only grow, max_ns is taken by the merge. */
struct runq_stat {
	__u64 wait_ns;
	__u64 off_cpu_ns;
	__u64 max_ns;               /* longest wait since the last merge */
	__u32 nr_slots;             /* slots in use: none at or above is filled */
	__u32 slots[HIST_NR_SLOTS]; /* waits, in ns; these wrap */
};

/* The same, over CPUs: what the merge leaves for user space. */
struct runq_merged {
	__u64 wait_ns;
	__u64 off_cpu_ns;
	__u64 max_ns;
	__u32 slots[HIST_NR_SLOTS];
};

/* At most so many CPUs a run, so that a bounded loop stays within the verifier's limit.
 */
#define RUNQ_MERGE_CPUS 8

struct runq_merge {
	__u64 cgroup;
	__u32 first_cpu;
	__u32 nr_cpus;
};

#endif
