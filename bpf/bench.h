/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What a benchmark's programs are told, and what they answer. */
#ifndef ITERTRACE_BENCH_BPF_H
#define ITERTRACE_BENCH_BPF_H

#include <linux/types.h>

/*
 * A loop whose bound the verifier has to see makes so many trips, and is repeated.
 * A repetition costs about 10 ns, most of it for the branch out of the loop that is
 * not predicted: up to 1.5% of the trips, which both lengths of a run have. With
 * longer batches, verifying would take most of a benchmark's time. Loops whose trips
 * are cheapest have the long one, hash-inc the short one.
 */
#define BENCH_BATCH       1000
#define BENCH_LONG_BATCH  2000
#define BENCH_SHORT_BATCH 200

/* Trips of each loop of the pair that prices site_for against bpf_for. */
#define BENCH_SITE_TRIPS 64

/* CPUs of the array of glob-arr-inc; a power of two. */
#define BENCH_MAX_CPUS 1024

/* The context of the programs, which are run with BPF_PROG_RUN. */
struct bench_run {
	__u64 nr;      /* in: trips; of batches and site loops, how many of those */
	__u64 loop;    /* in: trips of each of nr loops, in the sweep */
	__u64 trips;   /* out: trips that the program itself saw */
	__u64 ns;      /* out: between the clock readings right around the loop */
	__u32 cpu;     /* out: where it ran when it began */
	__u32 cpu_end; /* out: and when it ended */
};

enum bench_site {
	SITE_BENCH,
	NR_BENCH_SITES,
};

#endif
