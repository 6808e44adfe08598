/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a BPF program over numeric iterators does, by definition and not by any
 * kernel: an interpreter of the instructions that the battery's programs are made
 * of, and the iterator's three functions in C. Knows no kernel.
 */
#ifndef ITERTRACE_KERNEL_MODEL_H
#define ITERTRACE_KERNEL_MODEL_H

#include <linux/bpf.h>
#include <stddef.h>
#include <stdint.h>

#define MODEL_MAX_LOOPS 8388608

/* What the calls of kfuncs are written as: their BTF ids. */
struct iter_num_ids {
	int new;
	int next;
	int destroy;
};

/* What a program reads and writes: the one value of its map. */
struct battery_value {
	int32_t start;
	int32_t end;
	int32_t stop;    /* break at this value */
	uint32_t path;   /* bits that choose paths */
	uint64_t digest; /* of all that the program saw */
	uint64_t trips;
};

/* Runs the program to its exit. 0, or -ELOOP or -EINVAL: not such a program. */
int model_run(const struct bpf_insn *insns, size_t nr, const struct iter_num_ids *ids,
	      struct battery_value *value, uint64_t *ret);

#endif
