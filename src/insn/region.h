/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a kernel made of one construct, read from a translated program in which
 * two markers enclose it. Pure.
 *
 * A marker is a pair of moves of a register to itself, "r9 = r9; r8 = r8" before
 * the construct and "r8 = r8; r9 = r9" after it: the verifier neither changes nor
 * removes these, and constant blinding has no constant in them to blind.
 */
#ifndef ITERTRACE_INSN_REGION_H
#define ITERTRACE_INSN_REGION_H

#include "insn/insn.h"
#include "model/feature.h"

#define INSN_MARK_OUTER 9
#define INSN_MARK_INNER 8
#define INSN_MARK_SLOTS 2

/* Slots [begin, end) between the markers; begin == end: nothing is left. */
struct insn_region {
	size_t begin;
	size_t end;
};

/*
 * -ENOENT: no such pair of markers. -EEXIST: more than one of either, so that it
 * cannot be told which belong together.
 */
int insn_region_find(const struct bpf_insn *insns, size_t nr, struct insn_region *ret);

struct insn_shape {
	size_t nr_insns;           /* instructions in the region, ld_imm64 once */
	size_t nr_calls;           /* of them calls of the kernel */
	size_t nr_bpf_calls;       /* of them calls of the program's own functions */
	size_t nr_branches;        /* of them conditional jumps */
	size_t nr_jit_helpers;     /* of them helper ids that the JIT replaces */
	size_t nr_hidden;          /* helper calls in the way whose address reads 0 */
	struct bpf_insn call;      /* the first call of the kernel; zeros: none */
	bool reaches_end;          /* some path leads from begin to end … */
	bool reaches_end_uncalled; /* … and one without a call of the kernel */
};

/*
 * helper is the id of the helper that the construct calls, 0 for none: where a
 * call's imm still is that id the JIT has code for it, and there is no call.
 * -EINVAL: a jump leaves the program. -ENOTSUP: a jump through a register.
 * -ENOMEM.
 */
int insn_region_shape(const struct bpf_insn *insns, size_t nr,
		      const struct insn_region *region, int helper,
		      struct insn_shape *ret);

/* inlined, partial, call or unknown; nothing else can be told from one shape. */
enum feature_state insn_shape_state(const struct insn_shape *shape);

/*
 * The bounds of a construct are decided at load: it is inlined without a
 * conditional jump, where the same construct with variable bounds is inlined and
 * has some.
 */
bool insn_shape_is_folded(const struct insn_shape *constant,
			  const struct insn_shape *variable);

#endif
