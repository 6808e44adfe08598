// SPDX-License-Identifier: BSD-2-Clause
#include <capstone/capstone.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "insn/jited_step.h"

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

struct code {
	const uint8_t *bytes;
	size_t len;
	uint64_t addr;
};

static struct jited_step *next_step(struct jited_steps *to, uint64_t addr)
{
	struct jited_step *s = &to->steps[to->nr_steps++];

	*s = (struct jited_step){
		.addr = addr,
		.tests = NO_REG,
		.zeroes = NO_REG,
		.copies_from = NO_REG,
		.copies_to = NO_REG,
	};
	return s;
}

/* ---- x86-64 ---------------------------------------------------------------- */

/* One of 16 by any of its names, or NO_REG. */
static int x86_number(unsigned int reg)
{
	static const uint16_t names[16][5] = {
		{X86_REG_RAX, X86_REG_EAX, X86_REG_AX, X86_REG_AL, X86_REG_AH},
		{X86_REG_RCX, X86_REG_ECX, X86_REG_CX, X86_REG_CL, X86_REG_CH},
		{X86_REG_RDX, X86_REG_EDX, X86_REG_DX, X86_REG_DL, X86_REG_DH},
		{X86_REG_RBX, X86_REG_EBX, X86_REG_BX, X86_REG_BL, X86_REG_BH},
		{X86_REG_RSP, X86_REG_ESP, X86_REG_SP, X86_REG_SPL},
		{X86_REG_RBP, X86_REG_EBP, X86_REG_BP, X86_REG_BPL},
		{X86_REG_RSI, X86_REG_ESI, X86_REG_SI, X86_REG_SIL},
		{X86_REG_RDI, X86_REG_EDI, X86_REG_DI, X86_REG_DIL},
		{X86_REG_R8, X86_REG_R8D, X86_REG_R8W, X86_REG_R8B},
		{X86_REG_R9, X86_REG_R9D, X86_REG_R9W, X86_REG_R9B},
		{X86_REG_R10, X86_REG_R10D, X86_REG_R10W, X86_REG_R10B},
		{X86_REG_R11, X86_REG_R11D, X86_REG_R11W, X86_REG_R11B},
		{X86_REG_R12, X86_REG_R12D, X86_REG_R12W, X86_REG_R12B},
		{X86_REG_R13, X86_REG_R13D, X86_REG_R13W, X86_REG_R13B},
		{X86_REG_R14, X86_REG_R14D, X86_REG_R14W, X86_REG_R14B},
		{X86_REG_R15, X86_REG_R15D, X86_REG_R15W, X86_REG_R15B},
	};

	for (int i = 0; reg != X86_REG_INVALID && i < 16; i++)
		for (size_t k = 0; k < ARRAY_SIZE(names[i]); k++)
			if (names[i][k] == reg)
				return i;
	return NO_REG;
}

static void x86_flow(csh handle, const cs_insn *insn, struct jited_step *s)
{
	const cs_x86_op *op = &insn->detail->x86.operands[0];

	if (insn->id == X86_INS_UD2 || insn->id == X86_INS_INT3 ||
	    insn->id == X86_INS_HLT)
		s->flow = FLOW_TRAP;
	else if (cs_insn_group(handle, insn, CS_GRP_RET))
		s->flow = FLOW_RETURN;
	else if (cs_insn_group(handle, insn, CS_GRP_CALL))
		s->flow = FLOW_CALL;
	else if (cs_insn_group(handle, insn, CS_GRP_JUMP))
		s->flow = insn->id == X86_INS_JMP ? FLOW_GOTO : FLOW_BRANCH;
	if (insn->id == X86_INS_JE)
		s->condition = IF_ZERO;
	else if (insn->id == X86_INS_JNE)
		s->condition = IF_NOT_ZERO;
	if (s->flow != FLOW_NEXT && insn->detail->x86.op_count &&
	    op->type == X86_OP_IMM)
		s->target = (uint64_t)op->imm;
	else if (s->flow == FLOW_GOTO)
		s->flow = FLOW_RETURN;
}

static void x86_memory(const cs_insn *insn, struct jited_step *s)
{
	const cs_x86 *x86 = &insn->detail->x86;

	if (insn->id == X86_INS_LEA || insn->id == X86_INS_NOP)
		return;
	for (int i = 0; i < x86->op_count; i++) {
		if (x86->operands[i].type != X86_OP_MEM)
			continue;
		s->nr_loads += !!(x86->operands[i].access & CS_AC_READ);
		s->nr_stores += !!(x86->operands[i].access & CS_AC_WRITE);
	}
	s->nr_stores += insn->id == X86_INS_PUSH;
	s->nr_loads += insn->id == X86_INS_POP || insn->id == X86_INS_LEAVE;
}

