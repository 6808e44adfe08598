// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "stat/quantile.h"
#include "stat/rank.h"

static int check_sizes(size_t n, size_t m)
{
	if (!n || !m)
		return -EINVAL;
	return n > STAT_RANK_MAX || m > STAT_RANK_MAX ? -E2BIG : 0;
}

static size_t fewer(size_t n, size_t m)
{
	return n < m ? n : m;
}

static bool is_small(size_t n, size_t m)
{
	return n + m <= STAT_RANK_EXACT_TOTAL || fewer(n, m) < STAT_RANK_EXACT_FEWER;
}

/* Ranks whose sums are counted at most, as is_small() has it. */
#define MAX_FEWER (STAT_RANK_EXACT_TOTAL / 2)

/*
 * ways[s]: in how many ways k of the nr doubled ranks, ascending, add up to s. Doubles
 * hold counts to 2^53 exactly, and greater ones to 16 digits, as nothing is ever
 * subtracted. NULL: out of memory.
 */
static double *count_sums(const uint32_t *doubled, size_t nr, size_t k, size_t *ret_max)
{
	size_t reach[MAX_FEWER + 1] = {0}; /* the greatest sum of so many, so far */
	size_t width = 1, i, j, s;
	double *ways;

	for (i = nr - k; i < nr; i++)
		width += doubled[i];
	ways = calloc((k + 1) * width, sizeof(*ways));
	if (!ways)
		return NULL;
	ways[0] = 1;
	for (i = 0; i < nr; i++)
		for (j = fewer(k, i + 1); j > 0; j--) {
			reach[j] = reach[j - 1] + doubled[i];
			for (s = doubled[i]; s <= reach[j]; s++)
				ways[j * width + s] +=
					ways[(j - 1) * width + s - doubled[i]];
		}
	memmove(ways, ways + k * width, width * sizeof(*ways));
	*ret_max = width - 1;
	return ways;
}

struct member {
	double value;
	bool is_y;
};

static int compare_members(const void *a, const void *b)
{
	const struct member *x = a, *y = b;

	return (x->value > y->value) - (x->value < y->value);
}

struct ranking {
	uint32_t *doubled;   /* twice the rank of each, ascending */
	double sum_x, sum_y; /* of the ranks */
	double ties;         /* sum of t^3 - t */
};

/* *ret holds memory of the caller's, nr numbers. */
static int rank_values(const double *x, size_t n, const double *y, size_t m,
		       struct ranking *ret)
{
	struct member *members = calloc(n + m, sizeof(*members));
	size_t i, j, end;

	if (!members)
		return -ENOMEM;
	for (i = 0; i < n; i++)
		members[i].value = x[i];
	for (i = 0; i < m; i++)
		members[n + i] = (struct member){y[i], true};
	qsort(members, n + m, sizeof(*members), compare_members);
	for (i = 0; i < n + m; i = end) {
		double t;

		for (end = i + 1; end < n + m; end++)
			if (members[end].value != members[i].value)
				break;
		t = (double)(end - i);
		ret->ties += t * t * t - t;
		for (j = i; j < end; j++) {
			ret->doubled[j] = (uint32_t)(i + 1 + end);
			*(members[j].is_y ? &ret->sum_y : &ret->sum_x) +=
				ret->doubled[j] / 2.0;
		}
	}
	free(members);
	return 0;
}

/* Sums of the fewer ranks at least as far from their mean as the one seen. */
static int exact_p(const struct ranking *r, size_t n, size_t m, double *ret)
{
	size_t k = fewer(n, m), most = 0, s;
	double mean = (double)k * (double)(n + m + 1); /* of the doubled sum */
	double far = fabs(2 * (n < m ? r->sum_x : r->sum_y) - mean);
	double *ways = count_sums(r->doubled, n + m, k, &most), all = 0, tail = 0;

	if (!ways)
		return -ENOMEM;
	for (s = 0; s <= most; s++) {
		all += ways[s];
		if (fabs((double)s - mean) >= far)
			tail += ways[s];
	}
	free(ways);
	*ret = tail / all;
	return 0;
}

static double normal_p(const struct ranking *r, double u, double n, double m)
{
	double nr = n + m;
	double variance = n * m / 12 * (nr + 1 - r->ties / (nr * (nr - 1)));
	double far = fabs(u - n * m / 2) - 0.5;

	if (variance <= 0 || far <= 0)
		return 1;
	return erfc(far / sqrt(2 * variance));
}

int stat_mann_whitney(const double *x, size_t n, const double *y, size_t m,
		      struct mann_whitney *ret)
{
	struct mann_whitney test = {.is_exact = is_small(n, m)};
	struct ranking r = {0};
	int err;

