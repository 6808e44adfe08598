// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "model/table.h"

void table_init(struct table *t, const char *key, const char *title,
		const struct column *columns, size_t nr_columns)
{
	*t = (struct table){
		.key = key,
		.title = title,
		.columns = columns,
		.nr_columns = nr_columns,
	};
}

static void cell_release(struct cell *c, enum column_kind kind)
{
	char **item;

	if (!c->present)
		return;
	if (kind == COLUMN_TEXT)
		free(c->text);
	if (kind == COLUMN_LIST) {
		for (item = c->list; *item; item++)
			free(*item);
		free(c->list);
	}
}

void table_release(struct table *t)
{
	size_t i;

	for (i = 0; i < t->nr_rows * t->nr_columns; i++)
		cell_release(&t->cells[i], t->columns[i % t->nr_columns].kind);
	free(t->cells);
	t->cells = NULL;
	t->nr_rows = 0;
}

struct cell *table_add_row(struct table *t)
{
	size_t nr = t->nr_columns * (t->nr_rows + 1);
	struct cell *cells, *row;

	cells = reallocarray(t->cells, nr, sizeof(*cells));
	if (!cells) {
		t->nr_unlisted++;
		return NULL;
	}
	t->cells = cells;
	row = &cells[t->nr_columns * t->nr_rows++];
	memset(row, 0, t->nr_columns * sizeof(*row));
	return row;
}

void cell_set_number(struct cell *c, uint64_t number)
{
	c->number = number;
	c->present = true;
}

void cell_set_text(struct cell *c, char *text)
{
	c->text = text;
	c->present = text != NULL;
}

void cell_set_list(struct cell *c, char **list)
{
	c->list = list;
	c->present = list != NULL;
}

void section_add_total(struct section *s, const char *key, const char *title,
		       enum total_visibility visibility, uint64_t value)
{
	s->totals[s->nr_totals++] = (struct total){key, title, visibility, value};
}

struct table *section_add_table(struct section *s, const char *key, const char *title,
				const struct column *columns, size_t nr_columns)
{
	struct table *t = &s->tables[s->nr_tables++];

	table_init(t, key, title, columns, nr_columns);
	return t;
}

void section_release(struct section *s)
{
	size_t i;

	for (i = 0; i < s->nr_tables; i++)
		table_release(&s->tables[i]);
	s->nr_tables = 0;
	s->nr_totals = 0;
}

void durations_add(struct durations *to, const struct durations *more)
{
	size_t i;

	to->sum_ns += more->sum_ns;
	for (i = 0; i < DURATION_CLASSES; i++)
		to->classes[i] += more->classes[i];
}
