/* SPDX-License-Identifier: BSD-2-Clause */
/* The kernel's own types, loaded the first time that somebody asks. Not
 * thread-safe. */
#ifndef ITERTRACE_KERNEL_VMLINUX_BTF_H
#define ITERTRACE_KERNEL_VMLINUX_BTF_H

#include <stdbool.h>
#include <stdint.h>

#include "base/reason.h"

struct btf;

/* Why there is none, and what to do. */
#define VMLINUX_BTF_LACK                                              \
	"this kernel has no BTF: /sys/kernel/btf/vmlinux comes with " \
	"CONFIG_DEBUG_INFO_BTF, where sysfs is mounted"

struct vmlinux_btf {
	struct btf *btf; /* NULL until loaded */
	int err;         /* why it could not be */
};

/*
 * The id of the type called name, of kind BTF_KIND_…. -ENOENT: there is none.
 * -ENODATA: this kernel has no BTF. Otherwise the errno of reading it.
 */
int vmlinux_btf_find(struct vmlinux_btf *v, const char *name, uint32_t kind,
		     struct reason *why);

/* The name of the function with that id, if the types are loaded, or NULL. */
const char *vmlinux_btf_func_name(const struct vmlinux_btf *v, int id);

void vmlinux_btf_release(struct vmlinux_btf *v); /* {0} is fine */

#endif
