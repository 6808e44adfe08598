// SPDX-License-Identifier: BSD-2-Clause
/*
 * Are the hand-written shapes what a kernel would emit? Where the running one inlines
 * the iterator, they are compared with that, as translated and as machine code.
 */
#include <ctype.h>
#include <sys/utsname.h>

#include "bench/static_cost.h"
#include "bench_claims.h"
#include "insn/jited.h"
#include "kernel/prog_code.h"

/* Skips where this kernel calls it. */
static void need_inlined_next(const struct fixture *f)
{
	enum feature_state state;

	assert_int_equal(probe_state(f->probe, "bpf_iter_num_next", &state), 0);
	if (state == FEATURE_INLINED)
		return;
	print_message("this kernel does not inline bpf_iter_num_next(): %s\n",
		      feature_state_name(state));
	skip();
}

/* ---- translated ------------------------------------------------------------------ */

/* The shape's copy of "next", behind "r1 = r10; r1 += -16"; offsets as loaded. */
static void read_shape(const struct fixture *f, enum workload_id id, size_t nr,
		       struct bpf_insn *ret)
{
	struct prog_code code = {0};
	size_t i;

	assert_int_equal(prog_code_read(programs_fd(f->programs, id), &code, NULL), 0);
	assert_non_null(code.xlated);
	for (i = 2; i + nr < code.nr_xlated; i++) {
		const struct bpf_insn *address = &code.xlated[i - 2];

		if (address[0].code == (BPF_ALU64 | BPF_MOV | BPF_X) &&
		    address[0].dst_reg == 1 && address[0].src_reg == 10 &&
		    address[1].code == (BPF_ALU64 | BPF_ADD | BPF_K) &&
		    address[1].dst_reg == 1 && address[1].imm == -16)
			break;
	}
	assert_true(i + nr < code.nr_xlated);
	memcpy(ret, &code.xlated[i], nr * sizeof(*ret));
	prog_code_release(&code);
}

static bool is_memory(const struct bpf_insn *insn)
{
	return BPF_CLASS(insn->code) == BPF_LDX || BPF_CLASS(insn->code) == BPF_STX ||
	       BPF_CLASS(insn->code) == BPF_ST;
}

/* The same but for the displacement of what is loaded and stored. */
static void expect_same_insns(const struct bpf_insn *a, const struct bpf_insn *b,
			      size_t nr)
{
	size_t i;

	for (i = 0; i < nr; i++) {
		struct bpf_insn expected = a[i];

		if (is_memory(&expected))
			expected.off = b[i].off;
		if (memcmp(&expected, &b[i], sizeof(expected)))
			fail_msg("instruction %zu: %02x in the one, %02x in the other",
				 i, a[i].code, b[i].code);
	}
}

/* "next" as read back from 7.3.4; there 0 is the current number, 4 the end. */
static const struct bpf_insn next_of_7_3[] = {
	{BPF_LDX | BPF_MEM | BPF_W, 0, 1, 0, 0},
	{BPF_ALU | BPF_ADD | BPF_K, 0, 0, 0, 1},
	{BPF_LDX | BPF_MEM | BPF_W, 2, 1, 4, 0},
	{BPF_JMP32 | BPF_JSGE | BPF_X, 0, 2, 3, 0},
	{BPF_STX | BPF_MEM | BPF_W, 1, 0, 0, 0},
	{BPF_ALU64 | BPF_MOV | BPF_X, 0, 1, 0, 0},
	{BPF_JMP | BPF_JA, 0, 0, 2, 0},
	{BPF_ST | BPF_MEM | BPF_DW, 1, 0, 0, 0},
	{BPF_ALU64 | BPF_MOV | BPF_K, 0, 0, 0, 0},
};

