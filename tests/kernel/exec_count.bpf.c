// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Counts programs that start and processes that end on the whole host, in
 * another way than the exec tracer: a process ends as often as its leader, once.
 */
#include "vmlinux.h"
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

char LICENSE[] SEC("license") = "Dual BSD/GPL";

__u64 execs, exits;

SEC("tp_btf/sched_process_exec")
int BPF_PROG(count_exec, struct task_struct *task)
{
	__sync_fetch_and_add(&execs, 1);
	return 0;
}

SEC("tp_btf/sched_process_exit")
int BPF_PROG(count_exit, struct task_struct *task)
{
	if (task->pid == task->tgid)
		__sync_fetch_and_add(&exits, 1);
	return 0;
}
