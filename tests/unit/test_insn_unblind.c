// SPDX-License-Identifier: BSD-2-Clause
/* Constant blinding undone. The instructions are written as the kernel makes them. */
#include "region.h"

#define K1 0x1234567
/* "r11 = K1; r11 ^= K2" with K1 ^ K2 == imm, as bpf_jit_blind_insn() emits it */
#define AX(imm) INSN_MOV_IMM(11, K1), INSN_ALU_IMM(BPF_XOR, 11, K1 ^ (imm))
#define AX32(imm) \
	INSN_ALU32_IMM(BPF_MOV, 11, K1), INSN_ALU32_IMM(BPF_XOR, 11, K1 ^ (imm))

static void assert_unblinds(const struct bpf_insn *blinded, size_t nr,
			    const struct bpf_insn *plain, size_t nr_plain)
{
	struct bpf_insn out[64];
	size_t nr_out = 0;

	assert_in_range(nr, 1, NR(out));
	assert_int_equal(insn_unblind(blinded, nr, out, &nr_out), 0);
	assert_int_equal(nr_out, nr_plain);
	assert_memory_equal(out, plain, nr_plain * sizeof(*plain));
}

static void blinded_constants_come_back(void **state)
{
	struct bpf_insn blinded[] = {
		AX(-8),      INSN_ALU_REG(BPF_ADD, 2, 11),
		AX32(5),     INSN_ALU32_REG(BPF_AND, 3, 11),
		AX(7),       INSN_MOV_REG(4, 11),
		AX(1),       INSN_STX(BPF_DW, 10, 11, -8),
		AX(9),       INSN_JMP_REG(BPF_JGE, 1, 11, 3),
		AX32(-1),    INSN_JMP32_REG(BPF_JEQ, 1, 11, 0),
		INSN_EXIT(),
	};
	struct bpf_insn plain[] = {
		INSN_ALU_IMM(BPF_ADD, 2, -8),
		INSN_ALU32_IMM(BPF_AND, 3, 5),
		INSN_MOV_IMM(4, 7),
		INSN_ST(BPF_DW, 10, -8, 1),
		INSN_JMP_IMM(BPF_JGE, 1, 9, 1),
		INSN_JMP32_IMM(BPF_JEQ, 1, -1, 0),
		INSN_EXIT(),
	};

	(void)state;
	assert_unblinds(blinded, NR(blinded), plain, NR(plain));
}

static void blinded_64_bit_loads_come_back(void **state)
{
	struct bpf_insn blinded[] = {
		AX(0x7fff1234), INSN_ALU_IMM(BPF_LSH, 11, 32), INSN_MOV_REG(1, 11),
		AX32(-2),       INSN_ALU_REG(BPF_OR, 1, 11),   INSN_EXIT(),
	};
	/* where the JIT does not clear the upper half: w11 = w11 in between */
	struct bpf_insn extended[] = {
		AX(0x7fff1234),
		INSN_ALU_IMM(BPF_LSH, 11, 32),
		INSN_MOV_REG(1, 11),
		AX32(-2),
		INSN(BPF_ALU | BPF_MOV | BPF_X, 11, 11, 0, 1),
		INSN_ALU_REG(BPF_OR, 1, 11),
		INSN_EXIT(),
	};
	struct bpf_insn plain[] = {INSN_LD_IMM64(1, 0, -2, 0x7fff1234), INSN_EXIT()};

	(void)state;
	assert_unblinds(blinded, NR(blinded), plain, NR(plain));
	assert_unblinds(extended, NR(extended), plain, NR(plain));
}

/* As 7.2 has it. */
static void r12_may_be_the_scratch_register(void **state)
{
	struct bpf_insn blinded[] = {
		INSN_MOV_IMM(12, K1),
		INSN_ALU_IMM(BPF_XOR, 12, K1 ^ -8),
		INSN_ALU_REG(BPF_ADD, 2, 12),
		INSN_MOV_IMM(12, K1),
		INSN_ALU_IMM(BPF_XOR, 12, K1 ^ 0x7fff1234),
		INSN_ALU_IMM(BPF_LSH, 12, 32),
		INSN_MOV_REG(1, 12),
		INSN_ALU32_IMM(BPF_MOV, 12, K1),
		INSN_ALU32_IMM(BPF_XOR, 12, K1 ^ -2),
		INSN_ALU_REG(BPF_OR, 1, 12),
		INSN_EXIT(),
	};
	struct bpf_insn plain[] = {
		INSN_ALU_IMM(BPF_ADD, 2, -8),
		INSN_LD_IMM64(1, 0, -2, 0x7fff1234),
		INSN_EXIT(),
	};
	struct bpf_insn mixed[] = {
		INSN_MOV_IMM(12, K1),
		INSN_ALU_IMM(BPF_XOR, 12, K1 ^ -8),
		INSN_ALU_REG(BPF_ADD, 2, 11),
		INSN_EXIT(),
	};

	(void)state;
	assert_unblinds(blinded, NR(blinded), plain, NR(plain));
	assert_unblinds(mixed, NR(mixed), mixed, NR(mixed));
}

