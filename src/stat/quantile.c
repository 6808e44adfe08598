// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "stat/quantile.h"

static int compare_doubles(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

void stat_sort(double *values, size_t nr)
{
	qsort(values, nr, sizeof(*values), compare_doubles);
}

double stat_mean(const double *values, size_t nr)
{
	double sum = 0;

	for (size_t i = 0; i < nr; i++)
		sum += values[i];
	return sum / (double)nr;
}

double stat_quantile(const double *sorted, size_t nr, double q)
{
	double at, share;
	size_t below;

	if (q <= 0)
		return sorted[0];
	if (q >= 1)
		return sorted[nr - 1];
	at = q * (double)(nr - 1);
	below = (size_t)at;
	if (below + 1 >= nr)
		return sorted[nr - 1];
	share = at - (double)below;
	return sorted[below] + share * (sorted[below + 1] - sorted[below]);
}

double stat_median(const double *sorted, size_t nr)
{
	return stat_quantile(sorted, nr, 0.5);
}

/*
 * The deviations below and above the median are two ascending sequences, read
 * outwards from it; merging them up to the middle gives their median.
 */
double stat_mad(const double *sorted, size_t nr)
{
	double median = stat_median(sorted, nr);
	double previous = 0, deviation = 0;
	size_t below = nr / 2, above = nr / 2; /* next: below - 1 and above */

	for (size_t i = 0; i <= nr / 2; i++) {
		double down = below > 0 ? median - sorted[below - 1] : INFINITY;
		double up = above < nr ? sorted[above] - median : INFINITY;

		previous = deviation;
		if (down < up) {
			deviation = down;
			below--;
		} else {
			deviation = up;
			above++;
		}
	}
	return nr % 2 ? deviation : previous + (deviation - previous) / 2;
}

int stat_median_ci(const double *sorted, size_t nr, struct stat_interval *ret)
{
	double log_term = -(double)nr * M_LN2; /* of P(Binomial(nr, 1/2) = k) */
	double below = exp(log_term);          /* P(Binomial(nr, 1/2) <= k) */
	size_t k = 0;

	if (nr < 6)
		return -ERANGE;
	while (below <= 0.025) {
		k++;
		log_term += log((double)(nr - k + 1) / (double)k);
		below += exp(log_term);
	}
	ret->lo = sorted[k - 1];
	ret->hi = sorted[nr - k];
	return 0;
}

double stat_t975(double df)
{
	static const double whole[] = {12.706, 4.303, 3.182, 2.776, 2.571,
				       2.447,  2.365, 2.306, 2.262, 2.228};
	const double z = 1.959963984540054, z3 = pow(z, 3), z5 = pow(z, 5);
	size_t below = (size_t)df;
	double share;

	if (!(df > 1))
		return whole[0];
	if (df >= 10)
		return z + (z3 + z) / (4 * df) +
		       (5 * z5 + 16 * z3 + 3 * z) / (96 * df * df) +
		       (3 * z5 * z * z + 19 * z5 + 17 * z3 - 15 * z) /
			       (384 * df * df * df);
	share = (1 / (double)below - 1 / df) /
		(1 / (double)below - 1 / (double)(below + 1));
	return whole[below - 1] + share * (whole[below] - whole[below - 1]);
}
