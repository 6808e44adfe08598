/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a tracer has to say, as tables with typed columns: one description
 * feeds the text report, JSON and metrics. Owns its cells' texts.
 */
#ifndef ITERTRACE_MODEL_TABLE_H
#define ITERTRACE_MODEL_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum column_kind {
	COLUMN_TEXT,
	COLUMN_LIST, /* of texts */
	COLUMN_COUNT,
	COLUMN_NUMBER, /* an identifier, such as a pid: no thousands separators */
	COLUMN_NS,
	COLUMN_FLAG,
};

struct column {
	const char *key;   /* in JSON; durations end in _ns */
	const char *title; /* in the text report; NULL: not shown there */
	enum column_kind kind;
	int rank; /* on a narrow terminal the highest go first; 0: never */
};

struct cell {
	bool present; /* false: no figure, null in JSON */
	union {
		uint64_t number; /* count, number, ns, flag */
		char *text;
		char **list; /* NULL-terminated */
	};
};

struct table {
	const char *key; /* in JSON, under the tracer's name */
	const char *title;
	const struct column *columns;
	size_t nr_columns;
	struct cell *cells; /* row by row */
	size_t nr_rows;
	uint64_t nr_unlisted; /* rows left out to stay within bounds */
};

void table_init(struct table *t, const char *key, const char *title,
		const struct column *columns, size_t nr_columns);
void table_release(struct table *t);

/* A new row with all cells absent; NULL: out of memory, counted as unlisted. */
struct cell *table_add_row(struct table *t);

void cell_set_number(struct cell *c, uint64_t number);

/* Take ownership; NULL leaves the cell absent. */
void cell_set_text(struct cell *c, char *text);
void cell_set_list(struct cell *c, char **list);

/* A single figure of a tracer; in JSON always. */
struct total {
	const char *key;
	const char *title; /* in the text report */
	enum total_visibility {
		TOTAL_SHOWN,
		TOTAL_SHOWN_IF_ANY,
		TOTAL_HIDDEN
	} visibility;
	uint64_t value;
};

/*
 * How long things took, by powers of two: durations[0] counts those below 2^10 ns
 * (about 1 us), durations[c] those below 2^(10 + c) ns and not in the classes before,
 * the last one all that took longer.
 */
#define DURATION_CLASSES    24
#define DURATION_FIRST_LOG2 10

struct durations {
	const char *key;   /* in JSON, with _log2 behind it; a word: "wait" */
	const char *title; /* what took so long */
	uint64_t classes[DURATION_CLASSES];
	uint64_t sum_ns;
};

/* Of two stretches of time; keys and titles stay. */
void durations_add(struct durations *to, const struct durations *more);

#define SECTION_MAX_TABLES 2
#define SECTION_MAX_TOTALS 6

struct section {
	const char *tracer;
	struct total totals[SECTION_MAX_TOTALS];
	size_t nr_totals;
	struct table tables[SECTION_MAX_TABLES];
	size_t nr_tables;
	struct durations durations; /* key NULL: none */
	uint64_t nr_unlisted; /* rows left out of the tables of the time it covers */
};

void section_add_total(struct section *s, const char *key, const char *title,
		       enum total_visibility visibility, uint64_t value);
struct table *section_add_table(struct section *s, const char *key, const char *title,
				const struct column *columns, size_t nr_columns);
void section_release(struct section *s);

#endif
