/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A runner that runs a workload on several CPUs at once: threads pinned one a
 * CPU start each run together, and a run takes as long as the median of them.
 */
#ifndef ITERTRACE_BENCH_THREADS_H
#define ITERTRACE_BENCH_THREADS_H

#include "bench/runner.h"

struct threads;

/* CPUs that the caller may run on. */
int threads_max(void);

/*
 * nr threads on as many CPUs, over an inner runner that outlives them and may be
 * run from several threads at once. -ERANGE: more than threads_max().
 */
int threads__new(const struct runner *inner, int nr, struct threads **ret,
		 struct reason *why);
void threads__free(struct threads *t); /* NULL is fine */

const struct runner *threads_runner(const struct threads *t);

#endif
