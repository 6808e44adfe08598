/* SPDX-License-Identifier: BSD-2-Clause */
/* Small files: procfs, sysfs and the like. */
#ifndef ITERTRACE_BASE_FILE_H
#define ITERTRACE_BASE_FILE_H

#include <stddef.h>

/*
 * The whole of a file of at most limit bytes, with a NUL added behind it.
 * *ret is the caller's to free; ret_len may be NULL. dirfd is AT_FDCWD or a
 * directory. -EFBIG: longer than limit. Otherwise open's or read's errno.
 */
int file_read(int dirfd, const char *path, size_t limit, char **ret, size_t *ret_len);

/* The first line, without its newline, cut to fit buf. */
int file_read_line(int dirfd, const char *path, char *buf, size_t size);

#endif
