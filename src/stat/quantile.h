/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Quantiles of samples of doubles. Pure. Every function that says "sorted"
 * wants ascending order and at least one value; none wants NaN.
 */
#ifndef ITERTRACE_STAT_QUANTILE_H
#define ITERTRACE_STAT_QUANTILE_H

#include <stddef.h>

struct stat_interval {
	double lo, hi;
};

void stat_sort(double *values, size_t nr);

double stat_mean(const double *values, size_t nr);

/*
 * Type 7 of Hyndman & Fan, "Sample Quantiles in Statistical Packages", The
 * American Statistician 50 (1996): linear between order statistics, the
 * default of R and NumPy. q is clamped to 0…1.
 */
double stat_quantile(const double *sorted, size_t nr, double q);
double stat_median(const double *sorted, size_t nr);

/* Median absolute deviation from the median, not scaled. */
double stat_mad(const double *sorted, size_t nr);

/*
 * The distribution-free interval for the median that covers it with at least
 * 95% whatever the distribution: the order statistics [x(k), x(n+1-k)] with
 * the largest k for which P(Binomial(n, 1/2) < k) <= 2.5% (Conover, Practical
 * Nonparametric Statistics, 3.2). -ERANGE: fewer than 6 values, of which even
 * the whole range covers less; *ret is then untouched.
 */
int stat_median_ci(const double *sorted, size_t nr, struct stat_interval *ret);

/* The 0.975 quantile of the normal distribution. */
#define STAT_Z975 1.959963984540054

/*
 * The 0.975 quantile of Student's t, for df >= 1: tabulated to 10 degrees of
 * freedom (linear in 1 / df between), above by Abramowitz & Stegun, 26.7.5.
 * Within 0.4% for df of 3 and more; between whole ones below up to 18% high.
 */
double stat_t975(double df);

#endif
