// SPDX-License-Identifier: BSD-2-Clause
#include <inttypes.h>
#include <stdio.h>

#include "insn/format.h"

static const char *const alu_ops[16] = {
	[BPF_ADD >> 4] = "+=",  [BPF_SUB >> 4] = "-=",    [BPF_MUL >> 4] = "*=",
	[BPF_DIV >> 4] = "/=",  [BPF_OR >> 4] = "|=",     [BPF_AND >> 4] = "&=",
	[BPF_LSH >> 4] = "<<=", [BPF_RSH >> 4] = ">>=",   [BPF_MOD >> 4] = "%=",
	[BPF_XOR >> 4] = "^=",  [BPF_ARSH >> 4] = "s>>=", [BPF_MOV >> 4] = "=",
};

static const char *const jump_ops[16] = {
	[BPF_JEQ >> 4] = "==",   [BPF_JGT >> 4] = ">",    [BPF_JLT >> 4] = "<",
	[BPF_JGE >> 4] = ">=",   [BPF_JLE >> 4] = "<=",   [BPF_JSET >> 4] = "&",
	[BPF_JNE >> 4] = "!=",   [BPF_JSGT >> 4] = "s>",  [BPF_JSLT >> 4] = "s<",
	[BPF_JSGE >> 4] = "s>=", [BPF_JSLE >> 4] = "s<=",
};

static const char *const atomic_ops[16] = {
	[BPF_ADD >> 4] = "add",
	[BPF_AND >> 4] = "and",
	[BPF_OR >> 4] = "or",
	[BPF_XOR >> 4] = "xor",
};

static const char *const sizes[4] = {
	[BPF_W >> 3] = "u32",
	[BPF_H >> 3] = "u16",
	[BPF_B >> 3] = "u8",
	[BPF_DW >> 3] = "u64",
};

static const char *const signed_sizes[4] = {
	[BPF_W >> 3] = "s32",
	[BPF_H >> 3] = "s16",
	[BPF_B >> 3] = "s8",
	[BPF_DW >> 3] = "s64",
};

static const char *size_name(const struct bpf_insn *insn)
{
	return sizes[BPF_SIZE(insn->code) >> 3];
}

static int format_hex(const struct bpf_insn *insn, char *buf, size_t size)
{
	return snprintf(buf, size, "(code %02x dst %u src %u off %d imm %d)",
			insn->code, insn->dst_reg, insn->src_reg, insn->off, insn->imm);
}

static int format_swap(const struct bpf_insn *insn, char *buf, size_t size)
{
	const char *op = BPF_SRC(insn->code) == BPF_TO_BE ? "be" : "le";

	if (BPF_CLASS(insn->code) == BPF_ALU64)
		op = "bswap";
	return snprintf(buf, size, "r%u = %s%d r%u", insn->dst_reg, op, insn->imm,
			insn->dst_reg);
}

/* mov reg with a meaning in off: per-CPU address, address space, sign extension */
static int format_special_mov(const struct bpf_insn *insn, char *buf, size_t size)
{
	char reg = BPF_CLASS(insn->code) == BPF_ALU64 ? 'r' : 'w';

	switch (insn->off) {
	case INSN_OFF_PERCPU:
		return snprintf(buf, size, "r%u = &(void __percpu *)(r%u)",
				insn->dst_reg, insn->src_reg);
	case INSN_OFF_ADDR_SPACE:
		return snprintf(buf, size, "r%u = addr_space_cast(r%u, %u, %u)",
				insn->dst_reg, insn->src_reg, (uint32_t)insn->imm >> 16,
				(uint16_t)insn->imm);
	case 8:
	case 16:
	case 32:
		return snprintf(buf, size, "%c%u = (s%d)%c%u", reg, insn->dst_reg,
				insn->off, reg, insn->src_reg);
	default:
		return format_hex(insn, buf, size);
	}
}

