// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

#include "insn/format.h"
#include "insn/jited.h"
#include "kernel/explain.h"
#include "kernel/reading.h"

static void set_note(struct listing *l, const char *note)
{
	snprintf(l->note, sizeof(l->note), "%.255s", note);
}

/* A program that did not load has no code; the feature says why. */
static bool has_program(const struct reading *m)
{
	return m->code.xlated || m->code.why_no_xlated.text[0];
}

static int list_xlated(const struct reading *m, struct call_names *names,
		       struct listing *l)
{
	const struct insn_names resolver = {
		.call = call_names_call, .address = call_names_address, .ctx = names};
	const struct prog_code *code = &m->code;
	struct listing_line *line;
	size_t i, slots;

	for (i = 0; i < code->nr_xlated; i += slots) {
		line = listing_add(l, i);
		if (!line)
			return -ENOMEM;
		line->is_marked =
			m->has_shape && i >= m->region.begin && i < m->region.end;
		slots = insn_format(&code->xlated[i], code->nr_xlated - i, &resolver,
				    line->text, sizeof(line->text));
	}
	if (!code->xlated)
		set_note(l, code->why_no_xlated.text);
	else if (code->was_blinded)
		set_note(l, "constants are blinded (net.core.bpf_jit_harden); shown as "
			    "they were before");
	return 0;
}

/* "call 0xffffffff8151a0f0" becomes "call 0xffffffff8151a0f0 <bpf_iter_num_next>" */
static void add_target_name(struct call_names *names, const struct prog_code *code,
			    uint64_t target, struct listing_line *line)
{
	size_t i, len = strlen(line->text);
	char name[64];

	if (!target)
		return;
	for (i = 0; i < code->nr_funcs; i++) {
		if (code->func_addrs[i] == target)
			snprintf(line->text + len, sizeof(line->text) - len,
				 " <function %zu>", i);
	}
	if (call_names_address(names, target, name, sizeof(name)))
		snprintf(line->text + len, sizeof(line->text) - len, " <%s>", name);
}

/* Where line nr of the probe program begins in its JITed code; 0: not known. */
static uint64_t line_addr(const struct prog_code *code, enum draft_line nr)
{
	size_t i;

	for (i = 0; i < code->nr_lines; i++) {
		if (BPF_LINE_INFO_LINE_NUM(code->lines[i].line_col) == nr)
			return code->line_addrs[i];
	}
	return 0;
}

static int list_jited_func(const struct prog_code *code, const struct jited_code *func,
			   struct call_names *names, struct listing *l)
{
	uint64_t begin = line_addr(code, DRAFT_LINE_CONSTRUCT);
	uint64_t end = line_addr(code, DRAFT_LINE_AFTER);
	struct listing_line *line;
	size_t i;

	for (i = 0; i < func->nr_lines; i++) {
		line = listing_add(l, func->lines[i].addr);
		if (!line)
			return -ENOMEM;
		line->is_marked = line->at >= begin && line->at < end;
		snprintf(line->text, sizeof(line->text), "%s", func->lines[i].text);
		add_target_name(names, code, func->lines[i].target, line);
	}
	return 0;
}

static int add_heading(struct listing *l, size_t func)
{
	struct listing_line *line = listing_add(l, 0);

	if (!line)
		return -ENOMEM;
	line->is_heading = true;
	snprintf(line->text, sizeof(line->text), "function %zu:", func);
	return 0;
}

static int list_jited_funcs(const struct prog_code *code, enum jited_arch arch,
			    struct call_names *names, struct listing *l)
{
	struct jited_code func;
	size_t i, at = 0;
	int err;

	for (i = 0; i < code->nr_funcs; i++) {
		if (code->func_lens[i] > code->jited_len - at)
			return -EINVAL;
		err = jited_code_init(&func, arch, code->jited + at, code->func_lens[i],
				      code->func_addrs[i]);
		if (err)
			return err;
		err = code->nr_funcs > 1 ? add_heading(l, i) : 0;
		if (!err)
			err = list_jited_func(code, &func, names, l);
		jited_code_release(&func);
		if (err)
			return err;
		at += code->func_lens[i];
	}
	return 0;
}

static int list_jited(const struct reading *m, const char *machine,
		      struct call_names *names, struct listing *l)
{
	enum jited_arch arch;
	int err;

	if (!m->code.jited) {
		set_note(l, m->code.why_no_jited.text);
		return 0;
	}
	err = jited_arch_parse(machine, &arch);
	if (!err)
		err = list_jited_funcs(&m->code, arch, names, l);
	if (err && err != -ENOMEM) {
		snprintf(l->note, sizeof(l->note),
			 "cannot disassemble code for %.40s: %s", machine,
			 strerror(-err));
		err = 0;
	}
	return err;
}

int probe_explain(struct probe *p, const char *name, struct explanation *ret)
{
	struct explanation e = {0};
	const struct reading *m;
	struct utsname uts;
	int err;

	err = probe_reading(p, name, &m);
	if (err)
		return err;
	uname(&uts);
	snprintf(e.arch, sizeof(e.arch), "%.15s", uts.machine);
	e.feature = m->feature;
	if (has_program(m)) {
		err = list_xlated(m, probe_names(p), &e.xlated);
		if (!err)
			err = list_jited(m, e.arch, probe_names(p), &e.jited);
	}
	if (err)
		explanation_release(&e);
	else
		*ret = e;
	return err;
}

void explanation_release(struct explanation *e)
{
	listing_release(&e->xlated);
	listing_release(&e->jited);
}
