// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * How fast the core itself is at this moment: a straight line of additions that
 * fills its width and depends on no address. A lower frequency slows it, and so
 * does work on the core's other thread.
 */
#include "bench.bpf.h"

static long pace_line(__u64 i, void *context)
{
	__u64 a = i, b = i, c = i, d = i;

	asm volatile(".rept 64;"
		     "%[a] += 1; %[b] += 1; %[c] += 1; %[d] += 1;"
		     ".endr;"
		     : [a] "+r"(a), [b] "+r"(b), [c] "+r"(c), [d] "+r"(d));
	return 0;
}

BENCH(pace, nr)
{
	return bpf_loop(nr, pace_line, NULL, 0);
}
