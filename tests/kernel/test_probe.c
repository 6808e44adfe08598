// SPDX-License-Identifier: BSD-2-Clause
/*
 * The probe on the running kernel, beside a reading of our own: the same construct
 * in a program without markers, loaded with bpf(2), its translated instructions
 * counted by opcode. What the kernel is, nobody asks.
 */
#include <errno.h>
#include <linux/bpf.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/syscall.h>

#include <bpf/btf.h>

#include "insn/asm.h"
#include "kernel/explain.h"
#include "probe_claims.h"

/* --- a reading of our own ---------------------------------------------------- */

static int sys_bpf(int cmd, union bpf_attr *attr)
{
	return (int)syscall(__NR_bpf, cmd, attr, sizeof(*attr));
}

static int create_map(uint32_t type)
{
	union bpf_attr attr = {
		.map_type = type, .key_size = 4, .value_size = 8, .max_entries = 1};

	return sys_bpf(BPF_MAP_CREATE, &attr);
}

static int load(const struct bpf_insn *insns, size_t nr)
{
	union bpf_attr attr = {.prog_type = BPF_PROG_TYPE_RAW_TRACEPOINT,
			       .insns = (uintptr_t)insns,
			       .insn_cnt = (uint32_t)nr,
			       .license = (uintptr_t) "GPL"};

	return sys_bpf(BPF_PROG_LOAD, &attr);
}

struct reading {
	bool is_loaded;
	int nr_grown; /* slots in the translated program beyond those loaded */
	int nr_calls; /* opcode 0x85, but not of the program's own functions */
	int nr_wide;  /* 64-bit loads */
};

static struct reading read_back(int fd, size_t nr_loaded)
{
	struct bpf_insn insns[256];
	struct bpf_prog_info info = {.xlated_prog_len = sizeof(insns),
				     .xlated_prog_insns = (uintptr_t)insns};
	union bpf_attr attr = {.info = {.bpf_fd = (uint32_t)fd,
					.info_len = sizeof(info),
					.info = (uintptr_t)&info}};
	struct reading r = {.is_loaded = true};
	size_t i, nr;

	assert_int_equal(sys_bpf(BPF_OBJ_GET_INFO_BY_FD, &attr), 0);
	nr = info.xlated_prog_len / sizeof(insns[0]);
	assert_in_range(nr, 1, NR(insns));
	r.nr_grown = (int)nr - (int)nr_loaded;
	for (i = 0; i < nr; i++) {
		r.nr_calls += insns[i].code == 0x85 && insns[i].src_reg != 1;
		r.nr_wide += insns[i].code == 0x18;
	}
	return r;
}

static struct reading read_program(const struct bpf_insn *insns, size_t nr)
{
	struct reading r = {0};
	int fd = load(insns, nr);

	if (fd >= 0) {
		r = read_back(fd, nr);
		close(fd);
	}
	return r;
}

/*
 * The feature says what the reading says, of a program in which the construct's
 * call is nr_calls calls with nr_wide wide loads beside it.
 */
static void check_reading(const struct feature *f, struct reading r, int nr_calls,
			  int nr_wide)
{
	int own_calls = r.nr_calls - nr_calls;
	int own_wide = r.nr_wide - nr_wide;

	if (!r.is_loaded) {
		assert_false(is_found_out(f->state));
		return;
	}
	if (own_calls == 0)
		assert_true(f->state == FEATURE_INLINED || f->state == FEATURE_FOLDED);
	else if (r.nr_grown == 0)
		assert_int_equal(f->state, FEATURE_CALL);
	else
		assert_true(f->state == FEATURE_PARTIAL || f->state == FEATURE_INLINED);
	assert_int_equal(f->nr_insns, r.nr_grown + 1 - own_wide);
}

/* --- claims ------------------------------------------------------------------ */

static struct feature normal[MAX_FEATURES];

static int probe_normally(void **state)
{
	(void)state;
	return geteuid() == 0 ? probe_all(normal) : 0;
}

