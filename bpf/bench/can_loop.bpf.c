// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* may_goto, with a loop variable of the program's own. */
#include "bench.bpf.h"

static __u64 can_loop_zero; /* 0, but the verifier does not know */

BENCH(can_loop, nr)
{
	__u64 i = can_loop_zero;

	for (; i < nr && can_loop; i++)
		BENCH_BODY();
	return i;
}
