/* SPDX-License-Identifier: BSD-2-Clause */
/* A construct's evidence for people: its program translated and JITed, as text. */
#ifndef ITERTRACE_KERNEL_EXPLAIN_H
#define ITERTRACE_KERNEL_EXPLAIN_H

#include "kernel/probe.h"
#include "model/listing.h"

struct explanation {
	struct feature feature;
	struct listing xlated;
	struct listing jited;
	char arch[16]; /* of the JITed code, as uname -m gives it */
};

/* -ENOENT: no such construct. -ENOMEM. Then *ret is untouched. */
int probe_explain(struct probe *p, const char *name, struct explanation *ret);
void explanation_release(struct explanation *e); /* {0} is fine */

#endif
