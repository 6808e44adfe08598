/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What BPF programs and user space both know: the loop backends and the
 * accounting of loop sites. Layout is shared memory: fixed-width types only.
 */
#ifndef ITERTRACE_WIRE_H
#define ITERTRACE_WIRE_H

#include <linux/types.h>

/* How a site's loop is run; one per load, chosen by user space in rodata. */
enum loops_backend {
	LOOPS_BPF_FOR,  /* the numeric iterator, since 6.4 */
	LOOPS_BPF_LOOP, /* the bpf_loop() helper, since 5.17 */
	LOOPS_CAN_LOOP, /* may_goto, since 6.9 */
	LOOPS_BOUNDED,  /* a loop that the verifier walks: any kernel */
};
#define NR_LOOPS_BACKENDS (LOOPS_BOUNDED + 1)

/* A bounded loop makes at most this many trips: no site asks for more. */
#define LOOPS_BOUNDED_MAX 512

/*
 * Trip counts fall into classes of powers of two: class 0 is no trip, class c
 * is 2^(c-1) … 2^c - 1 trips. bpf_for makes at most BPF_MAX_LOOPS = 2^23, so
 * 25 are in use; a power of two is what the verifier can bound for nothing.
 */
#define SITE_NR_CLASSES 32

/* Timed entries a CPU keeps for user space to take away; a power of two. */
#define SITE_RING 256

/* A timed entry: duration in ns above, trips below; one 64-bit store, never torn. */
#define SITE_TRIPS_BITS       24
#define SITE_TRIPS_MASK       ((1ULL << SITE_TRIPS_BITS) - 1)
#define SITE_TIMED(ns, trips) ((__u64)(ns) << SITE_TRIPS_BITS | (trips))

/*
 * One site on one CPU. Every member only grows, but last_trips and ring.
 * Invariant 1: a site is entered from one program only. The kernel does not
 * run a tracing program on a CPU where it is running already, so each of
 * these has one writer and plain additions are exact.
 */
struct site_stat {
	__u64 entries;
	__u64 trips;
	__u64 max_trips;
	__u64 last_trips;               /* of the bounded backend alone */
	__u64 timed;                    /* entries put into ring since load */
	__u64 classes[SITE_NR_CLASSES]; /* entries by class of trip count */
	__u64 ring[SITE_RING]; /* the last timed entries; timed % SITE_RING is next */
};

/*
 * An entry is timed when the n-th entry's hash n·2^32/φ (mod 2^32) is at most
 * the site's threshold: evenly spread, one in 2^k for 2^(32-k) - 1, and no
 * stride of the workload can hide behind it.
 */
#define SITE_HASH         0x9E3779B1U
#define SITE_THRESHOLD(k) ((__u32)((1ULL << (32 - (k))) - 1))
#define SITE_SHIFT_MAX    20

#endif
