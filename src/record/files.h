/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The files of a recording, one after the other: each with the head in front and,
 * if it could be ended, a last line that says how. One thread; may wait for the disk.
 */
#ifndef ITERTRACE_RECORD_FILES_H
#define ITERTRACE_RECORD_FILES_H

#include "record/writer.h"

struct recording_files;

/* As recorder__new(). */
int recording_files__new(const struct recorder_options *options,
			 struct recording_files **ret, struct reason *why);

/* Of the calling thread: see place_act_as_owner(). */
void recording_files_act_as_owner(const struct recording_files *f);

/* The first file. head is copied. -errno and a sentence. */
int recording_files_begin(struct recording_files *f, const char *head,
			  struct reason *why);

/*
 * Lines that were lost, by cause, since the last call; they are named in the file
 * before the next line.
 */
void recording_files_lose(struct recording_files *f, uint64_t nr_overrun,
			  uint64_t nr_failed);

/*
 * 0; -EFBIG: the file's limit is reached, and no more lines are taken; or why this
 * line is lost.
 */
int recording_files_add(struct recording_files *f, const char *line, size_t len);

/* A file that was never begun is removed. -errno: the last line did not arrive. NULL is fine. */
int recording_files__close(struct recording_files *f, bool is_done);

#endif
