// SPDX-License-Identifier: BSD-2-Clause
/*
 * Translated programs written by hand: what kernels that we know emit, and what
 * hidden addresses leave. The counts are counted by hand.
 */
#include "region.h"

/* --- finding the region ------------------------------------------------------ */

static void region_is_what_stands_between_the_markers(void **state)
{
	struct bpf_insn insns[] = {INSN_MOV_REG(9, 1),  INSN_MOV_REG(8, 1), BEGIN,
				   INSN_CALL_BTF(1234), INSN_MOV_IMM(0, 0), END};
	struct insn_region region;

	(void)state;
	assert_int_equal(insn_region_find(insns, NR(insns), &region), 0);
	assert_int_equal(region.begin, 4);
	assert_int_equal(region.end, 6);
}

static void a_missing_marker_is_not_found(void **state)
{
	struct bpf_insn no_begin[] = {INSN_MOV_REG(9, 9), INSN_MOV_IMM(8, 0),
				      INSN_CALL(1), END};
	struct bpf_insn no_end[] = {BEGIN, INSN_CALL(1), INSN_MOV_REG(8, 8),
				    INSN_EXIT()};
	struct bpf_insn reversed[] = {INSN_MOV_REG(8, 8), INSN_MOV_REG(9, 9),
				      INSN_CALL(1), BEGIN, INSN_EXIT()};
	struct insn_region region;

	(void)state;
	assert_int_equal(insn_region_find(no_begin, NR(no_begin), &region), -ENOENT);
	assert_int_equal(insn_region_find(no_end, NR(no_end), &region), -ENOENT);
	assert_int_equal(insn_region_find(reversed, NR(reversed), &region), -ENOENT);
	assert_int_equal(insn_region_find(NULL, 0, &region), -ENOENT);
}

static void two_constructs_are_not_mixed_up(void **state)
{
	struct bpf_insn insns[] = {BEGIN,
				   INSN_CALL(1),
				   INSN_MOV_REG(8, 8),
				   INSN_MOV_REG(9, 9),
				   BEGIN,
				   INSN_CALL(2),
				   END};
	struct insn_region region;

	(void)state;
	assert_int_equal(insn_region_find(insns, NR(insns), &region), -EEXIST);
}

static void a_move_with_a_meaning_is_no_marker(void **state)
{
	struct bpf_insn insns[] = {INSN_MOV_PERCPU(9, 9), INSN_MOV_REG(8, 8),
				   INSN_CALL(1), END};
	struct insn_region region;

	(void)state;
	assert_int_equal(insn_region_find(insns, NR(insns), &region), -ENOENT);
}

/* The second half of a 64-bit load may look like anything. */
static void halves_of_loads_are_not_read_as_markers(void **state)
{
	struct bpf_insn insns[] = {BEGIN, INSN_LD_IMM64(0, 0, 1, 2), END};
	struct insn_shape shape;

	(void)state;
	insns[3] = INSN_MOV_REG(8, 8);
	shape = shape_of(insns, NR(insns), NO_HELPER);
	assert_int_equal(shape.nr_insns, 1);
}

/* --- what kernels emit ------------------------------------------------------- */

static void a_kfunc_call_is_a_call(void **state)
{
	struct bpf_insn insns[] = {BEGIN, INSN_CALL_BTF(316640), END};
	struct insn_shape shape = shape_of(insns, NR(insns), NO_HELPER);

	(void)state;
	assert_state(&shape, FEATURE_CALL);
	assert_int_equal(shape.nr_insns, 1);
	assert_int_equal(shape.nr_calls, 1);
	assert_int_equal(shape.call.imm, 316640);
}

/* 7.3: ldx cur; add 1; ldx end; jsge; stx cur; mov; ja; stx 0; mov 0 */
static void inlined_next_of_7_3_is_inlined(void **state)
{
	struct bpf_insn insns[] = {
		BEGIN,
		INSN_LDX(BPF_W, 0, 1, 0),
		INSN_ALU32_IMM(BPF_ADD, 0, 1),
		INSN_LDX(BPF_W, 2, 1, 4),
		INSN_JMP32_REG(BPF_JSGE, 0, 2, 3),
		INSN_STX(BPF_W, 1, 0, 0),
		INSN_MOV_REG(0, 1),
		INSN_GOTO(2),
		INSN_ST(BPF_DW, 1, 0, 0),
		INSN_MOV_IMM(0, 0),
		END,
	};
	struct insn_shape shape = shape_of(insns, NR(insns), NO_HELPER);

	(void)state;
	assert_state(&shape, FEATURE_INLINED);
	assert_int_equal(shape.nr_insns, 9);
	assert_int_equal(shape.nr_branches, 1);
	assert_int_equal(shape.nr_calls, 0);
}

