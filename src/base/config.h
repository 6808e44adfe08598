/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Configuration files: "name = value" lines in one section, as inih reads them;
 * comments begin with '#' or ';'. What a name means is the caller's. Pure but for
 * the file; does not log.
 */
#ifndef ITERTRACE_BASE_CONFIG_H
#define ITERTRACE_BASE_CONFIG_H

#include <stdbool.h>

#include "base/reason.h"

/* The longest line, which is what inih holds. */
#define CONFIG_MAX_LINE 198

/* 0; -ENOENT: no such name; another errno: why says what is wrong with the value. */
typedef int (*config_take)(void *context, const char *name, const char *value,
			   struct reason *why);

/*
 * Hand every line of [section] to take, in order. A line that is wrong, a name that
 * is unknown or was given before, and any other section are errors, -EINVAL, that
 * name file and line; what came before them was taken. Otherwise open's or read's
 * errno.
 */
int config_read(const char *path, const char *section, config_take take, void *context,
		struct reason *why);

/* "yes", "no", "true", "false", "on", "off". -EINVAL: another word. */
int config_parse_flag(const char *text, bool *ret);

#endif
