// SPDX-License-Identifier: BSD-2-Clause
#include <bpf/libbpf.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "kernel/libbpf_log.h"

#define KEPT_BYTES 8192

static _Thread_local char kept[KEPT_BYTES];
static _Thread_local size_t kept_len;

/* Append text, dropping what is oldest. */
static void keep(const char *text, size_t len)
{
	size_t room = KEPT_BYTES - 1, over;

	if (len > room) {
		text += len - room;
		len = room;
	}
	if (kept_len + len > room) {
		over = kept_len + len - room;
		memmove(kept, kept + over, kept_len - over);
		kept_len -= over;
	}
	memcpy(kept + kept_len, text, len);
	kept_len += len;
	kept[kept_len] = '\0';
}

static void log_lines(char *text)
{
	char *line, *rest = text;

	while ((line = strsep(&rest, "\n"))) {
		if (line[0])
			log_debug("%s", line);
	}
}

static int print(enum libbpf_print_level level, const char *fmt, va_list ap)
{
	char *text;
	int len;

	if (level == LIBBPF_DEBUG && log_level() < LOG_LEVEL_DEBUG)
		return 0;
	len = vasprintf(&text, fmt, ap);
	if (len < 0)
		return 0;
	if (level != LIBBPF_DEBUG)
		keep(text, (size_t)len);
	if (log_level() >= LOG_LEVEL_DEBUG)
		log_lines(text);
	free(text);
	return len;
}

void libbpf_log_init(void)
{
	libbpf_set_print(print);
}

void libbpf_log_clear(void)
{
	kept_len = 0;
	kept[0] = '\0';
}

const char *libbpf_log_text(void)
{
	return kept;
}

void libbpf_log_verifier(const char *log)
{
	char *copy;

	if (log_level() < LOG_LEVEL_DEBUG)
		return;
	copy = strdup(log);
	if (copy)
		log_lines(copy);
	free(copy);
}
