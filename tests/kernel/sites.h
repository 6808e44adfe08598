/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The loop sites of sites.bpf.c, and what its programs are told. */
#ifndef ITERTRACE_TESTS_SITES_H
#define ITERTRACE_TESTS_SITES_H

#include <linux/types.h>

/* Each belongs to the program of its name. */
enum test_site {
	SITE_COUNT,
	SITE_BREAK,
	SITE_CONTINUE,
	SITE_RETURN,
	SITE_OUTER,
	SITE_INNER,
	SITE_FUNCTION,
	SITE_FUNCTION_OUTER,
	SITE_FUNCTION_INNER,
	SITE_LONG,
	SITE_LONG_FUNCTION,
	SITE_WORK,
	NR_TEST_SITES,
};

/* Multiplications in a row that are one trip's work: some 100 ns. */
#define WORK_TURNS 160

/* The context of every program; a run is one entry of its outermost site. */
struct sites_run {
	__u32 start; /* in: of the loop */
	__u32 end;
	__u32 stop;     /* in: the value at which the body breaks or returns */
	__u32 delay_ns; /* in: spent in the first trip, on top of its work */
	__u64 sum;      /* out: of what the bodies saw */
	__u64 ns;       /* out: of a plain loop, or waited */
};

#endif
