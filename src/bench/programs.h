/* SPDX-License-Identifier: BSD-2-Clause */
/* The runner that is real: workloads as BPF programs of this kernel. */
#ifndef ITERTRACE_BENCH_PROGRAMS_H
#define ITERTRACE_BENCH_PROGRAMS_H

#include "base/reason.h"
#include "bench/runner.h"
#include "kernel/probe.h"
#include "model/bench.h"

struct programs;

/*
 * Finds out what of set this kernel can run; nothing is loaded yet. sweep: load
 * the sweep's programs too. The probe is not kept. On failure *ret is untouched.
 */
int programs__new(struct probe *probe, workload_set set, bool sweep,
		  struct programs **ret, struct reason *why);
void programs__free(struct programs *p); /* NULL is fine */

/* Those of the set that can run; the reason why one cannot is in programs_lack(). */
workload_set programs_possible(const struct programs *p);
void programs_lack(const struct programs *p, enum workload_id id,
		   struct bench_result *ret);

/* Its functions take p as the context. Owned by p. */
const struct runner *programs_runner(const struct programs *p);

/* The descriptor of a workload's program, of the last load; -1: none. */
int programs_fd(const struct programs *p, enum workload_id id);

/* Of a sweep's program: nr loops of r->loop trips. -ENOTSUP: the workload has none. */
int programs_sweep(struct programs *p, enum workload_id id, struct bench_run *r,
		   struct reason *why);

#endif
