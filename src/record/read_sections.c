// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "model/sections.h"
#include "record/read.h"

static char *copy_text(const json_t *string)
{
	char *text = strdup(json_string_value(string));

	if (text)
		text_make_printable(text);
	return text;
}

static char **copy_list(struct fields *f, const json_t *array, const char *key)
{
	size_t nr = json_array_size(array), i;
	char **list = calloc(nr + 1, sizeof(*list));

	for (i = 0; list && i < nr; i++) {
		const json_t *item = json_array_get(array, i);

		if (!json_is_string(item)) {
			fields_fail(f, "item %zu of \"%s\" is no text", i + 1, key);
			break;
		}
		list[i] = copy_text(item);
		if (!list[i])
			break;
	}
	return list;
}

static void read_cell(struct fields *f, const json_t *row, const struct column *column,
		      struct cell *ret)
{
	const json_t *value = json_object_get(row, column->key);

	if (!value || json_is_null(value))
		return;
	if (column->kind == COLUMN_TEXT && json_is_string(value))
		cell_set_text(ret, copy_text(value));
	else if (column->kind == COLUMN_LIST && json_is_array(value))
		cell_set_list(ret, copy_list(f, value, column->key));
	else if (column->kind == COLUMN_FLAG)
		cell_set_number(ret, field_flag(f, row, column->key));
	else if (column->kind >= COLUMN_COUNT)
		cell_set_number(ret, field_count(f, row, column->key));
	else
		fields_fail(f, "\"%s\" is of the wrong type", column->key);
}

static void read_table(struct fields *f, const json_t *rows, struct table *ret)
{
	struct cell *row;
	const json_t *item;
	size_t i, j;

	for (i = 0; i < json_array_size(rows) && !f->err; i++) {
		item = fields_item(f, rows, i, ret->key);
		row = item ? table_add_row(ret) : NULL;
		for (j = 0; row && j < ret->nr_columns; j++)
			read_cell(f, item, &ret->columns[j], &row[j]);
	}
}

static void read_section(struct fields *f, const json_t *object,
			 const struct section_description *d, struct section *ret)
{
	size_t i;

	for (i = 0; i < d->nr_totals; i++)
		if (json_object_get(object, d->totals[i].key))
			section_add_known_total(
				ret, d->totals[i].key,
				field_count(f, object, d->totals[i].key));
	ret->nr_unlisted = field_count(f, object, "unlisted");
	for (i = 0; i < d->nr_tables; i++) {
		const char *key = d->tables[i].key;
		const json_t *rows = field_array(f, object, key, SIZE_MAX);

		if (rows)
			read_table(f, rows, section_add_known_table(ret, key));
	}
	if (ret->nr_tables)
		ret->tables[0].nr_unlisted = ret->nr_unlisted;
}

void read_sections(struct fields *f, const json_t *line, struct snapshot *ret)
{
	const struct section_description *d;
	struct section *section;
	const json_t *object;
	size_t i;

	for (i = 0; i < ret->nr_tracers; i++) {
		if (!ret->tracers[i].on)
			continue;
		d = section_describe(ret->tracers[i].name);
		object = d ? field_object(f, line, d->tracer) : NULL;
		if (!object)
			continue;
		section = &ret->sections[ret->nr_sections++];
		*section = (struct section){.tracer = d->tracer};
		read_section(f, object, d, section);
	}
}
