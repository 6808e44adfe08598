/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The rows that two sides share, by kind and name, and what stands on one side only
 * or cannot be put side by side. Pure.
 */
#ifndef ITERTRACE_COMPARE_JOIN_H
#define ITERTRACE_COMPARE_JOIN_H

#include "compare/side.h"

/* More subjects are left out, with a warning. */
#define JOIN_MAX_SUBJECTS 512

/*
 * Fills in c's rows, each with kind, name and measure, and the lists of what has
 * none. -ENOMEM.
 */
int join_sides(struct comparison *c, const struct side *base, const struct side *fresh);

#endif
