// SPDX-License-Identifier: BSD-2-Clause
/* hist_slot() as a BPF program: what the verifier makes of it, and its results. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include <cmocka.h>

#include <bpf/bpf.h>

#include "hist_slot.skel.h"
#include "stat/hist.h"

#define MAX_INSNS 256

static int load(void **state)
{
	if (geteuid()) {
		print_message("loading BPF programs needs root\n");
		return 0;
	}
	*state = hist_slot_bpf__open_and_load();
	return *state ? 0 : -1;
}

static int unload(void **state)
{
	hist_slot_bpf__destroy(*state);
	return 0;
}

static struct hist_slot_bpf *loaded(void **state)
{
	if (!*state) {
		print_message("loading BPF programs needs root\n");
		skip();
	}
	return *state;
}

static bool is_conditional_jump(const struct bpf_insn *insn)
{
	uint8_t class = BPF_CLASS(insn->code), op = BPF_OP(insn->code);

	return (class == BPF_JMP || class == BPF_JMP32) && op != BPF_JA &&
	       op != BPF_CALL && op != BPF_EXIT;
}

/*
 * No jump, and no instruction looked at twice: a verifier that forks at an
 * arithmetic shift would have looked at more than there are.
 */
static void the_verifier_walks_one_path(void **state)
{
	struct hist_slot_bpf *skel = loaded(state);
	static struct bpf_insn insns[MAX_INSNS];
	struct bpf_prog_info info = {.xlated_prog_insns = (uintptr_t)insns,
				     .xlated_prog_len = sizeof(insns)};
	uint32_t len = sizeof(info), nr;
	int fd = bpf_program__fd(skel->progs.count_value);

	assert_int_equal(bpf_obj_get_info_by_fd(fd, &info, &len), 0);
	nr = info.xlated_prog_len / sizeof(insns[0]);
	assert_in_range(nr, 20, 70);
	for (uint32_t i = 0; i < nr; i++)
		assert_false(is_conditional_jump(&insns[i]));
	assert_in_range(info.verified_insns, 20, nr);
}

static void check_value(struct hist_slot_bpf *skel, uint64_t value)
{
	LIBBPF_OPTS(bpf_test_run_opts, opts);
	uint32_t slot = hist_slot(value);
	uint64_t before = skel->bss->slots[slot];

	skel->bss->value = value;
	assert_int_equal(
		bpf_prog_test_run_opts(bpf_program__fd(skel->progs.count_value), &opts),
		0);
	assert_int_equal(skel->bss->slots[slot], before + 1);
}

static void program_and_user_space_agree(void **state)
{
	struct hist_slot_bpf *skel = loaded(state);
	uint64_t sum = 0;

	for (uint32_t slot = 0; slot < HIST_NR_SLOTS; slot++) {
		check_value(skel, hist_slot_low(slot));
		check_value(skel, hist_slot_high(slot));
		check_value(skel, hist_slot_high(slot) + 1);
	}
	for (unsigned int bit = 36; bit < 64; bit++)
		check_value(skel, 1ULL << bit);
	check_value(skel, UINT64_MAX);
	for (uint32_t slot = 0; slot < HIST_NR_SLOTS; slot++)
		sum += skel->bss->slots[slot];
	assert_int_equal(sum, 3 * HIST_NR_SLOTS + 28 + 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_verifier_walks_one_path),
		cmocka_unit_test(program_and_user_space_agree),
	};

	return cmocka_run_group_tests(tests, load, unload);
}
