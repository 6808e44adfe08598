// SPDX-License-Identifier: BSD-2-Clause
/* Hot paths of arm64 code. */
#include "hot_path.h"

/* As on x86-64: 7 + 3 + 2 + 3, and by way of the exhausted branch one less. */
static void exhausted_branch_on_arm64(void **state)
{
	static const uint32_t code[] = {
		0xaa1903e0, /* 0: mov x0, x25 */
		0xd1002000, /* 4: sub x0, x0, #8 */
		0xb9400007, /* 8: ldr w7, [x0] */
		0x110004e7, /* c: add w7, w7, #1 */
		0xb9400401, /* 10: ldr w1, [x0, #4] */
		0x6b0100ff, /* 14: cmp w7, w1 */
		0x5400008a, /* 18: b.ge 28 */
		0xb9000007, /* 1c: str w7, [x0] */
		0xaa0003e7, /* 20: mov x7, x0 */
		0x14000003, /* 24: b 30 */
		0xf900001f, /* 28: str xzr, [x0] */
		0xd2800007, /* 2c: mov x7, #0 */
		0xf10000ff, /* 30: cmp x7, #0 */
		0x54000080, /* 34: b.eq 44 */
		0xb94000e3, /* 38: ldr w3, [x7] */
		0x6b02007f, /* 3c: cmp w3, w2 */
		0x54fffe03, /* 40: b.lo 0 */
		0xd65f03c0, /* 44: ret */
	};
	static const struct want want = {
		.nr_insns = 15, .nr_loads = 3, .nr_stores = 1, .nr_taken = 2};

	(void)state;
	assert_loop(JITED_AARCH64, code, sizeof(code), &want);
}

/* 6.12 moves by "add rd, rn, #0". Checked is the copy: 7 + 3 + 3 + 3 again. */
static void copy_of_an_exhausted_iterator_on_arm64(void **state)
{
	static const uint32_t code[] = {
		0x91000320, /* 0: add x0, x25, #0 */
		0xd1002000, /* 4: sub x0, x0, #8 */
		0xb9400007, /* 8: ldr w7, [x0] */
		0x110004e7, /* c: add w7, w7, #1 */
		0xb9400401, /* 10: ldr w1, [x0, #4] */
		0x6b0100ff, /* 14: cmp w7, w1 */
		0x5400008a, /* 18: b.ge 28 */
		0xb9000007, /* 1c: str w7, [x0] */
		0x91000007, /* 20: add x7, x0, #0 */
		0x14000003, /* 24: b 30 */
		0xf900001f, /* 28: str xzr, [x0] */
		0xd2800007, /* 2c: mov x7, #0 */
		0x910000f3, /* 30: add x19, x7, #0 */
		0xf100027f, /* 34: cmp x19, #0 */
		0x54000080, /* 38: b.eq 48 */
		0xb9400263, /* 3c: ldr w3, [x19] */
		0x6b02007f, /* 40: cmp w3, w2 */
		0x54fffde3, /* 44: b.lo 0 */
		0xd65f03c0, /* 48: ret */
	};
	static const struct want want = {
		.nr_insns = 16, .nr_loads = 3, .nr_stores = 1, .nr_taken = 2};

	(void)state;
	assert_loop(JITED_AARCH64, code, sizeof(code), &want);
}

/* What mrs read may be other than 0: by way of b 6, by way of the no-ops 7. */
static void read_system_register_is_not_known_on_arm64(void **state)
{
	static const uint32_t code[] = {
		0xd2800007, /* 0: mov x7, #0 */
		0xd5384107, /* 4: mrs x7, sp_el0 */
		0xb4000047, /* 8: cbz x7, 10 */
		0x14000003, /* c: b 18 */
		0xd503201f, /* 10: nop */
		0xd503201f, /* 14: nop */
		0xf1000673, /* 18: subs x19, x19, #1 */
		0x54ffff21, /* 1c: b.ne 0 */
		0xd65f03c0, /* 20: ret */
	};
	static const struct want want = {.nr_insns = 6, .nr_taken = 2};

	(void)state;
	assert_loop(JITED_AARCH64, code, sizeof(code), &want);
}

