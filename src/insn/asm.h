/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Instructions by name, to write small programs by hand. Each macro is one
 * struct bpf_insn, except INSN_LD_IMM64, which is two separated by a comma.
 */
#ifndef ITERTRACE_INSN_ASM_H
#define ITERTRACE_INSN_ASM_H

#include "insn/insn.h"

#define INSN(c, d, s, o, i) \
	((struct bpf_insn){ \
		.code = (c), .dst_reg = (d), .src_reg = (s), .off = (o), .imm = (i)})

/* op is BPF_ADD, BPF_MOV, …; 64 bits wide unless the name says 32 */
#define INSN_ALU_REG(op, d, s)   INSN(BPF_ALU64 | (op) | BPF_X, d, s, 0, 0)
#define INSN_ALU_IMM(op, d, i)   INSN(BPF_ALU64 | (op) | BPF_K, d, 0, 0, i)
#define INSN_ALU32_REG(op, d, s) INSN(BPF_ALU | (op) | BPF_X, d, s, 0, 0)
#define INSN_ALU32_IMM(op, d, i) INSN(BPF_ALU | (op) | BPF_K, d, 0, 0, i)
#define INSN_MOV_REG(d, s)       INSN_ALU_REG(BPF_MOV, d, s)
#define INSN_MOV_IMM(d, i)       INSN_ALU_IMM(BPF_MOV, d, i)
#define INSN_MOV_PERCPU(d, s) \
	INSN(BPF_ALU64 | BPF_MOV | BPF_X, d, s, INSN_OFF_PERCPU, 0)

/* size is BPF_B, BPF_H, BPF_W or BPF_DW */
#define INSN_LDX(size, d, s, o) INSN(BPF_LDX | BPF_MEM | (size), d, s, o, 0)
#define INSN_STX(size, d, s, o) INSN(BPF_STX | BPF_MEM | (size), d, s, o, 0)
#define INSN_ST(size, d, o, i)  INSN(BPF_ST | BPF_MEM | (size), d, 0, o, i)

/* op is BPF_JEQ, …; o counts from the next instruction */
#define INSN_JMP_REG(op, d, s, o)   INSN(BPF_JMP | (op) | BPF_X, d, s, o, 0)
#define INSN_JMP_IMM(op, d, i, o)   INSN(BPF_JMP | (op) | BPF_K, d, 0, o, i)
#define INSN_JMP32_REG(op, d, s, o) INSN(BPF_JMP32 | (op) | BPF_X, d, s, o, 0)
#define INSN_JMP32_IMM(op, d, i, o) INSN(BPF_JMP32 | (op) | BPF_K, d, 0, o, i)
#define INSN_GOTO(o)                INSN(BPF_JMP | BPF_JA, 0, 0, o, 0)
#define INSN_GOTOL(i)               INSN(BPF_JMP32 | BPF_JA, 0, 0, 0, i)
#define INSN_MAY_GOTO(o)            INSN(BPF_JMP | INSN_OP_JCOND, 0, 0, o, 0)
#define INSN_EXIT()                 INSN(BPF_JMP | BPF_EXIT, 0, 0, 0, 0)

#define INSN_CALL(id)       INSN(BPF_JMP | BPF_CALL, 0, 0, 0, id)
#define INSN_CALL_FUNC(imm) INSN(BPF_JMP | BPF_CALL, 0, BPF_PSEUDO_CALL, 0, imm)
#define INSN_CALL_BTF(id)   INSN(BPF_JMP | BPF_CALL, 0, BPF_PSEUDO_KFUNC_CALL, 0, id)

/* src is 0 or BPF_PSEUDO_…; lo and hi are the halves of the value */
#define INSN_LD_IMM64(d, src, lo, hi) \
	INSN(INSN_CODE_LD_IMM64, d, src, 0, lo), INSN(0, 0, 0, 0, hi)

#endif
