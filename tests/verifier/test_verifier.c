// SPDX-License-Identifier: BSD-2-Clause
/*
 * This kernel's verifier takes every program of bpf/ on every backend of the
 * loops, and at no more than it cost when its count was recorded in
 * tests/verifier/instructions. Run from the top of the tree.
 *
 *	UPDATE=1 build/tests/verifier/test_verifier	writes this kernel's counts
 *	BPF_OBJECTS=DIR …				takes the objects from there
 */
#include <errno.h>
#include <glob.h>
#include <libelf.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <gelf.h>

#include <cmocka.h>

#include "kernel/dead_code.h"
#include "kernel/libbpf_log.h"
#include "trace/loops.h"

#define RECORD   "tests/verifier/instructions"
#define MAY_GOTO (BPF_JMP | 0xe0)
#define MAX_ROWS 1024

/* Objects whose programs compare the constructs with each other: one backend. */
static const char *const only_bpf_for[] = {"bench"};

struct row {
	char release[65], object[32], program[32], backend[16];
	unsigned int insns;
};

struct rows {
	struct row rows[MAX_ROWS];
	size_t nr;
};

static void skip_unless_root(void)
{
	if (!geteuid())
		return;
	print_message("root is needed to load programs\n");
	skip();
}

/* --- objects --------------------------------------------------------------------- */

/* Sources, not objects: what is no longer built must not be tested, and all must be. */
static void find_sources(glob_t *sources)
{
	assert_int_equal(glob("bpf/*.bpf.c", 0, NULL, sources), 0);
	assert_true(sources->gl_pathc >= 4);
}

/* "exec" of "bpf/exec.bpf.c" */
static void object_name(const char *source, char name[32])
{
	snprintf(name, 32, "%.*s", (int)strcspn(source + 4, "."), source + 4);
}

static void object_path(const char *name, char *path, size_t size)
{
	const char *directory = getenv("BPF_OBJECTS");

	snprintf(path, size, "%s/%s.bpf.o", directory ?: "build/bpf", name);
}

static bool has_backend(const char *object, enum loops_backend backend)
{
	size_t i;

	for (i = 0; i < sizeof(only_bpf_for) / sizeof(only_bpf_for[0]); i++)
		if (!strcmp(object, only_bpf_for[i]))
			return backend == LOOPS_BPF_FOR;
	return true;
}

/* Set a variable of read-only data before load. */
static void set_rodata(struct bpf_object *object, const char *name, const void *value,
		       size_t size)
{
	const struct btf *btf = bpf_object__btf(object);
	int section = btf__find_by_name_kind(btf, ".rodata", BTF_KIND_DATASEC);
	const struct btf_type *type = btf__type_by_id(btf, (__u32)section);
	const struct btf_var_secinfo *var = btf_var_secinfos(type);
	struct bpf_map *map;
	const void *initial;
	size_t i, len;
	char *data;

	bpf_object__for_each_map (map, object)
		if (strstr(bpf_map__name(map), ".rodata"))
			break;
	assert_non_null(map);
	initial = bpf_map__initial_value(map, &len);
	data = malloc(len);
	assert_non_null(data);
	memcpy(data, initial, len);
	for (i = 0; i < btf_vlen(type); i++, var++) {
		const struct btf_type *v = btf__type_by_id(btf, var->type);

		if (strcmp(btf__name_by_offset(btf, v->name_off), name))
			continue;
		assert_int_equal(var->size, size);
		memcpy(data + var->offset, value, size);
		assert_int_equal(bpf_map__set_initial_value(map, data, len), 0);
		free(data);
		return;
	}
	fail_msg("no variable %s", name);
}

static struct bpf_object *open_object(const char *name, enum loops_backend backend,
				      bool sites_enabled, unsigned int dead)
{
	struct bpf_program *program;
	struct bpf_object *object;
	__u32 number = backend;
	char path[4096];

	object_path(name, path, sizeof(path));
	object = bpf_object__open_file(path, NULL);
	if (!object)
		fail_msg("cannot open %s: %s", path, strerror(errno));
	bpf_object__for_each_program (program, object)
		bpf_program__set_autoload(program, true);
	set_rodata(object, "loops_backend", &number, sizeof(number));
	set_rodata(object, "sites_enabled", &sites_enabled, sizeof(sites_enabled));
	assert_int_equal(dead_code_remove(object, dead), 0);
	return object;
}

