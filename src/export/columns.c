// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "export/columns.h"

#define GAP      2
#define MAX_CELL 44 /* of all columns but the last */
#define MIN_LAST 24 /* of the last, even where the line gets too long */
#define ELLIPSIS "\xe2\x80\xa6"

struct columns {
	size_t nr;
	const bool *right;
	char **cells; /* the titles are the first row */
	size_t nr_cells;
};

/* Characters of UTF-8, of which only first bytes count. */
static size_t text_width(const char *text)
{
	size_t n = 0;

	for (; *text; text++)
		n += ((unsigned char)*text & 0xC0) != 0x80;
	return n;
}

/* The bytes of the first n characters. */
static int text_bytes(const char *text, size_t n)
{
	size_t i;

	for (i = 0; text[i]; i++)
		if (((unsigned char)text[i] & 0xC0) != 0x80 && n-- == 0)
			break;
	return (int)i;
}

struct columns *columns__new(size_t nr, const char *const *titles, const bool *right)
{
	struct columns *c = calloc(1, sizeof(*c));
	size_t i;

	if (!c)
		return NULL;
	c->nr = nr;
	c->right = right;
	for (i = 0; i < nr; i++)
		columns_add(c, titles[i]);
	return c;
}

void columns__free(struct columns *c)
{
	size_t i;

	if (!c)
		return;
	for (i = 0; i < c->nr_cells; i++)
		free(c->cells[i]);
	free(c->cells);
	free(c);
}

void columns_add(struct columns *c, const char *text)
{
	char **cells = reallocarray(c->cells, c->nr_cells + 1, sizeof(*cells));
	char *copy = strdup(text ?: "-");

	if (cells)
		c->cells = cells;
	if (!cells || !copy) {
		free(copy);
		return;
	}
	c->cells[c->nr_cells++] = copy;
}

/* One cell in its column: cut to fit, or padded to width. */
static void print_cell(const char *text, size_t width, bool right, bool last, FILE *out)
{
	size_t n = text_width(text);
	int pad = n < width ? (int)(width - n) : 0;

	if (right)
		fprintf(out, "%*s", pad, "");
	if (n > width)
		fprintf(out, "%.*s" ELLIPSIS, text_bytes(text, width - 1), text);
	else
		fputs(text, out);
	if (!last)
		fprintf(out, "%*s", (right ? 0 : pad) + GAP, "");
}

/* As wide as the contents, within MAX_CELL; the last column takes what is left. */
static void fit_widths(const struct columns *c, size_t *widths, int indent, int width)
{
	size_t i, n, used = (size_t)indent, last = c->nr - 1;

	for (i = 0; i < c->nr_cells; i++) {
		n = text_width(c->cells[i]);
		if (n > MAX_CELL && i % c->nr != last)
			n = MAX_CELL;
		if (n > widths[i % c->nr])
			widths[i % c->nr] = n;
	}
	for (i = 0; i < last; i++)
		used += widths[i] + GAP;
	n = (size_t)width > used + MIN_LAST ? (size_t)width - used : MIN_LAST;
	if (width && widths[last] > n)
		widths[last] = n;
}

void columns_print(const struct columns *c, FILE *out, int indent, int width)
{
	size_t *widths = calloc(c->nr, sizeof(*widths)), i, j;

	if (!widths)
		return;
	fit_widths(c, widths, indent, width);
	for (i = 0; i + c->nr <= c->nr_cells; i += c->nr) {
		fprintf(out, "%*s", indent, "");
		for (j = 0; j < c->nr; j++)
			print_cell(c->cells[i + j], widths[j], c->right[j],
				   j + 1 == c->nr, out);
		putc('\n', out);
	}
	free(widths);
}
