// SPDX-License-Identifier: BSD-2-Clause
/*
 * Instructions as opcode bytes, from the instruction set's tables and not from
 * our macros, and the text that the kernel's disassembler gives for them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "insn/format.h"

#define RAW(c, d, s, o, i)                                                          \
	{                                                                           \
		.code = (c), .dst_reg = (d), .src_reg = (s), .off = (o), .imm = (i) \
	}

struct expectation {
	struct bpf_insn insn;
	const char *text;
};

static void check(const struct expectation *e, size_t nr)
{
	char text[INSN_TEXT_LEN];
	size_t i;

	for (i = 0; i < nr; i++) {
		assert_int_equal(insn_format(&e[i].insn, 1, NULL, text, sizeof(text)),
				 1);
		assert_string_equal(text, e[i].text);
	}
}

#define CHECK(table) check(table, sizeof(table) / sizeof((table)[0]))

static void arithmetic_is_written_with_its_width_and_sign(void **state)
{
	static const struct expectation table[] = {
		{RAW(0xb7, 1, 0, 0, 5), "r1 = 5"},
		{RAW(0xb7, 1, 0, 0, -5), "r1 = -5"},
		{RAW(0xb4, 0, 0, 0, -7), "w0 = -7"},
		{RAW(0xbf, 6, 1, 0, 0), "r6 = r1"},
		{RAW(0xbc, 6, 1, 0, 0), "w6 = w1"},
		{RAW(0x07, 2, 0, 0, -8), "r2 += -8"},
		{RAW(0x1f, 2, 3, 0, 0), "r2 -= r3"},
		{RAW(0x27, 2, 0, 0, 3), "r2 *= 3"},
		{RAW(0x3f, 2, 3, 0, 0), "r2 /= r3"},
		{RAW(0x3f, 2, 3, 1, 0), "r2 s/= r3"},
		{RAW(0x97, 2, 0, 1, 7), "r2 s%= 7"},
		{RAW(0x4c, 2, 3, 0, 0), "w2 |= w3"},
		{RAW(0x57, 2, 0, 0, 255), "r2 &= 255"},
		{RAW(0x67, 2, 0, 0, 32), "r2 <<= 32"},
		{RAW(0x77, 2, 0, 0, 32), "r2 >>= 32"},
		{RAW(0xc7, 2, 0, 0, 32), "r2 s>>= 32"},
		{RAW(0xaf, 0, 0, 0, 0), "r0 ^= r0"},
		{RAW(0x87, 4, 0, 0, 0), "r4 = -r4"},
		{RAW(0xd4, 4, 0, 0, 16), "r4 = le16 r4"},
		{RAW(0xdc, 4, 0, 0, 32), "r4 = be32 r4"},
		{RAW(0xd7, 4, 0, 0, 64), "r4 = bswap64 r4"},
	};

	(void)state;
	CHECK(table);
}

static void moves_with_a_meaning_in_off_are_told_apart(void **state)
{
	static const struct expectation table[] = {
		{RAW(0xbf, 0, 0, -1, 0), "r0 = &(void __percpu *)(r0)"},
		{RAW(0xbf, 1, 2, 8, 0), "r1 = (s8)r2"},
		{RAW(0xbf, 1, 2, 32, 0), "r1 = (s32)r2"},
		{RAW(0xbc, 1, 2, 16, 0), "w1 = (s16)w2"},
		{RAW(0xbf, 1, 2, 1, 0x10000), "r1 = addr_space_cast(r2, 1, 0)"},
	};

	(void)state;
	CHECK(table);
}

static void memory_is_written_with_its_size(void **state)
{
	static const struct expectation table[] = {
		{RAW(0x61, 0, 1, 4, 0), "r0 = *(u32 *)(r1 +4)"},
		{RAW(0x69, 0, 1, 0, 0), "r0 = *(u16 *)(r1 +0)"},
		{RAW(0x71, 0, 10, -1, 0), "r0 = *(u8 *)(r10 -1)"},
		{RAW(0x79, 11, 10, -16, 0), "r11 = *(u64 *)(r10 -16)"},
		{RAW(0x81, 0, 1, 4, 0), "r0 = *(s32 *)(r1 +4)"},
		{RAW(0x7b, 10, 11, -16, 0), "*(u64 *)(r10 -16) = r11"},
		{RAW(0x63, 1, 2, 0, 0), "*(u32 *)(r1 +0) = r2"},
		{RAW(0x7a, 10, 0, -8, 0), "*(u64 *)(r10 -8) = 0"},
		{RAW(0x72, 10, 0, -8, 7), "*(u8 *)(r10 -8) = 7"},
		{RAW(0xc2, 0, 0, 0, 0), "nospec"},
		{RAW(0x30, 0, 0, 0, 12), "r0 = *(u8 *)skb[12]"},
		{RAW(0x48, 0, 3, 0, 12), "r0 = *(u16 *)skb[r3 + 12]"},
	};

	(void)state;
	CHECK(table);
}

static void atomic_operations_are_told_apart(void **state)
{
	static const struct expectation table[] = {
		{RAW(0xc3, 1, 2, 0, 0x00), "lock *(u32 *)(r1 +0) += r2"},
		{RAW(0xdb, 1, 2, 8, 0x50), "lock *(u64 *)(r1 +8) &= r2"},
		{RAW(0xdb, 1, 2, 0, 0x01),
		 "r2 = atomic64_fetch_add((u64 *)(r1 +0), r2)"},
		{RAW(0xc3, 1, 2, 0, 0xa1), "r2 = atomic_fetch_xor((u32 *)(r1 +0), r2)"},
		{RAW(0xdb, 1, 2, 0, 0xe1), "r2 = atomic64_xchg((u64 *)(r1 +0), r2)"},
		{RAW(0xdb, 1, 2, 0, 0xf1),
		 "r0 = atomic64_cmpxchg((u64 *)(r1 +0), r0, r2)"},
		{RAW(0xdb, 1, 2, 0, 0x100), "r1 = load_acquire((u64 *)(r2 +0))"},
		{RAW(0xdb, 1, 2, 0, 0x110), "store_release((u64 *)(r1 +0), r2)"},
	};

	(void)state;
	CHECK(table);
}

static void jumps_are_written_with_their_distance(void **state)
{
	static const struct expectation table[] = {
		{RAW(0x05, 0, 0, 5, 0), "goto pc+5"},
		{RAW(0x05, 0, 0, -3, 0), "goto pc-3"},
		{RAW(0x06, 0, 0, 0, 70000), "gotol pc+70000"},
		{RAW(0x15, 0, 0, 1, 0), "if r0 == 0x0 goto pc+1"},
		{RAW(0x55, 3, 0, 2, -1), "if r3 != 0xffffffff goto pc+2"},
		{RAW(0x2d, 1, 2, 1, 0), "if r1 > r2 goto pc+1"},
		{RAW(0x3d, 1, 2, 1, 0), "if r1 >= r2 goto pc+1"},
		{RAW(0xad, 1, 2, 1, 0), "if r1 < r2 goto pc+1"},
		{RAW(0xb5, 1, 0, 2, 0x800000), "if r1 <= 0x800000 goto pc+2"},
		{RAW(0x45, 1, 0, 2, 1), "if r1 & 0x1 goto pc+2"},
		{RAW(0x65, 1, 0, 2, 1), "if r1 s> 0x1 goto pc+2"},
		{RAW(0x7e, 1, 2, 2, 0), "if w1 s>= w2 goto pc+2"},
		{RAW(0xce, 1, 2, 2, 0), "if w1 s< w2 goto pc+2"},
		{RAW(0xd6, 1, 0, -2, 9), "if w1 s<= 0x9 goto pc-2"},
		{RAW(0xe5, 0, 0, 4, 0), "may_goto pc+4"},
		{RAW(0x0d, 3, 0, 0, 0), "gotox r3"},
		{RAW(0x95, 0, 0, 0, 0), "exit"},
	};

	(void)state;
	CHECK(table);
}

static void a_call_without_a_name_keeps_its_number(void **state)
{
	static const struct expectation table[] = {
		{RAW(0x85, 0, 0, 0, 8), "call #8"},
		{RAW(0x85, 0, 2, 0, 6), "call kfunc#6"},
		/* translated, the distance is in off and imm the function's number */
		{RAW(0x85, 0, 1, 10, 1), "call pc+10"},
		{RAW(0x85, 0, 1, 0, -7), "call pc-7"},
	};

	(void)state;
	CHECK(table);
}

