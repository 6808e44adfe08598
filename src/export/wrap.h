/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ITERTRACE_EXPORT_WRAP_H
#define ITERTRACE_EXPORT_WRAP_H

#include <stdio.h>

/*
 * Words of text in lines of at most width columns, each line but the first
 * indented. What stands in `back quotes` is one word: a command stays whole, if
 * need be on a line that is too long.
 */
void wrap_print(FILE *out, const char *text, int indent, int width);

#endif
