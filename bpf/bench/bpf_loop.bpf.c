// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The helper, with one callback: inlined by most kernels, the callback called. */
#include "bench.bpf.h"

static long no_body(__u64 i, void *context)
{
	BENCH_BODY();
	return 0;
}

BENCH(bpf_loop, nr)
{
	return bpf_loop(nr, no_body, NULL, 0);
}
