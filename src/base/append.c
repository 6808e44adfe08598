// SPDX-License-Identifier: BSD-2-Clause
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/append.h"

void append_listed(char *buf, size_t size, const char *separator, const char *fmt, ...)
{
	size_t at = strlen(buf);
	va_list ap;

	if (at) {
		snprintf(buf + at, size - at, "%s", separator);
		at += strlen(buf + at);
	}
	va_start(ap, fmt);
	vsnprintf(buf + at, size - at, fmt, ap);
	va_end(ap);
}
