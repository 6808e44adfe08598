/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Does a sample have two modes? Then its median is that of neither. Pure.
 *
 * The values are split in two classes where the variance between the classes'
 * means is largest (Otsu, "A threshold selection method from gray-level
 * histograms", IEEE Transactions on Systems, Man, and Cybernetics 9 (1979)). Its
 * share of the whole variance says how well two classes describe the values: a
 * normal distribution, split at its mean, has 2 / pi = 0.637; a uniform one 0.75;
 * two points 1.
 *
 * Outliers would take the threshold to themselves and the variance with them. So
 * for the decision, and for it only, the tenth of the values at each end are moved
 * to the 10% and the 90% quantile (winsorised): what is less than a tenth cannot
 * make a mode, and a mode of a tenth or more keeps all its weight, as the outliers
 * beyond it join it. A normal distribution then has 0.73, a uniform one 0.77.
 *
 * Skewed distributions come near two classes: of 100 values with a lognormal
 * distribution (sigma 1.5) the share reaches 0.85 in a sixth of the samples. In
 * logarithms they do not, and two modes stay two. So where the values are positive
 * the smaller of both shares decides. Simulated (normal, uniform, exponential,
 * lognormal, Student's t, Pareto), two modes are then seen where there is one in
 * at most 0.2% of the samples of 100, 2.5% of those of 50.
 */
#ifndef ITERTRACE_STAT_MODES_H
#define ITERTRACE_STAT_MODES_H

#include <stdbool.h>
#include <stddef.h>

#define MODES_MIN_VALUES     50
#define MODES_MIN_VARIANCE   0.85 /* share of it between the classes */
#define MODES_MIN_SHARE      0.1  /* of the values in either class */
#define MODES_MIN_DIFFERENCE 0.05 /* of the classes' medians, of the lower one */

struct stat_modes {
	bool bimodal;
	double variance;     /* share of it between the classes, as it decides */
	double lower, upper; /* medians of the classes, outliers included */
	double upper_share;  /* of the values, 0 … 1 */
};

/*
 * sorted holds nr values in ascending order. Where there is no second class, as
 * all values are the same, lower and upper are the median, upper_share 0.
 * -ERANGE: fewer than MODES_MIN_VALUES, of which chance makes two classes too
 * often; *ret is then untouched.
 */
int stat_modes_find(const double *sorted, size_t nr, struct stat_modes *ret);

/*
 * The largest share of the variance between two classes, 0 … 1, and how many values
 * are in the lower one; 0 and nr where all nr > 0 values are the same.
 */
double stat_otsu(const double *sorted, size_t nr, size_t *ret_nr_lower);

#endif
