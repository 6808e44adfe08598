// SPDX-License-Identifier: BSD-2-Clause
#include <math.h>

#include "bench/pace.h"
#include "stat/quantile.h"

#define DISTURBED_ABOVE 1.15 /* of the fastest load's pace */
#define MIN_UNDISTURBED 0.10 /* of the loads */

/* The median time of each load's rounds; its trips are the same in all. */
static void read_pace(const struct series *s, double *ret)
{
	double ns[MEASURE_MAX_ROUNDS];
	size_t n = 0;
	int i;

	for (i = 0; i < s->nr_rounds; i++) {
		ns[n++] = s->once_ns[i] + s->twice_ns[i];
		if (i + 1 < s->nr_rounds && s->load[i + 1] == s->load[i])
			continue;
		stat_sort(ns, n);
		ret[s->load[i]] = stat_median(ns, n);
		n = 0;
	}
}

/* number: where each load goes; -1: nowhere. */
static void move_rounds(struct series *s, const int *number)
{
	int i, to = 0;

	for (i = 0; i < s->nr_rounds; i++) {
		int load = number[s->load[i]];

		if (load < 0)
			continue;
		s->once_ns[to] = s->once_ns[i];
		s->twice_ns[to] = s->twice_ns[i];
		s->placement[to] = s->placement[i];
		s->load[to++] = (uint32_t)load;
	}
	s->nr_rounds = to;
}

void pace_sift(struct measurement *m, struct pace *ret)
{
	double pace[MEASURE_MAX_ROUNDS], best = INFINITY;
	int number[MEASURE_MAX_ROUNDS], nr = 0, i;

	*ret = (struct pace){
		.nr_loads = m->nr_loads, .nr_disturbed = -1, .best_ns = NAN};
	if (!m->series[WORKLOAD_PACE])
		return;
	read_pace(m->series[WORKLOAD_PACE], pace);
	for (i = 0; i < m->nr_loads; i++)
		best = fmin(best, pace[i]);
	for (i = 0; i < m->nr_loads; i++)
		number[i] = pace[i] > DISTURBED_ABOVE * best ? -1 : nr++;
	ret->nr_disturbed = m->nr_loads - nr;
	/* A round is three times the trips of its shorter run. */
	ret->best_ns = best / (3.0 * (double)m->series[WORKLOAD_PACE]->trips);
	if (!ret->nr_disturbed || nr < MEASURE_MIN_LOADS ||
	    nr < MIN_UNDISTURBED * m->nr_loads)
		return;
	ret->are_left_out = true;
	for (i = 0; i < NR_WORKLOADS; i++)
		if (m->series[i])
			move_rounds(m->series[i], number);
	m->nr_loads = nr;
}
