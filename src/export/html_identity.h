/* SPDX-License-Identifier: BSD-2-Clause */
/* Which kernel, on which machine, as tables of a page: a column a side. */
#ifndef ITERTRACE_EXPORT_HTML_IDENTITY_H
#define ITERTRACE_EXPORT_HTML_IDENTITY_H

#include <stddef.h>
#include <stdio.h>

#include "model/recording.h"

/*
 * names: over the columns, nr of them. Rows that no head has a text for are left
 * out; where columns differ, the row is marked.
 */
void html_identity(FILE *out, const struct recording_head *const *heads,
		   const char *const *names, size_t nr);

#endif
