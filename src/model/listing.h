/* SPDX-License-Identifier: BSD-2-Clause */
/* The code of one program as lines of text, the construct in it marked. */
#ifndef ITERTRACE_MODEL_LISTING_H
#define ITERTRACE_MODEL_LISTING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LISTING_TEXT_LEN 256

struct listing_line {
	uint64_t at;     /* slot of a translated program, address of JITed code */
	bool is_marked;  /* of the construct */
	bool is_heading; /* text over the lines that follow; no place */
	char text[LISTING_TEXT_LEN];
};

struct listing {
	struct listing_line *lines;
	size_t nr_lines;
	size_t nr_allocated;
	char note[256]; /* why there are no lines, or what to know about them; "" */
};

/* A new line at the end, zeroed; NULL: out of memory. */
struct listing_line *listing_add(struct listing *l, uint64_t at);
void listing_release(struct listing *l); /* {0} is fine */

#endif
