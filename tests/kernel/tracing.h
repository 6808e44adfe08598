/* SPDX-License-Identifier: BSD-2-Clause */
/* A session with a single tracer, and what its snapshots say. */
#ifndef ITERTRACE_TESTS_TRACING_H
#define ITERTRACE_TESTS_TRACING_H

#include "host.h"

#include "base/time.h"
#include "kernel/libbpf_log.h"
#include "trace/session.h"

static inline struct session *start_tracing(const char *tracer, int loops,
					    uint32_t argv_max)
{
	struct trace_options options = {
		.loops = loops,
		.argv_max = argv_max,
		.interval_ns = NSEC_PER_SEC,
	};
	struct session *s = NULL;
	struct tracer_status status;
	struct probe *probe = NULL;
	struct reason why = {""};
	size_t row;
	int err;

	skip_unless_root();
	assert_int_equal(tracer_find(tracer, &row), 0);
	options.tracers = 1U << row;
	assert_int_equal(probe__new(&probe, &why), 0);
	err = session__new(&options, probe, &s, &why);
	probe__free(probe);
	if (err == -ENOTSUP) {
		print_message("%s\n", why.text);
		skip();
	}
	if (err)
		fail_msg("%s", why.text);
	session_status(s, row, &status);
	/* A host of cgroups of version 1 is none of its business. */
	if (!status.on ||
	    (status.reason[0] && !strstr(status.reason, "without cgroups")))
		fail_msg("the tracer is %s: %s", status.on ? "on" : "off",
			 status.reason);
	return s;
}

static inline void take_snapshot(struct session *s, bool summary, struct snapshot *ret)
{
	struct reason why = {""};

	if (session_snapshot(s, summary, ret, &why))
		fail_msg("%s", why.text);
	assert_int_equal(ret->nr_sections, 1);
}

static inline uint64_t total_of(const struct snapshot *s, const char *key)
{
	const struct section *section = &s->sections[0];
	size_t i;

	for (i = 0; i < section->nr_totals; i++)
		if (!strcmp(section->totals[i].key, key))
			return section->totals[i].value;
	fail_msg("there is no total %s", key);
	return 0;
}

/* Of the one tracer that is on. */
static inline uint64_t lost_of(const struct snapshot *s, const char *cause)
{
	size_t i, j;

	for (i = 0; i < s->nr_tracers; i++)
		for (j = 0; s->tracers[i].on && j < s->tracers[i].nr_lost; j++)
			if (!strcmp(s->tracers[i].lost[j].cause, cause))
				return s->tracers[i].lost[j].nr;
	fail_msg("no loss is called %s", cause);
	return 0;
}

static inline const struct table *table_of(const struct snapshot *s, const char *key)
{
	const struct section *section = &s->sections[0];
	size_t i;

	for (i = 0; i < section->nr_tables; i++)
		if (!strcmp(section->tables[i].key, key))
			return &section->tables[i];
	fail_msg("there is no table %s", key);
	return NULL;
}

static inline const struct cell *cell_of(const struct table *t, size_t row,
					 const char *key)
{
	size_t i;

	for (i = 0; i < t->nr_columns; i++)
		if (!strcmp(t->columns[i].key, key))
			return &t->cells[row * t->nr_columns + i];
	fail_msg("there is no column %s", key);
	return NULL;
}

static inline uint64_t number_in(const struct table *t, size_t row, const char *key)
{
	const struct cell *c = cell_of(t, row, key);

	if (!c->present)
		fail_msg("row %zu has no %s", row, key);
	return c->number;
}

static inline const char *text_in(const struct table *t, size_t row, const char *key)
{
	const struct cell *c = cell_of(t, row, key);

	if (!c->present)
		fail_msg("row %zu has no %s", row, key);
	return c->text;
}

/* The next row from the given one on whose number is that; nr_rows: none. */
static inline size_t find_number(const struct table *t, size_t from, const char *key,
				 uint64_t number)
{
	const struct cell *c;
	size_t row;

	for (row = from; row < t->nr_rows; row++) {
		c = cell_of(t, row, key);
		if (c->present && c->number == number)
			break;
	}
	return row;
}

static inline size_t find_text(const struct table *t, const char *key, const char *text)
{
	const struct cell *c;
	size_t row;

	for (row = 0; row < t->nr_rows; row++) {
		c = cell_of(t, row, key);
		if (c->present && !strcmp(c->text, text))
			break;
	}
	return row;
}

#endif