static void shape_7_3_is_the_sequence_of_that_kernel(void **state)
{
	struct fixture *f = loaded_workloads(state);
	struct bpf_insn shape[NR(next_of_7_3)];

	read_shape(f, WORKLOAD_SHAPE_7_3, NR(shape), shape);
	expect_same_insns(next_of_7_3, shape, NR(shape));
	/* Loads and stores of one slot stay such. */
	assert_int_equal(shape[0].off, shape[4].off);
	assert_int_equal(shape[0].off, shape[7].off);
	assert_int_not_equal(shape[0].off, shape[2].off);
}

static void shape_7_3_is_what_this_kernel_inlines(void **state)
{
	struct fixture *f = loaded_workloads(state);
	struct bpf_insn *inlined, shape[64];
	struct reason why;
	size_t nr;

	need_inlined_next(f);
	assert_int_equal(
		probe_insns(f->probe, "bpf_iter_num_next", &inlined, &nr, &why), 0);
	assert_in_range(nr, 1, NR(shape));
	read_shape(f, WORKLOAD_SHAPE_7_3, nr, shape);
	expect_same_insns(inlined, shape, nr);
	free(inlined);
}

/* ---- JITed ------------------------------------------------------------------------ */

#define MAX_SEQUENCE 32
#define NR_JUMPS     3 /* exhausted or not, over the cold part, and out at the check */

/*
 * Machine instructions through so many jumps: the third ends next and the program's
 * NULL check. Displacements are cut out, and a jump goes so many instructions on,
 * whatever their lengths, or out of the sequence.
 */
struct sequence {
	char text[MAX_SEQUENCE][JITED_TEXT_LEN + 16];
	size_t nr;
};

/* "mov eax, dword ptr [rdi + 8]" to "mov eax, dword ptr [rdi]"; "ldr w7, [x0, #8]" too. */
static void cut_displacement(char *text)
{
	char *open = strchr(text, '['), *close = open ? strchr(open, ']') : NULL, *end;

	if (!close)
		return;
	for (end = open + 1; end < close && isalnum((unsigned char)*end);)
		end++;
	memmove(end, close, strlen(close) + 1);
}

static bool is_jump(const struct jited_line *line)
{
	return line->target && strncmp(line->text, "call ", 5) &&
	       strncmp(line->text, "bl ", 3);
}

/* Where a jump goes, counted in instructions of the sequence; "out" of it. */
static void name_target(const struct jited_code *code, size_t first, size_t nr,
			size_t i, char *text, size_t size)
{
	size_t to;

	for (to = first; to < first + nr; to++)
		if (code->lines[to].addr == code->lines[i].target)
			break;
	text[strcspn(text, " ")] = '\0';
	if (to < first + nr)
		snprintf(text + strlen(text), size - strlen(text), " +%zu", to - i);
	else
		snprintf(text + strlen(text), size - strlen(text), " out");
}

/* false: there are not so many jumps, or they lie too far apart. */
static bool take_sequence(const struct jited_code *code, size_t first, int nr_jumps,
			  struct sequence *ret)
{
	size_t i;

	for (ret->nr = 0; nr_jumps > 0; ret->nr++) {
		if (first + ret->nr == code->nr_lines || ret->nr == MAX_SEQUENCE)
			return false;
		nr_jumps -= is_jump(&code->lines[first + ret->nr]);
	}
	for (i = 0; i < ret->nr; i++) {
		const struct jited_line *line = &code->lines[first + i];

		strcpy(ret->text[i], line->text);
		cut_displacement(ret->text[i]);
		if (is_jump(line))
			name_target(code, first, ret->nr, first + i, ret->text[i],
				    sizeof(ret->text[i]));
	}
	return true;
}

/* The function with the innermost loop. Returns the address of that loop's head. */
static uint64_t read_loop(const struct fixture *f, enum workload_id id,
			  struct jited_code *ret)
{
	int fd = programs_fd(f->programs, id);
	struct prog_code code = {0};
	struct static_cost cost;
	enum jited_arch arch;
	struct utsname uts;
	size_t at, i;

