/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What else a CPU did while something was measured on it: stolen time,
 * interrupts, its frequency, and whether the measuring thread was moved away.
 */
#ifndef ITERTRACE_BENCH_ENVIRONMENT_H
#define ITERTRACE_BENCH_ENVIRONMENT_H

#include <sched.h>

#include "model/bench.h"

struct watch {
	int cpu;
	cpu_set_t before; /* to go back to, if it could be told */
	bool is_pinned;
	unsigned long long busy_ticks, steal_ticks;
	long nr_switches, nr_interrupts;
	double khz_lo, khz_hi;
};

/* Stay on the CPU where the thread is, and note where its counters stand. */
void watch_begin(struct watch *w);

/* Look at the frequency, now and then. */
void watch_frequency(struct watch *w);

/* Fill in what is known, and let the thread go where it was allowed before. */
void watch_end(struct watch *w, struct bench_environment *ret);

#endif
