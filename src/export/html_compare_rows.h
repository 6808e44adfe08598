/* SPDX-License-Identifier: BSD-2-Clause */
/* The rows of a comparison, as sections of its page. */
#ifndef ITERTRACE_EXPORT_HTML_COMPARE_ROWS_H
#define ITERTRACE_EXPORT_HTML_COMPARE_ROWS_H

#include <stdio.h>

#include "model/comparison.h"

/* Its name and its sign, coloured. */
void html_verdict(FILE *out, const char *tag, enum verdict v);

/* A table, the shifts drawn in it. */
void html_compare_rows(FILE *out, const struct comparison *c);

/* CPU time that is saved, or lost. */
void html_compare_buys(FILE *out, const struct comparison *c);

/* What each row's values are like. -ENOMEM. */
int html_compare_figures(FILE *out, const struct comparison *c);

#endif
