/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The log-linear histogram that BPF programs fill and user space reads.
 *
 * Slots 0…7 hold the values 0…7 exactly; above, every octave [2^e, 2^(e+1))
 * is cut into 4 slots of equal width:
 *
 *	slot	0 1 … 7 | 8    9      10     11     | 12    … | … 139
 *	value	0 1 … 7 | 8-9  10-11  12-13  14-15  | 16-19 … | … 2^36-1
 *
 * With s the right shift that leaves the three leading bits of the value,
 *	slot = 4 s + (value >> s),	s = 0 for values below 8.
 * A slot is at most a quarter as wide as its lower bound, so any figure read
 * from a slot is within 25% of the value that was put in; below 8 it is exact.
 * Values of 2^36 (69 s, in ns) and above go into the last slot.
 *
 * hist_slot() has no branch: a branch in a loop body would make the verifier
 * walk both sides on every trip. BPF has neither clz nor setcc, and clang
 * makes a jump of a comparison used as a number; so "v > limit" is the sign
 * bit of limit - v. Constant shifts and masks are all that the verifier needs
 * to bound the result: 17 + 8 + 4 + 2 + 1 + 1 = 33, and 4 * 33 + 7 = 139.
 */
#ifndef ITERTRACE_BPF_HIST_H
#define ITERTRACE_BPF_HIST_H

#ifndef __bpf__
#include <linux/types.h>
#endif

#define HIST_SUB_BITS   2 /* 4 slots an octave */
#define HIST_VALUE_BITS 36
#define HIST_VALUE_MAX  ((1ULL << HIST_VALUE_BITS) - 1)
#define HIST_MAX_SHIFT  (HIST_VALUE_BITS - HIST_SUB_BITS - 1)
#define HIST_NR_SLOTS   (((HIST_MAX_SHIFT + 1) << HIST_SUB_BITS) + (1 << HIST_SUB_BITS))

/* Hides what the compiler knows of a value. */
#define HIST_OPAQUE(v) asm("" : "+r"(v))

/*
 * 1 if the sign bit is set, else 0. Opaque on both sides: a compiler that sees
 * that a subtraction does not wrap folds the sign bit back into a comparison,
 * and one that sees a 0 or 1 multiplied makes of it an arithmetic shift and a
 * mask, at which newer verifiers fork (maybe_fork_scalars(), seen on 6.18).
 */
static __always_inline __u64 hist_sign(__u64 v)
{
	HIST_OPAQUE(v);
	v >>= 63;
	HIST_OPAQUE(v);
	return v;
}

/* Shift *v right by n if that leaves a leading bit at 2^2 or above. */
static __always_inline __u64 hist_step(__u64 *v, unsigned int n)
{
	__u64 shift = hist_sign((1ULL << (n + HIST_SUB_BITS)) - 1 - *v) * n;

	*v >>= shift;
	return shift;
}

/* 0 … HIST_NR_SLOTS - 1, also for the verifier. */
static __always_inline __u32 hist_slot(__u64 value)
{
	__u64 above = hist_sign(0 - (value >> HIST_VALUE_BITS));
	__u64 v, shift;

	v = (value | (0 - above)) & HIST_VALUE_MAX;
	shift = hist_step(&v, 17);
	shift += hist_step(&v, 8);
	shift += hist_step(&v, 4);
	shift += hist_step(&v, 2);
	shift += hist_step(&v, 1);
	shift += hist_step(&v, 1);
	return (__u32)((shift << HIST_SUB_BITS) + (v & 7));
}

/* The shift of the values in a slot. */
static __always_inline unsigned int hist_slot_shift(__u32 slot)
{
	return slot < 8 ? 0 : (slot >> HIST_SUB_BITS) - 1;
}

/* The smallest value of a slot. */
static __always_inline __u64 hist_slot_low(__u32 slot)
{
	unsigned int shift = hist_slot_shift(slot);

	return (__u64)(slot - (shift << HIST_SUB_BITS)) << shift;
}

/* The largest value of a slot. The last slot holds everything above, too. */
static __always_inline __u64 hist_slot_high(__u32 slot)
{
	return hist_slot_low(slot) + (1ULL << hist_slot_shift(slot)) - 1;
}

#endif
