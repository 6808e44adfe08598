/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What this kernel makes of each construct, found out by loading a tiny program
 * with it and reading the translated program back. Nothing is concluded from a
 * version, and no shape is expected: a construct is inlined if a path leads
 * through what it became without a call of the kernel.
 *
 * One construct costs a program load, well below a millisecond. The kernel's BTF
 * (some 10 ms) is read for the first kfunc, the kernel's symbols (some 50 ms) for
 * the first reason that names what is called; both are kept, and so are answers.
 * Not thread-safe.
 */
#ifndef ITERTRACE_KERNEL_PROBE_H
#define ITERTRACE_KERNEL_PROBE_H

#include <stddef.h>

#include "base/reason.h"
#include "model/feature.h"

struct bpf_insn;
struct call_names;
struct reading;
struct probe;

/* Takes libbpf's log over, see libbpf_log.h. -ENOMEM; then *ret is untouched. */
int probe__new(struct probe **ret, struct reason *why);
void probe__free(struct probe *p); /* NULL is fine */

/* The names that there are, in the order of the table; NULL from probe_nr() on. */
size_t probe_nr(void);
const char *probe_name(size_t i);

/* Only the state: needs no symbols. -ENOENT: no construct of that name. -ENOMEM. */
int probe_state(struct probe *p, const char *name, enum feature_state *ret);

/* The state and the reason. -ENOENT, -ENOMEM. */
int probe_feature(struct probe *p, const char *name, struct feature *ret);

/*
 * The instructions that a construct became, constant blinding undone: a copy of
 * the region between the markers, the caller's to free. A jump may lead out of
 * it. -ENODATA with a sentence: the kernel does not take the construct, or does
 * not show it. -ENOENT, -ENOMEM.
 */
int probe_insns(struct probe *p, const char *name, struct bpf_insn **ret,
		size_t *ret_nr, struct reason *why);

/*
 * What a construct's feature was concluded from, made if it is not yet; as long as
 * p lives. -ENOENT, -ENOMEM. And the names for it.
 */
int probe_reading(struct probe *p, const char *name, const struct reading **ret);
struct call_names *probe_names(struct probe *p);

#endif
