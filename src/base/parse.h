/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Option values. Every function takes the whole string or nothing, refuses
 * signs, white space, overflow and values outside [min, max], leaves *ret
 * untouched on failure, and returns -EINVAL or -ERANGE with a sentence that
 * names the option ("--interval").
 */
#ifndef ITERTRACE_BASE_PARSE_H
#define ITERTRACE_BASE_PARSE_H

#include <stdint.h>

#include "base/reason.h"

int parse_uint(const char *option, const char *text, uint64_t min, uint64_t max,
	       uint64_t *ret, struct reason *why);

/* "250ms", "10s", "5m", "2h", "1d"; a bare number is seconds. min and max in ns. */
int parse_duration_ns(const char *option, const char *text, uint64_t min_ns,
		      uint64_t max_ns, uint64_t *ret_ns, struct reason *why);

/* "4096", "64k", "1M" (powers of 1024). min and max in bytes. */
int parse_bytes(const char *option, const char *text, uint64_t min, uint64_t max,
		uint64_t *ret, struct reason *why);

#endif
