/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the tracers' sections look like: their tables' columns and their totals. One
 * description serves the tracer that fills a section in, and who reads it back.
 */
#ifndef ITERTRACE_MODEL_SECTIONS_H
#define ITERTRACE_MODEL_SECTIONS_H

#include "model/table.h"

enum process_column {
	PROC_PID,
	PROC_PPID,
	PROC_UID,
	PROC_COMM,
	PROC_LIFETIME,
	PROC_EXIT,
	PROC_SIGNAL,
	PROC_STATUS,
	PROC_CGROUP,
	PROC_ANCESTRY,
	PROC_ANCESTRY_CUT,
	PROC_ARGV,
	PROC_ARGV_BYTES,
	PROC_ARGV_CUT,
	PROC_TIME,
};

enum cgroup_column {
	CG_PATH,
	CG_WAITS,
	CG_P50,
	CG_P99,
	CG_MAX,
	CG_WAIT,
	CG_OFF,
	CG_ID
};

enum call_column {
	CALL_NAME,
	CALL_COUNT,
	CALL_ERRORS,
	CALL_TOTAL,
	CALL_MEAN,
	CALL_MAX
};

enum slow_column { SLOW_NS, SLOW_NAME, SLOW_PID, SLOW_COMM };

struct table_description {
	const char *key, *title;
	const struct column *columns;
	size_t nr_columns;
};

struct section_description {
	const char *tracer;
	const struct total *totals; /* without values */
	size_t nr_totals;
	const struct table_description *tables;
	size_t nr_tables;
};

/* NULL: none is known of. */
const struct section_description *section_describe(const char *tracer);

/* Add what the description of the section's tracer has under the key; NULL: nothing. */
struct table *section_add_known_table(struct section *s, const char *key);
void section_add_known_total(struct section *s, const char *key, uint64_t value);

#endif
