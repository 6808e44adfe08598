// SPDX-License-Identifier: BSD-2-Clause
/* Machine code as bytes from the processors' manuals. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "insn/jited.h"

static void x86_64_calls_and_jumps_have_their_target(void **state)
{
	static const uint8_t bytes[] = {
		0x55,                         /* push rbp */
		0xe8, 0x0a, 0x00, 0x00, 0x00, /* call +10 */
		0x74, 0x02,                   /* je +2 */
		0x31, 0xc0,                   /* xor eax, eax */
		0xc3,                         /* ret */
	};
	struct jited_code code;

	(void)state;
	assert_int_equal(jited_code_init(&code, JITED_X86_64, bytes, sizeof(bytes),
					 0xffffffffc0000000),
			 0);
	assert_int_equal(code.nr_lines, 5);
	assert_int_equal(code.nr_undecoded, 0);
	assert_string_equal(code.lines[0].text, "push rbp");
	assert_int_equal(code.lines[0].target, 0);
	assert_int_equal(code.lines[1].addr, 0xffffffffc0000001);
	assert_int_equal(code.lines[1].target, 0xffffffffc0000010);
	assert_int_equal(code.lines[2].target, 0xffffffffc000000a);
	assert_string_equal(code.lines[3].text, "xor eax, eax");
	assert_int_equal(code.lines[3].target, 0);
	jited_code_release(&code);
}

static void aarch64_calls_and_jumps_have_their_target(void **state)
{
	static const uint8_t bytes[] = {
		0x07, 0x00, 0x80, 0xd2, /* mov x7, #0 */
		0x04, 0x00, 0x00, 0x94, /* bl +16 */
		0x40, 0x01, 0x3f, 0xd6, /* blr x10 */
		0x40, 0x00, 0x00, 0x54, /* b.eq +8 */
		0xc0, 0x03, 0x5f, 0xd6, /* ret */
	};
	struct jited_code code;

	(void)state;
	assert_int_equal(jited_code_init(&code, JITED_AARCH64, bytes, sizeof(bytes),
					 0xffff800080000000),
			 0);
	assert_int_equal(code.nr_lines, 5);
	assert_int_equal(code.lines[0].target, 0);
	assert_int_equal(code.lines[1].target, 0xffff800080000014);
	assert_int_equal(code.lines[2].target, 0);
	assert_int_equal(code.lines[3].target, 0xffff800080000014);
	jited_code_release(&code);
}

/* As 6.12 calls a kernel function; capstone alone does not tell where to. */
static void aarch64_call_through_a_register_has_its_target(void **state)
{
	static const uint8_t bytes[] = {
		0x2a, 0x75, 0x99, 0x92, /* movn x10, #0xcba9 */
		0x4a, 0x02, 0xb0, 0xf2, /* movk x10, #0x8012, lsl 16 */
		0x0a, 0x00, 0xd0, 0xf2, /* movk x10, #0x8000, lsl 32 */
		0x40, 0x01, 0x3f, 0xd6, /* blr x10 */
	};
	struct jited_code code;

	(void)state;
	assert_int_equal(jited_code_init(&code, JITED_AARCH64, bytes, sizeof(bytes),
					 0xffff800080000000),
			 0);
	assert_int_equal(code.nr_lines, 4);
	assert_int_equal(code.lines[2].target, 0);
	assert_string_equal(code.lines[3].text, "blr x10");
	assert_int_equal(code.lines[3].target, 0xffff800080123456);
	jited_code_release(&code);
}

/* Older capstones know no atomics of Armv8.1, which JITs emit. */
static void aarch64_word_that_is_no_instruction_does_not_end_the_code(void **state)
{
	static const uint8_t bytes[] = {
		0xe8, 0x03, 0x01, 0xaa, /* mov x8, x1 */
		0xff, 0xff, 0xff, 0xff, /* unallocated */
		0xc0, 0x03, 0x5f, 0xd6, /* ret */
		0xc0, 0x03,
	};
	struct jited_code code;

	(void)state;
	assert_int_equal(jited_code_init(&code, JITED_AARCH64, bytes, sizeof(bytes),
					 0xffff800080000000),
			 0);
	assert_int_equal(code.nr_lines, 3);
	assert_string_equal(code.lines[1].text, ".inst 0xffffffff");
	assert_int_equal(code.lines[2].addr, 0xffff800080000008);
	assert_string_equal(code.lines[2].text, "ret");
	assert_int_equal(code.nr_undecoded, 2);
	jited_code_release(&code);
}

static void bytes_that_are_no_instruction_are_counted(void **state)
{
	static const uint8_t bytes[] = {0xc3, 0x06, 0x06}; /* ret; none in 64 bits */
	struct jited_code code;

	(void)state;
	assert_int_equal(jited_code_init(&code, JITED_X86_64, bytes, sizeof(bytes), 0),
			 0);
	assert_int_equal(code.nr_lines, 1);
	assert_int_equal(code.nr_undecoded, 2);
	jited_code_release(&code);
	assert_int_equal(jited_code_init(&code, JITED_X86_64, bytes, 0, 0), 0);
	assert_int_equal(code.nr_lines, 0);
	jited_code_release(&code);
}

static void only_known_architectures_are_taken(void **state)
{
	enum jited_arch arch = JITED_X86_64;

	(void)state;
	assert_int_equal(jited_arch_parse("aarch64", &arch), 0);
	assert_int_equal(arch, JITED_AARCH64);
	assert_int_equal(jited_arch_parse("riscv64", &arch), -ENOTSUP);
	assert_int_equal(arch, JITED_AARCH64);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(x86_64_calls_and_jumps_have_their_target),
		cmocka_unit_test(aarch64_calls_and_jumps_have_their_target),
		cmocka_unit_test(aarch64_call_through_a_register_has_its_target),
		cmocka_unit_test(
			aarch64_word_that_is_no_instruction_does_not_end_the_code),
		cmocka_unit_test(bytes_that_are_no_instruction_are_counted),
		cmocka_unit_test(only_known_architectures_are_taken),
	};

	return cmocka_run_group_tests_name("insn_jited", tests, NULL, NULL);
}
