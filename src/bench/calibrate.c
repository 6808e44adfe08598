// SPDX-License-Identifier: BSD-2-Clause
#include <stdio.h>

#include "base/time.h"
#include "bench/bench.h"

static const enum bench_workload_id workload_of[NR_PRICES] = {
	[PRICE_BPF_FOR] = BENCH_BPF_FOR,     [PRICE_BPF_LOOP] = BENCH_BPF_LOOP,
	[PRICE_CAN_LOOP] = BENCH_CAN_LOOP,   [PRICE_FLOOR] = BENCH_FLOOR,
	[PRICE_SHAPE_7_3] = BENCH_SHAPE_7_3, [PRICE_CLOCK] = BENCH_CLOCK,
};

#define MAX_CALIBRATION_ROUNDS 101

void bench_calibrate(struct probe *probe, unsigned long long budget_ns,
		     struct calibration *cal)
{
	struct bench_result results[NR_BENCH_WORKLOADS];
	uint64_t since = time_ns(CLOCK_MONOTONIC);
	struct bench *b = NULL;
	struct reason why;
	unsigned int set = 0;
	int i, err;

	*cal = (struct calibration){0};
	for (i = 0; i < NR_PRICES; i++)
		set |= 1U << workload_of[i];
	err = bench__new(probe, &b, &why);
	if (!err)
		err = bench_run_rounds(b, set, MAX_CALIBRATION_ROUNDS, budget_ns,
				       results, &why);
	if (err) {
		snprintf(cal->reason, sizeof(cal->reason), "%.250s", why.text);
	} else {
		cal->done = true;
		for (i = 0; i < NR_PRICES; i++)
			cal->prices[i] = results[workload_of[i]];
	}
	bench__free(b);
	cal->took_ms = (double)(time_ns(CLOCK_MONOTONIC) - since) / 1e6;
}
