/* SPDX-License-Identifier: BSD-2-Clause */
/* What a trip of a loop construct costs on this kernel and machine. Plain data. */
#ifndef ITERTRACE_MODEL_BENCH_H
#define ITERTRACE_MODEL_BENCH_H

#include <stdbool.h>

#include "model/feature.h"

/* ns a trip; only where state is FEATURE_INLINED … FEATURE_CALL is there a figure. */
struct bench_result {
	const char *name; /* static */
	bool measured;
	int nr_rounds;
	double median, lo, hi; /* the median's 95% interval */
	double min;
	char reason[FEATURE_REASON_LEN]; /* why not measured */
};

/*
 * The prices that loop sites are judged by, each an empty body's cost a trip;
 * clock is that of one reading.
 */
enum calibration_price {
	PRICE_BPF_FOR,
	PRICE_BPF_LOOP,
	PRICE_CAN_LOOP,
	PRICE_FLOOR,     /* a register and a branch: what the bounded backend costs */
	PRICE_SHAPE_7_3, /* bpf_for as Linux 7.3 inlines it, written by hand */
	PRICE_CLOCK,
	NR_PRICES,
};

struct calibration {
	bool done;
	char reason[FEATURE_REASON_LEN]; /* why not done */
	struct bench_result prices[NR_PRICES];
	double took_ms;
};

#endif
