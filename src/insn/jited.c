// SPDX-License-Identifier: BSD-2-Clause
#include <capstone/capstone.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "insn/jited.h"

static const struct {
	const char *machine;
	cs_arch arch;
	cs_mode mode;
} archs[] = {
	[JITED_X86_64] = {"x86_64", CS_ARCH_X86, CS_MODE_64},
	[JITED_AARCH64] = {"aarch64", CS_ARCH_ARM64, CS_MODE_LITTLE_ENDIAN},
};

int jited_arch_parse(const char *machine, enum jited_arch *ret)
{
	size_t i;

	for (i = 0; i < sizeof(archs) / sizeof(archs[0]); i++) {
		if (strcmp(machine, archs[i].machine))
			continue;
		*ret = (enum jited_arch)i;
		return 0;
	}
	return -ENOTSUP;
}

/* A jump's or call's operand, where it is a constant. */
static uint64_t constant_target(enum jited_arch arch, const cs_insn *insn)
{
	const cs_detail *detail = insn->detail;
	int i;

	if (arch == JITED_X86_64) {
		for (i = 0; i < detail->x86.op_count; i++) {
			if (detail->x86.operands[i].type == X86_OP_IMM)
				return (uint64_t)detail->x86.operands[i].imm;
		}
		return 0;
	}
	for (i = detail->arm64.op_count - 1; i >= 0; i--) {
		if (detail->arm64.operands[i].type == ARM64_OP_IMM)
			return (uint64_t)detail->arm64.operands[i].imm;
	}
	return 0;
}

static void line_init(struct jited_line *line, csh handle, enum jited_arch arch,
		      const cs_insn *insn)
{
	bool is_call = cs_insn_group(handle, insn, CS_GRP_CALL);

	/* bl is a jump to capstone 4, not a call */
	if (arch == JITED_AARCH64 && !strncmp(insn->mnemonic, "bl", 2))
		is_call =
			!strcmp(insn->mnemonic, "bl") || !strcmp(insn->mnemonic, "blr");
	line->addr = insn->address;
	line->is_call = is_call;
	line->target = is_call || cs_insn_group(handle, insn, CS_GRP_JUMP)
			       ? constant_target(arch, insn)
			       : 0;
	snprintf(line->text, sizeof(line->text), "%s%s%s", insn->mnemonic,
		 insn->op_str[0] ? " " : "", insn->op_str);
}

int jited_code_init(struct jited_code *ret, enum jited_arch arch, const uint8_t *code,
		    size_t len, uint64_t addr)
{
	struct jited_code new = {0};
	cs_insn *insns = NULL;
	size_t i, nr = 0, decoded = 0;
	csh handle;
	int err = 0;

	if (cs_open(archs[arch].arch, archs[arch].mode, &handle) != CS_ERR_OK)
		return -ENOTSUP;
	if (cs_option(handle, CS_OPT_DETAIL, CS_OPT_ON) != CS_ERR_OK) {
		err = -ENOTSUP;
		goto out;
	}
	nr = cs_disasm(handle, code, len, addr, 0, &insns);
	new.lines = calloc(nr + 1, sizeof(*new.lines));
	if (!new.lines) {
		err = -ENOMEM;
		goto out;
	}
	for (i = 0; i < nr; i++) {
		line_init(&new.lines[i], handle, arch, &insns[i]);
		decoded += insns[i].size;
	}
	new.nr_lines = nr;
	new.nr_undecoded = len - decoded;
	*ret = new;
out:
	if (insns)
		cs_free(insns, nr);
	cs_close(&handle);
	return err;
}

void jited_code_release(struct jited_code *code)
{
	free(code->lines);
	code->lines = NULL;
	code->nr_lines = 0;
}
