/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What arrays of struct bpf_insn mean, in the form that the kernel gives them
 * back ("xlated"). Pure: no I/O, no logging, knows <linux/bpf.h> and nothing of
 * libbpf. Every function reads its arguments only and may run in any thread.
 *
 * An index and a count are in slots of struct bpf_insn, of which the 64-bit
 * load (ld_imm64) takes two; insn_count() counts instructions.
 */
#ifndef ITERTRACE_INSN_INSN_H
#define ITERTRACE_INSN_INSN_H

#include <linux/bpf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Newer than the headers that a build may find. */
#define INSN_OP_JCOND       0xe0  /* BPF_JCOND, 6.9: may_goto */
#define INSN_MODE_MEMSX     0x80  /* BPF_MEMSX, 6.6: sign-extending load */
#define INSN_LOAD_ACQUIRE   0x100 /* BPF_LOAD_ACQ, 6.15 */
#define INSN_STORE_RELEASE  0x110 /* BPF_STORE_REL, 6.15 */
#define INSN_OFF_PERCPU     (-1)  /* of mov64 reg: to this CPU's address, 6.10 */
#define INSN_OFF_ADDR_SPACE 1     /* of mov64 reg: address space cast, 6.9 */
#define INSN_CODE_LD_IMM64  (BPF_LD | BPF_IMM | BPF_DW)
#define INSN_CODE_NOSPEC    (BPF_ST | 0xc0) /* speculation barrier */

enum insn_call_kind {
	INSN_CALL_NONE,   /* not a call */
	INSN_CALL_HELPER, /* src_reg 0: a helper, or what replaced it */
	INSN_CALL_BPF,    /* src_reg 1: a function of the same program */
	INSN_CALL_KFUNC,  /* src_reg 2 */
};

enum insn_call_kind insn_call_kind(const struct bpf_insn *insn);

static inline bool insn_is_ld_imm64(const struct bpf_insn *insn)
{
	return insn->code == INSN_CODE_LD_IMM64;
}

static inline bool insn_is_exit(const struct bpf_insn *insn)
{
	return insn->code == (BPF_JMP | BPF_EXIT);
}

/* Slots that the instruction takes: 1, or 2 for ld_imm64. */
static inline size_t insn_slots(const struct bpf_insn *insn)
{
	return insn_is_ld_imm64(insn) ? 2 : 1;
}

/* The jump is taken on every visit: goto, gotol. */
bool insn_is_goto(const struct bpf_insn *insn);

/* The jump depends on data: the comparisons, may_goto. */
bool insn_is_branch(const struct bpf_insn *insn);

/* The target is in a register (gotox): not known from the instruction. */
bool insn_is_indirect_goto(const struct bpf_insn *insn);

/* The slot that a goto or branch in slot at jumps to; may be out of bounds. */
int64_t insn_jump_target(const struct bpf_insn *insn, size_t at);

/*
 * The slot that a call of kind INSN_CALL_BPF in slot at enters, in a program
 * read back from the kernel (which keeps the distance in off once the program
 * is translated, in imm before).
 */
int64_t insn_bpf_call_target(const struct bpf_insn *insn, size_t at);

/* Instructions in nr slots. */
size_t insn_count(const struct bpf_insn *insns, size_t nr);

/*
 * Undo constant blinding (bpf_jit_harden), which turns an instruction with a
 * constant into "ax = K1; ax ^= K2; the instruction with ax". out has room
 * for nr slots and may not be insns; *ret_nr is what it holds after, jumps and
 * calls adjusted. *ret_nr < nr tells that something was blinded. A group that
 * something jumps into the middle of is left as it is.
 *
 * -EINVAL: a jump leaves the program or does not fit its field. -ENOMEM.
 */
int insn_unblind(const struct bpf_insn *insns, size_t nr, struct bpf_insn *out,
		 size_t *ret_nr);

#endif
