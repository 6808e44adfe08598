/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Reads a recording (gzip of JSON lines, see itertrace-recording(5)) as a stream:
 * memory does not grow with its length, whatever the file holds.
 *
 * A file that was cut, by SIGKILL, a full disk or loss of power, is read up to the
 * last whole line, and recording_end() says what is missing. A line that is
 * wrong is an error that names file and line.
 */
#ifndef ITERTRACE_RECORD_READER_H
#define ITERTRACE_RECORD_READER_H

#include <stdbool.h>

#include "base/reason.h"
#include "model/bench.h"
#include "model/recording.h"
#include "model/snapshot.h"

struct recording;

/*
 * Opens the file and reads its head. -EINVAL: it is no recording, or of a newer
 * major schema; otherwise open's or read's errno; why names the file and line.
 * On failure *ret is untouched.
 */
int recording__open(const char *path, struct recording **ret, struct reason *why);
void recording__close(struct recording *r); /* NULL is fine */

/*
 * From now on, read the sections of these too: the tracers' tables, which are most of a
 * recording. Without that they are passed over without a look.
 */
void recording_want_sections(struct recording *r, bool of_intervals, bool of_summary);

/* As long as r lives. */
const struct recording_head *recording_head(const struct recording *r);

enum record_kind {
	RECORD_INTERVAL, /* *ret_snapshot */
	RECORD_SUMMARY,  /* *ret_snapshot */
	RECORD_BENCH,    /* *ret_bench */
	RECORD_END,
};

/*
 * The next record; its kind, or a negative errno with a sentence. What it points to
 * is valid until the next call. Names in it live as long as r, and equal names
 * of one recording are the same pointer.
 */
int recording_next(struct recording *r, const struct snapshot **ret_snapshot,
		   const struct bench_report **ret_bench, struct reason *why);

/*
 * Take what the last RECORD_INTERVAL or RECORD_SUMMARY pointed to: it stays valid as
 * long as r, and is released with snapshot_release().
 */
void recording_take_snapshot(struct recording *r, struct snapshot *ret);

/* After RECORD_END. */
const struct recording_end *recording_end(const struct recording *r);

#endif
