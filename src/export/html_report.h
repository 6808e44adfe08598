/* SPDX-License-Identifier: BSD-2-Clause */
/* A recording as a page of HTML. */
#ifndef ITERTRACE_EXPORT_HTML_REPORT_H
#define ITERTRACE_EXPORT_HTML_REPORT_H

#include <stdio.h>

#include "model/report.h"

/* -ENOMEM, or -EIO if it could not be written. */
int html_report(FILE *out, const struct report *r);

#endif
