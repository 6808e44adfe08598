/* SPDX-License-Identifier: BSD-2-Clause */
/* --html FILE, of the commands that have it. */
#ifndef ITERTRACE_CMD_PAGE_H
#define ITERTRACE_CMD_PAGE_H

#include <stdio.h>

#include "base/reason.h"

/*
 * Have print write a page of what, in place of path or not at all: it appears when it
 * is whole. -errno.
 */
int page_write(const char *path, int (*print)(FILE *out, const void *what),
	       const void *what, struct reason *why);

#endif
