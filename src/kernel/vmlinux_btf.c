// SPDX-License-Identifier: BSD-2-Clause
#include <bpf/btf.h>
#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "kernel/vmlinux_btf.h"

#define VMLINUX_BTF "/sys/kernel/btf/vmlinux"

static int load(struct vmlinux_btf *v)
{
	if (v->btf || v->err)
		return v->err;
	v->btf = btf__parse(VMLINUX_BTF, NULL);
	if (!v->btf)
		v->err = errno == ENOENT ? -ENODATA : -errno;
	return v->err;
}

int vmlinux_btf_find(struct vmlinux_btf *v, const char *name, uint32_t kind,
		     struct reason *why)
{
	int err, id;

	err = load(v);
	if (err == -ENODATA)
		return reason_set(why, err, VMLINUX_BTF_LACK);
	if (err)
		return reason_set(why, err, "cannot read " VMLINUX_BTF ": %s",
				  strerror(-err));
	id = btf__find_by_name_kind(v->btf, name, kind);
	if (id < 0)
		return reason_set(why, -ENOENT,
				  "this kernel has no %s (not in its BTF)", name);
	return id;
}

const char *vmlinux_btf_func_name(const struct vmlinux_btf *v, int id)
{
	const struct btf_type *type;

	if (!v->btf || id <= 0)
		return NULL;
	type = btf__type_by_id(v->btf, (__u32)id);
	if (!type || !btf_is_func(type))
		return NULL;
	return btf__name_by_offset(v->btf, type->name_off);
}

void vmlinux_btf_release(struct vmlinux_btf *v)
{
	btf__free(v->btf);
	v->btf = NULL;
}
