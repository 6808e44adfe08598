// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* A loop in C with a constant bound, as any kernel runs it. */
#include "bench.bpf.h"

static long bounded_batch(__u64 n, __u64 *trips)
{
	__u64 i;

	for (i = 0; i < BENCH_LONG_BATCH; i++) {
		asm volatile("" : "+r"(i));
		BENCH_BODY();
	}
	*trips += i;
	return 0;
}

BENCH_BATCHES(bounded, bounded_batch)
