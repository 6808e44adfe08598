// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Add 1 to a value of a PERCPU_ARRAY, looked up every trip. */
#include "bench.bpf.h"

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u64);
} arr SEC(".maps");

static long arr_batch(__u64 n, __u64 *trips)
{
	__u64 i, *value;
	__u32 key = 0;

	for (i = 0; i < BENCH_BATCH; i++) {
		value = bpf_map_lookup_elem(&arr, &key);
		if (!value)
			break;
		++*value;
	}
	*trips += i;
	return 0;
}

BENCH_BATCHES(arr_inc, arr_batch)
