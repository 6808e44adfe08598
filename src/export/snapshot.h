/* SPDX-License-Identifier: BSD-2-Clause */
/* The two views of a snapshot that a run prints. */
#ifndef ITERTRACE_EXPORT_SNAPSHOT_H
#define ITERTRACE_EXPORT_SNAPSHOT_H

#include <jansson.h>
#include <stdio.h>

#include "model/snapshot.h"

/*
 * "itertrace.snapshot/1", or "itertrace.summary/1" for the whole run. A new
 * reference; NULL: out of memory.
 */
json_t *snapshot_to_json(const struct snapshot *s);

/* Its "tracers" alone. */
json_t *tracers_to_json(const struct snapshot *s);

/* width: columns to fill; the last column of a table is cut there. 0: never cut. */
void snapshot_print(FILE *out, const struct snapshot *s, int width);

#endif
