/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The lines of a gzip file, one at a time and in bounded memory: at most
 * RECORDING_MAX_LINE bytes each, or it is an error.
 */
#ifndef ITERTRACE_RECORD_LINES_H
#define ITERTRACE_RECORD_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/reason.h"

struct lines;

/* The path is copied. On failure *ret is untouched. */
int lines__new(const char *path, struct lines **ret, struct reason *why);
void lines__free(struct lines *l); /* NULL is fine */

/*
 * The next line without its newline, to be changed at will until the next call; NULL
 * at the end. -EINVAL: the file is damaged, or no gzip file. Or read's errno.
 */
int lines_next(struct lines *l, char **ret, size_t *ret_len, struct reason *why);

const char *lines_path(const struct lines *l);
uint64_t lines_number(const struct lines *l);   /* of the line last given, from 1 */
uint64_t lines_nr_bytes(const struct lines *l); /* of text */

/* After the end. Does the gzip stream have its end? How many bytes of a line are lost? */
bool lines_is_whole(const struct lines *l);
size_t lines_nr_cut(const struct lines *l);

#endif
