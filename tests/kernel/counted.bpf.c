// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Runs only when a test runs it, and counts how often. */
#include "vmlinux.h"
#include <bpf/bpf_helpers.h>

char LICENSE[] SEC("license") = "Dual BSD/GPL";

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u64);
} count SEC(".maps");

SEC("socket")
int count_run(struct __sk_buff *skb)
{
	__u32 key = 0;
	__u64 *value = bpf_map_lookup_elem(&count, &key);

	if (value)
		*value += 1;
	return 0;
}
