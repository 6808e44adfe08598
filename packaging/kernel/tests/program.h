/* SPDX-License-Identifier: BSD-2-Clause */
/* Programs over numeric iterators, written at random from a seed. Pure. */
#ifndef ITERTRACE_KERNEL_PROGRAM_H
#define ITERTRACE_KERNEL_PROGRAM_H

#include <stdbool.h>

#include "model.h"

#define PROGRAM_MAX_INSNS 40000

struct program {
	struct bpf_insn insns[PROGRAM_MAX_INSNS];
	size_t nr;
	bool all_short;     /* a loop has no break */
	bool has_long_loop; /* to be left by a break: with stop at … */
	int32_t long_stop;  /* … this value */
};

/* The same seed writes the same program. map_fd: of an array of one battery_value. */
void program_write(struct program *p, uint64_t seed, const struct iter_num_ids *ids,
		   int map_fd);

/*
 * A loop that a jump of 32767 - slack instructions leads over, forwards or backwards:
 * what is inlined there makes the jump longer.
 */
void program_write_limit(struct program *p, unsigned int slack, bool backwards,
			 const struct iter_num_ids *ids, int map_fd);

/* Bounds and the rest of what a run reads; the same for the same two numbers. */
void program_choose_input(const struct program *p, uint64_t seed, unsigned int run,
			  struct battery_value *value);

#endif
