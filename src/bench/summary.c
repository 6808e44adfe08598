// SPDX-License-Identifier: BSD-2-Clause
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/summary.h"
#include "stat/bootstrap.h"
#include "stat/modes.h"
#include "stat/quantile.h"

#define RESAMPLES        1000
#define SEED             0x17E57ACEULL /* any: the same data give the same interval */
#define LINEAR_WITHIN    0.05
#define NOISY_ABOVE      0.10
#define MIN_FOR_INTERVAL 6

/* Placements, numbered from 0; what is hidden is one a load. */
static int number_placements(const struct series *s, uint32_t *group)
{
	int number[64], nr = 0, i;

	memset(number, -1, sizeof(number));
	for (i = 0; i < s->nr_rounds; i++) {
		int at = s->placement[i];

		if (at < 0) {
			group[i] = s->load[i];
			continue;
		}
		if (number[at] < 0)
			number[at] = nr++;
		group[i] = (uint32_t)number[at];
	}
	return nr;
}

static bool check_linearity(const struct series *s, struct bench_result *ret)
{
	double *sorted = malloc(sizeof(double) * (size_t)s->nr_rounds), once, twice;

	if (!sorted)
		return false;
	memcpy(sorted, s->once_ns, sizeof(double) * (size_t)s->nr_rounds);
	stat_sort(sorted, (size_t)s->nr_rounds);
	once = stat_median(sorted, (size_t)s->nr_rounds);
	memcpy(sorted, s->twice_ns, sizeof(double) * (size_t)s->nr_rounds);
	stat_sort(sorted, (size_t)s->nr_rounds);
	twice = stat_median(sorted, (size_t)s->nr_rounds);
	free(sorted);
	ret->nonlinearity = twice / (2 * once) - 1;
	ret->is_linear = fabs(ret->nonlinearity) <= LINEAR_WITHIN;
	return true;
}

/* Interrupts only ever add to a run: so what is least of each length, and their difference. */
static double least_cost(const struct series *s)
{
	double once = INFINITY, twice = INFINITY;
	int i;

	for (i = 0; i < s->nr_rounds; i++) {
		once = fmin(once, s->once_ns[i]);
		twice = fmin(twice, s->twice_ns[i]);
	}
	return (twice - once) / (double)s->trips;
}

size_t summary_load_costs(const struct series *s, double *ret)
{
	double once[MEASURE_MAX_ROUNDS], twice[MEASURE_MAX_ROUNDS];
	size_t nr = 0, n = 0;
	int i;

	for (i = 0; i < s->nr_rounds; i++) {
		once[n] = s->once_ns[i];
		twice[n++] = s->twice_ns[i];
		if (i + 1 < s->nr_rounds && s->load[i + 1] == s->load[i])
			continue;
		stat_sort(once, n);
		stat_sort(twice, n);
		ret[nr++] = (stat_median(twice, n) - stat_median(once, n)) /
			    (double)s->trips;
		n = 0;
	}
	return nr;
}

/* Among the loads; among single rounds, where there are few loads. */
static void look_for_modes(const struct series *s, struct bench_result *ret)
{
	double costs[MEASURE_MAX_ROUNDS];
	size_t nr = summary_load_costs(s, costs);
	struct stat_modes modes;
	int i;

	if (nr < MODES_MIN_VALUES)
		for (i = 0, nr = (size_t)s->nr_rounds; i < s->nr_rounds; i++)
			costs[i] = series_cost(s, i);
	stat_sort(costs, nr);
	if (stat_modes_find(costs, nr, &modes))
		return;
	ret->is_bimodal = modes.bimodal;
	ret->mode_lo = modes.lower;
	ret->mode_hi = modes.upper;
	ret->mode_hi_share = modes.upper_share;
}

void summarise(const struct measurement *m, enum workload_id id, int nr_threads,
	       struct bench_result *ret)
{
	const struct series *s = m->series[id];
	uint32_t placement[MEASURE_MAX_ROUNDS];
	size_t nr = (size_t)s->nr_rounds;
	struct stat_interval ci;

	*ret = (struct bench_result){
		.name = workloads[id].name,
		.nr_loops = s->trips,
		.nr_threads = nr_threads,
		.nr_rounds = s->nr_rounds,
		.nr_loads = m->nr_loads,
	};
	ret->nr_placements = number_placements(s, placement);
	ret->min = least_cost(s);
	if (nr < MIN_FOR_INTERVAL || !check_linearity(s, ret) ||
	    stat_bootstrap_difference_ci(s->twice_ns, s->once_ns, placement, nr,
					 RESAMPLES, SEED, &ci)) {
		snprintf(ret->reason, sizeof(ret->reason),
			 "%zu rounds are too few for an interval", nr);
		return;
	}
	ret->measured = true;
	ret->median =
		stat_median_of_differences(s->twice_ns, s->once_ns, placement, nr) /
		(double)s->trips;
	ret->lo = ci.lo / (double)s->trips;
	ret->hi = ci.hi / (double)s->trips;
	ret->is_noisy = ret->hi - ret->lo > NOISY_ABOVE * ret->median;
	look_for_modes(s, ret);
}

/* The median of values, and its interval. */
static bool median_with_interval(const double *values, size_t nr, double *ret,
				 double *ret_lo, double *ret_hi)
{
	struct stat_interval ci;

	if (stat_bootstrap_median_ci(values, NULL, nr, RESAMPLES, SEED, &ci))
		return false;
	*ret = stat_median_of_medians(values, NULL, nr);
	*ret_lo = ci.lo;
	*ret_hi = ci.hi;
	return true;
}

bool summarise_pair(const struct measurement *m, enum workload_id name,
		    enum workload_id than, struct bench_pair *ret)
{
	const struct series *a = m->series[name], *b = m->series[than];
	double saves[MEASURE_MAX_ROUNDS], ratio[MEASURE_MAX_ROUNDS];
	size_t i, nr;

	if (!a || !b || a->nr_rounds < MIN_FOR_INTERVAL)
		return false;
	nr = summary_load_costs(a, saves);
	summary_load_costs(b, ratio);
	for (i = 0; i < nr; i++) {
		double cost = saves[i], than_cost = ratio[i];

		saves[i] = than_cost - cost;
		ratio[i] = cost / than_cost;
	}
	*ret = (struct bench_pair){.name = workloads[name].name,
				   .than = workloads[than].name};
	return median_with_interval(saves, nr, &ret->saves, &ret->saves_lo,
				    &ret->saves_hi) &&
	       median_with_interval(ratio, nr, &ret->ratio, &ret->ratio_lo,
				    &ret->ratio_hi);
}

double summary_spread(const struct measurement *m, enum workload_id id)
{
	const struct series *s = m->series[id];
	double sorted[MEASURE_MAX_ROUNDS];
	size_t i, nr;

	if (!s || s->nr_rounds < MIN_FOR_INTERVAL)
		return NAN;
	nr = (size_t)s->nr_rounds;
	for (i = 0; i < nr; i++)
		sorted[i] = series_cost(s, (int)i);
	stat_sort(sorted, nr);
	return (stat_quantile(sorted, nr, 0.75) - stat_quantile(sorted, nr, 0.25)) /
	       stat_median(sorted, nr);
}
