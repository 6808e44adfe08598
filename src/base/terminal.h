/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ITERTRACE_BASE_TERMINAL_H
#define ITERTRACE_BASE_TERMINAL_H

#include <stdbool.h>

/* Columns of the terminal behind fd; of $COLUMNS or 120 where it is none. */
int terminal_width(int fd);

/* Is fd a terminal, and NO_COLOR not set (https://no-color.org)? */
bool terminal_has_colour(int fd);

#endif
