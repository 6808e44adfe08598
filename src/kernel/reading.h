/* SPDX-License-Identifier: BSD-2-Clause */
/* One construct: load its program, read it back, judge it. Used by probe.c. */
#ifndef ITERTRACE_KERNEL_READING_H
#define ITERTRACE_KERNEL_READING_H

#include "insn/region.h"
#include "kernel/call_names.h"
#include "kernel/constructs.h"
#include "kernel/prog_code.h"
#include "model/feature.h"

struct reading {
	struct feature feature; /* its reason is there once it is described */
	bool is_described;
	struct prog_code code;     /* empty if the program did not load */
	bool has_shape;            /* region and shape are valid */
	struct insn_region region; /* in code.xlated */
	struct insn_shape shape;
};

/*
 * variable: the shape of the construct that c->bounds names, or NULL. What the
 * kernel does not take or show is a state of the feature, not an error. -ENOMEM.
 */
int reading_take(const struct construct *c, const struct insn_shape *variable,
		 struct vmlinux_btf *vmlinux, struct reading *ret);

/* Give the reason, if there is none yet: what is called must be named for it. */
void reading_describe(struct reading *m, const struct construct *c,
		      struct call_names *names);
void reading_release(struct reading *m);

#endif
