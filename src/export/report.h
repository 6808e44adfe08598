/* SPDX-License-Identifier: BSD-2-Clause */
/* The views of a recording as a whole. */
#ifndef ITERTRACE_EXPORT_REPORT_H
#define ITERTRACE_EXPORT_REPORT_H

#include <jansson.h>
#include <stdio.h>

#include "model/report.h"

#define REPORT_SCHEMA "itertrace.report/1"

/* width: columns to fill. */
void report_print(FILE *out, const struct report *r, int width);

/* A new reference; NULL: out of memory. */
json_t *report_to_json(const struct report *r);

#endif
