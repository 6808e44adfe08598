// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "kernel/reading.h"

#define HIDDEN_REMEDY "(needs CAP_SYSLOG, kernel.kptr_restrict < 2)"

static void set_reason(struct feature *f, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

static void set_reason(struct feature *f, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(f->reason, sizeof(f->reason), fmt, ap);
	va_end(ap);
}

/* What a call goes to, in words. */
static void name_call(const struct insn_shape *shape, struct call_names *names,
		      char *buf, size_t size)
{
	if (call_names_call(names, &shape->call, buf, size))
		return;
	if (!shape->call.imm)
		snprintf(buf, size, "a kernel function (address hidden)");
	else
		snprintf(buf, size, "a kernel function without a name");
}

static void describe_inlined(const struct construct *c, struct reading *m,
			     struct call_names *names)
{
	char target[160];

	if (m->feature.state == FEATURE_FOLDED) {
		set_reason(&m->feature, "the range checks are decided at load");
	} else if (m->shape.nr_jit_helpers) {
		set_reason(&m->feature,
			   "by the JIT: helper id %d stays in the translated program",
			   c->helper);
	} else if (m->shape.nr_calls) {
		name_call(&m->shape, names, target, sizeof(target));
		set_reason(&m->feature, "calls %s only %s", target,
			   c->seldom ? c->seldom : "on a path beside the way through");
	}
}

static void describe_called(struct reading *m, struct call_names *names)
{
	size_t nr_others = m->shape.nr_insns - m->shape.nr_calls;
	char target[160];

	name_call(&m->shape, names, target, sizeof(target));
	if (m->feature.state == FEATURE_CALL)
		set_reason(&m->feature, "calls %s", target);
	else
		set_reason(&m->feature, "calls %s; %zu instruction%s around it", target,
			   nr_others, nr_others == 1 ? "" : "s");
}

void reading_describe(struct reading *m, const struct construct *c,
		      struct call_names *names)
{
	if (m->is_described)
		return;
	m->is_described = true;
	names->kfunc = c->kfunc;
	switch (m->feature.state) {
	case FEATURE_INLINED:
	case FEATURE_FOLDED:
		describe_inlined(c, m, names);
		break;
	case FEATURE_CALL:
	case FEATURE_PARTIAL:
		describe_called(m, names);
		break;
	default:
		if (m->shape.nr_hidden)
			set_reason(&m->feature,
				   "a call whose address is hidden may be one that the "
				   "JIT inlines " HIDDEN_REMEDY);
		else
			set_reason(&m->feature,
				   "no path leads through what the kernel made of it");
	}
}

/* Find the construct in the translated program. False: the feature says why. */
static bool find_shape(const struct construct *c, struct reading *m)
{
	const struct prog_code *code = &m->code;
	int err;

	if (!code->xlated) {
		set_reason(&m->feature, "%.255s", code->why_no_xlated.text);
		return false;
	}
	if (insn_region_find(code->xlated, code->nr_xlated, &m->region)) {
		set_reason(&m->feature,
			   "the kernel changed the markers around the construct");
		return false;
	}
	err = insn_region_shape(code->xlated, code->nr_xlated, &m->region, c->helper,
				&m->shape);
	if (err)
		set_reason(&m->feature,
			   "the control flow of the translated program is not "
			   "understood (%s)",
			   strerror(-err));
	return !err;
}

static void judge(const struct construct *c, const struct insn_shape *variable,
		  struct reading *m)
{
	m->has_shape = find_shape(c, m);
	m->is_described = !m->has_shape;
	if (!m->has_shape)
		return;
	m->feature.state = insn_shape_state(&m->shape);
	m->feature.nr_insns = (int)m->shape.nr_insns;
	if (variable && insn_shape_is_folded(&m->shape, variable))
		m->feature.state = FEATURE_FOLDED;
}

/* Load the program; its file descriptor, or -1 and the feature says why. */
static int load(const struct construct *c, struct vmlinux_btf *vmlinux,
		struct feature *f)
{
	struct reason why = {0};
	struct draft d;
	int fd;

	draft_init(&d, c->type, vmlinux);
	c->build(&d);
	fd = draft_load(&d, &f->state, &why);
	draft_release(&d);
	if (fd >= 0)
		return fd;
	if (f->state == FEATURE_REFUSED && c->needs)
		set_reason(f, "%.200s; this needs %s", why.text, c->needs);
	else
		set_reason(f, "%.255s", why.text);
	return -1;
}

int reading_take(const struct construct *c, const struct insn_shape *variable,
		 struct vmlinux_btf *vmlinux, struct reading *ret)
{
	struct reading m = {.is_described = true,
			    .feature = {.name = c->name,
					.description = c->description,
					.state = FEATURE_UNKNOWN,
					.nr_insns = -1}};
	struct reason why = {0};
	int fd, err;

	fd = load(c, vmlinux, &m.feature);
	if (fd < 0) {
		*ret = m;
		return 0;
	}
	err = prog_code_read(fd, &m.code, &why);
	close(fd);
	if (err == -ENOMEM)
		return err;
	if (err)
		set_reason(&m.feature, "%.255s", why.text);
	else
		judge(c, variable, &m);
	*ret = m;
	return 0;
}

void reading_release(struct reading *m)
{
	prog_code_release(&m->code);
}
