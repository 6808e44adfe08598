// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record/keep.h"
#include "record/lines.h"
#include "record/read.h"
#include "record/reader.h"

#define SCHEMA "itertrace."
#define MAJOR  "1"

struct recording {
	struct lines *lines;
	struct names *names;
	bool wants_of_intervals, wants_of_summary; /* sections */
	bool is_ended;                             /* the last line was read */
	bool is_at_end;                            /* end is filled in */
	bool is_limited;                           /* the writer reached its limit */
	uint64_t nr_unknown;            /* lines of kinds that are not known of */
	uint64_t nr_overrun, nr_failed; /* lines that the writer lost */
	struct snapshot snapshot;
	struct bench_report *bench; /* NULL: none was read yet */
	struct recording_head head;
	struct recording_end end;
};

/* All that is read of any line but the head. */
static const char *const keys[] = {
	"schema",  "time_ns", "interval_ns", "loops",
	"tracers", "sites",   "self",        "host_bpf",
	"results", "pairs",   "environment", "partial",
	"verdict", "took_s",  "no_counters", "threads_left_out",
	"overrun", "failed",  "end",         "lines",
	"lost",    NULL,
};

static struct fields fields_of(struct recording *r, struct reason *why)
{
	return (struct fields){
		.path = lines_path(r->lines),
		.line = lines_number(r->lines),
		.names = r->names,
		.why = why,
	};
}

/* ---- a line ------------------------------------------------------------------ */

/* Before it is parsed: what wrote it begins so. */
static bool wants_all(const struct recording *r, const char *text)
{
	static const char summary[] = "{\"schema\":\"itertrace.summary/";

	return strncmp(text, summary, sizeof(summary) - 1) ? r->wants_of_intervals
							   : r->wants_of_summary;
}

/*
 * The next line, parsed, and its kind, of the schema "itertrace.KIND/1". NULL in
 * *ret: there is none.
 */
static int next_line(struct recording *r, bool is_head, json_t **ret, char kind[32],
		     struct reason *why)
{
	struct fields f;
	json_error_t error;
	const char *schema;
	json_t *json;
	size_t len;
	char *text, major[8];
	int err;

	err = lines_next(r->lines, &text, &len, why);
	if (err || !text) {
		*ret = NULL;
		return err;
	}
	f = fields_of(r, why);
	if (!is_head && !wants_all(r, text))
		len = keep_members(text, len, keys);
	json = json_loadb(text, len, JSON_REJECT_DUPLICATES, &error);
	if (!json)
		fields_fail(&f, "it is no JSON at byte %d: %s", error.position,
			    error.text);
	schema = field_needed_name(&f, json_is_object(json) ? json : NULL, "schema");
	if (!f.err && sscanf(schema, SCHEMA "%31[a-z]/%7[0-9]", kind, major) != 2)
		fields_fail(&f, "'%.60s' is no line of a recording", schema);
	else if (!f.err && strcmp(major, MAJOR))
		fields_fail(
			&f,
			"it is of another version than this itertrace reads (%.60s): "
			"read it with the itertrace that wrote it, or a newer one",
			schema);
	if (f.err) {
		json_decref(json);
		return f.err;
	}
	*ret = json;
	return 0;
}

static void take_lost(struct recording *r, struct fields *f, const json_t *line)
{
	r->nr_overrun += field_count(f, line, "overrun");
	r->nr_failed += field_count(f, line, "failed");
}

/* The last line. */
static void take_end(struct recording *r, struct fields *f, const json_t *line)
{
	const char *how = field_needed_name(f, line, "end");
	uint64_t nr = field_count(f, line, "lines");

	r->is_ended = true;
	r->is_limited = !strcmp(how, "limit");
	r->end.is_continued = !strcmp(how, "rotated");
	r->end.nr_lost = field_count(f, line, "lost");
	/* The head and this one aside. */
	if (!f->err && nr != lines_number(r->lines) - 2)
		fields_fail(f,
			    "%llu lines are between it and the head, and %llu were "
			    "written: the file was changed",
			    (unsigned long long)lines_number(r->lines) - 2,
			    (unsigned long long)nr);
}

/* What the caller gets of it; -1: nothing. */
static int take_line(struct recording *r, struct fields *f, const json_t *line,
		     const char *kind)
{
	bool is_summary = !strcmp(kind, "summary");

	if (r->is_ended) {
		fields_fail(f, "it stands behind the last line");
	} else if (is_summary || !strcmp(kind, "snapshot")) {
		snapshot_release(&r->snapshot);
		read_snapshot(f, line,
			      is_summary ? r->wants_of_summary : r->wants_of_intervals,
			      &r->snapshot);
		r->snapshot.summary = is_summary;
		if (r->head.calibration.done)
			r->snapshot.calibration = &r->head.calibration;
		r->end.nr_intervals += !is_summary;
		return is_summary ? RECORD_SUMMARY : RECORD_INTERVAL;
	} else if (!strcmp(kind, "bench")) {
		read_bench(f, line, r->bench);
		return RECORD_BENCH;
	} else if (!strcmp(kind, "lost")) {
		take_lost(r, f, line);
	} else if (!strcmp(kind, "end")) {
		take_end(r, f, line);
	} else if (!strcmp(kind, "recording")) {
		fields_fail(f, "it is the head of another recording");
	} else {
		r->nr_unknown++;
	}
	return -1;
}