static void every_row_is_named_once_and_explained(void **state)
{
	size_t i, j;

	(void)state;
	need_root();
	for (i = 0; i < probe_nr(); i++) {
		assert_string_equal(normal[i].name, probe_name(i));
		assert_non_null(normal[i].description);
		for (j = 0; j < i; j++)
			assert_string_not_equal(normal[i].name, normal[j].name);
		if (normal[i].state >= FEATURE_CALL)
			assert_string_not_equal(normal[i].reason, "");
		if (is_found_out(normal[i].state))
			assert_true(normal[i].nr_insns >= 0);
	}
	assert_null(probe_name(probe_nr()));
}

static void the_contract_s_names_are_there(void **state)
{
	static const char *const names[] = {
		"bpf_iter_num_new",
		"bpf_iter_num_new_const",
		"bpf_iter_num_next",
		"bpf_iter_num_destroy",
		"bpf_loop",
		"bpf_loop_indirect",
		"may_goto",
		"bpf_get_smp_processor_id",
		"bpf_get_current_task",
		"array_lookup",
		"hash_lookup",
		"percpu_array_lookup",
		"percpu_hash_lookup",
	};
	size_t i, j;

	(void)state;
	for (i = 0; i < NR(names); i++) {
		for (j = 0; j < probe_nr() && strcmp(probe_name(j), names[i]); j++)
			;
		assert_in_range(j, 0, probe_nr() - 1);
	}
}

static void helpers_are_read_as_we_read_them(void **state)
{
	static const struct {
		const char *name;
		int id;
	} helpers[] = {
		{"bpf_get_smp_processor_id", 8},   {"bpf_get_current_task", 35},
		{"bpf_get_current_task_btf", 158}, {"bpf_jiffies64", 118},
		{"bpf_ktime_get_ns", 5},           {"bpf_get_numa_node_id", 42},
	};
	size_t i;

	(void)state;
	need_root();
	for (i = 0; i < NR(helpers); i++) {
		struct bpf_insn insns[] = {INSN_CALL(helpers[i].id), INSN_MOV_IMM(0, 0),
					   INSN_EXIT()};
		struct reading r = read_program(insns, NR(insns));
		const struct feature *f = by_name(normal, helpers[i].name);

		/* an id that stayed is the JIT's to inline: the opcode tells nothing */
		if (f->state == FEATURE_INLINED && r.nr_calls == 1 && !r.nr_grown)
			assert_non_null(strstr(f->reason, "JIT"));
		else
			check_reading(f, r, 0, 0);
	}
}

static void lookups_are_read_as_we_read_them(void **state)
{
	static const struct {
		const char *name;
		uint32_t type;
	} lookups[] = {
		{"array_lookup", BPF_MAP_TYPE_ARRAY},
		{"percpu_array_lookup", BPF_MAP_TYPE_PERCPU_ARRAY},
		{"hash_lookup", BPF_MAP_TYPE_HASH},
		{"percpu_hash_lookup", BPF_MAP_TYPE_PERCPU_HASH},
		{"lru_hash_lookup", BPF_MAP_TYPE_LRU_HASH},
		{"lru_percpu_hash_lookup", BPF_MAP_TYPE_LRU_PERCPU_HASH},
	};
	size_t i;

	(void)state;
	need_root();
	for (i = 0; i < NR(lookups); i++) {
		int map = create_map(lookups[i].type);
		struct bpf_insn insns[] = {
			INSN_LD_IMM64(1, BPF_PSEUDO_MAP_FD, map, 0),
			INSN_ST(BPF_W, 10, -4, 0),
			INSN_MOV_REG(2, 10),
			INSN_ALU_IMM(BPF_ADD, 2, -4),
			INSN_CALL(1),
			INSN_MOV_IMM(0, 0),
			INSN_EXIT(),
		};

		assert_true(map >= 0);
		check_reading(by_name(normal, lookups[i].name),
			      read_program(insns, NR(insns)), 0, 1);
		close(map);
	}
}

static int kfunc_id(const struct btf *vmlinux, const char *name)
{
	return btf__find_by_name_kind(vmlinux, name, BTF_KIND_FUNC);
}

