/* SPDX-License-Identifier: BSD-2-Clause */
/* What speaks against a verdict without forbidding it, as sentences. */
#ifndef ITERTRACE_COMPARE_WARNINGS_H
#define ITERTRACE_COMPARE_WARNINGS_H

#include "compare/side.h"

/* A sentence more, cut to fit. -ENOMEM. */
int warnings_add(struct comparison *c, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* How many boots and values there are, and whether the kernels differ at all. */
int warnings_of_evidence(struct comparison *c, const struct side *base,
			 const struct side *fresh);

/* What recordings say against themselves: cut, events lost, a noisy machine. */
int warnings_of_recordings(struct comparison *c, const struct side *s);

#endif
