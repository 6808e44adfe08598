/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Timing loop constructs in the kernel.
 *
 * A round runs every workload once with nr trips and once with 2 nr, in an
 * order shuffled anew, on one CPU; the cost of a trip is the difference of the
 * two times over nr, so that the clock and the way in cancel out. The figure
 * is the median over rounds with its distribution-free 95% interval; no round
 * is dropped.
 */
#ifndef ITERTRACE_BENCH_BENCH_H
#define ITERTRACE_BENCH_BENCH_H

#include "base/reason.h"
#include "kernel/probe.h"
#include "model/bench.h"

enum bench_workload_id {
	BENCH_BPF_FOR,
	BENCH_BPF_LOOP,
	BENCH_CAN_LOOP,
	BENCH_FLOOR,
	BENCH_SHAPE_7_3,
	BENCH_CLOCK,
	BENCH_PLAIN_LOOP, /* a trip here is a loop of BENCH_SITE_TRIPS trips */
	BENCH_SITE_LOOP,
	NR_BENCH_WORKLOADS,
};

struct bench;

/* Loads what this kernel can run; what it cannot has its reason in the results. */
int bench__new(struct probe *probe, struct bench **ret, struct reason *why);
void bench__free(struct bench *b);

/*
 * Run the workloads of the set (bit n is workload n) in as many rounds as fit
 * into budget_ns, at least 3 and at most max_rounds. results has one place for
 * each workload, and is filled for those of the set. Returns 0, or -errno
 * where a program could not be run.
 */
int bench_run_rounds(struct bench *b, unsigned int set, int max_rounds,
		     unsigned long long budget_ns, struct bench_result *results,
		     struct reason *why);

/* ns a trip of one workload, round by round; nr values, owned by b. For ratios of
 * pairs. */
const double *bench_rounds(const struct bench *b, enum bench_workload_id id, int *nr);

/* All prices, in at most budget_ns. Never fails: cal->done is false, with the reason.
 */
void bench_calibrate(struct probe *probe, unsigned long long budget_ns,
		     struct calibration *cal);

#endif
