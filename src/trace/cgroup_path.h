/* SPDX-License-Identifier: BSD-2-Clause */
/* The names of a cgroup and its ancestors, as the BPF side sends them, as a path. */
#ifndef ITERTRACE_TRACE_CGROUP_PATH_H
#define ITERTRACE_TRACE_CGROUP_PATH_H

#include <stdbool.h>

#include "bpf/cgroup.h"

/*
 * "/" for the root; "…/b/c" where what lies next to the root was cut, "/a/b…"
 * where a name may have been. Made printable; the caller's to free; NULL: out of
 * memory, or no path.
 */
char *cgroup_path(const struct cgroup_names *c);

/*
 * Whether processes are in cgroups of version 2, of which these names are. Where
 * version 1 alone is in use, all are in "/". text: /proc/PID/cgroup.
 */
bool cgroup_is_v2(const char *text);

/* That text of this process, from malloc. -errno. */
int cgroup_read_own(char **ret);

#endif