/* Three calls in one program: it grows by what all three have become. */
static void iterators_are_read_as_we_read_them(void **state)
{
	const struct feature *new = by_name(normal, "bpf_iter_num_new");
	const struct feature *next = by_name(normal, "bpf_iter_num_next");
	const struct feature *destroy = by_name(normal, "bpf_iter_num_destroy");
	struct btf *vmlinux;
	struct reading r;
	int nr_called, nr_insns;

	(void)state;
	need_root();
	vmlinux = btf__load_vmlinux_btf();
	struct bpf_insn insns[] = {
		INSN_LDX(BPF_DW, 2, 1, 0),
		INSN_LDX(BPF_DW, 3, 1, 8),
		INSN_MOV_REG(1, 10),
		INSN_ALU_IMM(BPF_ADD, 1, -8),
		INSN_CALL_BTF(kfunc_id(vmlinux, "bpf_iter_num_new")),
		INSN_MOV_REG(1, 10),
		INSN_ALU_IMM(BPF_ADD, 1, -8),
		INSN_CALL_BTF(kfunc_id(vmlinux, "bpf_iter_num_next")),
		INSN_JMP_IMM(BPF_JNE, 0, 0, -4),
		INSN_MOV_REG(1, 10),
		INSN_ALU_IMM(BPF_ADD, 1, -8),
		INSN_CALL_BTF(kfunc_id(vmlinux, "bpf_iter_num_destroy")),
		INSN_MOV_IMM(0, 0),
		INSN_EXIT(),
	};

	r = read_program(insns, NR(insns));
	btf__free(vmlinux);
	if (!r.is_loaded) {
		assert_false(is_found_out(next->state));
		return;
	}
	assert_true(is_found_out(new->state) && is_found_out(next->state) &&
		    is_found_out(destroy->state));
	nr_insns = new->nr_insns + next->nr_insns + destroy->nr_insns;
	nr_called = (new->state == FEATURE_CALL) + (next->state == FEATURE_CALL) +
		    (destroy->state == FEATURE_CALL);
	assert_int_equal(r.nr_calls, nr_called);
	/* a kernel may fuse next with the check that follows, and save a little */
	assert_true(r.nr_grown <= nr_insns - 3 && r.nr_grown >= nr_insns - 7);
	if (nr_called == 3)
		assert_int_equal(r.nr_grown, 0);
}

/* No kernel calls a function to decide a may_goto: there is none to call. */
static void may_goto_is_inlined_where_it_exists(void **state)
{
	struct bpf_insn insns[] = {INSN_MAY_GOTO(1), INSN_GOTO(-2), INSN_MOV_IMM(0, 0),
				   INSN_EXIT()};
	const struct feature *f = by_name(normal, "may_goto");
	struct reading r;

	(void)state;
	need_root();
	r = read_program(insns, NR(insns));
	if (!r.is_loaded) {
		assert_int_equal(f->state, FEATURE_UNSUPPORTED);
		return;
	}
	assert_int_equal(f->state, FEATURE_INLINED);
	assert_int_equal(r.nr_calls, strstr(f->reason, "calls") ? 1 : 0);
	/* beside it the count is stored where the program begins: one or two slots */
	assert_in_range(r.nr_grown - (f->nr_insns - 1), 1, 2);
}

static void a_callback_chosen_at_run_time_is_not_inlined(void **state)
{
	const struct feature *direct = by_name(normal, "bpf_loop");
	const struct feature *indirect = by_name(normal, "bpf_loop_indirect");

	(void)state;
	need_root();
	if (direct->state == FEATURE_UNSUPPORTED || direct->state == FEATURE_REFUSED)
		return;
	assert_int_equal(indirect->state, FEATURE_CALL);
	assert_non_null(strstr(indirect->reason, "bpf_loop"));
	assert_true(direct->nr_insns >= indirect->nr_insns);
}

