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
	const int *ranks; /* NULL: all 0 */
	char **cells;     /* the titles are the first row */
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

void columns_set_ranks(struct columns *c, const int *ranks)
{
	c->ranks = ranks;
}

/* As wide as the contents, within MAX_CELL but for the last. */
static void fit_widths(const struct columns *c, size_t *widths)
{
	size_t i, n, last = c->nr - 1;

	for (i = 0; i < c->nr_cells; i++) {
		n = text_width(c->cells[i]);
		if (n > MAX_CELL && i % c->nr != last)
			n = MAX_CELL;
		if (n > widths[i % c->nr])
			widths[i % c->nr] = n;
	}
}

/* Of the columns that are shown, the last not counted. */
static size_t total_width(const struct columns *c, const size_t *widths)
{
	size_t i, sum = 0;

	for (i = 0; i + 1 < c->nr; i++)
		sum += widths[i] ? widths[i] + GAP : 0;
	return sum;
}

/* Leave columns out, highest rank first, until the line fits; then fit the last. */
static void fit_line(const struct columns *c, size_t *widths, size_t room)
{
	size_t i, drop, last = c->nr - 1, need, total;

	need = widths[last] < MIN_LAST ? widths[last] : MIN_LAST;
	while (c->ranks && total_width(c, widths) + need > room) {
		for (i = 0, drop = last; i < last; i++)
			if (widths[i] &&
			    c->ranks[i] > (drop == last ? 0 : c->ranks[drop]))
				drop = i;
		if (drop == last)
			break;
		widths[drop] = 0;
	}
	total = total_width(c, widths);
	if (total + widths[last] > room)
		widths[last] = total + need < room ? room - total : need;
}

void columns_print(const struct columns *c, FILE *out, int indent, int width)
{
	size_t *widths = calloc(c->nr, sizeof(*widths)), i, j;

	if (!widths)
		return;
	fit_widths(c, widths);
	if (width > indent)
		fit_line(c, widths, (size_t)(width - indent));
	for (i = 0; i + c->nr <= c->nr_cells; i += c->nr) {
		fprintf(out, "%*s", indent, "");
		for (j = 0; j < c->nr; j++)
			if (widths[j])
				print_cell(c->cells[i + j], widths[j], c->right[j],
					   j + 1 == c->nr, out);
		putc('\n', out);
	}
	free(widths);
}
