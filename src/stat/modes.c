// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <math.h>

#include "stat/modes.h"
#include "stat/quantile.h"

/* Ascending values, and what they are taken for. */
struct scale {
	const double *sorted;
	double lo, hi; /* moved into these */
	bool in_logs;  /* then */
};

static double value_at(const struct scale *s, size_t i)
{
	double value = fmin(fmax(s->sorted[i], s->lo), s->hi);

	return s->in_logs ? log(value) : value;
}

static double otsu(const struct scale *s, size_t nr, size_t *ret_nr_lower)
{
	double mean = 0, total = 0, sum = 0, best = 0, value, between;

	*ret_nr_lower = nr;
	for (size_t i = 0; i < nr; i++)
		mean += value_at(s, i) / (double)nr;
	for (size_t i = 0; i + 1 < nr; i++) {
		value = value_at(s, i);
		total += (value - mean) * (value - mean);
		/* The lower class's sum about the mean; the upper one's is -sum. */
		sum += value - mean;
		if (value_at(s, i + 1) <= value)
			continue;
		between =
			sum * sum / (double)(i + 1) + sum * sum / (double)(nr - i - 1);
		if (between <= best)
			continue;
		best = between;
		*ret_nr_lower = i + 1;
	}
	total += pow(value_at(s, nr - 1) - mean, 2);
	return total > 0 ? fmin(best / total, 1) : 0;
}

double stat_otsu(const double *sorted, size_t nr, size_t *ret_nr_lower)
{
	const struct scale s = {
		.sorted = sorted, .lo = sorted[0], .hi = sorted[nr - 1]};

	return otsu(&s, nr, ret_nr_lower);
}

int stat_modes_find(const double *sorted, size_t nr, struct stat_modes *ret)
{
	struct stat_modes m = {0};
	struct scale s = {.sorted = sorted};
	size_t nr_lower, ignored;

	if (nr < MODES_MIN_VALUES)
		return -ERANGE;
	s.lo = stat_quantile(sorted, nr, MODES_MIN_SHARE);
	s.hi = stat_quantile(sorted, nr, 1 - MODES_MIN_SHARE);
	m.variance = otsu(&s, nr, &nr_lower);
	if (s.lo > 0) {
		s.in_logs = true;
		m.variance = fmin(m.variance, otsu(&s, nr, &ignored));
	}
	m.lower = stat_median(sorted, nr_lower);
	m.upper =
		nr_lower < nr ? stat_median(sorted + nr_lower, nr - nr_lower) : m.lower;
	m.upper_share = (double)(nr - nr_lower) / (double)nr;
	m.bimodal = m.variance >= MODES_MIN_VARIANCE &&
		    m.upper_share >= MODES_MIN_SHARE &&
		    m.upper_share <= 1 - MODES_MIN_SHARE &&
		    m.upper - m.lower >= MODES_MIN_DIFFERENCE * fabs(m.lower);
	*ret = m;
	return 0;
}
