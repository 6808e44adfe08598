/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The values of one loop over a recording, in order of time, in bounded memory: when
 * there are SERIES_MAX, neighbours are merged into their means, and from then on
 * each value is the mean of twice as many intervals. Pure.
 */
#ifndef ITERTRACE_COMPARE_SERIES_H
#define ITERTRACE_COMPARE_SERIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SERIES_MAX 256

/* Batches that a recording's intervals are dealt into, and at most so many. */
#define SERIES_BATCHES     10
#define SERIES_MAX_BATCHES (2 * SERIES_BATCHES - 1)

struct series_value {
	double at_s;  /* since the start of the recording */
	double trips; /* of a loop, on average */
	double ns;    /* what the measure says */
};

/* {0} is empty. */
struct series {
	struct series_value *values;
	size_t nr, room;
	uint64_t nr_per_value;
	struct series_value sum; /* of the value under way */
	uint64_t nr_summed;
};

/* -ENOMEM. */
int series_add(struct series *s, struct series_value v);

/* After the last: what is under way counts if it is half a value at least. */
int series_finish(struct series *s);
void series_release(struct series *s);

/*
 * Intervals are no independent evidence: what slows one slows the next. So ns is
 * averaged over ten batches of neighbours (batch means: Schmeiser, "Batch size effects
 * in the analysis of simulation output", Operations Research 30 (1982), who finds 10
 * to 30 enough); fewer than 20 values stand for themselves. What is left over at the
 * end, less than a value for each batch, is left out.
 *
 * inflation: how many times as great the variance of the batches' mean is as it were
 * if they were independent. Values of a first-order autoregression with correlation r
 * have, in batches of b,
 *	(1 + r) / (1 - r) / (1 + 2 sum (1 - j/b) r^j, j = 1 … b - 1)
 * (Law & Kelton, Simulation Modeling and Analysis, 4.4), with r the lag-1 correlation
 * of the values without its bias of -(1 + 4 r) / n (Marriott & Pope, "Bias in the
 * estimation of autocorrelations", Biometrika 41 (1954)); 1 if r is not positive.
 * Returns the number of batches, at most max.
 */
size_t series_batches(const struct series *s, size_t max,
		      double ret[SERIES_MAX_BATCHES], double *ret_inflation);

/* The same factor of any nr values in order of time, in batches of per. */
double series_inflation(const double *values, size_t nr, size_t per);

/* The values' ns, neighbours merged until there are at most max; their number. */
size_t series_values(const struct series *s, size_t max, double *ret);

/* 0: no values. */
double series_median(const struct series *s);

#endif
