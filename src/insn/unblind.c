// SPDX-License-Identifier: BSD-2-Clause
/*
 * The patterns are those of bpf_jit_blind_insn(), kernel/bpf/core.c. It leaves
 * alone every instruction that already uses ax, the kernel's own scratch register,
 * so that a pair "ax = K1; ax ^= K2" always comes from there. BPF_REG_AX is r11
 * up to 7.0 and r12 on 7.2.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "insn/insn.h"

/* A blinded instruction found in the program: slots taken, and its old self. */
struct group {
	size_t nr_slots;
	size_t nr_plain;
	struct bpf_insn plain[2];
};

static bool is_ax(uint8_t reg)
{
	return reg == 11 || reg == 12;
}

/* "ax = K1; ax ^= K2" in class BPF_ALU or BPF_ALU64: its constant. */
static bool match_constant(const struct bpf_insn *insn, size_t nr, uint8_t class,
			   int32_t *ret)
{
	if (nr < 2)
		return false;
	if (insn[0].code != (class | BPF_MOV | BPF_K) ||
	    insn[1].code != (class | BPF_XOR | BPF_K))
		return false;
	if (!is_ax(insn[0].dst_reg) || insn[1].dst_reg != insn[0].dst_reg)
		return false;
	*ret = insn[0].imm ^ insn[1].imm;
	return true;
}

/* The instruction that takes the constant from ax: the same, with a constant. */
static bool match_user(const struct bpf_insn *insn, uint8_t ax, uint8_t class,
		       int32_t imm, struct bpf_insn *ret)
{
	uint8_t user = BPF_CLASS(insn->code);
	uint8_t jump = class == BPF_ALU64 ? BPF_JMP : BPF_JMP32;

	if (insn->src_reg != ax || insn->dst_reg == ax)
		return false;
	*ret = *insn;
	ret->src_reg = 0;
	ret->imm = imm;
	if (user == class || (user == jump && insn_is_branch(insn))) {
		if (BPF_SRC(insn->code) != BPF_X)
			return false;
		ret->code = (uint8_t)(insn->code & ~BPF_X);
		return true;
	}
	if (class == BPF_ALU64 && user == BPF_STX && BPF_MODE(insn->code) == BPF_MEM) {
		ret->code = (uint8_t)(BPF_ST | BPF_MEM | BPF_SIZE(insn->code));
		return true;
	}
	return false;
}

/* ld_imm64 becomes seven: high half, shifted, into dst; low half ored into it. */
static bool match_ld_imm64(const struct bpf_insn *insn, size_t nr, struct group *ret)
{
	uint8_t ax = insn[0].dst_reg;
	int32_t high, low;
	size_t at = 4;

	if (nr < 7 || !match_constant(insn, nr, BPF_ALU64, &high))
		return false;
	if (insn[2].code != (BPF_ALU64 | BPF_LSH | BPF_K) || insn[2].imm != 32 ||
	    insn[2].dst_reg != ax)
		return false;
	if (insn[3].code != (BPF_ALU64 | BPF_MOV | BPF_X) || insn[3].src_reg != ax)
		return false;
	if (insn[at].dst_reg != ax ||
	    !match_constant(insn + at, nr - at, BPF_ALU, &low))
		return false;
	at += 2;
	/* where the JIT does not zero the upper half by itself: w11 = w11 */
	if (insn[at].code == (BPF_ALU | BPF_MOV | BPF_X) && insn[at].dst_reg == ax &&
	    insn[at].src_reg == ax)
		at++;
	if (at >= nr || insn[at].code != (BPF_ALU64 | BPF_OR | BPF_X) ||
	    insn[at].src_reg != ax || insn[at].dst_reg != insn[3].dst_reg)
		return false;
	memset(ret, 0, sizeof(*ret));
	ret->nr_slots = at + 1;
	ret->nr_plain = 2;
	ret->plain[0].code = INSN_CODE_LD_IMM64;
	ret->plain[0].dst_reg = insn[3].dst_reg;
	ret->plain[0].imm = low;
	ret->plain[1].imm = high;
	return true;
}

static bool match_group(const struct bpf_insn *insn, size_t nr, struct group *ret)
{
	static const uint8_t classes[] = {BPF_ALU64, BPF_ALU};
	int32_t imm;
	size_t i;

	if (match_ld_imm64(insn, nr, ret))
		return true;
	for (i = 0; i < sizeof(classes); i++) {
		if (nr < 3 || !match_constant(insn, nr, classes[i], &imm))
			continue;
		if (!match_user(insn + 2, insn[0].dst_reg, classes[i], imm,
				&ret->plain[0]))
			continue;
		ret->nr_slots = 3;
		ret->nr_plain = 1;
		return true;
	}
	return false;
}