	err = check_sizes(n, m);
	if (err)
		return err;
	r.doubled = calloc(n + m, sizeof(*r.doubled));
	if (!r.doubled)
		return -ENOMEM;
	err = rank_values(x, n, y, m, &r);
	test.u = r.sum_y - (double)m * (double)(m + 1) / 2;
	if (!err && test.is_exact)
		err = exact_p(&r, n, m, &test.p);
	else if (!err)
		test.p = normal_p(&r, test.u, (double)n, (double)m);
	if (!err)
		*ret = test;
	free(r.doubled);
	return err;
}

double stat_mann_whitney_least_p(size_t n, size_t m)
{
	double p = 2;

	for (size_t i = 1; i <= m; i++)
		p *= (double)i / (double)(n + i);
	return p < 1 ? p : 1;
}

/* The largest k with P(U <= k - 1) <= 2.5%, of values without ties; 0: there is none. */
static int interval_rank(size_t n, size_t m, size_t *ret)
{
	double spread = sqrt((double)(n * m) * (double)(n + m + 1) / 12);
	double ways_below = 0, all = 0, *ways;
	size_t least, most, k = fewer(n, m), i;
	uint32_t *doubled;

	if (!is_small(n, m)) {
		*ret = (size_t)((double)(n * m) / 2 + 0.5 - STAT_Z975 * spread);
		return 0;
	}
	doubled = calloc(n + m, sizeof(*doubled));
	for (i = 0; doubled && i < n + m; i++)
		doubled[i] = (uint32_t)(2 * (i + 1));
	ways = doubled ? count_sums(doubled, n + m, k, &most) : NULL;
	free(doubled);
	if (!ways)
		return -ENOMEM;
	for (i = 0; i <= most; i++)
		all += ways[i];
	least = k * (k + 1); /* the doubled sum of the lowest ranks: U = 0 */
	for (i = 0; least + 2 * i <= most; i++) {
		ways_below += ways[least + 2 * i];
		if (ways_below > 0.025 * all)
			break;
	}
	free(ways);
	*ret = i;
	return 0;
}

int stat_hodges_lehmann(const double *x, size_t n, const double *y, size_t m,
			struct hodges_lehmann *ret)
{
	double *differences;
	size_t i, j, k = 0;
	int err;

	err = check_sizes(n, m);
	if (!err)
		err = interval_rank(n, m, &k);
	if (err)
		return err;
	differences = calloc(n * m, sizeof(*differences));
	if (!differences)
		return -ENOMEM;
	for (i = 0; i < n; i++)
		for (j = 0; j < m; j++)
			differences[i * m + j] = y[j] - x[i];
	stat_sort(differences, n * m);
	*ret = (struct hodges_lehmann){
		.shift = stat_median(differences, n * m),
		.lo = k ? differences[k - 1] : NAN,
		.hi = k ? differences[n * m - k] : NAN,
	};
	free(differences);
	return 0;
}

struct ordered {
	double p;
	size_t at;
};

static int compare_ordered(const void *a, const void *b)
{
	const struct ordered *x = a, *y = b;

	return (x->p > y->p) - (x->p < y->p);
}

int stat_holm(const double *p, size_t nr, double *ret)
{
	struct ordered *order = calloc(nr ? nr : 1, sizeof(*order));
	double adjusted, most = 0;

	if (!order)
		return -ENOMEM;
	for (size_t i = 0; i < nr; i++)
		order[i] = (struct ordered){p[i], i};
	qsort(order, nr, sizeof(*order), compare_ordered);
	for (size_t i = 0; i < nr; i++) {
		adjusted = order[i].p * (double)(nr - i);
		most = adjusted > most ? adjusted : most;
		ret[order[i].at] = most < 1 ? most : 1;
	}
	free(order);
	return 0;
}

double stat_inflate_p(double p, double inflation)
{
	double low = 0, high = 40, middle; /* erfc(40 / sqrt(2)) is 0 to a double */

	for (int i = 0; i < 60; i++) {
		middle = (low + high) / 2;
		*(erfc(middle * M_SQRT1_2) > p ? &low : &high) = middle;
	}
	return erfc(low * M_SQRT1_2 / sqrt(inflation));
}

double stat_lag1_correlation(const double *values, size_t nr)
{
	double mean, sum = 0, squares = 0;

	if (nr < 3)
		return 0;
	mean = stat_mean(values, nr);
	for (size_t i = 0; i < nr; i++) {
		squares += (values[i] - mean) * (values[i] - mean);
		if (i)
			sum += (values[i] - mean) * (values[i - 1] - mean);
	}
	return squares > 0 ? sum / squares : 0;
}