	assert_int_equal(static_cost_read(fd, &cost, NULL), 0);
	assert_int_equal(prog_code_read(fd, &code, NULL), 0);
	assert_non_null(code.jited);
	assert_int_equal(uname(&uts), 0);
	assert_int_equal(jited_arch_parse(uts.machine, &arch), 0);
	for (i = 0, at = 0; i < cost.func; i++)
		at += code.func_lens[i];
	assert_int_equal(jited_code_init(ret, arch, code.jited + at,
					 code.func_lens[cost.func],
					 code.func_addrs[cost.func]),
			 0);
	at = code.func_addrs[cost.func] + cost.head_offset;
	prog_code_release(&code);
	return at;
}

static void read_shape_sequence(const struct fixture *f, enum workload_id id,
				int nr_jumps, struct sequence *ret)
{
	struct jited_code code = {0};
	uint64_t head = read_loop(f, id, &code);
	size_t i;

	for (i = 0; i < code.nr_lines; i++)
		if (code.lines[i].addr >= head && strchr(code.lines[i].text, '['))
			break;
	assert_true(take_sequence(&code, i, nr_jumps, ret));
	jited_code_release(&code);
}

static bool are_same(const struct sequence *a, const struct sequence *b)
{
	size_t i;

	if (a->nr != b->nr)
		return false;
	for (i = 0; i < a->nr; i++)
		if (strcmp(a->text[i], b->text[i]))
			return false;
	return true;
}

/* clang turns the loop round: next stands before the loop's head, and in the way in. */
static bool has_sequence(const struct jited_code *code, const struct sequence *wanted)
{
	struct sequence s;
	size_t i;

	for (i = 0; i < code->nr_lines; i++)
		if (take_sequence(code, i, NR_JUMPS, &s) && are_same(&s, wanted))
			return true;
	return false;
}

static void shape_7_3_is_the_machine_code_of_this_kernel(void **state)
{
	struct fixture *f = loaded_workloads(state);
	struct jited_code inlined = {0};
	struct sequence shape;
	size_t i;

	need_inlined_next(f);
	read_shape_sequence(f, WORKLOAD_SHAPE_7_3, NR_JUMPS, &shape);
	read_loop(f, WORKLOAD_BPF_FOR, &inlined);
	if (!has_sequence(&inlined, &shape)) {
		for (i = 0; i < shape.nr; i++)
			print_message("the shape: %s\n", shape.text[i]);
		for (i = 0; i < inlined.nr_lines; i++)
			print_message("this kernel: %s\n", inlined.lines[i].text);
		fail();
	}
	/* One that differs is told from it. */
	strcpy(shape.text[0], "nop");
	assert_false(has_sequence(&inlined, &shape));
	jited_code_release(&inlined);
}

/*
 * By hand, from what the series in packaging/kernel leaves of a trip: load, add, load,
 * compare, jump, store, move, and the loop's own comparison and jump (one instruction
 * on arm64, as is compare and jump of a register with another: there they are two too).
 */
static void shape_itertrace_takes_9_machine_instructions(void **state)
{
	struct fixture *f = loaded_workloads(state);
	struct static_cost ours, theirs;

	assert_int_equal(static_cost_read(programs_fd(f->programs,
						      WORKLOAD_SHAPE_ITERTRACE),
					  &ours, NULL),
			 0);
	assert_int_equal(static_cost_read(programs_fd(f->programs, WORKLOAD_SHAPE_7_3),
					  &theirs, NULL),
			 0);
	assert_int_equal(ours.nr_insns, 9);
	assert_int_equal(ours.nr_loads, 2);
	assert_int_equal(ours.nr_stores, 1);
	assert_int_equal(ours.nr_calls, 0);
	assert_int_equal(theirs.nr_loads, 3); /* the program's own load of the number */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shape_7_3_is_the_sequence_of_that_kernel),
		cmocka_unit_test(shape_7_3_is_what_this_kernel_inlines),
		cmocka_unit_test(shape_7_3_is_the_machine_code_of_this_kernel),
		cmocka_unit_test(shape_itertrace_takes_9_machine_instructions),
	};

	return cmocka_run_group_tests_name("shapes", tests, set_up_workloads,
					   tear_down_workloads);
}
