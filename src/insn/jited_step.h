/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Machine code as a sequence of steps: what each instruction does to control
 * flow, to memory, and to what is known about registers that hold 0. x86-64 by
 * capstone; arm64 by the fields of its fixed encoding (Arm ARM, DDI 0487, C4.1),
 * because capstone's older releases lack instructions that the kernel's JIT
 * emits. Pure.
 */
#ifndef ITERTRACE_INSN_JITED_STEP_H
#define ITERTRACE_INSN_JITED_STEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "insn/jited.h"

#define NO_REG (-1)

enum jited_flow {
	FLOW_NEXT,
	FLOW_CALL,
	FLOW_GOTO,
	FLOW_BRANCH,
	FLOW_RETURN, /* and jumps through a register or memory */
	FLOW_TRAP,   /* control does not go on: ud2, int3, brk */
};

enum jited_condition {
	IF_OTHER,
	IF_ZERO,
	IF_NOT_ZERO,
};

/* Registers are numbers below 32, or NO_REG. */
struct jited_step {
	uint64_t addr;
	uint64_t target; /* of a jump or call to a constant address; 0: not known */
	enum jited_flow flow;
	enum jited_condition condition; /* of a branch: on tests */
	int tests;      /* compared with 0 by it; of a branch: that it depends on */
	bool tests_all; /* all 64 bits of it */
	int zeroes;     /* all 64 bits are 0 behind it */
	int copies_from, copies_to;  /* to holds 0 behind it if from does */
	uint32_t writes;             /* registers that it may change */
	uint8_t nr_loads, nr_stores; /* explicit, push, pop and leave */
};

struct jited_steps {
	struct jited_step *steps; /* in the order of their addresses */
	size_t nr_steps;
};

/*
 * Decode len bytes that stand at addr, up to the first that are no instruction.
 * -ENOMEM; -ENOTSUP: this capstone cannot decode the architecture.
 */
int jited_steps_init(struct jited_steps *ret, enum jited_arch arch,
		     const uint8_t *bytes, size_t len, uint64_t addr);
void jited_steps_release(struct jited_steps *s); /* {0} is fine */

#endif
