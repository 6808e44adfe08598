// SPDX-License-Identifier: BSD-2-Clause
#include "insn/insn.h"

static bool is_jump_class(const struct bpf_insn *insn)
{
	return BPF_CLASS(insn->code) == BPF_JMP || BPF_CLASS(insn->code) == BPF_JMP32;
}

enum insn_call_kind insn_call_kind(const struct bpf_insn *insn)
{
	if (insn->code != (BPF_JMP | BPF_CALL))
		return INSN_CALL_NONE;
	switch (insn->src_reg) {
	case BPF_PSEUDO_CALL:
		return INSN_CALL_BPF;
	case BPF_PSEUDO_KFUNC_CALL:
		return INSN_CALL_KFUNC;
	default:
		return INSN_CALL_HELPER;
	}
}

bool insn_is_goto(const struct bpf_insn *insn)
{
	return is_jump_class(insn) && BPF_OP(insn->code) == BPF_JA &&
	       BPF_SRC(insn->code) == BPF_K;
}

bool insn_is_indirect_goto(const struct bpf_insn *insn)
{
	return is_jump_class(insn) && BPF_OP(insn->code) == BPF_JA &&
	       BPF_SRC(insn->code) == BPF_X;
}

bool insn_is_branch(const struct bpf_insn *insn)
{
	if (!is_jump_class(insn))
		return false;
	switch (BPF_OP(insn->code)) {
	case BPF_JA:
	case BPF_CALL:
	case BPF_EXIT:
		return false;
	default:
		return true;
	}
}

int64_t insn_jump_target(const struct bpf_insn *insn, size_t at)
{
	/* gotol: the only jump whose distance is in imm */
	int64_t distance =
		insn->code == (BPF_JMP32 | BPF_JA) ? (int64_t)insn->imm : insn->off;

	return (int64_t)at + 1 + distance;
}

int64_t insn_bpf_call_target(const struct bpf_insn *insn, size_t at)
{
	return (int64_t)at + 1 + (insn->off ? (int64_t)insn->off : insn->imm);
}

size_t insn_count(const struct bpf_insn *insns, size_t nr)
{
	size_t i, count = 0;

	for (i = 0; i < nr; i += insn_slots(&insns[i]))
		count++;
	return count;
}
