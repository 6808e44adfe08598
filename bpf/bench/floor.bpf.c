// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The least that a loop can cost: a register and a branch. */
#include "bench.bpf.h"

static long floor_batch(__u64 n, __u64 *trips)
{
	__u64 i;

	asm volatile("%[i] = 0;"
		     "floor_%=:"
		     "%[i] += 1;"
		     "if %[i] < " stringify(BENCH_LONG_BATCH) " goto floor_%=;"
		     : [i] "=r"(i));
	*trips += i;
	return 0;
}

BENCH_BATCHES(floor, floor_batch)
