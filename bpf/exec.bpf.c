// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * exec: every process that starts a program, and every process that ends.
 *
 * At sched_process_exec the kernel has just copied the arguments into the new
 * stack, so they are resident and whole: this is the place where a full argv
 * can be had without a lookup table from an earlier hook. They lie in one
 * piece, arg_start … arg_end, and are copied in pieces up to argv_max. The
 * event is put together in per-CPU scratch memory, since a ring buffer record
 * of a length known only at run time cannot be reserved before 6.1's dynptrs.
 *
 * Not practical: environment variables (privacy, size), and the exact time of
 * exec by system call (a failing execve never comes here: see the syscall
 * tracer).
 */
#include "exec.h"
#define NR_SITES NR_EXEC_SITES
#define NR_LOST  NR_EXEC_LOST
#include "site.bpf.h"
#include "lost.bpf.h"
#include "cgroup.bpf.h"
#include <bpf/bpf_tracing.h>

char LICENSE[] SEC("license") = "Dual BSD/GPL";

const volatile __u32 argv_max = 4096; /* at most EXEC_ARGV_MAX */

/* The scratch's argv is the event's: no padding may come between. */
_Static_assert(__builtin_offsetof(struct exec_event, argv) == sizeof(struct exec_event),
	       "the arguments follow the event at once");

struct scratch {
	struct exec_event event;
	char argv[EXEC_ARGV_MAX];
};

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct scratch);
} scratch SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 512 * 1024);
} events SEC(".maps");

/* All there were, also those whose event found no room. */
__u64 started, ended;

struct argv_copy {
	struct scratch *to;
	unsigned long from;
	__u32 len; /* bytes wanted */
	bool fault;
};

SITE_BODY(copy_argv_piece, struct argv_copy, i, c)
{
	__u32 at = (__u32)i * EXEC_ARGV_PIECE;
	__u32 len;

	if (at >= c->len || at > EXEC_ARGV_MAX - EXEC_ARGV_PIECE)
		return false;
	len = c->len - at;
	if (len > EXEC_ARGV_PIECE)
		len = EXEC_ARGV_PIECE;
	if (!bpf_probe_read_user(c->to->argv + at, len, (void *)(c->from + at)))
		return true;
	c->len = at;
	c->fault = true;
	return false;
}

static __always_inline void read_argv(struct scratch *s, struct task_struct *task)
{
	struct mm_struct *mm = BPF_CORE_READ(task, mm);
	struct argv_copy copy = {.to = s};
	unsigned long total;

	if (!mm)
		return;
	copy.from = BPF_CORE_READ(mm, arg_start);
	total = BPF_CORE_READ(mm, arg_end) - copy.from;
	s->event.argv_total = total;
	copy.len = total < argv_max ? total : argv_max;
	site_loop(SITE_EXEC_ARGV, 0, (copy.len + EXEC_ARGV_PIECE - 1) / EXEC_ARGV_PIECE,
		  copy_argv_piece, &copy);
	s->event.argv_len = copy.len;
	s->event.argv_fault = copy.fault;
	if (copy.fault)
		count_lost(EXEC_LOST_READ_FAULT);
}

struct parents_walk {
	struct scratch *to;
	struct task_struct *task;
	__u32 nr;
};

SITE_BODY(read_parent, struct parents_walk, i, w)
{
	struct task_struct *task = w->task, *parent = BPF_CORE_READ(task, real_parent);
	__u32 pid = BPF_CORE_READ(parent, tgid);
	struct exec_parent *to;

	/* 0 is the idle task, the parent of init and of itself. */
	if (!pid || (__u32)i >= EXEC_MAX_PARENTS)
		return false;
	to = &w->to->event.parents[i];
	to->pid = pid;
	BPF_CORE_READ_INTO(&to->comm, parent, group_leader, comm);
	w->task = parent;
	w->nr = i + 1;
	return true;
}

static __always_inline void read_parents(struct scratch *s, struct task_struct *task)
{
	struct parents_walk walk = {.to = s, .task = task};

	site_loop(SITE_EXEC_PARENTS, 0, EXEC_MAX_PARENTS, read_parent, &walk);
	s->event.nr_parents = walk.nr;
	task = walk.task;
	s->event.parents_cut = BPF_CORE_READ(task, real_parent, tgid) != 0;
}

static __always_inline void read_head(struct exec_exit *head, struct task_struct *task)
{
	head->pid = BPF_CORE_READ(task, tgid);
	head->time_ns = bpf_ktime_get_ns();
	head->born_ns = BPF_CORE_READ(task, group_leader, start_time);
	head->exit_code = 0;
	BPF_CORE_READ_INTO(&head->comm, task, comm);
}

SEC("?tp_btf/sched_process_exec")
int BPF_PROG(exec_start, struct task_struct *task)
{
	struct scratch *s;
	__u32 zero = 0;
	__u64 size;

	s = bpf_map_lookup_elem(&scratch, &zero);
	if (!s)
		return 0;
	__sync_fetch_and_add(&started, 1);
	read_head(&s->event.head, task);
	s->event.head.type = EXEC_EVENT_EXEC;
	s->event.uid = BPF_CORE_READ(task, real_cred, uid.val);
	s->event.argv_len = s->event.argv_total = s->event.argv_fault = 0;
	read_argv(s, task);
	read_parents(s, task);
	read_cgroup_names(SITE_EXEC_CGROUP, &s->event.cgroup, task_cgroup_node(task));

	size = s->event.argv_len;
	if (size > EXEC_ARGV_MAX)
		size = EXEC_ARGV_MAX;
	if (bpf_ringbuf_output(&events, s, sizeof(s->event) + size, 0))
		count_lost(EXEC_LOST_RING_FULL);
	return 0;
}

/* Once a process: when its last thread goes. */
SEC("?tp_btf/sched_process_exit")
int BPF_PROG(exec_end, struct task_struct *task)
{
	struct exec_exit event = {.type = EXEC_EVENT_EXIT};
	int group_code;

	if (BPF_CORE_READ(task, signal, live.counter))
		return 0;
	__sync_fetch_and_add(&ended, 1);
	read_head(&event, task);
	BPF_CORE_READ_INTO(&event.comm, task, group_leader, comm);
	group_code = BPF_CORE_READ(task, signal, group_exit_code);
	event.exit_code = group_code ?: BPF_CORE_READ(task, exit_code);
	if (bpf_ringbuf_output(&events, &event, sizeof(event), 0))
		count_lost(EXEC_LOST_RING_FULL);
	return 0;
}
