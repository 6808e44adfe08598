/* SPDX-License-Identifier: BSD-2-Clause */
/* A line's JSON as the plain data that it was made from. Errors are left in f. */
#ifndef ITERTRACE_RECORD_READ_H
#define ITERTRACE_RECORD_READ_H

#include "model/bench.h"
#include "model/recording.h"
#include "model/snapshot.h"
#include "record/fields.h"

void read_identity(struct fields *f, const json_t *kernel, struct identity *ret);

/* All but the path. */
void read_head(struct fields *f, const json_t *line, struct recording_head *ret);

/* The sections of the tracers that are on; of read_snapshot(). */
void read_sections(struct fields *f, const json_t *line, struct snapshot *ret);

/* Without the tracers' sections, if they are not wanted. Release with snapshot_release(). */
void read_snapshot(struct fields *f, const json_t *line, bool wants_sections,
		   struct snapshot *ret);

void read_bench(struct fields *f, const json_t *line, struct bench_report *ret);

#endif
