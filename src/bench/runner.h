/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the measuring needs of whatever it measures: BPF programs, or, in
 * tests, a model with a known answer and a clock of its own.
 */
#ifndef ITERTRACE_BENCH_RUNNER_H
#define ITERTRACE_BENCH_RUNNER_H

#include <stdint.h>

#include "base/reason.h"
#include "bench/workload.h"
#include "bpf/bench.h"

struct runner {
	/* Place everything anew in memory. */
	int (*load)(void *context, struct reason *why);
	/* Trips that a workload makes if it is told nr. */
	uint64_t (*trips)(void *context, enum workload_id id, uint64_t nr);
	/* Run a workload with r->nr; fills in the rest of r. */
	int (*run)(void *context, enum workload_id id, struct bench_run *r,
		   struct reason *why);
	/* Where its hot loop lies now, modulo a cache line; -1: hidden. */
	int (*placement)(void *context, enum workload_id id);
	/* CLOCK_MONOTONIC, of whichever world. */
	uint64_t (*now_ns)(void *context);
	void *context;
};

#endif
