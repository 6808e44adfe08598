/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A cgroup's path as programs send it. */
#ifndef ITERTRACE_CGROUP_H
#define ITERTRACE_CGROUP_H

#include <linux/types.h>

#define CGROUP_MAX_LEVELS 32
#define CGROUP_NAME_LEN   128 /* with its NUL; a longer name is cut */
#define CGROUP_NAMES_LEN  512 /* no name begins beyond this; a power of two */

/* Names of the cgroup and its ancestors, leaf first, each with its NUL. */
struct cgroup_names {
	__u32 len;
	__u32 cut; /* 1: the part next to the root is missing */
	char names[CGROUP_NAMES_LEN + CGROUP_NAME_LEN];
};

#endif
