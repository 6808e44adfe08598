// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Counts how often some tasks come to a CPU, and nothing else. */
#include "vmlinux.h"
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

char LICENSE[] SEC("license") = "Dual BSD/GPL";

#define NR_TASKS 4

__u32 pids[NR_TASKS]; /* 0: none */
__u64 arrivals[NR_TASKS];

SEC("tp_btf/sched_switch")
int BPF_PROG(count_arrival, bool preempt, struct task_struct *prev,
	     struct task_struct *next)
{
	__u32 pid = next->pid, i;

#pragma unroll
	for (i = 0; i < NR_TASKS; i++)
		if (pid && pids[i] == pid)
			__sync_fetch_and_add(&arrivals[i], 1);
	return 0;
}
