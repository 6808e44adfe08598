/* SPDX-License-Identifier: BSD-2-Clause */
/* Names for the calls and addresses in a translated program. Reads the kernel's
 * symbols the first time that a name is asked for. Not thread-safe. */
#ifndef ITERTRACE_KERNEL_CALL_NAMES_H
#define ITERTRACE_KERNEL_CALL_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "insn/format.h"
#include "kernel/ksyms.h"
#include "kernel/vmlinux_btf.h"

struct call_names {
	struct vmlinux_btf *vmlinux; /* not owned */
	const char *kfunc;           /* that the program is known to call, or NULL */
	struct ksyms *ksyms;
	int err; /* why there are no symbols */
	struct reason why;
};

/* The symbols, or NULL: then err and why say the reason. */
const struct ksyms *call_names_ksyms(struct call_names *n);

/* A callback of struct insn_names; ctx is a struct call_names. */
bool call_names_call(void *ctx, const struct bpf_insn *insn, char *buf, size_t size);
bool call_names_address(void *ctx, uint64_t addr, char *buf, size_t size);

void call_names_release(struct call_names *n);

#endif
