// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The numeric iterator, as this kernel runs it; the seed's benchmark. */
#include "bench.bpf.h"

BENCH(bpf_for, nr)
{
	int i = -1, end = nr;

	bpf_for (i, 0, end)
		BENCH_BODY();
	return i + 1;
}
