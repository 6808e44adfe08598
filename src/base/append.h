/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ITERTRACE_BASE_APPEND_H
#define ITERTRACE_BASE_APPEND_H

#include <stddef.h>

/*
 * One more to a list of texts in buf, which begins as "", with the separator in
 * front if it is not the first. Cut where there is no more room.
 */
void append_listed(char *buf, size_t size, const char *separator, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

#endif
