/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The table of workloads. A further one is a file in bpf/bench/, a line in
 * bpf/bench.bpf.c, and a row in workload.c; a further shape too.
 */
#ifndef ITERTRACE_BENCH_WORKLOAD_H
#define ITERTRACE_BENCH_WORKLOAD_H

#include <stdbool.h>
#include <stddef.h>

enum workload_id {
	WORKLOAD_BPF_FOR,
	WORKLOAD_BPF_FOR_CONST,
	WORKLOAD_BPF_REPEAT,
	WORKLOAD_BPF_LOOP,
	WORKLOAD_BPF_LOOP_INDIRECT,
	WORKLOAD_CAN_LOOP,
	WORKLOAD_BOUNDED,
	WORKLOAD_FLOOR,
	WORKLOAD_SHAPE_V3,
	WORKLOAD_SHAPE_7_3,
	WORKLOAD_SHAPE_ITERTRACE,
	WORKLOAD_GLOB_ARR_INC,
	WORKLOAD_ARR_INC,
	WORKLOAD_HASH_INC,
	WORKLOAD_SMP_ID,
	NR_LISTED_WORKLOADS, /* what "itertrace bench" shows; the rest is for ourselves */

	WORKLOAD_CLOCK = NR_LISTED_WORKLOADS,
	WORKLOAD_PACE,
	WORKLOAD_PLAIN_LOOP,
	WORKLOAD_SITE_LOOP,
	NR_WORKLOADS,
};

/* Bit n is workload n. */
typedef unsigned int workload_set;
#define WORKLOAD_BIT(id) (1U << (id))
#define WORKLOADS_LISTED (WORKLOAD_BIT(NR_LISTED_WORKLOADS) - 1)
/* What tells of the core itself; they are measured beside whatever is asked for. */
#define WORKLOADS_OF_THE_CORE \
	(WORKLOAD_BIT(WORKLOAD_FLOOR) | WORKLOAD_BIT(WORKLOAD_PACE))

#define WORKLOAD_MAX_NEEDS 2

struct workload {
	const char *name;
	const char *what;
	const char *program;
	const char *needs[WORKLOAD_MAX_NEEDS]; /* rows of the table of constructs */
	unsigned int batch; /* trips for each nr that the program is told */
	bool counts_trips;  /* the program sees how many trips it made */
};

extern const struct workload workloads[NR_WORKLOADS];

/* -EINVAL: no such workload, or not a listed one. */
int workload_find(const char *name, enum workload_id *ret);

#endif
