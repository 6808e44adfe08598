/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The static cost of a loop: what one iteration executes, read from the machine
 * code of one JITed function. Pure.
 *
 * Loops. The control-flow graph's strongly connected components are the
 * outermost loops. A loop's head is where control enters it; without the edges
 * back to its head, what is still strongly connected inside are its inner loops
 * (Steensgaard's nesting forest; of a reducible graph the natural loops, two that
 * share a head being one). For a loop that clang rotated the head lies in the
 * middle: bpf_for() enters behind the first call of next.
 *
 * The hot path of a loop is the way from its head back to it, within the loop,
 * that
 *  1. is possible: where it is known on the way that a register is 0, a test of
 *     that register against 0 goes one way only. Known is what the way itself
 *     shows since the head: r = 0, copies, and 64-bit tests found true. So the
 *     exhausted branch of an inlined bpf_iter_num_next(), which is shorter, is
 *     no way round: it sets r0 to 0, and the NULL check behind leaves the loop;
 *  2. makes the fewest calls: a call executes more than stands here. So timed
 *     may_goto's call, when its budget has run out, is not on the path, and the
 *     call of a bpf_iter_num_next() that is not inlined is;
 *  3. among those executes the fewest instructions.
 * A body with branches of its own may take a longer way: the figures are then
 * the least that an iteration can cost. A loop around another counts at most one
 * pass through the inner one.
 *
 * Figures. Instructions are what the processor fetches, no-ops included. Loads
 * and stores are instructions' explicit accesses to memory, push, pop and leave;
 * not the return address that call and ret move. An access that reads and writes
 * counts as both. Taken branches are jumps and conditional branches that go to
 * their target; calls and returns are not among them. What a call or a return
 * thunk executes elsewhere is not counted.
 */
#ifndef ITERTRACE_INSN_HOT_PATH_H
#define ITERTRACE_INSN_HOT_PATH_H

#include <stddef.h>
#include <stdint.h>

#include "insn/jited.h"

#define HOT_PATH_NR_TARGETS 16

struct hot_path {
	uint64_t start;
	size_t nr_insns; /* 0: there is no such path */
	size_t nr_calls;
	size_t nr_loads;
	size_t nr_stores;
	size_t nr_taken;
	/* Where its first calls go, in order; 0: not known. */
	uint64_t targets[HOT_PATH_NR_TARGETS];
	size_t nr_targets;
};

struct hot_loop {
	struct hot_path path; /* from the head, which is path.start, back to it */
	unsigned int depth;   /* 1: outermost */
};

/* A call in the function, on a hot path or not. */
struct hot_call {
	uint64_t target;    /* 0: not known */
	unsigned int depth; /* loops around it */
};

struct hot_func {
	struct hot_loop *loops; /* an outer loop before those inside it */
	size_t nr_loops;
	struct hot_call *calls; /* in the order of their addresses */
	size_t nr_calls;
	/* From the entry to a return, chosen as the hot path of a loop is. */
	struct hot_path through;
};

/*
 * The function whose len bytes of code stand at addr. Jumps out of it and through
 * registers (tail calls; gotox, whose targets are not seen) are returns.
 *
 * -EINVAL: something reachable is no instruction, or control runs off the end.
 * -ENOTSUP: this capstone cannot decode the architecture. -ENOMEM. On failure
 * *ret is untouched.
 */
int hot_func_init(struct hot_func *ret, enum jited_arch arch, const uint8_t *code,
		  size_t len, uint64_t addr);
void hot_func_release(struct hot_func *f); /* {0} is fine */

/* The deepest loop, the one at the lowest address of several; NULL: none. */
const struct hot_loop *hot_func_innermost(const struct hot_func *f);

#endif
