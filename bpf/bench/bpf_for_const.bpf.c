// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The numeric iterator with bounds that the verifier knows, over and over. */
#include "bench.bpf.h"

static long bpf_for_const_batch(__u64 n, __u64 *trips)
{
	int i = -1;

	bpf_for (i, 0, BENCH_BATCH)
		BENCH_BODY();
	*trips += i + 1;
	return 0;
}

BENCH_BATCHES(bpf_for_const, bpf_for_const_batch)
