/* SPDX-License-Identifier: BSD-2-Clause */
/* Figures as people read them. Each writes into buf and returns it. */
#ifndef ITERTRACE_BASE_FORMAT_H
#define ITERTRACE_BASE_FORMAT_H

#include <stddef.h>
#include <stdint.h>

#define FORMAT_LEN 32

/* "870 ns", "1.24 us", "10.0 s", "24 h"; three significant digits, whole units where
 * exact. */
const char *format_ns(char buf[FORMAT_LEN], uint64_t ns);

/* "512 B", "64.0 KiB", "1.25 MiB". */
const char *format_bytes(char buf[FORMAT_LEN], uint64_t bytes);

/* "1,234,567". */
const char *format_count(char buf[FORMAT_LEN], uint64_t count);

#endif
