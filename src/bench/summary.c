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

static void look_for_modes(const double *sorted, size_t nr, struct bench_result *ret)
{
	struct stat_modes modes;

	if (stat_modes_find(sorted, nr, &modes))
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
	double costs[MEASURE_MAX_ROUNDS];
	uint32_t group[MEASURE_MAX_ROUNDS];
	struct stat_interval ci;
	size_t i, nr = (size_t)s->nr_rounds;

	*ret = (struct bench_result){
		.name = workloads[id].name,
		.nr_loops = s->trips,
		.nr_threads = nr_threads,
		.nr_rounds = s->nr_rounds,
		.nr_loads = m->nr_loads,
	};
	ret->nr_placements = number_placements(s, group);
	for (i = 0; i < nr; i++)
		costs[i] = series_cost(s, (int)i);
	ret->min = least_cost(s);
	if (nr < MIN_FOR_INTERVAL || !check_linearity(s, ret) ||
	    stat_bootstrap_median_ci(costs, group, nr, RESAMPLES, SEED, &ci)) {
		snprintf(ret->reason, sizeof(ret->reason),
			 "%zu rounds are too few for an interval", nr);
		return;
	}
	ret->measured = true;
	ret->median = stat_median_of_medians(costs, group, nr);
	ret->lo = ci.lo;
	ret->hi = ci.hi;
	ret->is_noisy = ci.hi - ci.lo > NOISY_ABOVE * ret->median;
	stat_sort(costs, nr);
	look_for_modes(costs, nr, ret);
}

bool summarise_pair(const struct measurement *m, enum workload_id name,
		    enum workload_id than, struct bench_pair *ret)
{
	const struct series *a = m->series[name], *b = m->series[than];
	double saves[MEASURE_MAX_ROUNDS], ratio[MEASURE_MAX_ROUNDS];
	struct stat_interval ci;
	size_t i, nr;

	if (!a || !b || a->nr_rounds < MIN_FOR_INTERVAL)
		return false;
	nr = (size_t)a->nr_rounds;
	for (i = 0; i < nr; i++) {
		saves[i] = series_cost(b, (int)i) - series_cost(a, (int)i);
		ratio[i] = series_cost(a, (int)i) / series_cost(b, (int)i);
	}
	*ret = (struct bench_pair){.name = workloads[name].name,
				   .than = workloads[than].name};
	if (stat_bootstrap_median_ci(saves, a->load, nr, RESAMPLES, SEED, &ci))
		return false;
	ret->saves = stat_median_of_medians(saves, a->load, nr);
	ret->saves_lo = ci.lo;
	ret->saves_hi = ci.hi;
	if (stat_bootstrap_median_ci(ratio, a->load, nr, RESAMPLES, SEED, &ci))
		return false;
	ret->ratio = stat_median_of_medians(ratio, a->load, nr);
	ret->ratio_lo = ci.lo;
	ret->ratio_hi = ci.hi;
	return true;
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
