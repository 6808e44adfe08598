// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * runq: how long tasks wait for a CPU once they are runnable, and how long
 * they are off it, by cgroup.
 *
 *	sched_wakeup(_new)	-> runnable since now
 *	sched_switch, prev	-> off the CPU since now; runnable too, if preempted
 *	sched_switch, next	-> waited since runnable, off since off
 *
 * The two times of a task lie in a preallocated hash: these hooks run under
 * the run queue's lock, where no allocation is safe on every kernel that we
 * support. Waits go into per-CPU histograms by the task's own cgroup; the
 * figures of a parent are the sum over its children, to be had in user space.
 * A cgroup's path is read when the cgroup is seen first, since a short-lived
 * one is gone by the time of the report.
 *
 * The histograms of all CPUs are merged here rather than copied out one by
 * one: user space runs runq_merge once a cgroup and interval.
 *
 * Not practical: the reason for being off the CPU; and a task that was
 * runnable already when we attached has no start, so its first wait is not
 * counted.
 */
#include "runq.h"
#define NR_SITES NR_RUNQ_SITES
#define NR_LOST  NR_RUNQ_LOST
#include "site.bpf.h"
#include "lost.bpf.h"
#include "cgroup.bpf.h"
#include <bpf/bpf_tracing.h>

char LICENSE[] SEC("license") = "Dual BSD/GPL";

#define TASK_DEAD 0x80 /* include/linux/sched.h */
#define EEXIST    17
#define E2BIG     7

struct times {
	__u64 off_ns;      /* 0: not known */
	__u64 runnable_ns; /* 0: not runnable, or not known */
};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 16384);
	__type(key, __u32); /* thread */
	__type(value, struct times);
} tasks SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_HASH);
	__uint(max_entries, 1024); /* user space lowers it on large machines */
	__type(key, __u64);        /* cgroup id */
	__type(value, struct runq_stat);
} cgroups SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1024);
	__type(key, __u64);
	__type(value, struct cgroup_names);
} paths SEC(".maps");

/* What a new cgroup starts from, and where its path is put together. */
static const struct runq_stat no_stat;

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct cgroup_names);
} path_scratch SEC(".maps");

struct runq_merged merged;

static __always_inline void count_failed_insert(long err, enum runq_lost full)
{
	if (err == -E2BIG)
		count_lost(full);
	else if (err != -EEXIST) /* another CPU was faster: fine */
		count_lost(RUNQ_LOST_MAP_BUSY);
}

static __always_inline struct times *task_times(__u32 pid)
{
	struct times none = {}, *t;
	long err;

	t = bpf_map_lookup_elem(&tasks, &pid);
	if (t)
		return t;
	err = bpf_map_update_elem(&tasks, &pid, &none, BPF_NOEXIST);
	if (err)
		count_failed_insert(err, RUNQ_LOST_TASKS_FULL);
	return bpf_map_lookup_elem(&tasks, &pid);
}

static __always_inline int task_woken(struct task_struct *task)
{
	struct times *t = task_times(task->pid);

	if (t && !t->runnable_ns)
		t->runnable_ns = bpf_ktime_get_ns();
	return 0;
}

SEC("?tp_btf/sched_wakeup")
int BPF_PROG(runq_wakeup, struct task_struct *task)
{
	return task_woken(task);
}

SEC("?tp_btf/sched_wakeup_new")
int BPF_PROG(runq_wakeup_new, struct task_struct *task)
{
	return task_woken(task);
}

static __always_inline void remember_path(__u64 id, struct kernfs_node *node)
{
	struct cgroup_names *path;
	__u32 zero = 0;

	path = bpf_map_lookup_elem(&path_scratch, &zero);
	if (!path)
		return;
	read_cgroup_names(SITE_RUNQ_CGROUP, path, node);
	bpf_map_update_elem(&paths, &id, path, BPF_ANY);
}