/* 7.3's destroy is "goto +0"; a kernel may also leave nothing at all. */
static void next_to_nothing_is_inlined_too(void **state)
{
	struct bpf_insn nop[] = {BEGIN, INSN_GOTO(0), END};
	struct bpf_insn nothing[] = {BEGIN, END};
	struct insn_shape shape;

	(void)state;
	shape = shape_of(nop, NR(nop), NO_HELPER);
	assert_state(&shape, FEATURE_INLINED);
	assert_int_equal(shape.nr_insns, 1);
	shape = shape_of(nothing, NR(nothing), NO_HELPER);
	assert_state(&shape, FEATURE_INLINED);
	assert_int_equal(shape.nr_insns, 0);
}

/* 6.18, seen on x86-64: the callback is called, which is not a call of the kernel. */
static const struct bpf_insn inlined_bpf_loop[] = {
	BEGIN,
	INSN_JMP_IMM(BPF_JLE, 1, 0x800000, 2),
	INSN_ALU32_IMM(BPF_MOV, 0, -7),
	INSN_GOTO(16),
	INSN_STX(BPF_DW, 10, 6, -24),
	INSN_STX(BPF_DW, 10, 7, -16),
	INSN_STX(BPF_DW, 10, 8, -8),
	INSN_MOV_REG(6, 1),
	INSN_ALU32_IMM(BPF_MOV, 7, 0),
	INSN_MOV_REG(8, 3),
	INSN_JMP_REG(BPF_JGE, 7, 6, 5),
	INSN_MOV_REG(1, 7),
	INSN_MOV_REG(2, 8),
	INSN(BPF_JMP | BPF_CALL, 0, BPF_PSEUDO_CALL, 9, 1),
	INSN_ALU_IMM(BPF_ADD, 7, 1),
	INSN_JMP_IMM(BPF_JEQ, 0, 0, -6),
	INSN_MOV_REG(0, 7),
	INSN_LDX(BPF_DW, 6, 10, -24),
	INSN_LDX(BPF_DW, 7, 10, -16),
	INSN_LDX(BPF_DW, 8, 10, -8),
	END,
	INSN_MOV_IMM(0, 0),
	INSN_EXIT(),
};

static void inlined_bpf_loop_calls_the_program_only(void **state)
{
	struct insn_shape shape =
		shape_of(inlined_bpf_loop, NR(inlined_bpf_loop), BPF_FUNC_loop);

	(void)state;
	assert_state(&shape, FEATURE_INLINED);
	assert_int_equal(shape.nr_insns, 19);
	assert_int_equal(shape.nr_bpf_calls, 1);
	assert_int_equal(shape.nr_calls, 0);
	assert_int_equal(shape.nr_branches, 3);
}

/* 6.18, seen on x86-64 */
static void timed_may_goto_is_inlined_with_a_call_beside(void **state)
{
	struct bpf_insn insns[] = {
		BEGIN,
		INSN_LDX(BPF_DW, 11, 10, -16),
		INSN_JMP_IMM(BPF_JEQ, 11, 0, 7),
		INSN_ALU_IMM(BPF_SUB, 11, 1),
		INSN_JMP_IMM(BPF_JNE, 11, 0, 2),
		INSN_MOV_IMM(11, -16),
		INSN_CALL(-1542304),
		INSN_STX(BPF_DW, 10, 11, -16),
		END,
	};
	struct insn_shape shape = shape_of(insns, NR(insns), NO_HELPER);

	(void)state;
	assert_state(&shape, FEATURE_INLINED);
	assert_int_equal(shape.nr_insns, 7);
	assert_int_equal(shape.nr_calls, 1);
	assert_int_equal(shape.call.imm, -1542304);

	/* with its address hidden it still is beside the way through */
	insns[7].imm = 0;
	shape = shape_of(insns, NR(insns), NO_HELPER);
	assert_state(&shape, FEATURE_INLINED);
}

/* 6.12 */
static void plain_may_goto_has_four_instructions(void **state)
{
	struct bpf_insn insns[] = {
		BEGIN,
		INSN_LDX(BPF_DW, 11, 10, -8),
		INSN_JMP_IMM(BPF_JEQ, 11, 0, 4),
		INSN_ALU_IMM(BPF_SUB, 11, 1),
		INSN_STX(BPF_DW, 10, 11, -8),
		END,
	};
	struct insn_shape shape = shape_of(insns, NR(insns), NO_HELPER);

	(void)state;
	assert_state(&shape, FEATURE_INLINED);
	assert_int_equal(shape.nr_insns, 4);
	assert_int_equal(shape.nr_calls, 0);
}

