/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Measuring workloads against each other.
 *
 *	for as long as there is time:
 *		load the programs anew
 *		a few rounds: every workload, in an order shuffled anew,
 *			with nr and with 2 nr trips
 *
 * The cost of a trip is the difference of the two times over the trips of the
 * first, so that the clock and the way in cancel out. Loading anew matters: the
 * kernel puts a program at another address each time, and where a short loop
 * comes to lie in its cache line moves its cost by a third and more, for as long
 * as it stays there. No round is dropped for what it took; pace.h says which loads
 * do not count.
 */
#ifndef ITERTRACE_BENCH_MEASURE_H
#define ITERTRACE_BENCH_MEASURE_H

#include <stdbool.h>

#include "bench/runner.h"
#include "model/bench.h"

#define MEASURE_MAX_ROUNDS 4000
#define MEASURE_MIN_LOADS  5 /* fewer placements say little, and bound nothing */

#define MEASURE_ROUNDS_PER_LOAD 5 /* serves all who measure */

struct measure_options {
	workload_set set;
	uint64_t budget_ns;
	uint64_t batch_ns; /* aim of the shorter run; 0: measure_batch_ns() */
	int rounds_per_load;
	uint64_t seed;
	/* Asked after each load but the first few. true: stop now; NULL: never. */
	bool (*poll)(void *context);
	void *poll_context;
};

/* All rounds of one workload. */
struct series {
	uint64_t nr;    /* what the program was told in the shorter run */
	uint64_t trips; /* that it made then */
	int nr_rounds;
	double once_ns[MEASURE_MAX_ROUNDS];
	double twice_ns[MEASURE_MAX_ROUNDS];
	uint32_t load[MEASURE_MAX_ROUNDS]; /* number of the load, from 0 */
	int placement[MEASURE_MAX_ROUNDS]; /* -1: hidden */
};

struct measurement {
	struct series *series[NR_WORKLOADS]; /* NULL: not of the set */
	int nr_loads;
	long nr_migrations; /* runs on another CPU than the one before */
	uint32_t cpu;       /* of the last run */
	bool has_cpu;
	bool is_partial; /* poll said stop */
};

/*
 * The aim of the shorter run where none is given: as long as it can be if so many
 * workloads, which take load_ns to load, are to be loaded often enough in the budget,
 * or in 18 s if that is more: the rest is for more loads.
 * Long for the clock; and some loops are fast at one moment and slow at the next, by
 * what the CPU predicts of their loads and stores: only a long run tells their average.
 */
uint64_t measure_batch_ns(const struct measure_options *o, int nr_workloads,
			  uint64_t load_ns);

/*
 * MEASURE_MIN_LOADS are measured, whatever the budget. -EPROTO with a sentence: a
 * workload made another number of trips than it was told. On failure *ret is
 * untouched.
 */
int measurement__new(const struct runner *runner, const struct measure_options *options,
		     struct measurement **ret, struct reason *why);
void measurement__free(struct measurement *m); /* NULL is fine */

/* ns a trip of one round. */
double series_cost(const struct series *s, int round);

#endif
