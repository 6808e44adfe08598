// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The clock: what one end of a timed loop entry costs. */
#include "bench.bpf.h"

static long read_clock(__u64 i, void *context)
{
	bpf_ktime_get_ns();
	BENCH_BODY();
	return 0;
}

BENCH(clock, nr)
{
	return bpf_loop(nr, read_clock, NULL, 0);
}
