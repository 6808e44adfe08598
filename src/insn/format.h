/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Translated instructions as text, in the words of the kernel's own
 * disassembler (kernel/bpf/disasm.c). Pure.
 */
#ifndef ITERTRACE_INSN_FORMAT_H
#define ITERTRACE_INSN_FORMAT_H

#include "insn/insn.h"

#define INSN_TEXT_LEN 128

/* Names for what an instruction only holds as a number. */
struct insn_names {
	/* The target of a call to a helper or kfunc; false: no name. */
	bool (*call)(void *ctx, const struct bpf_insn *insn, char *buf, size_t size);
	/* A 64-bit constant that may be an address; false: no name. */
	bool (*address)(void *ctx, uint64_t value, char *buf, size_t size);
	void *ctx;
};

/*
 * The instruction in slot 0 of nr > 0 slots, without a newline; always
 * terminated, cut to size. names and its members may be NULL. Returns the
 * slots that it takes. What is no instruction is given in hex.
 */
size_t insn_format(const struct bpf_insn *insns, size_t nr,
		   const struct insn_names *names, char *buf, size_t size);

#endif