static void a_call_s_reason_names_a_symbol_of_the_kernel(void **state)
{
	char line[256], name[128], *calls;
	size_t i;
	FILE *f;

	(void)state;
	need_root();
	for (i = 0; i < probe_nr(); i++) {
		bool found = false;

		if (normal[i].state != FEATURE_CALL)
			continue;
		calls = strstr(normal[i].reason, "calls ");
		assert_non_null(calls);
		snprintf(name, sizeof(name), " %.100s\n", calls + strlen("calls "));
		f = fopen("/proc/kallsyms", "r");
		assert_non_null(f);
		while (!found && fgets(line, sizeof(line), f))
			found = strlen(line) > 18 && !strcmp(line + 18, name);
		fclose(f);
		if (!found)
			fail_msg("%s: kallsyms has no%s", normal[i].name, name);
	}
}

static void one_feature_can_be_had_alone_and_again(void **state)
{
	struct feature f, again;
	struct probe *p;

	(void)state;
	need_root();
	assert_int_equal(probe__new(&p, NULL), 0);
	assert_int_equal(probe_feature(p, "bpf_iter_num_new_const", &f), 0);
	assert_int_equal(probe_feature(p, "bpf_iter_num_new_const", &again), 0);
	assert_string_equal(f.reason, again.reason);
	assert_int_equal(f.state, by_name(normal, "bpf_iter_num_new_const")->state);
	assert_int_equal(f.state, again.state);
	assert_int_equal(probe_feature(p, "nosuchthing", &f), -ENOENT);
	probe__free(p);
	probe__free(NULL);
}

static void the_instructions_can_be_had_to_compare_with(void **state)
{
	struct bpf_insn *insns;
	struct reason why = {0};
	struct probe *p;
	size_t i, nr;
	int err;

	(void)state;
	need_root();
	assert_int_equal(probe__new(&p, NULL), 0);
	for (i = 0; i < probe_nr(); i++) {
		err = probe_insns(p, probe_name(i), &insns, &nr, &why);
		if (err) {
			assert_int_equal(err, -ENODATA);
			assert_false(is_found_out(normal[i].state));
			assert_string_not_equal(why.text, "");
			continue;
		}
		assert_int_equal(insn_count(insns, nr), normal[i].nr_insns);
		free(insns);
	}
	probe__free(p);
}

/* As many marked lines as instructions, and JITed code, or why not. */
static void explanations_mark_the_construct(void **state)
{
	struct explanation e;
	struct probe *p;
	size_t i, j;
	int nr_marked;

	(void)state;
	need_root();
	assert_int_equal(probe__new(&p, NULL), 0);
	assert_int_equal(probe_explain(p, "nosuchthing", &e), -ENOENT);
	for (i = 0; i < probe_nr(); i++) {
		assert_int_equal(probe_explain(p, probe_name(i), &e), 0);
		for (j = 0, nr_marked = 0; j < e.xlated.nr_lines; j++)
			nr_marked += e.xlated.lines[j].is_marked;
		if (is_found_out(normal[i].state)) {
			assert_int_equal(nr_marked, normal[i].nr_insns);
			assert_true(e.jited.nr_lines || e.jited.note[0]);
		}
		explanation_release(&e);
	}
	probe__free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_row_is_named_once_and_explained),
		cmocka_unit_test(the_contract_s_names_are_there),
		cmocka_unit_test(helpers_are_read_as_we_read_them),
		cmocka_unit_test(lookups_are_read_as_we_read_them),
		cmocka_unit_test(iterators_are_read_as_we_read_them),
		cmocka_unit_test(may_goto_is_inlined_where_it_exists),
		cmocka_unit_test(a_callback_chosen_at_run_time_is_not_inlined),
		cmocka_unit_test(a_call_s_reason_names_a_symbol_of_the_kernel),
		cmocka_unit_test(one_feature_can_be_had_alone_and_again),
		cmocka_unit_test(the_instructions_can_be_had_to_compare_with),
		cmocka_unit_test(explanations_mark_the_construct),
	};

	return cmocka_run_group_tests_name("probe", tests, probe_normally, NULL);
}
