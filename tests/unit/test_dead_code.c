// SPDX-License-Identifier: BSD-2-Clause
/* What is taken out of programs, in programs written by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <linux/bpf.h>

#include <cmocka.h>

#include "kernel/dead_code.h"

#define NR(array) (sizeof(array) / sizeof((array)[0]))

#define MAY_GOTO                       \
	{                              \
		.code = 0xe5, .off = 3 \
	}
#define KFUNC_CALL                                    \
	{                                             \
		.code = 0x85, .src_reg = 1, .imm = -1 \
	} /* as the compiler leaves it */
#define RETURN               \
	{                    \
		.code = 0x95 \
	}

/* Each kind is at 1 and at 3, as instructions that look like it are around it. */
static const struct bpf_insn may_gotos[] = {
	{.code = 0xa5, .dst_reg = 1, .off = 3}, /* if r1 < 0 goto +3 */
	MAY_GOTO,
	{.code = 0x05, .off = 3}, /* goto +3 */
	MAY_GOTO,
	RETURN,
};
static const struct bpf_insn kfunc_calls[] = {
	{.code = 0x85, .imm = 5}, /* of a helper */
	KFUNC_CALL,
	{.code = 0x85, .src_reg = 1, .imm = 7}, /* of a subprogram */
	KFUNC_CALL,
	{.code = 0x85, .imm = -1},
	RETURN,
};

static void assert_replaced(const struct bpf_insn *before, size_t nr,
			    unsigned int kinds, size_t expected,
			    struct bpf_insn replacement)
{
	struct bpf_insn insns[16];
	size_t i;

	assert_true(nr <= NR(insns));
	memcpy(insns, before, nr * sizeof(insns[0]));
	assert_int_equal(dead_code_replace(insns, nr, kinds), expected);
	for (i = 0; i < nr; i++)
		assert_memory_equal(&insns[i],
				    expected && (i == 1 || i == 3) ? &replacement
								   : &before[i],
				    sizeof(insns[i]));
}

static void may_goto_becomes_a_jump_to_the_next_instruction(void **state)
{
	struct bpf_insn next = {.code = 0x05};

	(void)state;
	assert_replaced(may_gotos, NR(may_gotos), DEAD_MAY_GOTO, 2, next);
	assert_replaced(may_gotos, NR(may_gotos), DEAD_MAY_GOTO | DEAD_KFUNC_CALLS, 2,
			next);
}

/* libbpf still writes into src_reg and imm, so both must be free to take. */
static void a_kfunc_call_becomes_a_load_from_a_packet(void **state)
{
	struct bpf_insn load = {.code = 0x40};

	(void)state;
	assert_replaced(kfunc_calls, NR(kfunc_calls), DEAD_KFUNC_CALLS, 2, load);
	assert_replaced(kfunc_calls, NR(kfunc_calls), DEAD_MAY_GOTO | DEAD_KFUNC_CALLS,
			2, load);
}

static void what_was_not_asked_for_stays(void **state)
{
	(void)state;
	assert_replaced(may_gotos, NR(may_gotos), DEAD_KFUNC_CALLS, 0, may_gotos[0]);
	assert_replaced(kfunc_calls, NR(kfunc_calls), DEAD_MAY_GOTO, 0, may_gotos[0]);
	assert_replaced(kfunc_calls, NR(kfunc_calls), 0, 0, may_gotos[0]);
}

/* Its second half is a constant's, whatever it looks like. */
static void a_64_bit_constant_is_stepped_over(void **state)
{
	const struct bpf_insn insns[] = {{.code = 0x18, .imm = 1}, KFUNC_CALL, RETURN};

	(void)state;
	assert_replaced(insns, NR(insns), DEAD_KFUNC_CALLS, 0, insns[0]);
}

static void only_the_verifier_s_own_complaint_blames_a_replacement(void **state)
{
	(void)state;
	assert_true(dead_code_was_alive(
		"23: (40) r0 = *(u32 *)skb[r2 + 63456]\n"
		"BPF_LD_[ABS|IND] instructions not allowed for this program type\n"
		"processed 20 insns (limit 1000000)\n"));
	assert_false(dead_code_was_alive(""));
	assert_false(
		dead_code_was_alive("JIT is required for calling kernel function\n"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(may_goto_becomes_a_jump_to_the_next_instruction),
		cmocka_unit_test(a_kfunc_call_becomes_a_load_from_a_packet),
		cmocka_unit_test(what_was_not_asked_for_stays),
		cmocka_unit_test(a_64_bit_constant_is_stepped_over),
		cmocka_unit_test(
			only_the_verifier_s_own_complaint_blames_a_replacement),
	};

	return cmocka_run_group_tests_name("dead_code", tests, NULL, NULL);
}
