/* SPDX-License-Identifier: BSD-2-Clause */
/* A comparison as text for people, and as JSON. */
#ifndef ITERTRACE_EXPORT_COMPARE_H
#define ITERTRACE_EXPORT_COMPARE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "model/comparison.h"

#define COMPARE_SCHEMA "itertrace.compare/1"

/* A new reference; NULL: out of memory. */
json_t *compare_to_json(const struct comparison *c);

/*
 * What differs beside the kernel; a row each, differences first; what the new
 * kernel buys; what has no row; warnings; the verdict in a sentence. width: as
 * columns_print().
 */
void compare_print(FILE *out, const struct comparison *c, int width, bool is_coloured);

#endif
