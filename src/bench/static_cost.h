/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What an iteration of a loaded program's innermost loop executes, read from its
 * JITed code. What the figures mean stands in insn/hot_path.h.
 */
#ifndef ITERTRACE_BENCH_STATIC_COST_H
#define ITERTRACE_BENCH_STATIC_COST_H

#include <stddef.h>
#include <stdint.h>

#include "base/reason.h"

/*
 * The loop that lies deepest, counting the loops around the calls of its
 * function; a function that the program only passes on, as the callback of a
 * helper, counts as called from a loop. Of several, the one in the first
 * function, at the lowest address.
 */
struct static_cost {
	/* On the loop's hot path, without what it calls. */
	size_t nr_insns, nr_calls, nr_loads, nr_stores, nr_taken;
	/*
	 * Instructions of the program's own functions that the hot path calls (a
	 * callback, where bpf_loop is inlined), on the cheapest way through them,
	 * and in turn of those that they call; and their calls of anything else.
	 */
	size_t nr_callee_insns, nr_callee_calls;
	size_t nr_loops;    /* in all functions of the program */
	size_t func;        /* which of its functions holds the loop */
	uint64_t func_addr; /* 0: the kernel hides it */
	uint64_t head_addr; /* of the loop's head; 0: hidden */
	size_t head_offset; /* the same from the function's start, in bytes */
};

/*
 * -ENODATA: the kernel does not show the JITed code. -ENOENT: it has no loop, or
 * none that the program itself makes (bpf_loop() not inlined). -ENOTSUP: code of
 * an architecture that is not read. -EINVAL: it could not be read. Or -errno of
 * reading the program back, -ENOMEM. *ret is then untouched and why says it.
 */
int static_cost_read(int prog_fd, struct static_cost *ret, struct reason *why);

#endif
