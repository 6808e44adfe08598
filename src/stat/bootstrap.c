// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stat/bootstrap.h"

#define MAX_PAIRS (STAT_MAX_GROUPS * (STAT_MAX_GROUPS + 1) / 2)

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

/* Both lengths have the same members in the same groups: so the same spans. */
struct sample {
	double *longer, *shorter; /* group by group, ascending in each */
	struct group_span spans[STAT_MAX_GROUPS];
	size_t nr_spans;
	uint32_t *counts; /* scratch: how often each value of a group was drawn */
	double medians[STAT_MAX_GROUPS]; /* scratch: differences of medians */
	double pairs[MAX_PAIRS];         /* scratch of centre_of() */
};

static int compare_members(const void *a, const void *b)
{
	const struct member *x = a, *y = b;

	if (x->group != y->group)
		return x->group < y->group ? -1 : 1;
	return (x->value > y->value) - (x->value < y->value);
}

/* NULL is fine. */
static void sample__free(struct sample *s)
{
	if (!s)
		return;
	free(s->longer);
	free(s->shorter);
	free(s->counts);
	free(s);
}

/* In order of the groups, and of the values in each. */
static double *arrange(const double *values, const uint32_t *group, size_t nr,
		       struct member *scratch)
{
	double *ret = calloc(nr, sizeof(*ret));

	for (size_t i = 0; i < nr; i++)
		scratch[i] = (struct member){values[i], group ? group[i] : 0};
	qsort(scratch, nr, sizeof(*scratch), compare_members);
	for (size_t i = 0; ret && i < nr; i++)
		ret[i] = scratch[i].value;
	return ret;
}

/* From members in order. -E2BIG: too many groups. */
static int find_spans(struct sample *s, const struct member *members, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		if (!i || members[i].group != members[i - 1].group) {
			if (s->nr_spans == STAT_MAX_GROUPS)
				return -E2BIG;
			s->spans[s->nr_spans++] = (struct group_span){.first = i};
		}
		s->spans[s->nr_spans - 1].nr++;
	}
	return 0;
}

static int sample__new(const double *longer, const double *shorter,
		       const uint32_t *group, size_t nr, struct sample **ret)
{
	struct sample *s = calloc(1, sizeof(*s));
	struct member *members = calloc(nr, sizeof(*members));
	int err = -ENOMEM;

	if (!s || !members)
		goto out;
	s->longer = arrange(longer, group, nr, members);
	s->shorter = arrange(shorter, group, nr, members);
	s->counts = calloc(nr, sizeof(*s->counts));
	if (!s->longer || !s->shorter || !s->counts)
		goto out;
	err = find_spans(s, members, nr);
	if (err)
		goto out;
	*ret = s;
	s = NULL;
out:
	sample__free(s);
	free(members);
	return err;
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

/*
 * Hodges & Lehmann's estimator: the median of the means of all pairs, each value
 * with itself included. pairs has room for nr (nr + 1) / 2.
 */
static double centre_of(const double *v, size_t nr, double *pairs)
{
	size_t n = 0;

	for (size_t i = 0; i < nr; i++)
		for (size_t j = i; j < nr; j++)
			pairs[n++] = v[i] + (v[j] - v[i]) / 2;
	return median_of(pairs, n);
}

double stat_centre_of_differences(const double *longer, const double *shorter,
				  const uint32_t *group, size_t nr)
{
	struct sample *s;
	double centre;

	if (!nr || sample__new(longer, shorter, group, nr, &s))
		return NAN;
	for (size_t i = 0; i < s->nr_spans; i++) {
		const struct group_span *span = &s->spans[i];

		s->medians[i] = stat_median(s->longer + span->first, span->nr) -
				stat_median(s->shorter + span->first, span->nr);
	}
	centre = centre_of(s->medians, s->nr_spans, s->pairs);
	sample__free(s);
	return centre;
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

static double resample(struct sample *s, uint64_t *state)
{
	for (size_t i = 0; i < s->nr_spans; i++) {
		const struct group_span *span =
			&s->spans[s->nr_spans > 1 ? draw(state, (uint32_t)s->nr_spans)
						  : 0];

		s->medians[i] = resampled_median(s->longer + span->first, span->nr,
						 s->counts, state) -
				resampled_median(s->shorter + span->first, span->nr,
						 s->counts, state);
	}
	return centre_of(s->medians, s->nr_spans, s->pairs);
}

int stat_bootstrap_differences(const double *longer, const double *shorter,
			       const uint32_t *group, size_t nr, unsigned int resamples,
			       uint64_t seed, double *ret_centres)
{
	uint64_t state = start_state(seed);
	struct sample *s;
	int err;

	if (!nr || nr > UINT32_MAX || !resamples)
		return -EINVAL;
	err = sample__new(longer, shorter, group, nr, &s);
	if (err)
		return err;
	for (unsigned int i = 0; i < resamples; i++)
		ret_centres[i] = resample(s, &state);
	sample__free(s);
	return 0;
}

int stat_percentile_ci(double *centres, unsigned int resamples,
		       struct stat_interval *ret)
{
	size_t k = (size_t)(0.025 * ((double)resamples + 1) + 1e-9);

	if (!k)
		return -EINVAL;
	stat_sort(centres, resamples);
	*ret = (struct stat_interval){
		.lo = centres[k - 1],
		.hi = centres[resamples - k],
	};
	return 0;
}

int stat_bootstrap_difference_ci(const double *longer, const double *shorter,
				 const uint32_t *group, size_t nr,
				 unsigned int resamples, uint64_t seed,
				 struct stat_interval *ret)
{
	double *centres = calloc(resamples, sizeof(*centres));
	int err;

	if (!centres)
		return -ENOMEM;
	err = stat_bootstrap_differences(longer, shorter, group, nr, resamples, seed,
					 centres);
	if (!err)
		err = stat_percentile_ci(centres, resamples, ret);
	free(centres);
	return err;
}
