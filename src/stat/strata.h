/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Two samples, compared by ranks within strata: what makes a value great or small in
 * both samples alike, such as the address that a loop stood at, is no difference
 * between them, nor noise. Pure.
 * Sources: van Elteren, "On the combination of independent two sample tests of
 * Wilcoxon", Bulletin of the International Statistical Institute 37 (1960); Lehmann,
 * Nonparametrics: Statistical Methods Based on Ranks, 3.3; the shift by inverting the
 * test, as Hodges & Lehmann do.
 */
#ifndef ITERTRACE_STAT_STRATA_H
#define ITERTRACE_STAT_STRATA_H

#include <stddef.h>

#define STAT_STRATA_MAX 1024 /* values of a sample */

/* Fewer on a side, in strata that both have, are too few for the approximation. */
#define STAT_STRATA_LEAST 20

struct stat_stratum_value {
	double value; /* not NaN */
	unsigned int stratum;
};

struct stat_strata {
	size_t nr_strata; /* that both samples have: only their values take part */
	size_t n, m;      /* such values of x and of y */
	double shift, lo, hi;
	double p; /* two-sided */
};

/*
 * With n and m values in a stratum, N = n + m, and U the pairs in which y is greater
 * than x, equal ones half, the statistic is
 *	S = sum(w (U - n m / 2)),  w = 1 / (N + 1),
 * over the strata, which is normal with
 *	s^2 = sum(w^2 n m / 12 (N + 1 - sum(t^3 - t) / (N (N - 1))))
 * for ties of t values; all values equal: p is 1. The shift is the median of all
 * differences y - x within strata, each of weight w, and its interval of 95% lies
 * between the differences that have T / 2 - 1.96 s and T / 2 + 1.96 s of the weights'
 * sum T below them, s as if there were no ties, which is never too narrow.
 *
 * -ENODATA: fewer than STAT_STRATA_LEAST values on a side; -E2BIG: above
 * STAT_STRATA_MAX; -ENOMEM. On failure *ret is untouched.
 */
int stat_strata_compare(const struct stat_stratum_value *x, size_t n,
			const struct stat_stratum_value *y, size_t m,
			struct stat_strata *ret);

#endif
