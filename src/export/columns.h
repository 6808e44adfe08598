/* SPDX-License-Identifier: BSD-2-Clause */
/* Text in columns that fit their contents. */
#ifndef ITERTRACE_EXPORT_COLUMNS_H
#define ITERTRACE_EXPORT_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct columns;

/* titles: nr of them, static. right[i]: figures, set flush right. NULL: out of memory.
 */
struct columns *columns__new(size_t nr, const char *const *titles, const bool *right);
void columns__free(struct columns *c); /* NULL is fine */

/* Take the next cell, row by row; a copy is made. NULL stands as "-". */
void columns_add(struct columns *c, const char *text);

/*
 * Which columns may be left out where the line is too narrow for all: that with
 * the highest rank goes first, one of rank 0 never. nr of them, static.
 */
void columns_set_ranks(struct columns *c, const int *ranks);

/*
 * indent: spaces in front. width: of the line, into which the last column is cut
 * to fit; 0: it is not. Other columns are cut where a cell is very long.
 */
void columns_print(const struct columns *c, FILE *out, int indent, int width);

#endif