/* -1: the instruction has no target; -EINVAL: outside the program. */
static int64_t target_of(const struct bpf_insn *insn, size_t at, size_t nr)
{
	int64_t target;

	if (insn_is_goto(insn) || insn_is_branch(insn))
		target = insn_jump_target(insn, at);
	else if (insn_call_kind(insn) == INSN_CALL_BPF)
		target = insn_bpf_call_target(insn, at);
	else
		return -1;
	return target < 0 || target >= (int64_t)nr ? -EINVAL : target;
}

/* targets[i]: something jumps to slot i. */
static int mark_targets(const struct bpf_insn *insns, size_t nr, bool *targets)
{
	int64_t target;
	size_t i;

	for (i = 0; i < nr; i += insn_slots(&insns[i])) {
		target = target_of(&insns[i], i, nr);
		if (target == -EINVAL)
			return -EINVAL;
		if (target >= 0)
			targets[target] = true;
	}
	return 0;
}

static bool jumped_into(const bool *targets, size_t at, size_t nr_slots)
{
	size_t i;

	for (i = 1; i < nr_slots; i++) {
		if (targets[at + i])
			return true;
	}
	return false;
}

/* Copy with groups replaced. moved[i]: where slot i of insns went. */
static size_t replace_groups(const struct bpf_insn *insns, size_t nr,
			     const bool *targets, struct bpf_insn *out, size_t *moved)
{
	struct group group;
	size_t i = 0, j, nr_out = 0;

	while (i < nr) {
		if (!match_group(&insns[i], nr - i, &group) ||
		    jumped_into(targets, i, group.nr_slots)) {
			group.nr_slots = i + 1 < nr ? insn_slots(&insns[i]) : 1;
			group.nr_plain = group.nr_slots;
			memcpy(group.plain, &insns[i], group.nr_plain * sizeof(*insns));
		}
		for (j = 0; j < group.nr_slots; j++)
			moved[i + j] = nr_out;
		memcpy(&out[nr_out], group.plain, group.nr_plain * sizeof(*out));
		nr_out += group.nr_plain;
		i += group.nr_slots;
	}
	return nr_out;
}

/* Give insn, now in slot at, the distance to slot target. */
static int set_target(struct bpf_insn *insn, size_t at, size_t target)
{
	int64_t distance = (int64_t)target - (int64_t)at - 1;
	bool in_imm = insn->code == (BPF_JMP32 | BPF_JA) ||
		      (insn_call_kind(insn) == INSN_CALL_BPF && !insn->off);

	if (in_imm ? distance != (int32_t)distance : distance != (int16_t)distance)
		return -EINVAL;
	if (in_imm)
		insn->imm = (int32_t)distance;
	else
		insn->off = (int16_t)distance;
	return 0;
}

/* The last slot that went to where slot i went: that is where a jump stands. */
static size_t last_of_group(const size_t *moved, size_t i, size_t nr)
{
	while (i + 1 < nr && moved[i + 1] == moved[i])
		i++;
	return i;
}

static int retarget(const struct bpf_insn *insns, size_t nr, const size_t *moved,
		    struct bpf_insn *out)
{
	int64_t target;
	size_t i, last;
	int err;

	for (i = 0; i < nr; i = last + 1) {
		last = last_of_group(moved, i, nr);
		target = target_of(&insns[last], last, nr);
		if (target < 0)
			continue;
		err = set_target(&out[moved[last]], moved[last], moved[target]);
		if (err)
			return err;
	}
	return 0;
}

int insn_unblind(const struct bpf_insn *insns, size_t nr, struct bpf_insn *out,
		 size_t *ret_nr)
{
	bool *targets = calloc(nr + 1, sizeof(*targets));
	size_t *moved = calloc(nr + 1, sizeof(*moved));
	size_t nr_out;
	int err = -ENOMEM;

	if (!targets || !moved)
		goto out;
	err = mark_targets(insns, nr, targets);
	if (err)
		goto out;
	nr_out = replace_groups(insns, nr, targets, out, moved);
	err = retarget(insns, nr, moved, out);
	if (!err)
		*ret_nr = nr_out;
out:
	free(targets);
	free(moved);
	return err;
}
