// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * syscall: how long system calls take, how many fail, and which single calls
 * were the slowest of the interval.
 *
 * The start of a call lies in the task's local storage: unlike a hash by
 * thread it is never full, and is freed with the task. Sums are per CPU, by
 * number. 32-bit calls have a table of their own, whose numbers mean other
 * calls; they are counted in one row, as are numbers beyond the table.
 *
 * Not practical: calls that never return (exit, and whatever is blocked at the
 * end of the run) have no duration and are not counted.
 */
#include "syscall.h"
#define NR_SITES NR_SYSCALL_SITES
#define NR_LOST  NR_SYSCALL_LOST
#include "site.bpf.h"
#include "lost.bpf.h"
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_tracing.h>

char LICENSE[] SEC("license") = "Dual BSD/GPL";

#define MAX_ERRNO 4095

__u32 self_pid; /* itertrace's own calls are left out */

struct inside {
	__u64 since_ns; /* 0: not inside a call that we saw begin */
	__u32 nr;
};

struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct inside);
} inside SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, SYSCALL_NR_ROWS);
	__type(key, __u32);
	__type(value, struct syscall_stat);
} calls SEC(".maps");

/* Two, by turns: user space reads one while programs fill the other. */
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 2);
	__type(key, __u32);
	__type(value, struct syscall_top);
} tops SEC(".maps");

__u64 interval; /* number of the interval; user space counts it up */

/* Who runs this, as the kernel counts processes, whatever namespace it is in. */
SEC("?syscall")
int syscall_self(void *context)
{
	self_pid = bpf_get_current_pid_tgid() >> 32;
	return 0;
}

SEC("?tp_btf/sys_enter")
int BPF_PROG(syscall_enter, struct pt_regs *regs, long id)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct inside *in;

	if ((__u32)task->tgid == self_pid)
		return 0;
	in = bpf_task_storage_get(&inside, task, NULL, BPF_LOCAL_STORAGE_GET_F_CREATE);
	if (!in) {
		count_lost(SYSCALL_LOST_STORAGE);
		return 0;
	}
	in->nr = (__u64)id < SYSCALL_NR_NATIVE && !task_in_compat_syscall(task)
			 ? id
			 : SYSCALL_OTHER;
	in->since_ns = bpf_ktime_get_ns();
	return 0;
}

struct top_insert {
	struct syscall_top *top;
	struct syscall_slow call;
};

/* From the last place up: make room by one place, until the call's own is found. */
SITE_BODY(put_in_place, struct top_insert, i, t)
{
	struct syscall_slow *slow = t->top->slow;
	__u32 at = SYSCALL_NR_TOP - 1 - (__u32)i, before = at - 1;

	if (at >= SYSCALL_NR_TOP)
		return false;
	/* Not "at &&": 6.1's verifier learns no bound from a "not equal". */
	barrier_var(before);
	if (before < SYSCALL_NR_TOP && slow[before].ns < t->call.ns) {
		slow[at] = slow[before];
		return true;
	}
	slow[at] = t->call;
	return false;
}

static __always_inline void offer_to_top(__u64 ns, __u32 nr)
{
	struct top_insert insert = {.call = {.ns = ns, .nr = nr}};
	__u64 now_interval = interval;
	__u32 turn = now_interval & 1, pid = bpf_get_current_pid_tgid() >> 32;
	struct syscall_top *top;

	top = bpf_map_lookup_elem(&tops, &turn);
	if (!top)
		return;
	if (top->interval != now_interval) {
		__builtin_memset(top->slow, 0, sizeof(top->slow));
		top->interval = now_interval;
	}
	if (ns <= top->slow[SYSCALL_NR_TOP - 1].ns)
		return;
	insert.top = top;
	insert.call.pid = pid;
	bpf_get_current_comm(insert.call.comm, sizeof(insert.call.comm));
	site_loop(SITE_SYSCALL_TOP, 0, SYSCALL_NR_TOP, put_in_place, &insert);
}

SEC("?tp_btf/sys_exit")
int BPF_PROG(syscall_exit, struct pt_regs *regs, long ret)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct syscall_stat *stat;
	struct inside *in;
	__u32 nr;
	__u64 ns;

	in = bpf_task_storage_get(&inside, task, NULL, 0);
	if (!in || !in->since_ns)
		return 0;
	ns = elapsed_ns(bpf_ktime_get_ns(), in->since_ns);
	in->since_ns = 0;
	nr = in->nr;
	stat = bpf_map_lookup_elem(&calls, &nr);
	if (!stat)
		return 0;
	stat->count++;
	stat->total_ns += ns;
	if (ret < 0 && ret >= -MAX_ERRNO)
		stat->errors++;
	if (ns > stat->max_ns)
		stat->max_ns = ns;
	offer_to_top(ns, nr);
	return 0;
}
