/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The lab: what a kernel would make of bpf_for, written by hand, so that it can
 * be measured on a kernel that does not inline:
 *
 *	SHAPE(name, "instructions")
 *
 * They stand for a trip up to the body: on entry r5 is the bound, and the body
 * finds the number in r4. Jump to out_%= when exhausted. r0 to r3 are free. The
 * number lies at r10 - 16 + CUR, the end at r10 - 16 + END: a slot each, where
 * the kernel has two halves of one, because verifiers keep no constants of the
 * upper half and could not count the trips. Displacements are all that this
 * changes in the JITed code.
 */
#ifndef ITERTRACE_SHAPE_BPF_H
#define ITERTRACE_SHAPE_BPF_H

#include "bench.bpf.h"

#define CUR "8"
#define END "0"

/*
 * "*(u64 *)(r1 + CUR) = 0" and "*(u64 *)(r10 - 8) = 0", which clang's assembler has
 * no syntax for before 18.
 */
#define ZERO_AT_R1  ".byte 0x7a, 0x01; .short 8; .long 0;"
#define ZERO_AT_R10 ".byte 0x7a, 0x0a; .short -8; .long 0;"

#define SHAPE(name, trip)                                                     \
	static long name##_batch(__u64 n, __u64 *trips)                       \
	{                                                                     \
		__u64 last;                                                   \
                                                                              \
		asm volatile("w0 = -1;"                                       \
			     "*(u32 *)(r10 - 8) = w0;"                        \
			     "w0 = %[batch];"                                 \
			     "*(u32 *)(r10 - 16) = w0;"                       \
			     "w5 = w0;"                                       \
			     "w4 = -1;"                                       \
			     "trip_%=:" trip "if w4 < w5 goto trip_%=;"       \
			     "out_%=:"                                        \
			     "%[last] = r4;"                                  \
			     : [last] "=r"(last)                              \
			     : [batch] "i"(BENCH_BATCH)                       \
			     : "r0", "r1", "r2", "r3", "r4", "r5", "memory"); \
		*trips += (__u32)last + 1;                                    \
		return 0;                                                     \
	}                                                                     \
	BENCH_BATCHES(name, name##_batch)

/*
 * Linux 7.3: the program hands over the iterator's address, 9 instructions stand
 * for the call, then the program's NULL check, and it loads the number.
 */
#define TRIP_7_3                             \
	"r1 = r10;"                          \
	"r1 += -16;"                         \
	"w0 = *(u32 *)(r1 + " CUR ");"       \
	"w0 += 1;"                           \
	"w2 = *(u32 *)(r1 + " END ");"       \
	"if w0 s>= w2 goto exhausted_%=;"    \
	"*(u32 *)(r1 + " CUR ") = w0;"       \
	"r0 = r1;"                           \
	"goto next_%=;"                      \
	"exhausted_%=:" ZERO_AT_R1 "r0 = 0;" \
	"next_%=:"                           \
	"if r0 == 0 goto out_%=;"            \
	"w4 = *(u32 *)(r0 + " CUR ");"

#endif