/* ---- the end ----------------------------------------------------------------- */

/* Add a sentence to what is missing. */
static void add_loss(struct recording *r, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
static void add_loss(struct recording *r, const char *fmt, ...)
{
	char *loss = r->end.loss;
	size_t size = sizeof(r->end.loss), len = strlen(loss);
	va_list args;

	if (len)
		len += (size_t)snprintf(loss + len, size - len, "; ");
	va_start(args, fmt);
	if (len < size)
		vsnprintf(loss + len, size - len, fmt, args);
	va_end(args);
}

static void finish(struct recording *r)
{
	unsigned long long line = lines_number(r->lines);

	if (r->is_at_end)
		return;
	r->is_at_end = true;
	r->end.is_whole = r->is_ended;
	r->end.nr_bytes = lines_nr_bytes(r->lines);
	if (r->end.nr_lost < r->nr_overrun + r->nr_failed)
		r->end.nr_lost = r->nr_overrun + r->nr_failed;
	if (!r->is_ended && lines_nr_cut(r->lines))
		add_loss(r, "it was cut off in line %llu, of which nothing is read",
			 line + 1);
	else if (!r->is_ended)
		add_loss(r,
			 "it ends behind line %llu without its last: what made it was "
			 "killed, had no room for it, or goes on",
			 line);
	if (r->is_limited)
		add_loss(r, "it reached its limit, and the run went on without it");
	if (r->end.nr_lost)
		add_loss(r,
			 "lines that are missing: %llu; the disk did not take them in "
			 "time (%llu) or at all (%llu)",
			 (unsigned long long)r->end.nr_lost,
			 (unsigned long long)r->nr_overrun,
			 (unsigned long long)(r->end.nr_lost - r->nr_overrun));
	if (r->nr_unknown)
		add_loss(r, "lines of a kind that this itertrace does not know: %llu",
			 (unsigned long long)r->nr_unknown);
}

/* ---- the interface ----------------------------------------------------------- */

static int read_first(struct recording *r, struct reason *why)
{
	struct fields f;
	char kind[32];
	json_t *line;
	int err;

	err = next_line(r, true, &line, kind, why);
	if (err)
		return err;
	if (!line && !lines_nr_cut(r->lines) && lines_is_whole(r->lines))
		return reason_set(why, -EINVAL, "%s is empty: nothing was recorded",
				  lines_path(r->lines));
	if (!line)
		return reason_set(why, -EINVAL,
				  "%s was cut off within its first line: nothing of it "
				  "can be read",
				  lines_path(r->lines));
	f = fields_of(r, why);
	if (strcmp(kind, "recording"))
		fields_fail(&f, "a recording does not begin with a line of kind '%s'",
			    kind);
	else
		read_head(&f, line, &r->head);
	json_decref(line);
	snprintf(r->head.path, sizeof(r->head.path), "%s", lines_path(r->lines));
	return f.err;
}

int recording__open(const char *path, struct recording **ret, struct reason *why)
{
	struct recording *r = calloc(1, sizeof(*r));
	int err;

	if (r)
		r->bench = calloc(1, sizeof(*r->bench));
	if (!r || !r->bench || names__new(&r->names)) {
		recording__close(r);
		return reason_set(why, -ENOMEM, "out of memory");
	}
	err = lines__new(path, &r->lines, why);
	if (!err)
		err = read_first(r, why);
	if (err) {
		recording__close(r);
		return err;
	}
	*ret = r;
	return 0;
}

void recording__close(struct recording *r)
{
	if (!r)
		return;
	snapshot_release(&r->snapshot);
	lines__free(r->lines);
	names__free(r->names);
	free(r->bench);
	free(r);
}

void recording_want_sections(struct recording *r, bool of_intervals, bool of_summary)
{
	r->wants_of_intervals = of_intervals;
	r->wants_of_summary = of_summary;
}

const struct recording_head *recording_head(const struct recording *r)
{
	return &r->head;
}

int recording_next(struct recording *r, const struct snapshot **ret_snapshot,
		   const struct bench_report **ret_bench, struct reason *why)
{
	struct fields f;
	char kind[32];
	json_t *line;
	int err, found = -1;

	while (found < 0) {
		err = next_line(r, false, &line, kind, why);
		if (err)
			return err;
		if (!line) {
			finish(r);
			return RECORD_END;
		}
		f = fields_of(r, why);
		found = take_line(r, &f, line, kind);
		json_decref(line);
		if (f.err)
			return f.err;
	}
	*ret_snapshot = &r->snapshot;
	*ret_bench = r->bench;
	return found;
}

void recording_take_snapshot(struct recording *r, struct snapshot *ret)
{
	*ret = r->snapshot;
	r->snapshot.nr_sections = 0;
}

const struct recording_end *recording_end(const struct recording *r)
{
	return &r->end;
}