static void load(struct bpf_object *object, const char *name,
		 enum loops_backend backend)
{
	libbpf_log_clear();
	if (bpf_object__load(object))
		fail_msg("%s does not load on %s: %s", name, loops_name(backend),
			 libbpf_log_text());
}

/* Does this kernel have the construct at all, and what must be removed on it? */
static bool kernel_has(struct probe *probe, enum loops_backend backend,
		       unsigned int *dead)
{
	struct loops loops;
	struct reason why;

	if (loops_choose(probe, (int)backend, &loops, &why))
		return false;
	*dead = loops.dead;
	return true;
}

typedef void (*object_fn)(const char *name, enum loops_backend backend,
			  unsigned int dead, void *arg);

/* For every object on every backend that it and this kernel have. */
static void for_each_object(object_fn fn, void *arg)
{
	unsigned int dead = 0;
	struct probe *probe = NULL;
	struct reason why;
	glob_t sources;
	char name[32];
	int backend;
	size_t i;

	find_sources(&sources);
	assert_int_equal(probe__new(&probe, &why), 0);
	for (backend = 0; backend < NR_LOOPS_BACKENDS; backend++) {
		if (!kernel_has(probe, backend, &dead))
			continue;
		for (i = 0; i < sources.gl_pathc; i++) {
			object_name(sources.gl_pathv[i], name);
			if (has_backend(name, backend))
				fn(name, backend, dead, arg);
		}
	}
	probe__free(probe);
	globfree(&sources);
}

/* --- instruction counts ------------------------------------------------------------ */

static void count_object(const char *name, enum loops_backend backend,
			 unsigned int dead, void *arg)
{
	struct bpf_object *object = open_object(name, backend, true, dead);
	struct rows *found = arg;
	struct bpf_program *program;
	struct utsname host;

	load(object, name, backend);
	uname(&host);
	bpf_object__for_each_program (program, object) {
		struct bpf_prog_info info = {0};
		struct row *row = &found->rows[found->nr++];
		__u32 len = sizeof(info);

		assert_true(found->nr < MAX_ROWS);
		assert_int_equal(
			bpf_obj_get_info_by_fd(bpf_program__fd(program), &info, &len),
			0);
		assert_true(info.verified_insns > 0);
		snprintf(row->release, sizeof(row->release), "%s", host.release);
		snprintf(row->object, sizeof(row->object), "%s", name);
		snprintf(row->program, sizeof(row->program), "%s",
			 bpf_program__name(program));
		snprintf(row->backend, sizeof(row->backend), "%s", loops_name(backend));
		row->insns = info.verified_insns;
	}
	bpf_object__close(object);
}

static void read_record(struct rows *recorded)
{
	FILE *f = fopen(RECORD, "re");
	char line[256];
	struct row *r;

	assert_non_null(f);
	while (fgets(line, sizeof(line), f)) {
		if (line[0] == '#' || line[0] == '\n')
			continue;
		assert_true(recorded->nr < MAX_ROWS);
		r = &recorded->rows[recorded->nr++];
		if (sscanf(line, "%64s %31s %31s %15s %u", r->release, r->object,
			   r->program, r->backend, &r->insns) != 5)
			fail_msg("%s: not five columns: %s", RECORD, line);
	}
	fclose(f);
}

static void print_row(FILE *out, const struct row *r)
{
	fprintf(out, "%s %s %s %s %u\n", r->release, r->object, r->program, r->backend,
		r->insns);
}

