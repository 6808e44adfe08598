// SPDX-License-Identifier: BSD-2-Clause
/*
 * selftest FILE.bpf.o...: what the kernel's own test_progs does with the tags of a
 * test's programs, as far as the tests of our series use them: every program is
 * loaded, what it was translated to is compared with __xlated, and what it returns
 * with __retval. test_progs itself wants a newer clang than Debian 12 has.
 */
#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "insn/format.h"

#define MAX_TAGS  200
#define MAX_INSNS 4096

struct expected {
	const char *xlated[MAX_TAGS];
	int nr_xlated;
	const char *retval;
	bool is_test;
};

/* The number that orders the tags of a function: 6.12 has it elsewhere than 7.3. */
static int tag_order(const char *tag)
{
	const char *number = strpbrk(tag, "0123456789");

	return number ? (int)strtol(number, NULL, 10) : 0;
}

static const char *after(const char *tag, const char *name)
{
	const char *at = strstr(tag, name);

	if (!at)
		return NULL;
	at += strlen(name);
	/* 6.12: name=NUMBER=text */
	if (!strncmp(tag, "comment:test_", 13) && !strcmp(name, "test_expect_xlated="))
		at = strchr(at, '=') + 1;
	return at;
}

static void read_tags(const struct btf *btf, const char *function,
		      struct expected *want)
{
	const char *tags[MAX_TAGS];
	int nr = 0;

	memset(want, 0, sizeof(*want));
	for (__u32 id = 1; id < btf__type_cnt(btf); id++) {
		const struct btf_type *t = btf__type_by_id(btf, id);
		const struct btf_type *f =
			btf_is_decl_tag(t) ? btf__type_by_id(btf, t->type) : NULL;

		if (f && btf_is_func(f) && nr < MAX_TAGS &&
		    !strcmp(btf__name_by_offset(btf, f->name_off), function))
			tags[nr++] = btf__name_by_offset(btf, t->name_off);
	}
	for (int i = 1; i < nr; i++) {
		const char *tag = tags[i];
		int j = i;

		for (; j > 0 && tag_order(tags[j - 1]) > tag_order(tag); j--)
			tags[j] = tags[j - 1];
		tags[j] = tag;
	}
	for (int i = 0; i < nr; i++) {
		const char *text = after(tags[i], "test_expect_xlated=");

		if (text)
			want->xlated[want->nr_xlated++] = text;
		if (after(tags[i], "test_retval="))
			want->retval = after(tags[i], "test_retval=");
		if (strstr(tags[i], "test_expect_success"))
			want->is_test = true;
	}
}

/* Helpers and kfuncs without a name are "call unknown" to the kernel's disassembler. */
static bool same_text(const char *is, const char *should)
{
	if (!strcmp(should, "call unknown"))
		return !strncmp(is, "call ", 5);
	return !strcmp(is, should);
}

static bool check_xlated(int fd, const struct expected *want)
{
	static struct bpf_insn insns[MAX_INSNS];
	struct bpf_prog_info info = {};
	__u32 size = sizeof(info);
	char text[INSN_TEXT_LEN];
	size_t nr, at = 0;
	bool same = true;

	info.xlated_prog_insns = (__u64)(unsigned long)insns;
	info.xlated_prog_len = sizeof(insns);
	if (bpf_obj_get_info_by_fd(fd, &info, &size) ||
	    info.xlated_prog_len > sizeof(insns))
		return false;
	nr = info.xlated_prog_len / sizeof(insns[0]);
	for (int i = 0; i < want->nr_xlated; i++) {
		if (at >= nr) {
			printf("  it ends before: %s\n", want->xlated[i]);
			return false;
		}
		at += insn_format(insns + at, nr - at, NULL, text, sizeof(text));
		if (!same_text(text, want->xlated[i])) {
			printf("  instruction %d: %s, and not %s\n", i, text,
			       want->xlated[i]);
			same = false;
		}
	}
	return same;
}

static bool check_retval(int fd, const char *retval)
{
	LIBBPF_OPTS(bpf_test_run_opts, opts);
	int err = bpf_prog_test_run_opts(fd, &opts);

	if (!err && (int)opts.retval == (int)strtol(retval, NULL, 0))
		return true;
	printf("  it returned %d (%s), and not %s\n", (int)opts.retval, strerror(-err),
	       retval);
	return false;
}

/* Each program in an object of its own, so that one that is refused is told apart. */
static bool check_program(const char *file, const char *name)
{
	struct bpf_object *object = bpf_object__open_file(file, NULL);
	struct bpf_program *prog;
	struct expected want;
	bool ok = true;

	if (!object)
		return false;
	bpf_object__for_each_program (prog, object)
		bpf_program__set_autoload(prog, !strcmp(bpf_program__name(prog), name));
	read_tags(bpf_object__btf(object), name, &want);
	if (!want.is_test)
		goto out;
	if (bpf_object__load(object)) {
		printf("  it is refused\n");
		ok = false;
	} else {
		int fd =
			bpf_program__fd(bpf_object__find_program_by_name(object, name));

		if (want.nr_xlated)
			ok = check_xlated(fd, &want);
		if (want.retval)
			ok = check_retval(fd, want.retval) && ok;
	}
	printf("%s - %s\n", ok ? "ok" : "not ok", name);
out:
	bpf_object__close(object);
	return ok;
}

int main(int argc, char **argv)
{
	int status = 0;

	setvbuf(stdout, NULL, _IOLBF, 0);
	for (int i = 1; i < argc; i++) {
		struct bpf_object *object = bpf_object__open_file(argv[i], NULL);
		struct bpf_program *prog;

		if (!object) {
			printf("not ok - %s can be opened\n", argv[i]);
			return 1;
		}
		bpf_object__for_each_program (prog, object)
			if (!check_program(argv[i], bpf_program__name(prog)))
				status = 1;
		bpf_object__close(object);
	}
	return status;
}
