/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * itertrace bench, without its options and its output: which workloads, in how
 * much time, to a report. Also the calibration of a run.
 */
#ifndef ITERTRACE_BENCH_BENCH_H
#define ITERTRACE_BENCH_BENCH_H

#include "base/reason.h"
#include "bench/measure.h"
#include "bench/workload.h"
#include "kernel/probe.h"
#include "model/bench.h"

struct bench_options {
	workload_set set;   /* of the listed ones */
	uint64_t budget_ns; /* of measuring; loading is part of it */
	int nr_threads;     /* each on a CPU of its own */
	/* As in struct measure_options. */
	bool (*poll)(void *context);
	void *poll_context;
};

/*
 * Measure. What this kernel lacks is a row with its reason. -errno with a
 * sentence if nothing could be measured; *ret is then undefined.
 */
int bench_run(struct probe *probe, const struct bench_options *options,
	      struct bench_report *ret, struct reason *why);

/*
 * bpf_for, bpf_loop and can_loop, of those in the set, over the seed's ten trip
 * counts and the thread counts 1, 4, 8, 12, 16 that this machine has CPUs for
 * (and as many as it has, if fewer): a row each.
 */
#define BENCH_SWEPT                                                         \
	(WORKLOAD_BIT(WORKLOAD_BPF_FOR) | WORKLOAD_BIT(WORKLOAD_BPF_LOOP) | \
	 WORKLOAD_BIT(WORKLOAD_CAN_LOOP))

int bench_sweep(struct probe *probe, const struct bench_options *options,
		struct bench_report *ret, struct reason *why);

/*
 * Rounds of any workloads, for those who want to look at them themselves; with
 * WORKLOAD_PACE in the set, of those loads that had the core to themselves.
 */
int bench_measure(struct probe *probe, const struct measure_options *options,
		  struct measurement **ret, struct reason *why);

/* All prices, in about budget_ns. Never fails: cal->done is false, with the reason. */
void bench_calibrate(struct probe *probe, uint64_t budget_ns, struct calibration *cal);

#endif