static void a_call_with_code_around_is_partial(void **state)
{
	struct bpf_insn hash[] = {BEGIN, INSN_CALL(330864),
				  INSN_JMP_IMM(BPF_JEQ, 0, 0, 1),
				  INSN_ALU_IMM(BPF_ADD, 0, 56), END};
	struct bpf_insn two_calls[] = {BEGIN, INSN_CALL(16), INSN_CALL(32), END};
	struct insn_shape shape;

	(void)state;
	shape = shape_of(hash, NR(hash), BPF_FUNC_map_lookup_elem);
	assert_state(&shape, FEATURE_PARTIAL);
	assert_int_equal(shape.nr_insns, 3);
	shape = shape_of(two_calls, NR(two_calls), NO_HELPER);
	assert_state(&shape, FEATURE_PARTIAL);
	assert_int_equal(shape.nr_calls, 2);
	assert_int_equal(shape.call.imm, 16);
}

/* Each of two branches has a call of its own: none leads through without one. */
static void a_call_in_either_branch_is_partial(void **state)
{
	struct bpf_insn insns[] = {
		BEGIN,         INSN_JMP_IMM(BPF_JEQ, 1, 0, 2),
		INSN_CALL(16), INSN_GOTO(1),
		INSN_CALL(32), END,
	};
	struct insn_shape shape = shape_of(insns, NR(insns), NO_HELPER);

	(void)state;
	assert_state(&shape, FEATURE_PARTIAL);
	assert_int_equal(shape.nr_calls, 2);
}

/* A kernel may move the seldom part of a construct behind the program. */
static void code_moved_out_of_the_region_is_followed(void **state)
{
	struct bpf_insn insns[] = {
		BEGIN, INSN_GOTO(3), END, INSN_CALL(16), INSN_GOTO(-5),
	};
	struct insn_shape shape = shape_of(insns, NR(insns), NO_HELPER);

	(void)state;
	assert_state(&shape, FEATURE_PARTIAL);
	assert_int_equal(shape.nr_calls, 0);
	assert_int_equal(shape.call.imm, 16);
	insns[6].imm = 0;
	shape = shape_of(insns, NR(insns), NO_HELPER);
	assert_state(&shape, FEATURE_UNKNOWN);
	insns[6] = INSN_MOV_IMM(0, 0);
	shape = shape_of(insns, NR(insns), NO_HELPER);
	assert_state(&shape, FEATURE_INLINED);
}

static void a_region_that_ends_the_program_is_unknown(void **state)
{
	struct bpf_insn insns[] = {BEGIN, INSN_MOV_IMM(0, 0), INSN_EXIT(), END};
	struct insn_shape shape = shape_of(insns, NR(insns), NO_HELPER);

	(void)state;
	assert_state(&shape, FEATURE_UNKNOWN);
}

static void loops_in_the_region_end_the_walk(void **state)
{
	struct bpf_insn endless[] = {BEGIN, INSN_GOTO(-1), END};
	struct bpf_insn counted[] = {BEGIN, INSN_ALU_IMM(BPF_SUB, 1, 1),
				     INSN_JMP_IMM(BPF_JNE, 1, 0, -2), END};
	struct insn_shape shape;

	(void)state;
	shape = shape_of(endless, NR(endless), NO_HELPER);
	assert_state(&shape, FEATURE_UNKNOWN);
	shape = shape_of(counted, NR(counted), NO_HELPER);
	assert_state(&shape, FEATURE_INLINED);
}

/* --- helper ids, hidden addresses -------------------------------------------- */

/* arm64: the JIT has code of its own for the helper, and its id stays */
static void a_helper_id_that_stayed_is_inlined_by_the_jit(void **state)
{
	struct bpf_insn insns[] = {BEGIN, INSN_CALL(8), END};
	struct insn_shape shape;

	(void)state;
	shape = shape_of(insns, NR(insns), BPF_FUNC_get_smp_processor_id);
	assert_state(&shape, FEATURE_INLINED);
	assert_int_equal(shape.nr_jit_helpers, 1);
	assert_int_equal(shape.nr_calls, 0);

	/* another construct's id proves nothing */
	shape = shape_of(insns, NR(insns), BPF_FUNC_get_current_task);
	assert_state(&shape, FEATURE_CALL);
	/* and a kfunc's number is not a helper's */
	insns[2] = INSN_CALL_BTF(8);
	shape = shape_of(insns, NR(insns), BPF_FUNC_get_smp_processor_id);
	assert_state(&shape, FEATURE_CALL);
}