/* What the instruction tells about registers that are zero. */
static void x86_zeros(csh handle, const cs_insn *insn, struct jited_step *s)
{
	const cs_x86_op *op = insn->detail->x86.operands;
	uint8_t nr_read, nr_written;
	cs_regs read, written;
	bool same;

	if (!cs_regs_access(handle, insn, read, &nr_read, written, &nr_written))
		for (int i = 0; i < nr_written; i++)
			if (x86_number(written[i]) != NO_REG)
				s->writes |= 1U << x86_number(written[i]);
	if (insn->detail->x86.op_count != 2 || op[0].type != X86_OP_REG ||
	    op[0].size < 4)
		return;
	same = op[1].type == X86_OP_REG && op[1].reg == op[0].reg;
	if ((insn->id == X86_INS_TEST && same) ||
	    (insn->id == X86_INS_CMP && op[1].type == X86_OP_IMM && !op[1].imm)) {
		s->tests = x86_number(op[0].reg);
		s->tests_all = op[0].size == 8;
	} else if ((insn->id == X86_INS_XOR && same) ||
		   (insn->id == X86_INS_MOV && op[1].type == X86_OP_IMM &&
		    !op[1].imm)) {
		s->zeroes = x86_number(op[0].reg);
	} else if (insn->id == X86_INS_MOV && op[1].type == X86_OP_REG) {
		s->copies_from = x86_number(op[1].reg);
		s->copies_to = x86_number(op[0].reg);
	}
}

static int x86_decode(csh handle, const struct code *code, struct jited_steps *ret)
{
	const uint8_t *bytes = code->bytes;
	uint64_t addr = code->addr;
	size_t len = code->len;
	cs_insn *insn;

	insn = cs_malloc(handle);
	if (!insn)
		return -ENOMEM;
	while (cs_disasm_iter(handle, &bytes, &len, &addr, insn)) {
		struct jited_step *s = next_step(ret, insn->address);

		x86_flow(handle, insn, s);
		x86_memory(insn, s);
		x86_zeros(handle, insn, s);
	}
	cs_free(insn, 1);
	return 0;
}

static int x86_64_decode(const struct code *code, struct jited_steps *ret)
{
	csh handle;
	int err;

	if (cs_open(CS_ARCH_X86, CS_MODE_64, &handle) != CS_ERR_OK)
		return -ENOTSUP;
	err = cs_option(handle, CS_OPT_DETAIL, CS_OPT_ON) == CS_ERR_OK
		      ? x86_decode(handle, code, ret)
		      : -ENOTSUP;
	cs_close(&handle);
	return err;
}

/* ---- arm64 ----------------------------------------------------------------- */

static uint32_t field(uint32_t word, int low, int nr_bits)
{
	return word >> low & ((1U << nr_bits) - 1);
}

/* A branch's signed distance in words, nr_bits wide, as the address it means. */
static uint64_t arm64_target(uint64_t addr, uint32_t word, int low, int nr_bits)
{
	int64_t words = field(word, low, nr_bits);

	if (words >> (nr_bits - 1))
		words -= 1LL << nr_bits;
	return addr + (uint64_t)(words * 4);
}

/* C4.1.65: branches, exceptions and system instructions */
static void arm64_branch(uint32_t word, struct jited_step *s)
{
	if ((word & 0x7c000000) == 0x14000000) { /* b, bl */
		s->flow = word >> 31 ? FLOW_CALL : FLOW_GOTO;
		s->target = arm64_target(s->addr, word, 0, 26);
	} else if ((word & 0xff000000) == 0x54000000) { /* b.cond, bc.cond */
		s->flow = FLOW_BRANCH;
		s->target = arm64_target(s->addr, word, 5, 19);
		if (field(word, 0, 4) < 2)
			s->condition = field(word, 0, 4) ? IF_NOT_ZERO : IF_ZERO;
	} else if ((word & 0x7e000000) == 0x34000000) { /* cbz, cbnz */
		s->flow = FLOW_BRANCH;
		s->target = arm64_target(s->addr, word, 5, 19);
		s->condition = field(word, 24, 1) ? IF_NOT_ZERO : IF_ZERO;
		s->tests = (int)field(word, 0, 5);
		s->tests_all = word >> 31;
	} else if ((word & 0x7e000000) == 0x36000000) { /* tbz, tbnz */
		s->flow = FLOW_BRANCH;
		s->target = arm64_target(s->addr, word, 5, 14);
	} else if ((word & 0xfe000000) == 0xd6000000) { /* br, blr, ret */
		s->flow = (field(word, 21, 4) & 7) == 1 ? FLOW_CALL : FLOW_RETURN;
	} else if ((word & 0xffe0001f) == 0xd4200000) { /* brk */
		s->flow = FLOW_TRAP;
	} else if ((word & 0xfff00000) == 0xd5300000) { /* mrs */
		s->writes = 1U << field(word, 0, 5);
	}
}

