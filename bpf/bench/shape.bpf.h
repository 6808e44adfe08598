/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The lab: what a kernel would make of bpf_for, written by hand, so that it can
 * be measured on a kernel that does not inline. A shape is what stands for
 * "call bpf_iter_num_next" and the NULL check behind it:
 *
 *	SHAPE(name, "instructions")
 *
 * On entry r1 is the iterator's address, as the program sets it up for the
 * call. Go on, or jump to body_%= with r0 the address of the current number; to
 * out_%= when exhausted. r0 to r5 are free. The number lies at r1 + CUR, the end
 * at r1 + END: a slot each, where the kernel has two halves of one, because
 * verifiers keep no constants of the upper half and could not count the trips.
 * Displacements are all that this changes in the JITed code.
 */
#ifndef ITERTRACE_SHAPE_BPF_H
#define ITERTRACE_SHAPE_BPF_H

#include "bench.bpf.h"

#define CUR "8"
#define END "0"

/* *(u64 *)(r1 + CUR) = 0, which clang's assembler has no syntax for before 18. */
#define ZERO_STATE ".byte 0x7a, 0x01; .short " CUR "; .long 0;"

#define SHAPE(name, instructions)                                                      \
	static long name##_batch(__u64 n, __u64 *trips)                                \
	{                                                                              \
		__u64 last;                                                            \
                                                                                       \
		asm volatile("w0 = -1;"                                                \
			     "*(u32 *)(r10 - 8) = w0;"                                 \
			     "w0 = " stringify(BENCH_BATCH) ";"                        \
							    "*(u32 *)(r10 - 16) = w0;" \
							    "w3 = w0;"                 \
							    "w4 = -1;"                 \
							    "trip_%=:"                 \
							    "r1 = r10;"                \
							    "r1 += -16;" instructions  \
							    "body_%=:"                 \
							    "w4 = *(u32 *)(r0 + " CUR  \
							    ");"                       \
							    "if w4 < w3 goto trip_%=;" \
							    "out_%=:"                  \
							    "%[last] = r4;"            \
			     : [last] "=r"(last)                                       \
			     :                                                         \
			     : "r0", "r1", "r2", "r3", "r4", "memory");                \
		*trips += (__u32)last + 1;                                             \
		return 0;                                                              \
	}                                                                              \
	BENCH_BATCHES(name, name##_batch)

/* What stands for the call and the check in Linux 7.3: 9 instructions and 1. */
#define NEXT_7_3                             \
	"w0 = *(u32 *)(r1 + " CUR ");"       \
	"w0 += 1;"                           \
	"w2 = *(u32 *)(r1 + " END ");"       \
	"if w0 s>= w2 goto exhausted_%=;"    \
	"*(u32 *)(r1 + " CUR ") = w0;"       \
	"r0 = r1;"                           \
	"goto next_%=;"                      \
	"exhausted_%=:" ZERO_STATE "r0 = 0;" \
	"next_%=:"                           \
	"if r0 == 0 goto out_%=;"

#endif
