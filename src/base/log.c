// SPDX-License-Identifier: BSD-2-Clause
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

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

/* JOURNAL_STREAM is "DEVICE:INODE" of the stream that the journal reads, see
 * systemd.exec(5); a child with another stderr inherits the variable too. */
static bool goes_to_the_journal(void)
{
	const char *stream = getenv("JOURNAL_STREAM");
	unsigned long long device, inode;
	struct stat st;

	return stream && sscanf(stream, "%llu:%llu", &device, &inode) == 2 &&
	       !fstat(fileno(stderr), &st) && st.st_dev == device && st.st_ino == inode;
}

void log_print(enum log_level level, const char *fmt, ...)
{
	/* Of syslog(3), as sd-daemon(3) has them; the journal knows who speaks. */
	static const char *const prefixes[] = {
		[LOG_LEVEL_ERROR] = "<3>",
		[LOG_LEVEL_WARN] = "<4>",
		[LOG_LEVEL_INFO] = "<6>",
		[LOG_LEVEL_DEBUG] = "<7>",
	};
	va_list ap;

	if (level > max_level)
		return;
	flockfile(stderr);
	if (goes_to_the_journal())
		fputs(prefixes[level], stderr);
	else
		fputs(level == LOG_LEVEL_WARN ? "itertrace: warning: " : "itertrace: ",
		      stderr);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	putc('\n', stderr);
	funlockfile(stderr);
}