/* The file anew: its comments, other kernels' rows, and then what was found. */
static void write_record(const struct rows *found)
{
	char line[256], release[65], *text = NULL;
	size_t size = 0, i;
	FILE *f = fopen(RECORD, "re"), *out = open_memstream(&text, &size);

	assert_non_null(f);
	assert_non_null(out);
	while (fgets(line, sizeof(line), f))
		if (line[0] == '#' || sscanf(line, "%64s", release) != 1 ||
		    strcmp(release, found->rows[0].release))
			fputs(line, out);
	fclose(f);
	for (i = 0; i < found->nr; i++)
		print_row(out, &found->rows[i]);
	fclose(out);
	f = fopen(RECORD, "we");
	assert_non_null(f);
	assert_int_equal(fwrite(text, 1, size, f), size);
	assert_int_equal(fclose(f), 0);
	free(text);
}

static const struct row *find_row(const struct rows *rows, const struct row *like)
{
	size_t i;

	for (i = 0; i < rows->nr; i++) {
		const struct row *r = &rows->rows[i];

		if (!strcmp(r->release, like->release) &&
		    !strcmp(r->object, like->object) &&
		    !strcmp(r->program, like->program) &&
		    !strcmp(r->backend, like->backend))
			return r;
	}
	return NULL;
}

/* The number of programs that cost too much, or of which nothing was recorded. */
static size_t compare(const struct rows *found, const struct rows *recorded)
{
	size_t i, nr_bad = 0;

	for (i = 0; i < found->nr; i++) {
		const struct row *now = &found->rows[i],
				 *then = find_row(recorded, now);

		if (then && now->insns == then->insns)
			continue;
		if (then && now->insns * 10 <= then->insns * 11) {
			print_message("%s on %s: %u instructions, were %u%s\n",
				      now->program, now->backend, now->insns,
				      then->insns,
				      now->insns < then->insns ? ": fewer" : "");
			continue;
		}
		nr_bad++;
		if (then)
			print_error("%s on %s: %u instructions, were %u: more than "
				    "10%% more\n",
				    now->program, now->backend, now->insns,
				    then->insns);
		else
			print_error(
				"%s on %s: %u instructions, none recorded (UPDATE=1)\n",
				now->program, now->backend, now->insns);
	}
	return nr_bad;
}

static bool knows_release(const struct rows *recorded, const char *release)
{
	size_t i;

	for (i = 0; i < recorded->nr; i++)
		if (!strcmp(recorded->rows[i].release, release))
			return true;
	return false;
}

static void verified_instructions_have_not_grown(void **state)
{
	static struct rows found, recorded;
	const char *update = getenv("UPDATE");
	size_t i;

	(void)state;
	skip_unless_root();
	for_each_object(count_object, &found);
	assert_true(found.nr > 0);
	if (update && update[0] && strcmp(update, "0"))
		write_record(&found);
	read_record(&recorded);
	if (!knows_release(&recorded, found.rows[0].release)) {
		for (i = 0; i < found.nr; i++)
			print_row(stdout, &found.rows[i]);
		print_message("no counts of %s are recorded: UPDATE=1 adds those above "
			      "to %s\n",
			      found.rows[0].release, RECORD);
		skip();
	}
	assert_int_equal(compare(&found, &recorded), 0);
}

/* --- rodata and dead code ------------------------------------------------------------ */

static void load_disabled(const char *name, enum loops_backend backend,
			  unsigned int dead, void *arg)
{
	struct bpf_object *object = open_object(name, backend, false, dead);

	(void)arg;
	load(object, name, backend);
	bpf_object__close(object);
}

static void every_object_loads_without_its_accounting(void **state)
{
	(void)state;
	skip_unless_root();
	for_each_object(load_disabled, NULL);
}

#define ALL_KINDS (DEAD_MAY_GOTO | DEAD_KFUNC_CALLS)

/* After load a program's instructions are what the kernel was given: with subprograms. */
static void count_loaded(const struct bpf_object *object, size_t *may_gotos,
			 size_t *kfunc_calls)
{
	struct bpf_program *program;
	size_t i;

	*may_gotos = *kfunc_calls = 0;
	bpf_object__for_each_program (program, object) {
		const struct bpf_insn *insns = bpf_program__insns(program);

		for (i = 0; i < bpf_program__insn_cnt(program); i++) {
			*may_gotos += insns[i].code == MAY_GOTO;
			*kfunc_calls += insns[i].code == (BPF_JMP | BPF_CALL) &&
					insns[i].src_reg == BPF_PSEUDO_KFUNC_CALL;
			/* The second half of a 64-bit constant has no opcode. */
			i += insns[i].code == (BPF_LD | BPF_IMM | BPF_DW);
		}
	}
}