static bool name_call(void *ctx, const struct bpf_insn *insn, char *buf, size_t size)
{
	if (insn->imm != 4242)
		return false;
	snprintf(buf, size, "%s", (const char *)ctx);
	return true;
}

static bool name_address(void *ctx, uint64_t addr, char *buf, size_t size)
{
	(void)ctx;
	if (addr != 0xffffffff83009980)
		return false;
	snprintf(buf, size, "jiffies");
	return true;
}

static const struct insn_names names = {
	.call = name_call, .address = name_address, .ctx = "bpf_iter_num_next"};

static void calls_get_their_names(void **state)
{
	static const struct bpf_insn call = RAW(0x85, 0, 2, 0, 4242);
	static const struct bpf_insn unnamed = RAW(0x85, 0, 0, 0, 1);
	char text[INSN_TEXT_LEN];

	(void)state;
	insn_format(&call, 1, &names, text, sizeof(text));
	assert_string_equal(text, "call bpf_iter_num_next");
	insn_format(&unnamed, 1, &names, text, sizeof(text));
	assert_string_equal(text, "call #1");
}

static void a_64_bit_load_takes_two_slots(void **state)
{
	static const struct {
		struct bpf_insn insns[2];
		const char *text;
	} table[] = {
		{{RAW(0x18, 1, 1, 0, 619), RAW(0, 0, 0, 0, 0)}, "r1 = map[id:619]"},
		{{RAW(0x18, 1, 2, 0, 619), RAW(0, 0, 0, 0, 16)},
		 "r1 = map[id:619][0]+16"},
		{{RAW(0x18, 2, 4, 0, 29), RAW(0, 0, 0, 0, 1)}, "r2 = subprog[+29]"},
		{{RAW(0x18, 3, 0, 0, -2), RAW(0, 0, 0, 0, 1)}, "r3 = 0x1fffffffe"},
		{{RAW(0x18, 0, 0, 0, (int)0x83009980), RAW(0, 0, 0, 0, -1)},
		 "r0 = &jiffies"},
	};
	char text[INSN_TEXT_LEN];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		assert_int_equal(
			insn_format(table[i].insns, 2, &names, text, sizeof(text)), 2);
		assert_string_equal(text, table[i].text);
	}
}

