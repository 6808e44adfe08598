/* SPDX-License-Identifier: BSD-2-Clause */
/* The views of a benchmark's report. */
#ifndef ITERTRACE_EXPORT_BENCH_H
#define ITERTRACE_EXPORT_BENCH_H

#include <jansson.h>
#include <stdio.h>

#include "model/bench.h"
#include "model/identity.h"

#define BENCH_SCHEMA "itertrace.bench/1"

/* A new reference; NULL: out of memory. */
json_t *bench_to_json(const struct identity *id, const struct bench_report *r);

/* A row a workload, the pairs, what else happened, the verdict. */
void bench_print(FILE *out, const struct bench_report *r, int width);

/* A table a number of threads: trips of a loop down, constructs across. */
void bench_print_sweep(FILE *out, const struct bench_report *r, int width);

#endif
