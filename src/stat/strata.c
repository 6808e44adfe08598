// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "stat/quantile.h"
#include "stat/strata.h"

/* Weights are added up in floating point. */
#define EPSILON 1e-9

struct member {
	double value;
	unsigned int stratum;
	bool is_y;
};

struct difference {
	double value, weight;
};

struct sums {
	struct difference *differences;
	size_t nr;
	double weight;              /* of all of them */
	double s;                   /* the statistic */
	double variance, with_ties; /* of it */
	size_t nr_strata, n, m;
};

static int compare_members(const void *a, const void *b)
{
	const struct member *x = a, *y = b;

	if (x->stratum != y->stratum)
		return x->stratum < y->stratum ? -1 : 1;
	return (x->value > y->value) - (x->value < y->value);
}

static int compare_differences(const void *a, const void *b)
{
	const struct difference *x = a, *y = b;

	return (x->value > y->value) - (x->value < y->value);
}

static size_t count_y(const struct member *members, size_t nr)
{
	size_t m = 0;

	for (size_t i = 0; i < nr; i++)
		m += members[i].is_y;
	return m;
}

static void add_differences(struct sums *sums, const struct member *members, size_t nr,
			    double weight)
{
	for (size_t i = 0; i < nr; i++)
		for (size_t j = 0; j < nr; j++)
			if (!members[i].is_y && members[j].is_y)
				sums->differences[sums->nr++] = (struct difference){
					members[j].value - members[i].value, weight};
}

/* One that both have; its members ascend. */
static void add_stratum(struct sums *sums, const struct member *members, size_t nr)
{
	size_t nr_y = count_y(members, nr), end;
	double m = (double)nr_y, n = (double)(nr - nr_y), all = n + m;
	double weight = 1 / (all + 1), u = -m * (m + 1) / 2, ties = 0, t, variance;

	if (!nr_y || nr_y == nr)
		return;
	for (size_t i = 0; i < nr; i = end) {
		for (end = i + 1; end < nr; end++)
			if (members[end].value != members[i].value)
				break;
		t = (double)(end - i);
		ties += t * t * t - t;
		/* equal ones share the mean of their ranks */
		u += (double)count_y(members + i, end - i) * (double)(i + 1 + end) / 2;
	}
	variance = weight * weight * n * m / 12;
	sums->nr_strata++;
	sums->n += nr - nr_y;
	sums->m += nr_y;
	sums->s += weight * (u - n * m / 2);
	sums->variance += variance * (all + 1);
	sums->with_ties += variance * (all + 1 - ties / (all * (all - 1)));
	sums->weight += weight * n * m;
	add_differences(sums, members, nr, weight);
}

/* The least difference at which the weights add up to so much. */
static double difference_at(const struct sums *sums, double weight)
{
	double sum = 0;
	size_t i = 0;

	for (;; i++) {
		sum += sums->differences[i].weight;
		if (sum >= weight || i + 1 == sums->nr)
			return sums->differences[i].value;
	}
}

static void conclude(const struct sums *sums, struct stat_strata *ret)
{
	double half = sums->weight / 2, far = STAT_Z975 * sqrt(sums->variance);

	qsort(sums->differences, sums->nr, sizeof(*sums->differences),
	      compare_differences);
	*ret = (struct stat_strata){
		.nr_strata = sums->nr_strata,
		.n = sums->n,
		.m = sums->m,
		.shift = (difference_at(sums, half * (1 - EPSILON)) +
			  difference_at(sums, half * (1 + EPSILON))) /
			 2,
		.lo = difference_at(sums, half - far),
		.hi = difference_at(sums, half + far),
		.p = sums->with_ties > 0
			     ? erfc(fabs(sums->s) / sqrt(2 * sums->with_ties))
			     : 1,
	};
}

static int compare(struct member *members, size_t nr, struct sums *sums,
		   struct stat_strata *ret)
{
	size_t end;

	qsort(members, nr, sizeof(*members), compare_members);
	for (size_t i = 0; i < nr; i = end) {
		for (end = i + 1; end < nr; end++)
			if (members[end].stratum != members[i].stratum)
				break;
		add_stratum(sums, members + i, end - i);
	}
	if (sums->n < STAT_STRATA_LEAST || sums->m < STAT_STRATA_LEAST)
		return -ENODATA;
	conclude(sums, ret);
	return 0;
}

int stat_strata_compare(const struct stat_stratum_value *x, size_t n,
			const struct stat_stratum_value *y, size_t m,
			struct stat_strata *ret)
{
	struct sums sums = {0};
	struct member *members;
	int err = -ENOMEM;

	if (n > STAT_STRATA_MAX || m > STAT_STRATA_MAX)
		return -E2BIG;
	if (n < STAT_STRATA_LEAST || m < STAT_STRATA_LEAST)
		return -ENODATA;
	members = calloc(n + m, sizeof(*members));
	sums.differences = calloc(n * m, sizeof(*sums.differences));
	for (size_t i = 0; members && i < n; i++)
		members[i] = (struct member){x[i].value, x[i].stratum, false};
	for (size_t i = 0; members && i < m; i++)
		members[n + i] = (struct member){y[i].value, y[i].stratum, true};
	if (members && sums.differences)
		err = compare(members, n + m, &sums, ret);
	free(members);
	free(sums.differences);
	return err;
}
