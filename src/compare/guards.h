/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What is not the same about the two sides, or among the runs of one, beside the
 * kernel that is compared; and what of it forbids a comparison. Pure.
 */
#ifndef ITERTRACE_COMPARE_GUARDS_H
#define ITERTRACE_COMPARE_GUARDS_H

#include "model/comparison.h"

/*
 * Fills in differences, by weight, and adds warnings. Other CPU model, architecture,
 * clock source, loop backend or version of itertrace is a refusal; so are two kernels
 * within one side. Compared are, for each attribute, the sides' first runs that know it,
 * and the others of a side with that. -ENOMEM.
 */
int guards_compare(struct comparison *c);

bool guards_refuse(const struct comparison *c);

#endif
