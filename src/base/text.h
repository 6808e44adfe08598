/* SPDX-License-Identifier: BSD-2-Clause */
/* Bytes from other people's processes, made safe to show. */
#ifndef ITERTRACE_BASE_TEXT_H
#define ITERTRACE_BASE_TEXT_H

#include <stddef.h>

/*
 * The length of the UTF-8 character at s, of which len > 0 bytes are there; 0:
 * there is none, or it is a control character or one that turns the direction
 * of writing.
 */
size_t text_character(const char *s, size_t len);

/*
 * A NUL-terminated copy of len bytes in which control characters, those that
 * turn the direction of writing, backslashes and what is not UTF-8 stand as
 * \xNN: no terminal is misled, and every JSON writer takes it. The caller frees it; NULL: out of memory.
 */
char *text_printable(const char *bytes, size_t len);

/* In place: each byte that is in none of those characters becomes '?'. */
void text_make_printable(char *text);

#endif