static int format_alu(const struct bpf_insn *insn, char *buf, size_t size)
{
	char reg = BPF_CLASS(insn->code) == BPF_ALU64 ? 'r' : 'w';
	uint8_t code = BPF_OP(insn->code);
	const char *op = alu_ops[code >> 4];
	bool is_division = code == BPF_DIV || code == BPF_MOD;
	const char *sign = is_division && insn->off == 1 ? "s" : "";

	if (code == BPF_END)
		return format_swap(insn, buf, size);
	if (code == BPF_NEG)
		return snprintf(buf, size, "%c%u = -%c%u", reg, insn->dst_reg, reg,
				insn->dst_reg);
	if (!op)
		return format_hex(insn, buf, size);
	if (BPF_SRC(insn->code) == BPF_K)
		return snprintf(buf, size, "%c%u %s%s %d", reg, insn->dst_reg, sign, op,
				insn->imm);
	if (code == BPF_MOV && insn->off)
		return format_special_mov(insn, buf, size);
	return snprintf(buf, size, "%c%u %s%s %c%u", reg, insn->dst_reg, sign, op, reg,
			insn->src_reg);
}

static int format_atomic(const struct bpf_insn *insn, char *buf, size_t size)
{
	const char *width = BPF_SIZE(insn->code) == BPF_DW ? "64" : "";
	const char *type = size_name(insn);
	unsigned int dst = insn->dst_reg, src = insn->src_reg;
	const char *op = atomic_ops[(insn->imm & 0xf0) >> 4];

	switch (insn->imm) {
	case BPF_XCHG:
		return snprintf(buf, size, "r%u = atomic%s_xchg((%s *)(r%u %+d), r%u)",
				src, width, type, dst, insn->off, src);
	case BPF_CMPXCHG:
		return snprintf(buf, size,
				"r0 = atomic%s_cmpxchg((%s *)(r%u %+d), r0, r%u)",
				width, type, dst, insn->off, src);
	case INSN_LOAD_ACQUIRE:
		return snprintf(buf, size, "r%u = load_acquire((%s *)(r%u %+d))", dst,
				type, src, insn->off);
	case INSN_STORE_RELEASE:
		return snprintf(buf, size, "store_release((%s *)(r%u %+d), r%u)", type,
				dst, insn->off, src);
	}
	if (!op || (insn->imm & ~0xf1))
		return format_hex(insn, buf, size);
	if (insn->imm & BPF_FETCH)
		return snprintf(buf, size,
				"r%u = atomic%s_fetch_%s((%s *)(r%u %+d), r%u)", src,
				width, op, type, dst, insn->off, src);
	return snprintf(buf, size, "lock *(%s *)(r%u %+d) %s r%u", type, dst, insn->off,
			alu_ops[(insn->imm & 0xf0) >> 4], src);
}

static int format_store(const struct bpf_insn *insn, char *buf, size_t size)
{
	if (insn->code == INSN_CODE_NOSPEC)
		return snprintf(buf, size, "nospec");
	if (BPF_CLASS(insn->code) == BPF_STX && BPF_MODE(insn->code) == BPF_ATOMIC)
		return format_atomic(insn, buf, size);
	if (BPF_MODE(insn->code) != BPF_MEM)
		return format_hex(insn, buf, size);
	if (BPF_CLASS(insn->code) == BPF_STX)
		return snprintf(buf, size, "*(%s *)(r%u %+d) = r%u", size_name(insn),
				insn->dst_reg, insn->off, insn->src_reg);
	return snprintf(buf, size, "*(%s *)(r%u %+d) = %d", size_name(insn),
			insn->dst_reg, insn->off, insn->imm);
}

static int format_load(const struct bpf_insn *insn, char *buf, size_t size)
{
	const char *type = size_name(insn);

	if (BPF_MODE(insn->code) == INSN_MODE_MEMSX)
		type = signed_sizes[BPF_SIZE(insn->code) >> 3];
	else if (BPF_MODE(insn->code) != BPF_MEM)
		return format_hex(insn, buf, size);
	return snprintf(buf, size, "r%u = *(%s *)(r%u %+d)", insn->dst_reg, type,
			insn->src_reg, insn->off);
}

