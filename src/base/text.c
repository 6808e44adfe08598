// SPDX-License-Identifier: BSD-2-Clause
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

/* U+200E, U+200F, U+202A … U+202E, U+2066 … U+2069, of three bytes each. */
static bool turns_direction(const unsigned char *s)
{
	if (s[0] != 0xE2)
		return false;
	return (s[1] == 0x80 && (s[2] == 0x8E || s[2] == 0x8F)) ||
	       (s[1] == 0x80 && s[2] >= 0xAA && s[2] <= 0xAE) ||
	       (s[1] == 0x81 && s[2] >= 0xA6 && s[2] <= 0xA9);
}

/*
 * RFC 3629, section 4: shortest form, no surrogates, nothing above U+10FFFF; and no
 * C1 control.
 */
size_t text_character(const char *text, size_t len)
{
	const unsigned char *s = (const unsigned char *)text;
	unsigned char lo = 0x80, hi = 0xBF;
	size_t n, i;

	if (s[0] < 0x80)
		return s[0] >= 0x20 && s[0] != 0x7F;
	if (s[0] < 0xC2 || s[0] > 0xF4)
		return 0;
	n = s[0] < 0xE0 ? 2 : s[0] < 0xF0 ? 3 : 4;
	if (n > len)
		return 0;
	if (s[0] == 0xC2 || s[0] == 0xE0)
		lo = 0xA0;
	else if (s[0] == 0xF0)
		lo = 0x90;
	else if (s[0] == 0xED)
		hi = 0x9F;
	else if (s[0] == 0xF4)
		hi = 0x8F;
	if (s[1] < lo || s[1] > hi)
		return 0;
	for (i = 2; i < n; i++)
		if ((s[i] & 0xC0) != 0x80)
			return 0;
	return n == 3 && turns_direction(s) ? 0 : n;
}

char *text_printable(const char *bytes, size_t len)
{
	char *text, *out;
	size_t i, n;

	text = malloc(4 * len + 1);
	if (!text)
		return NULL;
	out = text;
	for (i = 0; i < len; i += n) {
		n = text_character(bytes + i, len - i);
		if (n && bytes[i] != '\\') {
			memcpy(out, bytes + i, n);
			out += n;
		} else {
			out += snprintf(out, 5, "\\x%02x", (unsigned char)bytes[i]);
			n = 1;
		}
	}
	*out++ = '\0';
	return realloc(text, (size_t)(out - text)) ?: text;
}

void text_make_printable(char *text)
{
	size_t len = strlen(text), i, n;

	for (i = 0; i < len; i += n) {
		n = text_character(text + i, len - i);
		if (n)
			continue;
		text[i] = '?';
		n = 1;
	}
}
