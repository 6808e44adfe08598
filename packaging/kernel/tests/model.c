// SPDX-License-Identifier: BSD-2-Clause
#include "model.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <string.h>

#define MAX_STEPS   1000000000ULL
#define MAX_FRAMES  4
#define STACK_BYTES 512

struct iter_num {
	int32_t cur;
	int32_t end;
};

struct frame {
	uint64_t saved[4]; /* r6 to r9 of the caller */
	size_t ret;
	_Alignas(8) uint8_t stack[STACK_BYTES];
};

static int32_t iter_num_new(struct iter_num *it, int32_t start, int32_t end)
{
	it->cur = it->end = 0;
	if (start > end)
		return -EINVAL;
	if ((int64_t)end - start > MODEL_MAX_LOOPS)
		return -E2BIG;
	it->cur = (int32_t)((uint32_t)start - 1);
	it->end = end;
	return 0;
}

static int32_t *iter_num_next(struct iter_num *it)
{
	int32_t next = (int32_t)((uint32_t)it->cur + 1);

	if (next >= it->end) {
		it->cur = it->end = 0;
		return NULL;
	}
	it->cur = next;
	return &it->cur;
}

static bool call(const struct bpf_insn *insn, const struct iter_num_ids *ids,
		 struct battery_value *value, uint64_t r[])
{
	struct iter_num *it = (struct iter_num *)(uintptr_t)r[1];

	if (!insn->src_reg && insn->imm == BPF_FUNC_map_lookup_elem)
		r[0] = (uintptr_t)value;
	else if (insn->src_reg != BPF_PSEUDO_KFUNC_CALL)
		return false;
	else if (insn->imm == ids->new)
		r[0] = (uint32_t)iter_num_new(it, (int32_t)r[2], (int32_t)r[3]);
	else if (insn->imm == ids->next)
		r[0] = (uintptr_t)iter_num_next(it);
	else if (insn->imm != ids->destroy)
		return false;
	/* Whoever relies on these is no valid program. */
	for (int i = 1; i <= 5; i++)
		r[i] = 0xdead000000000000ULL + (unsigned int)i;
	return true;
}

static bool alu(uint8_t op, uint64_t *dst, uint64_t src)
{
	switch (op) {
	case BPF_MOV:
		*dst = src;
		return true;
	case BPF_ADD:
		*dst += src;
		return true;
	case BPF_SUB:
		*dst -= src;
		return true;
	case BPF_MUL:
		*dst *= src;
		return true;
	case BPF_AND:
		*dst &= src;
		return true;
	case BPF_XOR:
		*dst ^= src;
		return true;
	default:
		return false;
	}
}

static bool taken(uint8_t op, uint64_t a, uint64_t b, bool *known)
{
	switch (op) {
	case BPF_JA:
		return true;
	case BPF_JEQ:
		return a == b;
	case BPF_JNE:
		return a != b;
	case BPF_JSGE:
		return (int64_t)a >= (int64_t)b;
	case BPF_JSET:
		return a & b;
	default:
		*known = false;
		return false;
	}
}

static bool load(uint8_t size, uint64_t *dst, uint64_t address)
{
	uint32_t word;

	if (size == BPF_DW) {
		memcpy(dst, (void *)(uintptr_t)address, sizeof(*dst));
	} else if (size == BPF_W) {
		memcpy(&word, (void *)(uintptr_t)address, sizeof(word));
		*dst = word;
	} else {
		return false;
	}
	return true;
}

int model_run(const struct bpf_insn *insns, size_t nr, const struct iter_num_ids *ids,
	      struct battery_value *value, uint64_t *ret)
{
	struct frame frames[MAX_FRAMES];
	struct frame *frame = frames;
	uint64_t r[11] = {};
	bool known = true;
	size_t pc = 0;

	r[10] = (uintptr_t)(frame->stack + STACK_BYTES);
	for (uint64_t step = 0; step < MAX_STEPS; step++) {
		const struct bpf_insn *insn = &insns[pc++];
		uint8_t class = BPF_CLASS(insn->code), op = BPF_OP(insn->code);
		uint64_t src = BPF_SRC(insn->code) == BPF_X ? r[insn->src_reg]
							    : (uint64_t)insn->imm;
		uint64_t *dst = &r[insn->dst_reg];
		uint64_t low;

		if (pc > nr)
			return -EINVAL;
		switch (class) {
		case BPF_LD:
			*dst = (uint32_t)insn->imm;
			pc++;
			break;
		case BPF_LDX:
			known = load(BPF_SIZE(insn->code), dst,
				     r[insn->src_reg] + (uint64_t)insn->off);
			break;
		case BPF_STX:
		case BPF_ST:
			low = class == BPF_STX ? r[insn->src_reg] : (uint64_t)insn->imm;
			memcpy((void *)(uintptr_t)(*dst + (uint64_t)insn->off), &low,
			       BPF_SIZE(insn->code) == BPF_DW ? 8 : 4);
			break;
		case BPF_ALU64:
			known = alu(op, dst, src);
			break;
		case BPF_ALU:
			low = (uint32_t)*dst;
			known = alu(op, &low, (uint32_t)src);
			*dst = (uint32_t)low;
			break;
		case BPF_JMP32:
			if (taken(op, (uint64_t)(int32_t)*dst, (uint64_t)(int32_t)src,
				  &known))
				pc += (size_t)insn->off;
			break;
		case BPF_JMP:
			if (op == BPF_EXIT && frame == frames) {
				*ret = r[0];
				return 0;
			}
			if (op == BPF_EXIT) {
				memcpy(&r[6], frame->saved, sizeof(frame->saved));
				pc = frame->ret;
				frame--;
				r[10] = (uintptr_t)(frame->stack + STACK_BYTES);
			} else if (op == BPF_CALL && insn->src_reg == BPF_PSEUDO_CALL) {
				if (++frame == frames + MAX_FRAMES)
					return -EINVAL;
				memcpy(frame->saved, &r[6], sizeof(frame->saved));
				frame->ret = pc;
				pc += (size_t)insn->imm;
				r[10] = (uintptr_t)(frame->stack + STACK_BYTES);
			} else if (op == BPF_CALL) {
				known = call(insn, ids, value, r);
			} else if (taken(op, *dst, src, &known)) {
				pc += (size_t)insn->off;
			}
			break;
		}
		if (!known)
			return -EINVAL;
	}
	return -ELOOP;
}
