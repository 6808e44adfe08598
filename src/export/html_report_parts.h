/* SPDX-License-Identifier: BSD-2-Clause */
/* The tables of a recording's page, a section each; nothing where there is nothing. */
#ifndef ITERTRACE_EXPORT_HTML_REPORT_PARTS_H
#define ITERTRACE_EXPORT_HTML_REPORT_PARTS_H

#include <stdio.h>

#include "model/report.h"

void html_report_bench(FILE *out, const struct report *r);

/* What loops cost, each name a link to its figures. */
void html_report_sites(FILE *out, const struct report *r);

/* What tracers saw, what they had to say, and what all of it cost. */
void html_report_tracers(FILE *out, const struct report *r);

/* Calibration. */
void html_report_prices(FILE *out, const struct recording_head *head);

/* What the kernel inlines. */
void html_report_features(FILE *out, const struct recording_head *head);

#endif