static void what_is_no_instruction_is_given_in_hex(void **state)
{
	static const struct expectation table[] = {
		{RAW(0xe7, 1, 2, 3, 4), "(code e7 dst 1 src 2 off 3 imm 4)"},
		{RAW(0xbf, 1, 2, 3, 4), "(code bf dst 1 src 2 off 3 imm 4)"},
		{RAW(0xdb, 1, 2, 3, 0x20), "(code db dst 1 src 2 off 3 imm 32)"},
		{RAW(0xf5, 0, 0, 0, 0), "(code f5 dst 0 src 0 off 0 imm 0)"},
		/* the first half of a load, at the very end */
		{RAW(0x18, 1, 0, 0, 1), "(code 18 dst 1 src 0 off 0 imm 1)"},
	};

	(void)state;
	CHECK(table);
}

/* Every opcode, operands and all: text comes out, and never beyond its buffer. */
static void no_opcode_overruns_the_buffer(void **state)
{
	struct bpf_insn insns[2] = {0};
	char text[24];
	int code, src;

	(void)state;
	for (code = 0; code < 256; code++) {
		for (src = 0; src < 16; src++) {
			insns[0].code = (uint8_t)code;
			insns[0].src_reg = (uint8_t)src & 0xf;
			insns[0].dst_reg = 15;
			insns[0].off = INT16_MIN;
			insns[0].imm = INT32_MIN;
			memset(text, '@', sizeof(text));
			insn_format(insns, 2, NULL, text, 16);
			assert_non_null(memchr(text, '\0', 16));
			assert_int_equal(text[0] == '\0', 0);
			assert_memory_equal(text + 16, "@@@@@@@@", 8);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(arithmetic_is_written_with_its_width_and_sign),
		cmocka_unit_test(moves_with_a_meaning_in_off_are_told_apart),
		cmocka_unit_test(memory_is_written_with_its_size),
		cmocka_unit_test(atomic_operations_are_told_apart),
		cmocka_unit_test(jumps_are_written_with_their_distance),
		cmocka_unit_test(a_call_without_a_name_keeps_its_number),
		cmocka_unit_test(calls_get_their_names),
		cmocka_unit_test(a_64_bit_load_takes_two_slots),
		cmocka_unit_test(what_is_no_instruction_is_given_in_hex),
		cmocka_unit_test(no_opcode_overruns_the_buffer),
	};

	return cmocka_run_group_tests_name("insn_format", tests, NULL, NULL);
}
