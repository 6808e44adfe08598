/* SPDX-License-Identifier: BSD-2-Clause */
/* A comparison as a page of HTML. */
#ifndef ITERTRACE_EXPORT_HTML_COMPARE_H
#define ITERTRACE_EXPORT_HTML_COMPARE_H

#include <stdio.h>

#include "model/comparison.h"

/*
 * The verdict; what else differs; a row each; what the new kernel buys; each
 * row's figures; what has no row; who took part. -ENOMEM, or -EIO if it could
 * not be written.
 */
int html_compare(FILE *out, const struct comparison *c);

#endif
