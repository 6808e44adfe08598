// SPDX-License-Identifier: BSD-2-Clause
#include <stdarg.h>
#include <stdio.h>

#include "base/log.h"

static enum log_level max_level = LOG_LEVEL_INFO;

void log_set_level(enum log_level level)
{
	max_level = level;
}

enum log_level log_level(void)
{
	return max_level;
}

void log_print(enum log_level level, const char *fmt, ...)
{
	va_list ap;

	if (level > max_level)
		return;
	flockfile(stderr);
	fputs(level == LOG_LEVEL_WARN ? "itertrace: warning: " : "itertrace: ", stderr);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	putc('\n', stderr);
	funlockfile(stderr);
}
