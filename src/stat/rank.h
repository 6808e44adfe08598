/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Two independent samples, compared by ranks: is one shifted, and by how much? Pure.
 * Sources: Hollander, Wolfe & Chicken, Nonparametric Statistical Methods, 3rd ed.,
 * 4.1 to 4.3; Conover, Practical Nonparametric Statistics, 3rd ed., 5.1 and 5.4.
 * No value is NaN.
 */
#ifndef ITERTRACE_STAT_RANK_H
#define ITERTRACE_STAT_RANK_H

#include <stdbool.h>
#include <stddef.h>

#define STAT_RANK_MAX 512 /* values of a sample */

/* Exact if there are at most so many values together, or the fewer are below … */
#define STAT_RANK_EXACT_TOTAL 50
/* … this: there the normal approximation is poor however many the others are. */
#define STAT_RANK_EXACT_FEWER 9

struct mann_whitney {
	double u; /* pairs in which y is greater than x, equal ones half */
	double p; /* two-sided */
	bool is_exact;
};

/*
 * Mann & Whitney's test. With R the sum of the ranks of y, equal values sharing the
 * mean of theirs, U = R - m (m + 1) / 2, and p = P(|U - n m / 2| >= |u - n m / 2|)
 *
 * exactly: over all ways to choose the ranks of y among those that there are, ties
 * included, each way being equally likely (the permutation distribution); or
 *
 * approximately: z = (|u - n m / 2| - 1/2) / s is normal, with ties of t values in
 *	s^2 = n m / 12 * (N + 1 - sum(t^3 - t) / (N (N - 1))),  N = n + m.
 *
 * All values equal: p is 1. -EINVAL: n or m is 0; -E2BIG: above STAT_RANK_MAX;
 * -ENOMEM. On failure *ret is untouched.
 */
int stat_mann_whitney(const double *x, size_t n, const double *y, size_t m,
		      struct mann_whitney *ret);

/* The least p that samples of these sizes can have: 2 / C(n + m, n), at most 1. */
double stat_mann_whitney_least_p(size_t n, size_t m);

struct hodges_lehmann {
	double shift;
	double lo, hi; /* NaN: no interval of 95% from samples so small */
};

/*
 * Hodges & Lehmann's estimate of the shift from x to y: the median of the n m
 * differences y - x. Its interval is that of all shifts which the test above, for
 * values without ties, does not reject at 5%: the k-th smallest and k-th largest
 * difference, with the largest k for which P(U <= k - 1) <= 2.5%; where the
 * distribution is approximated,
 *	k = floor(n m / 2 + 1/2 - 1.96 s),  s^2 = n m (N + 1) / 12.
 * With ties it covers with more than 95%, never less (Noether, "Wilcoxon confidence
 * intervals for location parameters in the discrete case", Journal of the American
 * Statistical Association 62 (1967)). Errors as above.
 */
int stat_hodges_lehmann(const double *x, size_t n, const double *y, size_t m,
			struct hodges_lehmann *ret);

/*
 * Holm's step-down adjustment ("A simple sequentially rejective multiple test
 * procedure", Scandinavian Journal of Statistics 6 (1979)): rejecting where ret[i]
 * is below 5% errs anywhere, however the tests depend, in 5% of the cases at most.
 * -ENOMEM.
 */
int stat_holm(const double *p, size_t nr, double *ret);

/*
 * A two-sided p whose statistic has a variance so many times as great as was thought:
 * that of the same normal deviate over the root of it.
 */
double stat_inflate_p(double p, double inflation);

/*
 * Of values in order of time: the correlation of each with the next. 0: fewer than
 * 3, or all equal. Independent ones have about -1/n, give or take 1 / sqrt(n).
 */
double stat_lag1_correlation(const double *values, size_t nr);

#endif
