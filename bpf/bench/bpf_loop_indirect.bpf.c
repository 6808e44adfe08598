// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The helper with a callback chosen at run time, which no kernel inlines. */
#include "bench.bpf.h"

static long no_body_a(__u64 i, void *context)
{
	BENCH_BODY();
	return 0;
}

static long no_body_b(__u64 i, void *context)
{
	BENCH_BODY();
	return 0;
}

BENCH(bpf_loop_indirect, nr)
{
	/* Always the first; but only we know that nr has no such bit. */
	if (nr >> 63)
		return bpf_loop(nr, no_body_b, NULL, nr >> 63);
	return bpf_loop(nr, no_body_a, NULL, nr >> 62);
}
