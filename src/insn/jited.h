/* SPDX-License-Identifier: BSD-2-Clause */
/* Machine code that the kernel's JIT made, as text, by capstone. Pure. */
#ifndef ITERTRACE_INSN_JITED_H
#define ITERTRACE_INSN_JITED_H

#include <stddef.h>
#include <stdint.h>

enum jited_arch {
	JITED_X86_64,
	JITED_AARCH64,
};

#define JITED_TEXT_LEN 200

struct jited_line {
	uint64_t addr;
	uint64_t target; /* of a jump or call to a constant address, or 0 */
	char text[JITED_TEXT_LEN];
};

struct jited_code {
	struct jited_line *lines;
	size_t nr_lines;
	size_t nr_undecoded; /* bytes at the end that are no instruction; on arm64
				such a word is a line, ".inst 0x…" */
};

/* machine as uname -m gives it. -ENOTSUP: not one of enum jited_arch. */
int jited_arch_parse(const char *machine, enum jited_arch *ret);

/*
 * Decode len bytes that stand at addr. On failure *ret is untouched.
 * -ENOMEM; -ENOTSUP: this capstone cannot decode the architecture.
 */
int jited_code_init(struct jited_code *ret, enum jited_arch arch, const uint8_t *code,
		    size_t len, uint64_t addr);
void jited_code_release(struct jited_code *code); /* {0} is fine */

#endif
