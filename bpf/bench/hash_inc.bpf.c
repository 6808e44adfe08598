// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Add 1 to a value of a PERCPU_HASH, looked up every trip; user space puts key 0 in. */
#include "bench.bpf.h"

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_HASH);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u64);
} hash SEC(".maps");

static long hash_batch(__u64 n, __u64 *trips)
{
	__u64 i, *value;
	__u32 key = 0;

	for (i = 0; i < BENCH_SHORT_BATCH; i++) {
		value = bpf_map_lookup_elem(&hash, &key);
		if (!value)
			break;
		++*value;
	}
	*trips += i;
	return 0;
}

BENCH_BATCHES(hash_inc, hash_batch)
