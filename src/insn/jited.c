// SPDX-License-Identifier: BSD-2-Clause
#include <capstone/capstone.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "insn/jited.h"
#include "insn/jited_step.h"

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

static int list_lines(csh handle, enum jited_arch arch, const struct jited_steps *steps,
		      const uint8_t *bytes, size_t len, uint64_t addr,
		      struct jited_code *ret)
{
	cs_insn *insn = cs_malloc(handle);
	struct jited_line *line;

	if (!insn)
		return -ENOMEM;
	while (ret->nr_lines < steps->nr_steps) {
		line = &ret->lines[ret->nr_lines];
		line->addr = addr;
		line->target = steps->steps[ret->nr_lines].target;
		if (cs_disasm_iter(handle, &bytes, &len, &addr, insn)) {
			snprintf(line->text, sizeof(line->text), "%s%s%s",
				 insn->mnemonic, insn->op_str[0] ? " " : "",
				 insn->op_str);
		} else if (arch == JITED_AARCH64) {
			/* one that this capstone lacks; the next is 4 bytes on */
			snprintf(line->text, sizeof(line->text),
				 ".inst 0x%02x%02x%02x%02x", bytes[3], bytes[2],
				 bytes[1], bytes[0]);
			bytes += 4, len -= 4, addr += 4;
		} else {
			break;
		}
		ret->nr_lines++;
	}
	ret->nr_undecoded = len;
	cs_free(insn, 1);
	return 0;
}

int jited_code_init(struct jited_code *ret, enum jited_arch arch, const uint8_t *code,
		    size_t len, uint64_t addr)
{
	struct jited_code new = {0};
	struct jited_steps steps;
	csh handle;
	int err;

	if (cs_open(archs[arch].arch, archs[arch].mode, &handle) != CS_ERR_OK)
		return -ENOTSUP;
	err = jited_steps_init(&steps, arch, code, len, addr);
	if (err)
		goto out;
	new.lines = calloc(steps.nr_steps + 1, sizeof(*new.lines));
	err = new.lines ? list_lines(handle, arch, &steps, code, len, addr, &new)
			: -ENOMEM;
	jited_steps_release(&steps);
out:
	cs_close(&handle);
	if (err)
		jited_code_release(&new);
	else
		*ret = new;
	return err;
}

void jited_code_release(struct jited_code *code)
{
	free(code->lines);
	code->lines = NULL;
	code->nr_lines = 0;
}
