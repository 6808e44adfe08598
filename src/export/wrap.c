// SPDX-License-Identifier: BSD-2-Clause
#include <stdbool.h>
#include <string.h>

#include "export/wrap.h"

/* Up to the next space that is not between back quotes. */
static int word_length(const char *text)
{
	bool is_quoted = false;
	int len = 0;

	for (; text[len] && (is_quoted || text[len] != ' '); len++) {
		if (text[len] != '`')
			continue;
		/* a last one that nothing closes quotes nothing */
		is_quoted = !is_quoted && strchr(text + len + 1, '`');
	}
	return len;
}

void wrap_print(FILE *out, const char *text, int indent, int width)
{
	int column = 0, len;

	while (*text) {
		len = word_length(text);
		if (column && column + 1 + len > width) {
			fprintf(out, "\n%*s", indent, "");
			column = 0;
		}
		column += fprintf(out, "%s%.*s", column ? " " : "", len, text);
		text += len;
		text += strspn(text, " ");
	}
}
