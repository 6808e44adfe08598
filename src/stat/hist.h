/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Figures from the log-linear histograms of bpf/hist.h. Pure.
 *
 * A quantile is interpolated inside its slot as if the values lay evenly in
 * it; its relative error is below 1/4 (the widest slot, [4, 5) * 2^s), and
 * below 8 it is exact to 1.
 */
#ifndef ITERTRACE_STAT_HIST_H
#define ITERTRACE_STAT_HIST_H

#include <stdint.h>

#include "bpf/hist.h"

struct hist {
	uint64_t slots[HIST_NR_SLOTS];
	uint64_t max; /* the exact largest value; 0: not known */
};

void hist_add(struct hist *h, uint64_t value);

/* Sums slots, keeps the larger maximum. */
void hist_merge(struct hist *into, const struct hist *from);

uint64_t hist_total(const struct hist *h);

/*
 * The value below which a share q (0…1) of the values lies; never above max
 * where max is known, unless max was read before values above it came in.
 * 0 for an empty histogram: ask hist_total() first.
 */
double hist_quantile(const struct hist *h, double q);

#endif
