/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a trip of a loop construct costs on this kernel and machine, and how far
 * that can be believed. Plain data. Durations are ns a trip unless said
 * otherwise; intervals are 95%.
 */
#ifndef ITERTRACE_MODEL_BENCH_H
#define ITERTRACE_MODEL_BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/feature.h"

#define BENCH_MAX_COUNTERS 8
#define BENCH_MAX_RESULTS  160
#define BENCH_MAX_PAIRS    6
#define BENCH_MAX_SAMPLES  64
#define BENCH_MAX_LOADS    800
#define BENCH_CACHE_LINE   64

/* Hardware events a trip; name is static. */
struct bench_counter {
	const char *name;
	bool present;
	bool scaled; /* the PMU was shared: an estimate */
	double per_trip;
};

/* What the JITed code says of one trip, without running it; -1: not known. */
struct bench_code {
	int nr_insns; /* on the hot path of one iteration */
	int nr_calls;
	int nr_callee_insns; /* of a BPF callback that it calls */
	char reason[FEATURE_REASON_LEN];
};

struct bench_result {
	const char *name; /* static */
	bool measured;
	enum feature_state state;        /* if not measured: of what the kernel lacks */
	char reason[FEATURE_REASON_LEN]; /* why not measured */

	uint64_t nr_loops; /* trips of the shorter of the two runs */
	int nr_threads;
	int nr_rounds;
	int nr_loads;      /* times that the programs were loaded anew, and counted */
	int nr_placements; /* addresses modulo a cache line; 0: hidden */
	double median, lo, hi; /* without the loads that are left out */
	double median_all;     /* of all loads */
	double min;            /* of the shortest of the longer runs */
	/* Of each placement or, where those are hidden, of each group of loads. */
	double samples[BENCH_MAX_SAMPLES];
	size_t nr_samples;

	bool is_linear;      /* twice the trips took twice the time, within 5% */
	double nonlinearity; /* how far off, as a share */
	bool is_bimodal;
	double mode_lo, mode_hi;
	double mode_hi_share; /* of the rounds */
	bool is_noisy;        /* the interval is wider than a tenth of the median */

	struct bench_code code;
	struct bench_counter counters[BENCH_MAX_COUNTERS];
	size_t nr_counters;
};

/*
 * What a row's trips cost in each load that counts, in order of time, and at which
 * address modulo a cache line the loop stood then. None where addresses are hidden.
 */
struct bench_loads {
	double ns[BENCH_MAX_LOADS];
	unsigned char placements[BENCH_MAX_LOADS]; /* below BENCH_CACHE_LINE */
	size_t nr;
};

/* The difference of two rows, from rounds in which both ran. */
struct bench_pair {
	const char *name, *than; /* static: name costs so much less than than */
	double saves, saves_lo, saves_hi;
	double ratio, ratio_lo, ratio_hi; /* of name to than */
};

/* What else happened on the CPU meanwhile; NaN, -1: not known. */
struct bench_environment {
	int cpu;
	double steal_percent;
	long nr_switches;      /* involuntary, of the measuring thread */
	long nr_migrations;    /* runs that ended on another CPU than they began on */
	long nr_interrupts;    /* on that CPU */
	double khz_lo, khz_hi; /* of the CPU, where the kernel tells */
	double floor_spread;   /* of the floor's rounds: (q3 - q1) / median */
	int nr_loads;          /* of the programs */
	int nr_disturbed;  /* of these, in which the core was slower; -1: not known */
	bool are_left_out; /* those from the figures; there are others enough */
	double pace_ns;    /* of the line of additions in the fastest load */
};

struct bench_report {
	struct bench_result results[BENCH_MAX_RESULTS];
	struct bench_loads
		loads[BENCH_MAX_RESULTS]; /* of each result; not of a sweep */
	size_t nr_results;
	struct bench_pair pairs[BENCH_MAX_PAIRS];
	size_t nr_pairs;
	struct bench_environment environment;
	bool is_partial;       /* interrupted */
	char verdict[256];     /* why the machine is too noisy to answer; "" */
	char left_out[64];     /* thread counts that there are no CPUs for; "" */
	char no_counters[256]; /* why there are no counters; "" */
	double took_s;
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

/* As in JSON: "bpf_for", …, "clock"; static. */
const char *calibration_price_name(enum calibration_price price);

struct calibration {
	bool done;
	char reason[FEATURE_REASON_LEN]; /* why not done */
	struct bench_result prices[NR_PRICES];
	double took_ms;
};

#endif