/* The address is put together from its parts: 3 moves, blr, mov, cbz, 3 more: 9. */
static void call_through_a_register_has_its_target_on_arm64(void **state)
{
	static const uint32_t code[] = {
		0x9299752a, /* 0: mov x10, #-0xcbaa */
		0xf2b0024a, /* 4: movk x10, #0x8012, lsl 16 */
		0xf2d0000a, /* 8: movk x10, #0x8000, lsl 32 */
		0xd63f0140, /* c: blr x10 */
		0xaa0003e7, /* 10: mov x7, x0 */
		0xb4000087, /* 14: cbz x7, 24 */
		0xb94000e3, /* 18: ldr w3, [x7] */
		0x6b02007f, /* 1c: cmp w3, w2 */
		0x54ffff03, /* 20: b.lo 0 */
		0xd65f03c0, /* 24: ret */
	};
	static const struct want want = {
		.nr_insns = 9, .nr_calls = 1, .nr_loads = 1, .nr_taken = 1};
	struct hot_func f;

	(void)state;
	read_loop(&f, JITED_AARCH64, code, sizeof(code), &want);
	assert_int_equal(f.loops[0].path.targets[0], 0xffff800080123456);
	hot_func_release(&f);
}

/* The second cbz of what was 0 at the first leaves: bl, cbz, add, …, b.ne: 8. */
static void what_a_branch_found_is_known_behind_it_on_arm64(void **state)
{
	static const uint32_t code[] = {
		0x94000400, /* 0: bl 1000 */
		0xb4000040, /* 4: cbz x0, c */
		0x9100e000, /* 8: add x0, x0, 56 */
		0xaa0003e7, /* c: mov x7, x0 */
		0xb4000087, /* 10: cbz x7, 20 */
		0xf90000ff, /* 14: str xzr, [x7] */
		0xf1000673, /* 18: subs x19, x19, #1 */
		0x54ffff21, /* 1c: b.ne 0 */
		0xd65f03c0, /* 20: ret */
	};
	static const struct want want = {
		.nr_insns = 8, .nr_calls = 1, .nr_stores = 1, .nr_taken = 1};
	struct hot_func f;

	(void)state;
	read_loop(&f, JITED_AARCH64, code, sizeof(code), &want);
	assert_int_equal(f.loops[0].path.targets[0], ADDR + 0x1000);
	hot_func_release(&f);
}

/*
 * Loads: ldp, ldadd, stadd, ldaxr, casal, ldr of a literal, ldrsw, ldar, ldr: 9.
 * Stores: stp, ldadd, stadd, stlxr, casal, stlr: 6. prfm is neither.
 */
static void memory_accesses_are_counted_on_arm64(void **state)
{
	static const uint32_t code[] = {
		0xa9bf7bfd, /* 0: stp x29, x30, [sp, -16]! */
		0xa8c17bfd, /* 4: ldp x29, x30, [sp], 16 */
		0xf8200041, /* 8: ldadd x0, x1, [x2] */
		0xf820005f, /* c: stadd x0, [x2] */
		0xc85ffc20, /* 10: ldaxr x0, [x1] */
		0xc803fc20, /* 14: stlxr w3, x0, [x1] */
		0xc8e0fc41, /* 18: casal x0, x1, [x2] */
		0x58000000, /* 1c: ldr x0, 1c */
		0xf9800000, /* 20: prfm pldl1keep, [x0] */
		0xb9800020, /* 24: ldrsw x0, [x1] */
		0xc89ffc20, /* 28: stlr x0, [x1] */
		0xc8dffc20, /* 2c: ldar x0, [x1] */
		0xf8626820, /* 30: ldr x0, [x1, x2] */
		0xf1000484, /* 34: subs x4, x4, #1 */
		0x54fffe41, /* 38: b.ne 0 */
		0xd65f03c0, /* 3c: ret */
	};
	static const struct want want = {
		.nr_insns = 15, .nr_loads = 9, .nr_stores = 6, .nr_taken = 1};

	(void)state;
	assert_loop(JITED_AARCH64, code, sizeof(code), &want);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(exhausted_branch_on_arm64),
		cmocka_unit_test(copy_of_an_exhausted_iterator_on_arm64),
		cmocka_unit_test(read_system_register_is_not_known_on_arm64),
		cmocka_unit_test(call_through_a_register_has_its_target_on_arm64),
		cmocka_unit_test(what_a_branch_found_is_known_behind_it_on_arm64),
		cmocka_unit_test(memory_accesses_are_counted_on_arm64),
	};

	return cmocka_run_group_tests_name("hot_path_arm64", tests, NULL, NULL);
}
