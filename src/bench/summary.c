// SPDX-License-Identifier: BSD-2-Clause
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/summary.h"
#include "stat/bootstrap.h"
#include "stat/modes.h"
#include "stat/quantile.h"

#define RESAMPLES     1000
#define SEED          0x17E57ACEULL /* any: the same data give the same interval */
#define LINEAR_WITHIN 0.05
#define NOISY_ABOVE   0.10
#define HIDDEN_GROUPS 16

/* Number the placements from 0; how many there are, 0 if they are hidden. */
static size_t number_placements(const struct series *s, uint32_t *group)
{
	int number[64];
	size_t nr = 0;
	int i;

	memset(number, -1, sizeof(number));
	for (i = 0; i < s->nr_rounds; i++) {
		int at = s->placement[i];

		if (at < 0)
			return 0;
		if (number[at] < 0)
			number[at] = (int)nr++;
		group[i] = (uint32_t)number[at];
	}
	return nr;
}

/* What belongs together: placements, or loads where those are hidden or too few. */
struct groups {
	uint32_t of_round[MEASURE_MAX_ROUNDS];
	size_t nr, nr_placements;
};

static void group_rounds(const struct series *s, struct groups *ret)
{
	size_t nr_loads = s->nr_rounds ? s->load[s->nr_rounds - 1] + 1 : 0;
	int i;

	ret->nr = ret->nr_placements = number_placements(s, ret->of_round);
	if (ret->nr >= MEASURE_MIN_LOADS)
		return;
	for (i = 0; i < s->nr_rounds; i++)
		ret->of_round[i] = s->load[i] % HIDDEN_GROUPS;
	ret->nr = nr_loads < HIDDEN_GROUPS ? nr_loads : HIDDEN_GROUPS;
}

/* ns a trip. */
static double centre_of(const struct series *s, const struct groups *groups)
{
	return stat_centre_of_differences(s->twice_ns, s->once_ns, groups->of_round,
					  (size_t)s->nr_rounds) /
	       (double)s->trips;
}

double summary_median(const struct series *s)
{
	struct groups groups;

	group_rounds(s, &groups);
	return groups.nr < MEASURE_MIN_LOADS ? NAN : centre_of(s, &groups);
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

/* Of a trip of the fastest long run; what the run costs once is in it, a little. */
static double least_cost(const struct series *s)
{
	double least = INFINITY;
	int i;

	for (i = 0; i < s->nr_rounds; i++)
		least = fmin(least, s->twice_ns[i]);
	return least / (2.0 * (double)s->trips);
}

/* ns a trip, from the medians of what belongs together; sorts both. */
static double cost_of_medians(double *once, double *twice, size_t nr, uint64_t trips)
{
	stat_sort(once, nr);
	stat_sort(twice, nr);
	return (stat_median(twice, nr) - stat_median(once, nr)) / (double)trips;
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
		ret[nr++] = cost_of_medians(once, twice, n, s->trips);
		n = 0;
	}
	return nr;
}

void summary_loads(const struct series *s, struct bench_loads *ret)
{
	double costs[MEASURE_MAX_ROUNDS];
	size_t nr = summary_load_costs(s, costs), n = 0;
	int i;

	ret->nr = 0;
	for (i = 0; i < s->nr_rounds && n < nr && n < BENCH_MAX_LOADS; i++) {
		if (i + 1 < s->nr_rounds && s->load[i + 1] == s->load[i])
			continue;
		if (s->placement[i] < 0)
			return;
		ret->placements[n] = (unsigned char)s->placement[i];
		ret->ns[n] = costs[n];
		n++;
	}
	ret->nr = n;
}

/* ns a trip of each group, from the medians of its rounds. */
static void set_samples(const struct series *s, const struct groups *groups,
			struct bench_result *ret)
{
	double once[MEASURE_MAX_ROUNDS], twice[MEASURE_MAX_ROUNDS];
	size_t g, n;
	int i;

	for (g = 0; g < groups->nr && ret->nr_samples < BENCH_MAX_SAMPLES; g++) {
		for (i = 0, n = 0; i < s->nr_rounds; i++) {
			if (groups->of_round[i] != g)
				continue;
			once[n] = s->once_ns[i];
			twice[n++] = s->twice_ns[i];
		}
		if (n)
			ret->samples[ret->nr_samples++] =
				cost_of_medians(once, twice, n, s->trips);
	}
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
	struct stat_interval ci;
	struct groups groups;

