// SPDX-License-Identifier: BSD-2-Clause
#include <stdio.h>
#include <string.h>

#include "base/time.h"
#include "bench/bench.h"
#include "bench/summary.h"

static const enum workload_id workload_of[NR_PRICES] = {
	[PRICE_BPF_FOR] = WORKLOAD_BPF_FOR,     [PRICE_BPF_LOOP] = WORKLOAD_BPF_LOOP,
	[PRICE_CAN_LOOP] = WORKLOAD_CAN_LOOP,   [PRICE_FLOOR] = WORKLOAD_FLOOR,
	[PRICE_SHAPE_7_3] = WORKLOAD_SHAPE_7_3, [PRICE_CLOCK] = WORKLOAD_CLOCK,
};

static void set_price(const struct measurement *m, enum workload_id id,
		      struct bench_result *ret)
{
	*ret = (struct bench_result){.name = workloads[id].name};
	if (!m->series[id]) {
		snprintf(ret->reason, sizeof(ret->reason), "this kernel has none");
		return;
	}
	summarise(m, id, 1, ret);
	/* Noise can make of a cost nothing, or less; a cost is neither. */
	if (ret->measured && ret->lo <= 0) {
		ret->measured = false;
		snprintf(ret->reason, sizeof(ret->reason),
			 "too noisy: %.2f [%.2f, %.2f]", ret->median, ret->lo, ret->hi);
	}
}

void bench_calibrate(struct probe *probe, uint64_t budget_ns, struct calibration *cal)
{
	struct measure_options options = {
		.budget_ns = budget_ns,
		.rounds_per_load = MEASURE_ROUNDS_PER_LOAD,
		.seed = time_ns(CLOCK_MONOTONIC),
	};
	uint64_t since = time_ns(CLOCK_MONOTONIC);
	struct measurement *m = NULL;
	struct reason why;
	int i;

	*cal = (struct calibration){0};
	options.set = WORKLOAD_BIT(WORKLOAD_PACE);
	for (i = 0; i < NR_PRICES; i++)
		options.set |= WORKLOAD_BIT(workload_of[i]);
	if (bench_measure(probe, &options, &m, &why)) {
		snprintf(cal->reason, sizeof(cal->reason), "%.250s", why.text);
	} else {
		cal->done = true;
		for (i = 0; i < NR_PRICES; i++)
			set_price(m, workload_of[i], &cal->prices[i]);
	}
	measurement__free(m);
	cal->took_ms = (double)(time_ns(CLOCK_MONOTONIC) - since) / 1e6;
}
