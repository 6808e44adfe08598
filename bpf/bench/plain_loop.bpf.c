// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* With site_loop a pair: the same loop of BENCH_SITE_TRIPS trips, plain. */
#include "bench.bpf.h"

static long plain_loop_entry(__u64 n, void *context)
{
	int i;

	bpf_for (i, 0, BENCH_SITE_TRIPS)
		BENCH_BODY();
	return 0;
}

BENCH(plain_loop, nr)
{
	return bpf_loop(nr, plain_loop_entry, NULL, 0);
}