static int format_ld_imm64(const struct bpf_insn *insns, const struct insn_names *names,
			   char *buf, size_t size)
{
	unsigned int dst = insns[0].dst_reg;
	uint64_t value =
		(uint64_t)(uint32_t)insns[1].imm << 32 | (uint32_t)insns[0].imm;
	char name[INSN_TEXT_LEN / 2];

	switch (insns[0].src_reg) {
	case BPF_PSEUDO_MAP_FD:
		return snprintf(buf, size, "r%u = map[id:%d]", dst, insns[0].imm);
	case BPF_PSEUDO_MAP_VALUE:
		return snprintf(buf, size, "r%u = map[id:%d][0]+%d", dst, insns[0].imm,
				insns[1].imm);
	case BPF_PSEUDO_FUNC:
		return snprintf(buf, size, "r%u = subprog[%+d]", dst, insns[0].imm);
	}
	if (names && names->address &&
	    names->address(names->ctx, value, name, sizeof(name)))
		return snprintf(buf, size, "r%u = &%s", dst, name);
	return snprintf(buf, size, "r%u = 0x%" PRIx64, dst, value);
}

static int format_packet_load(const struct bpf_insn *insn, char *buf, size_t size)
{
	if (BPF_MODE(insn->code) == BPF_ABS)
		return snprintf(buf, size, "r0 = *(%s *)skb[%d]", size_name(insn),
				insn->imm);
	if (BPF_MODE(insn->code) == BPF_IND)
		return snprintf(buf, size, "r0 = *(%s *)skb[r%u + %d]", size_name(insn),
				insn->src_reg, insn->imm);
	return format_hex(insn, buf, size);
}

static int format_call(const struct bpf_insn *insn, const struct insn_names *names,
		       char *buf, size_t size)
{
	char name[INSN_TEXT_LEN - 16];

	if (insn_call_kind(insn) == INSN_CALL_BPF)
		return snprintf(buf, size, "call pc%+d",
				(int)insn_bpf_call_target(insn, 0) - 1);
	if (names && names->call && names->call(names->ctx, insn, name, sizeof(name)))
		return snprintf(buf, size, "call %s", name);
	if (insn_call_kind(insn) == INSN_CALL_KFUNC)
		return snprintf(buf, size, "call kfunc#%d", insn->imm);
	return snprintf(buf, size, "call #%d", insn->imm);
}

static int format_branch(const struct bpf_insn *insn, char *buf, size_t size)
{
	char reg = BPF_CLASS(insn->code) == BPF_JMP ? 'r' : 'w';
	const char *op = jump_ops[BPF_OP(insn->code) >> 4];

	if (insn->code == (BPF_JMP | INSN_OP_JCOND))
		return snprintf(buf, size, "may_goto pc%+d", insn->off);
	if (!op)
		return format_hex(insn, buf, size);
	if (BPF_SRC(insn->code) == BPF_X)
		return snprintf(buf, size, "if %c%u %s %c%u goto pc%+d", reg,
				insn->dst_reg, op, reg, insn->src_reg, insn->off);
	return snprintf(buf, size, "if %c%u %s 0x%x goto pc%+d", reg, insn->dst_reg, op,
			(uint32_t)insn->imm, insn->off);
}

static int format_jump(const struct bpf_insn *insn, const struct insn_names *names,
		       char *buf, size_t size)
{
	if (insn_call_kind(insn) != INSN_CALL_NONE)
		return format_call(insn, names, buf, size);
	if (insn_is_exit(insn))
		return snprintf(buf, size, "exit");
	if (insn->code == (BPF_JMP32 | BPF_JA))
		return snprintf(buf, size, "gotol pc%+d", insn->imm);
	if (insn_is_goto(insn))
		return snprintf(buf, size, "goto pc%+d", insn->off);
	if (insn_is_indirect_goto(insn))
		return snprintf(buf, size, "gotox r%u", insn->dst_reg);
	if (insn_is_branch(insn))
		return format_branch(insn, buf, size);
	return format_hex(insn, buf, size);
}

size_t insn_format(const struct bpf_insn *insns, size_t nr,
		   const struct insn_names *names, char *buf, size_t size)
{
	switch (BPF_CLASS(insns->code)) {
	case BPF_ALU:
	case BPF_ALU64:
		format_alu(insns, buf, size);
		break;
	case BPF_ST:
	case BPF_STX:
		format_store(insns, buf, size);
		break;
	case BPF_LDX:
		format_load(insns, buf, size);
		break;
	case BPF_LD:
		if (insn_is_ld_imm64(insns) && nr >= 2) {
			format_ld_imm64(insns, names, buf, size);
			return 2;
		}
		format_packet_load(insns, buf, size);
		break;
	default:
		format_jump(insns, names, buf, size);
	}
	return 1;
}