/* C4.1.66: loads and stores; any register that it names may change */
static void arm64_memory(uint32_t word, struct jited_step *s)
{
	uint32_t group = field(word, 27, 3), is_load = field(word, 22, 1);
	bool is_simd = field(word, 26, 1);

	s->writes = 1U << field(word, 0, 5) | 1U << field(word, 5, 5) |
		    1U << field(word, 10, 5) | 1U << field(word, 16, 5);
	if (group == 7 && !is_simd && !field(word, 24, 1) && field(word, 21, 1) &&
	    !field(word, 10, 2)) { /* ldadd, swp, … */
		s->nr_loads = s->nr_stores = 1;
	} else if (group == 7 && !is_simd) {
		if (field(word, 30, 2) == 3 && field(word, 22, 2) == 2)
			return; /* prfm */
		s->nr_loads = field(word, 22, 2) != 0;
		s->nr_stores = !s->nr_loads;
	} else if (group == 1 && !is_simd && field(word, 23, 1) && field(word, 21, 1)) {
		s->nr_loads = s->nr_stores = 1;         /* cas */
	} else if (group == 3 && !field(word, 24, 1)) { /* literal; 3 is prfm */
		s->nr_loads = field(word, 30, 2) != 3 || is_simd;
	} else {
		s->nr_loads = is_load != 0;
		s->nr_stores = !is_load;
	}
}

/* C4.1.64, C4.1.67: arithmetic; register 31 is no register here */
static void arm64_arithmetic(uint32_t word, struct jited_step *s)
{
	int rd = (int)field(word, 0, 5), rn = (int)field(word, 5, 5);
	int rm = (int)field(word, 16, 5);

	s->tests_all = word >> 31;
	if ((word & 0x7f80001f) == 0x7100001f && !field(word, 10, 12))
		s->tests = rn; /* cmp rn, #0 */
	else if ((word & 0x7fe0fc1f) == 0x6a00001f && rn == rm)
		s->tests = rn; /* tst rn, rn */
	if (rd == 31)
		return;
	s->writes = 1U << rd;
	if ((word & 0x7f9fffe0) == 0x52800000) /* movz rd, #0 */
		s->zeroes = rd;
	else if ((word & 0x7fe0ffe0) == 0x2a0003e0 && rm == 31) /* mov rd, zr */
		s->zeroes = rd;
	else if ((word & 0x7fe0ffe0) == 0x2a0003e0)
		s->copies_from = rm, s->copies_to = rd;
	else if ((word & 0x7ffffc00) == 0x11000000) /* add rd, rn, #0 */
		s->copies_from = rn, s->copies_to = rd;
}

static uint32_t arm64_word(const struct code *code, size_t at)
{
	const uint8_t *byte = code->bytes + 4 * at;

	return (uint32_t)byte[0] | (uint32_t)byte[1] << 8 | (uint32_t)byte[2] << 16 |
	       (uint32_t)byte[3] << 24;
}

/* The constant that movz or movn, and movk, have put into reg right before at, or 0. */
static uint64_t arm64_constant(const struct code *code, size_t at, uint32_t reg)
{
	uint64_t value = 0, known = 0;

	while (at--) {
		uint32_t word = arm64_word(code, at), op = word & 0xff800000;
		uint32_t shift = field(word, 21, 2) * 16;
		uint64_t part = (uint64_t)field(word, 5, 16) << shift;

		if (field(word, 0, 5) != reg)
			return 0;
		if (op == 0xf2800000) { /* movk */
			value |= part & ~known;
			known |= 0xffffULL << shift;
		} else if (op == 0xd2800000) { /* movz */
			return value | (part & ~known);
		} else if (op == 0x92800000) { /* movn */
			return value | (~part & ~known);
		} else {
			return 0;
		}
	}
	return 0;
}

static int arm64_decode(const struct code *code, struct jited_steps *ret)
{
	for (size_t i = 0; i < code->len / 4; i++) {
		struct jited_step *s = next_step(ret, code->addr + 4 * i);
		uint32_t word = arm64_word(code, i), op = field(word, 25, 4);

		if (!op)
			s->flow = FLOW_TRAP; /* udf, or data */
		else if ((op & 14) == 10)
			arm64_branch(word, s);
		else if ((op & 5) == 4)
			arm64_memory(word, s);
		else
			arm64_arithmetic(word, s);
		if ((word & 0xfffffc1f) == 0xd63f0000) /* blr */
			s->target = arm64_constant(code, i, field(word, 5, 5));
	}
	return 0;
}

int jited_steps_init(struct jited_steps *ret, enum jited_arch arch,
		     const uint8_t *bytes, size_t len, uint64_t addr)
{
	const struct code code = {.bytes = bytes, .len = len, .addr = addr};
	struct jited_steps new = {0};
	int err;

	/* No instruction is shorter than a byte, or than 4 on arm64. */
	new.steps = calloc(arch == JITED_X86_64 ? len + 1 : len / 4 + 1,
			   sizeof(*new.steps));
	if (!new.steps)
		return -ENOMEM;
	err = arch == JITED_X86_64 ? x86_64_decode(&code, &new)
				   : arm64_decode(&code, &new);
	if (err) {
		jited_steps_release(&new);
		return err;
	}
	/* A compare and the branch on it stand together in what JITs make. */
	for (size_t i = 1; i < new.nr_steps; i++) {
		struct jited_step *s = &new.steps[i];

		if (s->flow != FLOW_BRANCH || s->tests != NO_REG)
			continue;
		s->tests = s[-1].tests;
		s->tests_all = s[-1].tests_all;
	}
	*ret = new;
	return 0;
}

void jited_steps_release(struct jited_steps *s)
{
	free(s->steps);
	memset(s, 0, sizeof(*s));
}
