// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <bpf/libbpf.h>
#include <linux/bpf.h>

#include "kernel/may_goto.h"

#define OPCODE_MAY_GOTO (BPF_JMP | 0xe0)

static int remove_from(struct bpf_program *program)
{
	size_t nr = bpf_program__insn_cnt(program), i, found = 0;
	struct bpf_insn *insns;
	int err = 0;

	insns = malloc(nr * sizeof(*insns));
	if (!insns)
		return -ENOMEM;
	memcpy(insns, bpf_program__insns(program), nr * sizeof(*insns));
	for (i = 0; i < nr; i++) {
		if (insns[i].code != OPCODE_MAY_GOTO)
			continue;
		insns[i] = (struct bpf_insn){.code = BPF_JMP | BPF_JA};
		found++;
	}
	if (found)
		err = bpf_program__set_insns(program, insns, nr);
	free(insns);
	return err;
}

int may_goto_remove(struct bpf_object *object)
{
	struct bpf_program *program;
	int err = 0;

	bpf_object__for_each_program (program, object) {
		err = remove_from(program);
		if (err)
			break;
	}
	return err;
}
