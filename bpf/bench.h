/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What a benchmark's programs are told, and what they answer. */
#ifndef ITERTRACE_BENCH_BPF_H
#define ITERTRACE_BENCH_BPF_H

#include <linux/types.h>

/* Trips of a loop that the verifier has to walk: batches of so many are repeated. */
#define BENCH_BATCH 4000

/* Trips of each loop of the pair that prices site_for against bpf_for. */
#define BENCH_SITE_TRIPS 64

/* The context of the programs, which are run with BPF_PROG_RUN. */
struct bench_run {
	__u32 nr;    /* in: trips; of batches and site loops, how many of those */
	__u32 trips; /* out: trips made as the program itself counted them, where it can
		      */
	__u64 ns;    /* out: between the clock readings right around the loop */
};

enum bench_site {
	SITE_BENCH,
	NR_BENCH_SITES,
};

#endif
