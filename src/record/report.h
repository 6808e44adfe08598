/* SPDX-License-Identifier: BSD-2-Clause */
/* From a recording to its report. */
#ifndef ITERTRACE_RECORD_REPORT_H
#define ITERTRACE_RECORD_REPORT_H

#include "base/reason.h"
#include "model/report.h"
#include "record/reader.h"

/*
 * Read all of a recording that was opened. What ret says lives as long as the
 * recording; report_release() it. A negative errno and a sentence; then there is
 * nothing to release.
 */
int report_read(struct recording *recording, struct report *ret, struct reason *why);

/* The steps of it. {0} is an empty report; intervals come in order. */
void report_add_interval(struct report *r, const struct snapshot *interval);
void report_finish(struct report *r);

#endif
