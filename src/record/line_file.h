/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Lines appended to a gzip file, each of which can be read as soon as it was
 * written, whatever happens then. What could not be written whole is taken back:
 * the file ends with the last whole line at any time. One thread.
 */
#ifndef ITERTRACE_RECORD_LINE_FILE_H
#define ITERTRACE_RECORD_LINE_FILE_H

#include <stddef.h>
#include <stdint.h>

struct line_file;

/* Begins the file at fd's start, which becomes its own; -errno, and fd is not. */
int line_file__new(int fd, struct line_file **ret);

/*
 * Append the text, which ends in a newline. limit: what the file may
 * grow to, LINE_FILE_TRAILER aside. -EFBIG: it would grow beyond. Or write's
 * errno. On failure the file is as it was, and the next line may fare better.
 */
int line_file_add(struct line_file *f, const char *text, size_t len, uint64_t limit);

/* Bytes on disk. */
uint64_t line_file_size(const struct line_file *f);

/* Let them reach the disk. -errno. */
int line_file_sync(struct line_file *f);

/* What ends the file takes, at most. */
#define LINE_FILE_TRAILER 16

/* End the gzip stream, so that the whole file can be checked. NULL is fine. */
int line_file__close(struct line_file *f);

#endif
