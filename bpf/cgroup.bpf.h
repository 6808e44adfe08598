/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A cgroup v2's path, read name by name from the leaf towards the root. */
#ifndef ITERTRACE_CGROUP_BPF_H
#define ITERTRACE_CGROUP_BPF_H

#include "vmlinux.h"
#include "cgroup.h"
#include "site.bpf.h"
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

static __always_inline struct kernfs_node *kernfs_parent(struct kernfs_node *node)
{
	struct kernfs_node___before_6_15 *old = (void *)node;

	if (bpf_core_field_exists(node->__parent))
		return BPF_CORE_READ(node, __parent);
	return (struct kernfs_node *)BPF_CORE_READ(old, parent);
}

static __always_inline struct kernfs_node *task_cgroup_node(struct task_struct *task)
{
	return BPF_CORE_READ(task, cgroups, dfl_cgrp, kn);
}

struct cgroup_walk {
	struct cgroup_names *to;
	struct kernfs_node *node;
	__u32 len;
};

SITE_BODY(read_cgroup_name, struct cgroup_walk, i, w)
{
	struct kernfs_node *node = w->node, *parent = kernfs_parent(node);
	__u32 at = w->len;
	long n;

	if (!parent || at >= CGROUP_NAMES_LEN)
		return false; /* the root has no name of its own */
	/* The bound once more, on the value that is used: 6.1 loses it in a spill. */
	barrier_var(at);
	at &= CGROUP_NAMES_LEN - 1;
	n = bpf_probe_read_kernel_str(w->to->names + at, CGROUP_NAME_LEN,
				      BPF_CORE_READ(node, name));
	if (n <= 0)
		return false;
	w->len = at + n;
	w->node = parent;
	return true;
}

static __always_inline void read_cgroup_names(__u32 site, struct cgroup_names *to,
					      struct kernfs_node *node)
{
	struct cgroup_walk walk = {.to = to, .node = node};

	site_loop(site, 0, CGROUP_MAX_LEVELS, read_cgroup_name, &walk);
	to->len = walk.len;
	to->cut = kernfs_parent(walk.node) != NULL;
}

#endif