static void backward_jumps_over_blinded_code_are_adjusted(void **state)
{
	/* r1 -= 1; if r1 != 3 goto -2 */
	struct bpf_insn blinded[] = {
		INSN_MOV_REG(0, 1),
		AX(1),
		INSN_ALU_REG(BPF_SUB, 1, 11),
		AX(3),
		INSN_JMP_REG(BPF_JNE, 1, 11, -6),
		INSN_EXIT(),
	};
	struct bpf_insn plain[] = {
		INSN_MOV_REG(0, 1),
		INSN_ALU_IMM(BPF_SUB, 1, 1),
		INSN_JMP_IMM(BPF_JNE, 1, 3, -2),
		INSN_EXIT(),
	};

	(void)state;
	assert_unblinds(blinded, NR(blinded), plain, NR(plain));
}

/* may_goto uses r11 too, and the verifier's own code does */
static void what_is_not_blinded_stays_as_it_is(void **state)
{
	struct bpf_insn insns[] = {
		INSN_LDX(BPF_DW, 11, 10, -16),
		INSN_JMP_IMM(BPF_JEQ, 11, 0, 4),
		INSN_ALU_IMM(BPF_SUB, 11, 1),
		INSN_MOV_IMM(11, -16),
		INSN_CALL(4096),
		INSN_STX(BPF_DW, 10, 11, -16),
		INSN_LD_IMM64(1, BPF_PSEUDO_MAP_FD, 5, 0),
		INSN_EXIT(),
	};

	(void)state;
	assert_unblinds(insns, NR(insns), insns, NR(insns));
}

static void a_group_that_is_jumped_into_stays(void **state)
{
	struct bpf_insn insns[] = {
		INSN_JMP_IMM(BPF_JEQ, 1, 0, 2),
		AX(-8),
		INSN_ALU_REG(BPF_ADD, 2, 11),
		INSN_EXIT(),
	};

	(void)state;
	assert_unblinds(insns, NR(insns), insns, NR(insns));
}

static void unblinding_refuses_jumps_out_of_the_program(void **state)
{
	struct bpf_insn insns[] = {INSN_GOTO(1), INSN_EXIT()};
	struct bpf_insn out[NR(insns)];
	size_t nr_out = 77;

	(void)state;
	assert_int_equal(insn_unblind(insns, NR(insns), out, &nr_out), -EINVAL);
	assert_int_equal(nr_out, 77);
}

/* An array lookup, as 6.18 translates it with bpf_jit_harden=2: 7 instructions. */
static void a_blinded_construct_has_the_count_of_the_plain_one(void **state)
{
	struct bpf_insn insns[] = {
		BEGIN,
		AX(312),
		INSN_ALU_REG(BPF_ADD, 1, 11),
		INSN_LDX(BPF_W, 0, 2, 0),
		AX(1),
		INSN_JMP_REG(BPF_JGE, 0, 11, 5),
		AX(3),
		INSN_ALU_REG(BPF_LSH, 0, 11),
		INSN_ALU_REG(BPF_ADD, 0, 1),
		INSN_GOTO(1),
		INSN_ALU_REG(BPF_XOR, 0, 0),
		END,
	};
	struct bpf_insn out[NR(insns)];
	struct insn_shape shape;
	size_t nr;

	(void)state;
	assert_int_equal(insn_unblind(insns, NR(insns), out, &nr), 0);
	assert_int_equal(nr, NR(insns) - 6);
	shape = shape_of(out, nr, BPF_FUNC_map_lookup_elem);
	assert_state(&shape, FEATURE_INLINED);
	assert_int_equal(shape.nr_insns, 7);
	assert_int_equal(shape.nr_branches, 1);
	assert_int_equal(insn_jump_target(&out[4], 4), 8);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(blinded_constants_come_back),
		cmocka_unit_test(blinded_64_bit_loads_come_back),
		cmocka_unit_test(r12_may_be_the_scratch_register),
		cmocka_unit_test(backward_jumps_over_blinded_code_are_adjusted),
		cmocka_unit_test(what_is_not_blinded_stays_as_it_is),
		cmocka_unit_test(a_group_that_is_jumped_into_stays),
		cmocka_unit_test(unblinding_refuses_jumps_out_of_the_program),
		cmocka_unit_test(a_blinded_construct_has_the_count_of_the_plain_one),
	};

	return cmocka_run_group_tests_name("insn_unblind", tests, NULL, NULL);
}
