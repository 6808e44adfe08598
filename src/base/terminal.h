/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ITERTRACE_BASE_TERMINAL_H
#define ITERTRACE_BASE_TERMINAL_H

#include <stdbool.h>

/* Columns of the terminal behind fd; $COLUMNS, or else otherwise, where it is none. */
int terminal_width(int fd, int otherwise);

/* Is fd a terminal that has colours, and NO_COLOR not set (no-color.org)? */
bool terminal_has_colour(int fd);

#endif
