/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the new kernel buys: of each site the new side's trips a second times the
 * shift, in percent of one CPU, and their sum with its 95% interval.
 *
 * By runs, what makes a boot slow makes all of its sites slow. So each boot has its
 * own sum of rate times cost, sites without a value there taking their side's
 * median, and the interval is Hodges and Lehmann's of those sums, about the sum of
 * the shifts. Within runs the sites share the machine's noise too, by how much cannot
 * be told: the intervals' sides add up, which holds for any dependence.
 */
#ifndef ITERTRACE_COMPARE_TOTAL_H
#define ITERTRACE_COMPARE_TOTAL_H

#include "compare/side.h"

/* ns a second, in percent of one CPU. */
#define TOTAL_PERCENT_PER_NS 1e-7

/* All figures ABSENT. */
void total_init(struct comparison_total *t);

/* Each row's saving, and c's total. -ENOMEM. */
int total_compute(struct comparison *c, const struct side *base,
		  const struct side *fresh);

#endif
