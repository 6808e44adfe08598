// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stat/bootstrap.h"

/* A value and where it belongs; sorted by group, then by value. */
struct member {
	double value;
	uint32_t group;
};

/* Members first … first + nr - 1. */
struct group_span {
	size_t first;
	uint32_t nr;
};

struct groups {
	double *values; /* group by group, ascending in each */
	size_t nr_values;
	struct group_span *spans;
	size_t nr_spans;
	double *medians;  /* scratch, one a span */
	uint32_t *counts; /* scratch: how often each value of a group was drawn */
};

static int compare_members(const void *a, const void *b)
{
	const struct member *x = a, *y = b;

	if (x->group != y->group)
		return x->group < y->group ? -1 : 1;
	return (x->value > y->value) - (x->value < y->value);
}

static void groups_release(struct groups *g)
{
	free(g->values);
	free(g->spans);
	free(g->medians);
	free(g->counts);
}

static void fill_groups(struct groups *g, const struct member *members, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		g->values[i] = members[i].value;
		if (!i || members[i].group != members[i - 1].group)
			g->spans[g->nr_spans++] = (struct group_span){.first = i};
		g->spans[g->nr_spans - 1].nr++;
	}
}

/* nr > 0. On -ENOMEM there is nothing to release. */
static int groups_init(struct groups *g, const double *values, const uint32_t *group,
		       size_t nr)
{
	struct member *members = calloc(nr, sizeof(*members));

	*g = (struct groups){
		.values = calloc(nr, sizeof(double)),
		.nr_values = nr,
		.spans = calloc(nr, sizeof(struct group_span)),
		.medians = calloc(nr, sizeof(double)),
		.counts = calloc(nr, sizeof(uint32_t)),
	};
	if (!members || !g->values || !g->spans || !g->medians || !g->counts) {
		free(members);
		groups_release(g);
		return -ENOMEM;
	}
	for (size_t i = 0; i < nr; i++)
		members[i] = (struct member){values[i], group ? group[i] : 0};
	qsort(members, nr, sizeof(*members), compare_members);
	fill_groups(g, members, nr);
	free(members);
	return 0;
}

/* Hoare's quickselect: the value of rank k, those below it before it. */
static double select_rank(double *v, size_t nr, size_t k)
{
	size_t low = 0, high = nr - 1;

	while (low < high) {
		double pivot = v[low + (high - low) / 2], other;
		size_t i = low, j = high;

		for (;;) {
			while (v[i] < pivot)
				i++;
			while (pivot < v[j])
				j--;
			if (i >= j)
				break;
			other = v[i];
			v[i++] = v[j];
			v[j--] = other;
		}
		if (k <= j)
			high = j;
		else
			low = j + 1;
	}
	return v[k];
}

/* Reorders v. */
static double median_of(double *v, size_t nr)
{
	double upper = select_rank(v, nr, nr / 2), lower = -INFINITY;

	if (nr % 2)
		return upper;
	for (size_t i = 0; i < nr / 2; i++)
		if (v[i] > lower)
			lower = v[i];
	return lower + (upper - lower) / 2;
}

double stat_median_of_medians(const double *values, const uint32_t *group, size_t nr)
{
	struct groups g;
	double median;

	if (!nr || groups_init(&g, values, group, nr))
		return NAN;
	for (size_t i = 0; i < g.nr_spans; i++)
		g.medians[i] = stat_median(g.values + g.spans[i].first, g.spans[i].nr);
	median = median_of(g.medians, g.nr_spans);
	groups_release(&g);
	return median;
}

/* ---- resampling -------------------------------------------------------------- */

/* splitmix64's finisher: seeds that differ little give states that differ a lot. */
static uint64_t start_state(uint64_t seed)
{
	seed += 0x9e3779b97f4a7c15;
	seed = (seed ^ seed >> 30) * 0xbf58476d1ce4e5b9;
	seed = (seed ^ seed >> 27) * 0x94d049bb133111eb;
	seed ^= seed >> 31;
	return seed ? seed : 1;
}

/*
 * xorshift64* (Vigna, ACM Transactions on Mathematical Software 42 (2016)), its
 * upper half scaled to 0 … nr - 1; the bias is below nr / 2^32.
 */
static uint32_t draw(uint64_t *state, uint32_t nr)
{
	uint64_t x = *state;

	x ^= x >> 12;
	x ^= x << 25;
	x ^= x >> 27;
	*state = x;
	return (uint32_t)(((x * 0x2545f4914f6cdd1d) >> 32) * nr >> 32);
}

/*
 * The median of a resample of nr ascending values. It needs no values moved: how
 * often each was drawn, added up from the lowest, leads to the middle.
 */
static double resampled_median(const double *values, uint32_t nr, uint32_t *counts,
			       uint64_t *state)
{
	uint32_t at = 0, seen;
	double lower;

	memset(counts, 0, nr * sizeof(*counts));
	for (uint32_t i = 0; i < nr; i++)
		counts[draw(state, nr)]++;
	/* The value of rank (nr - 1) / 2, and that of rank nr / 2, from 0. */
	for (seen = counts[0]; seen <= (nr - 1) / 2; seen += counts[at])
		at++;
	lower = values[at];
	while (seen <= nr / 2)
		seen += counts[++at];
	return lower + (values[at] - lower) / 2;
}

