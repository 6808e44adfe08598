// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* bpf_get_smp_processor_id(), every trip. */
#include "bench.bpf.h"

static long smp_id_batch(__u64 n, __u64 *trips)
{
	__u64 i;

	for (i = 0; i < BENCH_LONG_BATCH; i++) {
		__u32 cpu = bpf_get_smp_processor_id();

		asm volatile("" : : "r"(cpu));
		BENCH_BODY();
	}
	*trips += i;
	return 0;
}

BENCH_BATCHES(smp_id, smp_id_batch)
