// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Add 1 to this CPU's place in a global array: the CPU's number is looked up every
 * trip. */
#include "bench.bpf.h"

struct {
	__u64 value;
	__u64 pad[7]; /* a cache line each */
} glob_arr[BENCH_MAX_CPUS];

static long glob_arr_batch(__u64 n, __u64 *trips)
{
	__u64 i;

	for (i = 0; i < BENCH_BATCH; i++)
		glob_arr[bpf_get_smp_processor_id() & (BENCH_MAX_CPUS - 1)].value++;
	*trips += i;
	return 0;
}

BENCH_BATCHES(glob_arr_inc, glob_arr_batch)
