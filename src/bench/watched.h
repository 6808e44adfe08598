/* SPDX-License-Identifier: BSD-2-Clause */
/* A measurement on as many CPUs as asked for, and what else happened there. */
#ifndef ITERTRACE_BENCH_WATCHED_H
#define ITERTRACE_BENCH_WATCHED_H

#include "bench/measure.h"
#include "model/bench.h"

/*
 * As measurement__new(). With one thread it stays on the CPU where it is, which is
 * watched; with more, nothing is known of them but migrations. floor_spread is not
 * filled in.
 */
int measure_watched(const struct runner *runner, int nr_threads,
		    const struct measure_options *options,
		    struct bench_environment *environment, struct measurement **ret,
		    struct reason *why);

#endif
