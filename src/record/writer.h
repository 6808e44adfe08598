/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Writes a recording, see itertrace-recording(5): gzip of JSON lines, each on its
 * way to the disk as soon as it is taken. A thread of its own writes, so that no
 * disk holds up who records; what it is behind with is bounded, and what does not
 * fit is counted, and said in the recording and to the caller. Knows nothing of
 * what the lines say. Does not log.
 *
 *	recorder__new -> recorder_start -> recorder_add ... -> recorder__close
 */
#ifndef ITERTRACE_RECORD_WRITER_H
#define ITERTRACE_RECORD_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/reason.h"

/* A file of a directory is an eighth of what all may hold. */
#define RECORDER_FILES     8
#define RECORDER_MIN_BYTES (256 << 10)

struct recorder;

struct recorder_options {
	const char *path; /* a new file; or a directory: a file a start there */
	const char *host, *release; /* for names in a directory */
	uint64_t time_ns;           /* of the start, CLOCK_REALTIME; likewise */
	uint64_t
		max_bytes; /* of the file; of all files of this host in the directory */
	uint64_t max_age_ns; /* of a file in a directory, then another is begun */
	bool force;          /* overwrite the file */
};

/*
 * Open the directory, or what will be the file: with the rights that the process has now.
 * -errno and a sentence; then *ret is untouched.
 */
int recorder__new(const struct recorder_options *options, struct recorder **ret,
		  struct reason *why);

/*
 * Start the thread, which writes the head, a JSON object without a newline, before this
 * returns: call it before capabilities are dropped, which go by thread; it keeps none.
 * Every file begins with the head, to which the member "part" is added. In a directory of
 * another user's files are that user's, as place_act_as_owner() says. -errno and a sentence.
 */
int recorder_start(struct recorder *r, const char *head, struct reason *why);

/* Take a copy of a line, that ends in its newline. Never waits for the disk. */
void recorder_add(struct recorder *r, const char *line, size_t len);

/* Something happened that should be said: true once for each, with a sentence. */
bool recorder_news(struct recorder *r, struct reason *ret);

/*
 * Write what is taken, which may take 10 s and no more, and the last line, and free
 * r; there is none without a head. is_done: the run ended as it should. NULL is
 * fine. -EIO and a sentence: lines are missing.
 */
int recorder__close(struct recorder *r, bool is_done, struct reason *why);

#endif