static void a_hidden_helper_is_unknown_and_a_hidden_kfunc_a_call(void **state)
{
	struct bpf_insn helper[] = {BEGIN, INSN_CALL(0), END};
	struct bpf_insn hash[] = {BEGIN, INSN_CALL(0), INSN_JMP_IMM(BPF_JEQ, 0, 0, 1),
				  INSN_ALU_IMM(BPF_ADD, 0, 56), END};
	struct bpf_insn kfunc[] = {BEGIN, INSN_CALL_BTF(0), END};
	struct insn_shape shape;

	(void)state;
	shape = shape_of(helper, NR(helper), BPF_FUNC_get_smp_processor_id);
	assert_state(&shape, FEATURE_UNKNOWN);
	shape = shape_of(hash, NR(hash), BPF_FUNC_map_lookup_elem);
	assert_state(&shape, FEATURE_UNKNOWN);
	assert_int_equal(shape.nr_hidden, 1);
	shape = shape_of(kfunc, NR(kfunc), NO_HELPER);
	assert_state(&shape, FEATURE_CALL);
	assert_int_equal(shape.nr_hidden, 0);
}

/* --- folding ----------------------------------------------------------------- */

static void folded_is_inlined_without_the_checks_of_the_variable_one(void **state)
{
	struct bpf_insn variable[] = {
		BEGIN,
		INSN_JMP32_REG(BPF_JSGT, 2, 3, 3),
		INSN_STX(BPF_W, 1, 2, 0),
		INSN_STX(BPF_W, 1, 3, 4),
		INSN_MOV_IMM(0, 0),
		END,
	};
	struct bpf_insn constant[] = {BEGIN, INSN_ST(BPF_W, 1, 0, -1),
				      INSN_ST(BPF_W, 1, 4, 10), INSN_MOV_IMM(0, 0),
				      END};
	struct bpf_insn call[] = {BEGIN, INSN_CALL_BTF(16), END};
	struct insn_shape v = shape_of(variable, NR(variable), NO_HELPER);
	struct insn_shape c = shape_of(constant, NR(constant), NO_HELPER);
	struct insn_shape k = shape_of(call, NR(call), NO_HELPER);

	(void)state;
	assert_true(insn_shape_is_folded(&c, &v));
	assert_false(insn_shape_is_folded(&v, &v)); /* checks still there */
	assert_false(insn_shape_is_folded(&c, &c)); /* never had any */
	assert_false(insn_shape_is_folded(&k, &v)); /* not inlined */
	assert_false(insn_shape_is_folded(&c, &k)); /* nothing to compare with */
}

/* --- what cannot be followed ------------------------------------------------- */

static void jumps_out_of_the_program_are_an_error(void **state)
{
	struct bpf_insn forward[] = {BEGIN, INSN_GOTO(100), END};
	struct bpf_insn backward[] = {BEGIN, INSN_JMP_IMM(BPF_JEQ, 0, 0, -100), END};
	struct bpf_insn indirect[] = {BEGIN, INSN(BPF_JMP | BPF_JA | BPF_X, 1, 0, 0, 0),
				      END};
	struct insn_region region = {2, 3};
	struct insn_shape shape = {.nr_insns = 77};

	(void)state;
	assert_int_equal(insn_region_shape(forward, NR(forward), &region, 0, &shape),
			 -EINVAL);
	assert_int_equal(insn_region_shape(backward, NR(backward), &region, 0, &shape),
			 -EINVAL);
	assert_int_equal(insn_region_shape(indirect, NR(indirect), &region, 0, &shape),
			 -ENOTSUP);
	assert_int_equal(shape.nr_insns, 77);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(region_is_what_stands_between_the_markers),
		cmocka_unit_test(a_missing_marker_is_not_found),
		cmocka_unit_test(two_constructs_are_not_mixed_up),
		cmocka_unit_test(a_move_with_a_meaning_is_no_marker),
		cmocka_unit_test(halves_of_loads_are_not_read_as_markers),
		cmocka_unit_test(a_kfunc_call_is_a_call),
		cmocka_unit_test(inlined_next_of_7_3_is_inlined),
		cmocka_unit_test(next_to_nothing_is_inlined_too),
		cmocka_unit_test(inlined_bpf_loop_calls_the_program_only),
		cmocka_unit_test(timed_may_goto_is_inlined_with_a_call_beside),
		cmocka_unit_test(plain_may_goto_has_four_instructions),
		cmocka_unit_test(a_call_with_code_around_is_partial),
		cmocka_unit_test(a_call_in_either_branch_is_partial),
		cmocka_unit_test(code_moved_out_of_the_region_is_followed),
		cmocka_unit_test(a_region_that_ends_the_program_is_unknown),
		cmocka_unit_test(loops_in_the_region_end_the_walk),
		cmocka_unit_test(a_helper_id_that_stayed_is_inlined_by_the_jit),
		cmocka_unit_test(a_hidden_helper_is_unknown_and_a_hidden_kfunc_a_call),
		cmocka_unit_test(
			folded_is_inlined_without_the_checks_of_the_variable_one),
		cmocka_unit_test(jumps_out_of_the_program_are_an_error),
	};

	return cmocka_run_group_tests_name("insn_region", tests, NULL, NULL);
}
