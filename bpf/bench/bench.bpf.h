/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A workload: one file, one program, which user space runs with two numbers of
 * trips and takes the difference, so that the clock and the way in cancel out.
 *
 *	BENCH(name, nr) { loop of nr trips; return trips that were made; }
 *
 * The clock is read right around the block. What a loop counts must be its own
 * variable: a counter beside it would be measured too.
 */
#ifndef ITERTRACE_BENCH_BPF_BPF_H
#define ITERTRACE_BENCH_BPF_BPF_H

#include "loop.bpf.h"
#include "bench.h"

/* What empty loops do; a test has them count, independently of what they report. */
#ifndef BENCH_BODY
#define BENCH_BODY() ((void)0)
#endif

#define BENCH(name, nr)                                     \
	static __always_inline __u64 name##_loop(__u64 nr); \
	SEC("?syscall")                                     \
	int bench_##name(struct bench_run *run)             \
	{                                                   \
		__u64 since;                                \
                                                            \
		run->cpu = bpf_get_smp_processor_id();      \
		since = bpf_ktime_get_ns();                 \
		run->trips = name##_loop(run->nr);          \
		run->ns = bpf_ktime_get_ns() - since;       \
		run->cpu_end = bpf_get_smp_processor_id();  \
		return 0;                                   \
	}                                                   \
	static __always_inline __u64 name##_loop(__u64 nr)

/*
 *	BENCH_BATCHES(name, batch)
 *
 * For loops that the verifier walks: batch(), a callback of bpf_loop(), makes
 * as many trips as the workload's row in workload.c says, and adds what it made to
 * *(__u64 *)trips.
 */
#define BENCH_BATCHES(name, batch)              \
	BENCH(name, nr)                         \
	{                                       \
		__u64 trips = 0;                \
                                                \
		bpf_loop(nr, batch, &trips, 0); \
		return trips;                   \
	}

#define __stringify(x) #x
#define stringify(x)   __stringify(x)

#endif