static void load_without_dead_code(const char *name, enum loops_backend backend,
				   unsigned int dead, void *arg)
{
	struct bpf_object *object;
	size_t may_gotos, kfunc_calls, *loaded = arg;
	unsigned int kinds = ALL_KINDS;

	(void)dead;
	/* A program that measures a construct cannot do without it. */
	if (!has_backend(name, LOOPS_CAN_LOOP))
		return;
	if (backend == LOOPS_CAN_LOOP)
		kinds &= ~DEAD_MAY_GOTO;
	if (backend == LOOPS_BPF_FOR)
		kinds &= ~DEAD_KFUNC_CALLS;
	object = open_object(name, backend, true, kinds);
	load(object, name, backend);
	count_loaded(object, &may_gotos, &kfunc_calls);
	if (!may_gotos != (backend != LOOPS_CAN_LOOP) ||
	    !kfunc_calls != (backend != LOOPS_BPF_FOR))
		fail_msg("%s on %s has %zu may_goto and %zu calls of kfuncs", name,
			 loops_name(backend), may_gotos, kfunc_calls);
	bpf_object__close(object);
	(*loaded)++;
}

static void only_the_backend_that_runs_is_left(void **state)
{
	size_t loaded = 0;

	(void)state;
	skip_unless_root();
	for_each_object(load_without_dead_code, &loaded);
	assert_true(loaded >= 3);
}

static void what_is_reached_cannot_be_removed(void **state)
{
	struct bpf_object *object;

	(void)state;
	skip_unless_root();
	object = open_object("exec", LOOPS_BPF_FOR, true, ALL_KINDS);
	libbpf_log_clear();
	assert_int_not_equal(bpf_object__load(object), 0);
	assert_true(dead_code_was_alive(libbpf_log_text()));
	bpf_object__close(object);
}

/*
 * dead_code_remove() edits programs; subprograms lie in a section of their own.
 * Those of a benchmark are loaded only where the kernel has what they measure.
 */
static void subprograms_have_no_dead_code(void **state)
{
	glob_t sources;
	size_t i, nr_subprograms = 0;

	(void)state;
	find_sources(&sources);
	assert_int_not_equal(elf_version(EV_CURRENT), EV_NONE);
	for (i = 0; i < sources.gl_pathc; i++) {
		char name[32], path[4096];
		Elf_Scn *section = NULL;
		size_t names;
		GElf_Shdr head;
		Elf *elf;
		int fd;

		object_name(sources.gl_pathv[i], name);
		if (!has_backend(name, LOOPS_CAN_LOOP))
			continue;
		object_path(name, path, sizeof(path));
		fd = open(path, O_RDONLY | O_CLOEXEC);
		assert_true(fd >= 0);
		elf = elf_begin(fd, ELF_C_READ, NULL);
		assert_non_null(elf);
		assert_int_equal(elf_getshdrstrndx(elf, &names), 0);
		while ((section = elf_nextscn(elf, section))) {
			Elf_Data *data = elf_getdata(section, NULL);

			assert_non_null(gelf_getshdr(section, &head));
			if (strcmp(elf_strptr(elf, names, head.sh_name), ".text") ||
			    !data)
				continue;
			nr_subprograms += data->d_size > 0;
			assert_int_equal(dead_code_replace(
						 data->d_buf,
						 data->d_size / sizeof(struct bpf_insn),
						 ALL_KINDS),
					 0);
		}
		elf_end(elf);
		close(fd);
	}
	globfree(&sources);
	assert_true(nr_subprograms > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(verified_instructions_have_not_grown),
		cmocka_unit_test(every_object_loads_without_its_accounting),
		cmocka_unit_test(only_the_backend_that_runs_is_left),
		cmocka_unit_test(what_is_reached_cannot_be_removed),
		cmocka_unit_test(subprograms_have_no_dead_code),
	};

	libbpf_log_init();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
