// SPDX-License-Identifier: BSD-2-Clause
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "export/columns.h"

#define ELLIPSIS "\xe2\x80\xa6"

static const char *const titles[] = {"name", "nr", "text"};
static const bool right[] = {false, true, false};

/* Cells until NULL, printed; the caller's to free. */
static char *printed(int indent, int width, const char *const *cells)
{
	struct columns *c = columns__new(3, titles, right);
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(c);
	assert_non_null(out);
	for (; *cells; cells++)
		columns_add(c, *cells);
	columns_print(c, out, indent, width);
	fclose(out);
	columns__free(c);
	return text;
}

#define assert_printed(indent, width, expected, ...)             \
	do {                                                     \
		const char *const cells[] = {__VA_ARGS__, NULL}; \
		char *text = printed(indent, width, cells);      \
                                                                 \
		assert_string_equal(text, expected);             \
		free(text);                                      \
	} while (0)

static void columns_are_as_wide_as_their_widest_cell(void **state)
{
	(void)state;
	assert_printed(0, 0,
		       "name      nr  text\n"
		       "a          1  x\n"
		       "longer  1000  y z\n",
		       "a", "1", "x", "longer", "1000", "y z");
}

static void lines_are_indented_and_end_without_blanks(void **state)
{
	(void)state;
	assert_printed(2, 0,
		       "  name  nr  text\n"
		       "  a      1  b\n",
		       "a", "1", "b");
}

static void absent_cell_is_a_dash(void **state)
{
	struct columns *c = columns__new(3, titles, right);
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	(void)state;
	columns_add(c, "a");
	columns_add(c, NULL);
	columns_add(c, NULL);
	columns_print(c, out, 0, 0);
	fclose(out);
	assert_string_equal(text, "name  nr  text\n"
				  "a      -  -\n");
	free(text);
	columns__free(c);
}

/* Of 40 columns 12 are taken; 28 are left, of which the last is the ellipsis. */
static void last_column_is_cut_to_the_line(void **state)
{
	(void)state;
	assert_printed(2, 40,
		       "  name  nr  text\n"
		       "  a      1  abcdefghijklmnopqrstuvwxyza" ELLIPSIS "\n"
		       "  b      2  abcdefghijklmnopqrstuvwxyzab\n",
		       "a", "1", "abcdefghijklmnopqrstuvwxyzabc", "b", "2",
		       "abcdefghijklmnopqrstuvwxyzab");
}

static void last_column_keeps_24_where_the_line_is_short(void **state)
{
	(void)state;
	assert_printed(2, 20,
		       "  name  nr  text\n"
		       "  a      1  abcdefghijklmnopqrstuvw" ELLIPSIS "\n",
		       "a", "1", "abcdefghijklmnopqrstuvwxyz");
}

static void width_0_cuts_nothing_in_the_last_column(void **state)
{
	char cell[501], expected[600];

	(void)state;
	memset(cell, 'x', 500);
	cell[500] = '\0';
	snprintf(expected, sizeof(expected), "name  nr  text\na      1  %s\n", cell);
	assert_printed(0, 0, expected, "a", "1", cell);
}

/* 43 characters and an ellipsis. */
static void very_long_cell_of_another_column_is_cut(void **state)
{
	char name[46], expected[200];

	(void)state;
	memset(name, 'n', 45);
	name[45] = '\0';
	snprintf(expected, sizeof(expected),
		 "name                                          nr  text\n"
		 "%.43s" ELLIPSIS "   1  x\n",
		 name);
	assert_printed(0, 0, expected, name, "1", "x");
}

/* A character is one column, whatever its bytes, and is never cut in two. */
static void width_is_in_characters(void **state)
{
	(void)state;
	assert_printed(0, 0,
		       "name  nr  text\n"
		       "\xc3\xa9\xe2\x82\xac     1  x\n"
		       "abcd   1  y\n",
		       "\xc3\xa9\xe2\x82\xac", "1", "x", "abcd", "1", "y");
	assert_printed(0, 1,
		       "name  nr  text\n"
		       "a      1  "
		       "\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3"
		       "\xa9\xc3\xa9\xc3\xa9"
		       "\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3"
		       "\xa9\xc3\xa9\xc3\xa9"
		       "\xc3\xa9\xc3\xa9\xc3\xa9" ELLIPSIS "\n",
		       "a", "1",
		       "\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3"
		       "\xa9\xc3\xa9\xc3\xa9"
		       "\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3"
		       "\xa9\xc3\xa9\xc3\xa9"
		       "\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(columns_are_as_wide_as_their_widest_cell),
		cmocka_unit_test(lines_are_indented_and_end_without_blanks),
		cmocka_unit_test(absent_cell_is_a_dash),
		cmocka_unit_test(last_column_is_cut_to_the_line),
		cmocka_unit_test(last_column_keeps_24_where_the_line_is_short),
		cmocka_unit_test(width_0_cuts_nothing_in_the_last_column),
		cmocka_unit_test(very_long_cell_of_another_column_is_cut),
		cmocka_unit_test(width_is_in_characters),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
