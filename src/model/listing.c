// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "model/listing.h"

struct listing_line *listing_add(struct listing *l, uint64_t at)
{
	size_t nr = l->nr_allocated ? l->nr_allocated * 2 : 32;
	struct listing_line *line;

	if (l->nr_lines == l->nr_allocated) {
		line = reallocarray(l->lines, nr, sizeof(*line));
		if (!line)
			return NULL;
		l->lines = line;
		l->nr_allocated = nr;
	}
	line = &l->lines[l->nr_lines++];
	memset(line, 0, sizeof(*line));
	line->at = at;
	return line;
}

void listing_release(struct listing *l)
{
	free(l->lines);
	memset(l, 0, sizeof(*l));
}
