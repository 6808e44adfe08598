// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/libbpf_log.h"
#include "kernel/reading.h"
#include "kernel/probe.h"

struct slot {
	bool is_done;
	struct reading m;
};

struct probe {
	struct vmlinux_btf vmlinux;
	struct call_names names;
	struct slot slots[]; /* one a row of constructs[] */
};

size_t probe_nr(void)
{
	size_t i = 0;

	while (constructs[i].name)
		i++;
	return i;
}

const char *probe_name(size_t i)
{
	return i < probe_nr() ? constructs[i].name : NULL;
}

int probe__new(struct probe **ret, struct reason *why)
{
	struct probe *p;

	p = calloc(1, sizeof(*p) + probe_nr() * sizeof(p->slots[0]));
	if (!p)
		return reason_set(why, -ENOMEM, "out of memory");
	p->names.vmlinux = &p->vmlinux;
	libbpf_log_init();
	*ret = p;
	return 0;
}

void probe__free(struct probe *p)
{
	size_t i;

	if (!p)
		return;
	for (i = 0; i < probe_nr(); i++)
		reading_release(&p->slots[i].m);
	call_names_release(&p->names);
	vmlinux_btf_release(&p->vmlinux);
	free(p);
}

static const struct construct *find_construct(const char *name, size_t *ret_row)
{
	size_t i;

	for (i = 0; constructs[i].name; i++) {
		if (strcmp(constructs[i].name, name))
			continue;
		*ret_row = i;
		return &constructs[i];
	}
	return NULL;
}

/* The measurement of a construct, made if it is not yet, perhaps not described. */
static int find(struct probe *p, const char *name, struct reading **ret)
{
	const struct insn_shape *variable = NULL;
	const struct construct *c;
	struct reading *bounds;
	struct slot *slot;
	size_t row;
	int err;

	c = find_construct(name, &row);
	if (!c)
		return -ENOENT;
	slot = &p->slots[row];
	if (!slot->is_done && c->bounds) {
		/* one level deep: what a row compares itself with has no bounds */
		err = find(p, c->bounds, &bounds);
		if (err)
			return err;
		if (bounds->has_shape)
			variable = &bounds->shape;
	}
	if (!slot->is_done) {
		err = reading_take(c, variable, &p->vmlinux, &slot->m);
		if (err)
			return err;
		slot->is_done = true;
	}
	*ret = &slot->m;
	return 0;
}

int probe_state(struct probe *p, const char *name, enum feature_state *ret)
{
	struct reading *m;
	int err;

	err = find(p, name, &m);
	if (!err)
		*ret = m->feature.state;
	return err;
}

int probe_reading(struct probe *p, const char *name, const struct reading **ret)
{
	struct reading *m;
	size_t row;
	int err;

	err = find(p, name, &m);
	if (err)
		return err;
	reading_describe(m, find_construct(name, &row), &p->names);
	*ret = m;
	return 0;
}

struct call_names *probe_names(struct probe *p)
{
	return &p->names;
}

int probe_feature(struct probe *p, const char *name, struct feature *ret)
{
	const struct reading *m;
	int err;

	err = probe_reading(p, name, &m);
	if (!err)
		*ret = m->feature;
	return err;
}

int probe_insns(struct probe *p, const char *name, struct bpf_insn **ret,
		size_t *ret_nr, struct reason *why)
{
	const struct reading *m;
	struct bpf_insn *insns;
	size_t nr;
	int err;

	err = probe_reading(p, name, &m);
	if (err)
		return reason_set(why, err, "%s: %s", name, strerror(-err));
	if (!m->has_shape)
		return reason_set(why, -ENODATA, "%s", m->feature.reason);
	nr = m->region.end - m->region.begin;
	insns = calloc(nr + 1, sizeof(*insns));
	if (!insns)
		return reason_set(why, -ENOMEM, "out of memory");
	memcpy(insns, &m->code.xlated[m->region.begin], nr * sizeof(*insns));
	*ret = insns;
	*ret_nr = nr;
	return 0;
}
