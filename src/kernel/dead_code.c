// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <bpf/libbpf.h>
#include <linux/bpf.h>

#include "insn/insn.h"
#include "kernel/dead_code.h"

static const struct bpf_insn no_op = {.code = BPF_JMP | BPF_JA};

/*
 * When libbpf relocates what was a kfunc call, it writes the source register and
 * the immediate whatever the opcode. A load from a packet takes any of both, and in
 * programs that have no packet the verifier takes none that can be reached.
 */
static const struct bpf_insn packet_load = {.code = BPF_LD | BPF_IND | BPF_W};
#define COMPLAINT "BPF_LD_[ABS|IND] instructions not allowed"

static bool is_may_goto(const struct bpf_insn *insn)
{
	return insn->code == (BPF_JMP | INSN_OP_JCOND);
}

/* Not yet relocated. */
static bool is_kfunc_call(const struct bpf_insn *insn)
{
	return insn->code == (BPF_JMP | BPF_CALL) && insn->src_reg == BPF_PSEUDO_CALL &&
	       insn->imm == -1;
}

size_t dead_code_replace(struct bpf_insn *insns, size_t nr, unsigned int kinds)
{
	size_t i, found = 0;

	for (i = 0; i < nr; i += insn_slots(&insns[i])) {
		if (kinds & DEAD_MAY_GOTO && is_may_goto(&insns[i]))
			insns[i] = no_op;
		else if (kinds & DEAD_KFUNC_CALLS && is_kfunc_call(&insns[i]))
			insns[i] = packet_load;
		else
			continue;
		found++;
	}
	return found;
}

static int remove_from(struct bpf_program *program, unsigned int kinds)
{
	size_t nr = bpf_program__insn_cnt(program);
	struct bpf_insn *insns;
	int err = 0;

	insns = malloc(nr * sizeof(*insns));
	if (!insns)
		return -ENOMEM;
	memcpy(insns, bpf_program__insns(program), nr * sizeof(*insns));
	if (dead_code_replace(insns, nr, kinds))
		err = bpf_program__set_insns(program, insns, nr);
	free(insns);
	return err;
}

/* It looks into modules once, the first time that it does not find something. */
void dead_code_expect_no_kfuncs(struct bpf_object *object)
{
	bpf_program__set_attach_target(bpf_object__next_program(object, NULL), 0,
				       "no such function");
}

int dead_code_remove(struct bpf_object *object, unsigned int kinds)
{
	struct bpf_program *program;
	int err = 0;

	if (kinds & DEAD_KFUNC_CALLS)
		dead_code_expect_no_kfuncs(object);
	bpf_object__for_each_program (program, object) {
		err = remove_from(program, kinds);
		if (err)
			break;
	}
	return err;
}

bool dead_code_was_alive(const char *log)
{
	return strstr(log, COMPLAINT);
}