	group_rounds(s, &groups);
	*ret = (struct bench_result){
		.name = workloads[id].name,
		.nr_loops = s->trips,
		.nr_threads = nr_threads,
		.nr_rounds = s->nr_rounds,
		.nr_loads = m->nr_loads,
		.nr_placements = (int)groups.nr_placements,
		.min = least_cost(s),
	};
	if (groups.nr < MEASURE_MIN_LOADS || !check_linearity(s, ret) ||
	    stat_bootstrap_difference_ci(s->twice_ns, s->once_ns, groups.of_round,
					 (size_t)s->nr_rounds, RESAMPLES, SEED, &ci)) {
		snprintf(ret->reason, sizeof(ret->reason),
			 "%d loads are too few for an interval", m->nr_loads);
		return;
	}
	ret->measured = true;
	ret->median = centre_of(s, &groups);
	ret->lo = ci.lo / (double)s->trips;
	ret->hi = ci.hi / (double)s->trips;
	ret->is_noisy = ret->hi - ret->lo > NOISY_ABOVE * ret->median;
	set_samples(s, &groups, ret);
	look_for_modes(s, ret);
}

/* Resamples of a row's median, in ns a trip. */
static bool resample_row(const struct series *s, uint64_t seed, double *ret)
{
	struct groups groups;
	int i;

	group_rounds(s, &groups);
	if (stat_bootstrap_differences(s->twice_ns, s->once_ns, groups.of_round,
				       (size_t)s->nr_rounds, RESAMPLES, seed, ret))
		return false;
	for (i = 0; i < RESAMPLES; i++)
		ret[i] /= (double)s->trips;
	return true;
}

/*
 * The two rows were measured in the same rounds, but at placements of their own: so
 * the difference of the rows, from resamples of each.
 */
bool summarise_pair(const struct measurement *m, enum workload_id name,
		    enum workload_id than, struct bench_pair *ret)
{
	double a[RESAMPLES], b[RESAMPLES], saves[RESAMPLES], ratio[RESAMPLES];
	struct stat_interval saves_ci, ratio_ci;
	struct bench_result row, than_row;
	int i;

	if (!m->series[name] || !m->series[than])
		return false;
	summarise(m, name, 1, &row);
	summarise(m, than, 1, &than_row);
	if (!row.measured || !than_row.measured ||
	    !resample_row(m->series[name], SEED, a) ||
	    !resample_row(m->series[than], SEED + 1, b))
		return false;
	for (i = 0; i < RESAMPLES; i++) {
		saves[i] = b[i] - a[i];
		ratio[i] = a[i] / b[i];
	}
	if (stat_percentile_ci(saves, RESAMPLES, &saves_ci) ||
	    stat_percentile_ci(ratio, RESAMPLES, &ratio_ci))
		return false;
	*ret = (struct bench_pair){
		.name = row.name,
		.than = than_row.name,
		.saves = than_row.median - row.median,
		.saves_lo = saves_ci.lo,
		.saves_hi = saves_ci.hi,
		.ratio = row.median / than_row.median,
		.ratio_lo = ratio_ci.lo,
		.ratio_hi = ratio_ci.hi,
	};
	return true;
}

double summary_spread(const struct measurement *m, enum workload_id id)
{
	const struct series *s = m->series[id];
	double at[MEASURE_MAX_ROUNDS], spreads[MEASURE_MAX_ROUNDS];
	uint32_t group[MEASURE_MAX_ROUNDS];
	size_t nr_groups, g, nr, n = 0;
	int i;

	if (!s)
		return NAN;
	nr_groups = number_placements(s, group);
	if (nr_groups < MEASURE_MIN_LOADS) {
		memcpy(group, s->load, sizeof(group));
		nr_groups = (size_t)m->nr_loads;
	}
	for (g = 0; g < nr_groups; g++) {
		for (i = 0, nr = 0; i < s->nr_rounds; i++)
			if (group[i] == g)
				at[nr++] = s->twice_ns[i];
		if (nr < MEASURE_ROUNDS_PER_LOAD)
			continue;
		stat_sort(at, nr);
		spreads[n++] =
			(stat_quantile(at, nr, 0.75) - stat_quantile(at, nr, 0.25)) /
			stat_median(at, nr);
	}
	if (!n)
		return NAN;
	stat_sort(spreads, n);
	return stat_median(spreads, n);
}
