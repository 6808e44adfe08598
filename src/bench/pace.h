/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * In which loads the core was slower than at its best in the same run. The workload
 * "pace" runs in every round and costs the same at every address, so where it was
 * slower, the core was: its frequency was lower, or its other thread was at work (in
 * a virtual machine that may be anybody's). Judged by the pace alone, never by what is
 * being measured. What lasts from the first load to the last is not seen: but the
 * pace is told, and can be compared with another run's.
 */
#ifndef ITERTRACE_BENCH_PACE_H
#define ITERTRACE_BENCH_PACE_H

#include "bench/measure.h"

struct pace {
	int nr_loads;
	int nr_disturbed;  /* -1: the pace was not measured */
	bool are_left_out; /* there are others enough */
	double best_ns;    /* a trip, in the fastest load; NaN: not measured */
};

/*
 * Take the rounds of disturbed loads out of every series, and number those that
 * stay from 0; where too few stay to say anything, none is taken out.
 */
void pace_sift(struct measurement *m, struct pace *ret);

#endif
