// SPDX-License-Identifier: BSD-2-Clause
/* Leaks are found by the sanitizers that these tests run under, too. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/table.h"

enum { NAME, WORDS, COUNT };
static const struct column columns[] = {
	[NAME] = {"name", "name", COLUMN_TEXT},
	[WORDS] = {"words", NULL, COLUMN_LIST},
	[COUNT] = {"count", "count", COLUMN_COUNT},
};
#define NR_COLUMNS 3

static char **two_words(void)
{
	char **list = calloc(3, sizeof(*list));

	list[0] = strdup("one");
	list[1] = strdup("two");
	return list;
}

static void new_row_has_no_figures(void **state)
{
	struct table t;
	struct cell *row;
	size_t i;

	(void)state;
	table_init(&t, "key", "title", columns, NR_COLUMNS);
	assert_int_equal(t.nr_rows, 0);
	row = table_add_row(&t);
	assert_non_null(row);
	assert_int_equal(t.nr_rows, 1);
	for (i = 0; i < NR_COLUMNS; i++)
		assert_false(row[i].present);
	table_release(&t);
	assert_int_equal(t.nr_rows, 0);
}

static void cells_keep_what_they_are_given(void **state)
{
	struct cell *row;
	struct table t;
	int i;

	(void)state;
	table_init(&t, "key", "title", columns, NR_COLUMNS);
	/* Rows move as the table grows; what they hold does not. */
	for (i = 0; i < 1000; i++) {
		row = table_add_row(&t);
		cell_set_text(&row[NAME], strdup(i % 2 ? "odd" : "even"));
		cell_set_list(&row[WORDS], two_words());
		cell_set_number(&row[COUNT], (uint64_t)i << 40);
	}
	assert_int_equal(t.nr_rows, 1000);
	assert_int_equal(t.nr_unlisted, 0);
	for (i = 0; i < 1000; i++) {
		row = &t.cells[i * NR_COLUMNS];
		assert_string_equal(row[NAME].text, i % 2 ? "odd" : "even");
		assert_string_equal(row[WORDS].list[1], "two");
		assert_null(row[WORDS].list[2]);
		assert_true(row[COUNT].present);
		assert_int_equal(row[COUNT].number, (uint64_t)i << 40);
	}
	table_release(&t);
}

static void nothing_leaves_a_cell_absent(void **state)
{
	struct cell *row;
	struct table t;

	(void)state;
	table_init(&t, "key", "title", columns, NR_COLUMNS);
	row = table_add_row(&t);
	cell_set_text(&row[NAME], NULL);
	cell_set_list(&row[WORDS], NULL);
	assert_false(row[NAME].present);
	assert_false(row[WORDS].present);
	/* 0 is a figure. */
	cell_set_number(&row[COUNT], 0);
	assert_true(row[COUNT].present);
	table_release(&t);
}

static void section_keeps_totals_and_tables_in_order(void **state)
{
	struct section s = {.tracer = "test"};
	struct table *first, *second;

	(void)state;
	section_add_total(&s, "calls", "calls", TOTAL_SHOWN, 7);
	section_add_total(&s, "errors", "errors", TOTAL_HIDDEN, UINT64_MAX);
	first = section_add_table(&s, "first", "the first", columns, NR_COLUMNS);
	second = section_add_table(&s, "second", "the second", columns, NR_COLUMNS);
	assert_ptr_equal(first, &s.tables[0]);
	assert_ptr_equal(second, &s.tables[1]);
	assert_string_equal(second->title, "the second");
	assert_int_equal(s.nr_totals, 2);
	assert_string_equal(s.totals[1].key, "errors");
	assert_int_equal(s.totals[1].value, UINT64_MAX);
	assert_int_equal(s.totals[1].visibility, TOTAL_HIDDEN);
	cell_set_text(&table_add_row(first)[NAME], strdup("text"));
	cell_set_list(&table_add_row(second)[WORDS], two_words());
	section_release(&s);
	assert_int_equal(s.nr_tables, 0);
	assert_int_equal(s.nr_totals, 0);
	section_release(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(new_row_has_no_figures),
		cmocka_unit_test(cells_keep_what_they_are_given),
		cmocka_unit_test(nothing_leaves_a_cell_absent),
		cmocka_unit_test(section_keeps_totals_and_tables_in_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
