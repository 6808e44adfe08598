/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the new kernel buys: of each site the new side's trips a second times the
 * shift, in percent of one CPU, and their sum with its 95% interval.
 *
 * By runs, what makes a boot slow makes all of its sites slow. So each boot has its
 * own sum of rate times cost, sites without a value there taking their side's
 * median, and the interval is Hodges and Lehmann's of those sums, about the sum of
 * the shifts. Within runs the shifts are taken for independent, and the intervals'
 * sides add up by squares (MOVER: Zou & Donner, "Construction of confidence limits
 * about effect measures: a general approach", Statistics in Medicine 27 (2008)).
 */
#ifndef ITERTRACE_COMPARE_TOTAL_H
#define ITERTRACE_COMPARE_TOTAL_H

#include "compare/side.h"

/* Each row's saving, and c's total. -ENOMEM. */
int total_compute(struct comparison *c, const struct side *base,
		  const struct side *fresh);

#endif
