// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The numeric iterator without a loop variable: nothing but the end is looked at. */
#include "bench.bpf.h"

BENCH(bpf_repeat, nr)
{
	int end = nr;

	bpf_repeat (end)
		BENCH_BODY();
	return nr;
}
