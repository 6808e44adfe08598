/* SPDX-License-Identifier: BSD-2-Clause */
/* From rounds to figures with their doubt. Pure. */
#ifndef ITERTRACE_BENCH_SUMMARY_H
#define ITERTRACE_BENCH_SUMMARY_H

#include "bench/measure.h"
#include "model/bench.h"

/*
 * The row of one workload: for each placement, the median time of its long runs
 * less that of its short ones, over the trips; then the Hodges-Lehmann centre of the
 * placements, every one counting alike, so that two runs that happen on different
 * addresses agree. Its interval is the bootstrap's. Where addresses are hidden, the
 * loads are dealt into a few groups instead. Two modes are looked for among the loads.
 */
void summarise(const struct measurement *m, enum workload_id id, int nr_threads,
	       struct bench_result *ret);

/* The row's median alone, in ns a trip. NaN: there are too few loads. */
double summary_median(const struct series *s);

/* The row of name against that of than. false: one was not measured. */
bool summarise_pair(const struct measurement *m, enum workload_id name,
		    enum workload_id than, struct bench_pair *ret);

/*
 * ns a trip of each load, from the medians of its rounds; ret has a place for each.
 * Returns their number.
 */
size_t summary_load_costs(const struct series *s, double *ret);

/* The same with the placements, for a recording. */
void summary_loads(const struct series *s, struct bench_loads *ret);

/*
 * (q3 - q1) / median of a workload's long runs at one placement, the median over
 * placements: how much the CPU's own speed changed. NaN: not measured.
 */
double summary_spread(const struct measurement *m, enum workload_id id);

#endif
