// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "compare/series.h"
#include "stat/quantile.h"
#include "stat/rank.h"

#define FIRST_ROOM 32

/* What is more is a drift rather than noise. */
#define MAX_CORRELATION 0.98

static struct series_value mean_of(struct series_value a, struct series_value b)
{
	return (struct series_value){
		.at_s = (a.at_s + b.at_s) / 2,
		.trips = (a.trips + b.trips) / 2,
		.ns = (a.ns + b.ns) / 2,
	};
}

static void merge_neighbours(struct series *s)
{
	for (size_t i = 0; i < s->nr / 2; i++)
		s->values[i] = mean_of(s->values[2 * i], s->values[2 * i + 1]);
	s->nr /= 2;
	s->nr_per_value *= 2;
}

static int append(struct series *s, struct series_value v)
{
	struct series_value *values;
	size_t room = s->room ? 2 * s->room : FIRST_ROOM;

	if (s->nr == s->room) {
		values = reallocarray(s->values, room, sizeof(*values));
		if (!values)
			return -ENOMEM;
		s->values = values;
		s->room = room;
	}
	s->values[s->nr++] = v;
	if (s->nr == SERIES_MAX)
		merge_neighbours(s);
	return 0;
}

static int append_sum(struct series *s)
{
	double nr = (double)s->nr_summed;
	struct series_value mean = {s->sum.at_s / nr, s->sum.trips / nr,
				    s->sum.ns / nr};

	s->sum = (struct series_value){0};
	s->nr_summed = 0;
	return append(s, mean);
}

int series_add(struct series *s, struct series_value v)
{
	if (!s->nr_per_value)
		s->nr_per_value = 1;
	s->sum.at_s += v.at_s;
	s->sum.trips += v.trips;
	s->sum.ns += v.ns;
	return ++s->nr_summed < s->nr_per_value ? 0 : append_sum(s);
}

int series_finish(struct series *s)
{
	if (!s->nr_summed || 2 * s->nr_summed < s->nr_per_value)
		return 0;
	return append_sum(s);
}

void series_release(struct series *s)
{
	free(s->values);
	*s = (struct series){0};
}

/* Means of so many neighbours; their number. */
static size_t average(const struct series *s, size_t per, double *ret)
{
	size_t nr = 0, i, j;

	for (i = 0; i + per <= s->nr; i += per) {
		ret[nr] = 0;
		for (j = 0; j < per; j++)
			ret[nr] += s->values[i + j].ns / (double)per;
		nr++;
	}
	return nr;
}

size_t series_values(const struct series *s, size_t max, double *ret)
{
	return max && s->nr ? average(s, (s->nr + max - 1) / max, ret) : 0;
}

double series_inflation(const double *values, size_t nr, size_t per)
{
	double r, power = 1, sum = 1;

	r = stat_lag1_correlation(values, nr);
	if (r == 0) /* all equal, or too few to tell */
		return 1;
	r = ((double)nr * r + 1) / (nr > 8 ? (double)nr - 4 : (double)nr);
	if (!(r > 0))
		return 1;
	if (r > MAX_CORRELATION)
		r = MAX_CORRELATION;
	for (size_t j = 1; j < per; j++) {
		power *= r;
		sum += 2 * (1 - (double)j / (double)per) * power;
	}
	return (1 + r) / (1 - r) / sum;
}

static double inflation_of(const struct series *s, size_t per)
{
	double values[SERIES_MAX] = {0};
	size_t nr = average(s, 1, values);

	return series_inflation(values, nr, per);
}

size_t series_batches(const struct series *s, size_t max,
		      double ret[SERIES_MAX_BATCHES], double *ret_inflation)
{
	size_t per = s->nr / SERIES_BATCHES;

	*ret_inflation = 1;
	if (!max || !s->nr)
		return 0;
	if (per < (s->nr + max - 1) / max)
		per = (s->nr + max - 1) / max;
	*ret_inflation = inflation_of(s, per);
	return average(s, per, ret);
}

double series_median(const struct series *s)
{
	double sorted[SERIES_MAX];
	size_t nr = series_values(s, SERIES_MAX, sorted);

	if (!nr)
		return 0;
	stat_sort(sorted, nr);
	return stat_median(sorted, nr);
}
