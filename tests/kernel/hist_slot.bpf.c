// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* An array of exactly HIST_NR_SLOTS, indexed by hist_slot() of any value. */
#include "vmlinux.h"
#include <bpf/bpf_helpers.h>
#include "hist.h"

char LICENSE[] SEC("license") = "Dual BSD/GPL";

__u64 slots[HIST_NR_SLOTS];
__u64 value;

SEC("syscall")
int count_value(void *ctx)
{
	slots[hist_slot(value)]++;
	return 0;
}