static double resample(struct groups *g, uint64_t *state)
{
	for (size_t i = 0; i < g->nr_spans; i++) {
		const struct group_span *span =
			&g->spans[g->nr_spans > 1 ? draw(state, (uint32_t)g->nr_spans)
						  : 0];

		g->medians[i] = resampled_median(g->values + span->first, span->nr,
						 g->counts, state);
	}
	return median_of(g->medians, g->nr_spans);
}

int stat_bootstrap_medians(const double *values, const uint32_t *group, size_t nr,
			   unsigned int resamples, uint64_t seed, double *ret_medians)
{
	uint64_t state = start_state(seed);
	struct groups g;
	int err;

	if (!nr || nr > UINT32_MAX || !resamples)
		return -EINVAL;
	err = groups_init(&g, values, group, nr);
	if (err)
		return err;
	for (unsigned int i = 0; i < resamples; i++)
		ret_medians[i] = resample(&g, &state);
	stat_sort(ret_medians, resamples);
	groups_release(&g);
	return 0;
}

int stat_percentile_ci(double *medians, unsigned int resamples,
		       struct stat_interval *ret)
{
	size_t k = (size_t)(0.025 * ((double)resamples + 1) + 1e-9);

	if (!k)
		return -EINVAL;
	stat_sort(medians, resamples);
	*ret = (struct stat_interval){
		.lo = medians[k - 1],
		.hi = medians[resamples - k],
	};
	return 0;
}

int stat_bootstrap_median_ci(const double *values, const uint32_t *group, size_t nr,
			     unsigned int resamples, uint64_t seed,
			     struct stat_interval *ret)
{
	double *medians = calloc(resamples, sizeof(*medians));
	int err;

	if (!medians)
		return -ENOMEM;
	err = stat_bootstrap_medians(values, group, nr, resamples, seed, medians);
	if (!err)
		err = stat_percentile_ci(medians, resamples, ret);
	free(medians);
	return err;
}

/* ---- the difference of two lengths ------------------------------------------- */

/* Both have the same members in the same groups: so the same spans. */
struct two_groups {
	struct groups longer, shorter;
};

static int two_groups_init(struct two_groups *t, const double *longer,
			   const double *shorter, const uint32_t *group, size_t nr)
{
	if (groups_init(&t->longer, longer, group, nr))
		return -ENOMEM;
	if (groups_init(&t->shorter, shorter, group, nr)) {
		groups_release(&t->longer);
		return -ENOMEM;
	}
	return 0;
}

static void two_groups_release(struct two_groups *t)
{
	groups_release(&t->longer);
	groups_release(&t->shorter);
}

double stat_median_of_differences(const double *longer, const double *shorter,
				  const uint32_t *group, size_t nr)
{
	struct two_groups t;
	double median;

	if (!nr || two_groups_init(&t, longer, shorter, group, nr))
		return NAN;
	for (size_t i = 0; i < t.longer.nr_spans; i++) {
		const struct group_span *span = &t.longer.spans[i];

		t.longer.medians[i] =
			stat_median(t.longer.values + span->first, span->nr) -
			stat_median(t.shorter.values + span->first, span->nr);
	}
	median = median_of(t.longer.medians, t.longer.nr_spans);
	two_groups_release(&t);
	return median;
}

static double resample_difference(struct two_groups *t, uint64_t *state)
{
	struct groups *g = &t->longer;

	for (size_t i = 0; i < g->nr_spans; i++) {
		const struct group_span *span =
			&g->spans[g->nr_spans > 1 ? draw(state, (uint32_t)g->nr_spans)
						  : 0];

		g->medians[i] = resampled_median(g->values + span->first, span->nr,
						 g->counts, state) -
				resampled_median(t->shorter.values + span->first,
						 span->nr, g->counts, state);
	}
	return median_of(g->medians, g->nr_spans);
}

int stat_bootstrap_differences(const double *longer, const double *shorter,
			       const uint32_t *group, size_t nr, unsigned int resamples,
			       uint64_t seed, double *ret_medians)
{
	uint64_t state = start_state(seed);
	struct two_groups t;

	if (!nr || nr > UINT32_MAX || !resamples)
		return -EINVAL;
	if (two_groups_init(&t, longer, shorter, group, nr))
		return -ENOMEM;
	for (unsigned int i = 0; i < resamples; i++)
		ret_medians[i] = resample_difference(&t, &state);
	two_groups_release(&t);
	return 0;
}

int stat_bootstrap_difference_ci(const double *longer, const double *shorter,
				 const uint32_t *group, size_t nr,
				 unsigned int resamples, uint64_t seed,
				 struct stat_interval *ret)
{
	double *medians = calloc(resamples, sizeof(*medians));
	int err;

	if (!medians)
		return -ENOMEM;
	err = stat_bootstrap_differences(longer, shorter, group, nr, resamples, seed,
					 medians);
	if (!err)
		err = stat_percentile_ci(medians, resamples, ret);
	free(medians);
	return err;
}
