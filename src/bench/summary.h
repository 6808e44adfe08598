/* SPDX-License-Identifier: BSD-2-Clause */
/* From rounds to figures with their doubt. Pure. */
#ifndef ITERTRACE_BENCH_SUMMARY_H
#define ITERTRACE_BENCH_SUMMARY_H

#include "bench/measure.h"
#include "model/bench.h"

/*
 * The row of one workload: the median over placements of the median over the
 * rounds at each, every placement counting alike, so that two runs that happen
 * on different addresses agree; its interval by resampling the loads. Where
 * addresses are hidden, every load counts as a placement of its own.
 */
void summarise(const struct measurement *m, enum workload_id id, int nr_threads,
	       struct bench_result *ret);

/* name against than, round by round. false: one was not measured. */
bool summarise_pair(const struct measurement *m, enum workload_id name,
		    enum workload_id than, struct bench_pair *ret);

/* (q3 - q1) / median of a workload's rounds; NaN: not measured. */
double summary_spread(const struct measurement *m, enum workload_id id);

#endif