static __always_inline struct runq_stat *cgroup_stat(struct kernfs_node *node)
{
	__u64 id = node->id, other = RUNQ_OTHER_CGROUPS;
	struct runq_stat *stat;
	long err;

	stat = bpf_map_lookup_elem(&cgroups, &id);
	if (stat)
		return stat;
	err = bpf_map_update_elem(&cgroups, &id, &no_stat, BPF_NOEXIST);
	if (!err)
		remember_path(id, node);
	else
		count_failed_insert(err, RUNQ_LOST_CGROUPS_FULL);
	return bpf_map_lookup_elem(&cgroups, &id)
		       ?: bpf_map_lookup_elem(&cgroups, &other);
}

static __always_inline void charge(struct kernfs_node *node, const struct times *t,
				   __u64 now)
{
	struct runq_stat *stat = cgroup_stat(node);
	__u64 wait;
	__u32 slot;

	if (!stat)
		return;
	if (t->off_ns)
		stat->off_cpu_ns += elapsed_ns(now, t->off_ns);
	if (!t->runnable_ns)
		return;
	wait = elapsed_ns(now, t->runnable_ns);
	slot = hist_slot(wait);
	stat->wait_ns += wait;
	stat->slots[slot]++;
	if (slot >= stat->nr_slots)
		stat->nr_slots = slot + 1;
	if (wait > stat->max_ns)
		stat->max_ns = wait;
}

SEC("?tp_btf/sched_switch")
int BPF_PROG(runq_switch, bool preempt, struct task_struct *prev,
	     struct task_struct *next)
{
	__u32 prev_pid = prev->pid, next_pid = next->pid, state = prev->__state;
	__u64 now = bpf_ktime_get_ns();
	struct times *t;

	/* The idle task, 0, neither waits nor sleeps. */
	if (prev_pid && state & TASK_DEAD) {
		bpf_map_delete_elem(&tasks, &prev_pid);
	} else if (prev_pid) {
		t = task_times(prev_pid);
		if (t) {
			t->off_ns = now;
			t->runnable_ns = preempt || !state ? now : 0;
		}
	}
	if (!next_pid)
		return 0;
	t = bpf_map_lookup_elem(&tasks, &next_pid);
	if (!t)
		return 0;
	charge(next->cgroups->dfl_cgrp->kn, t, now);
	t->off_ns = 0;
	t->runnable_ns = 0;
	return 0;
}

struct slots_merge {
	struct runq_stat *from;
};

SITE_BODY(merge_slot, struct slots_merge, i, m)
{
	if ((__u32)i >= HIST_NR_SLOTS)
		return false;
	merged.slots[i] += m->from->slots[i];
	return true;
}

SITE_BODY(merge_cpu, struct runq_merge, i, m)
{
	struct slots_merge slots;
	__u64 id = m->cgroup;
	struct runq_stat *stat;

	/* A bound that old verifiers see: they forget that of nr in a spill. */
	if ((__u32)i >= RUNQ_MERGE_CPUS)
		return false;
	stat = bpf_map_lookup_percpu_elem(&cgroups, &id, m->first_cpu + i);
	if (!stat)
		return false; /* no such CPU, or the cgroup's entry is gone */
	merged.wait_ns += stat->wait_ns;
	merged.off_cpu_ns += stat->off_cpu_ns;
	if (stat->max_ns > merged.max_ns)
		merged.max_ns = stat->max_ns;
	/* A wait that ends on that CPU in this very moment may miss both intervals. */
	stat->max_ns = 0;
	slots.from = stat;
	site_loop(SITE_RUNQ_SLOTS, 0, stat->nr_slots, merge_slot, &slots);
	return true;
}

/* Adds to merged, which user space clears before the first CPUs of a cgroup. */
SEC("?syscall")
int runq_merge(struct runq_merge *args)
{
	struct runq_merge merge = *args;
	__u32 nr = merge.nr_cpus;

	if (nr > RUNQ_MERGE_CPUS)
		nr = RUNQ_MERGE_CPUS;
	site_loop(SITE_RUNQ_CPUS, 0, nr, merge_cpu, &merge);
	return 0;
}
