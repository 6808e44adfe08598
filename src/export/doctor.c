// SPDX-License-Identifier: BSD-2-Clause
#include <string.h>

#include "export/doctor.h"
#include "export/members.h"
#include "export/wrap.h"

#define STATUS_WIDTH 4
#define GAP          2
#define MIN_TEXT     30

#define SGR_RESET "\033[0m"

static const char *const colours[NR_CHECK_STATUSES] = {[CHECK_OK] = "\033[32m",
						       [CHECK_WARN] = "\033[33m",
						       [CHECK_FAIL] = "\033[1;31m"};

static void print_line(FILE *out, const char *prefix, const char *text, int indent,
		       int width)
{
	if (!text[0])
		return;
	fprintf(out, "%*s%s", indent, "", prefix);
	wrap_print(out, text, indent, width);
	putc('\n', out);
}

static void print_check(FILE *out, const struct check *c, bool is_coloured,
			int name_width, int width)
{
	int indent = STATUS_WIDTH + GAP + name_width + GAP;
	int room = width - indent < MIN_TEXT ? MIN_TEXT : width - indent;

	fprintf(out, "%s%-*s%s%*s%-*s%*s", is_coloured ? colours[c->status] : "",
		STATUS_WIDTH, check_status_name(c->status),
		is_coloured ? SGR_RESET : "", GAP, "", name_width, c->name, GAP, "");
	wrap_print(out, c->found, indent, room);
	putc('\n', out);
	print_line(out, "", c->consequence, indent, room);
	print_line(out, "remedy: ", c->remedy, indent, room - (int)strlen("remedy: "));
}

void doctor_print(FILE *out, const struct check *checks, size_t nr, bool is_coloured,
		  int width)
{
	int name_width = 0, status;
	size_t i;

	for (i = 0; i < nr; i++)
		if ((int)strlen(checks[i].name) > name_width)
			name_width = (int)strlen(checks[i].name);
	for (status = CHECK_FAIL; status >= CHECK_OK; status--)
		for (i = 0; i < nr; i++)
			if ((int)checks[i].status == status)
				print_check(out, &checks[i], is_coloured, name_width,
					    width);
}

static json_t *check_to_json(const struct check *c)
{
	json_t *check = json_pack("{s:s, s:s, s:s}", "name", c->name, "status",
				  check_status_name(c->status), "found", c->found);

	if (!check)
		return NULL;
	member_text(check, "consequence", c->consequence);
	member_text(check, "remedy", c->remedy);
	return check;
}

json_t *doctor_to_json(const struct check *checks, size_t nr)
{
	json_t *array = json_array();
	size_t i;

	for (i = 0; array && i < nr; i++) {
		if (json_array_append_new(array, check_to_json(&checks[i]))) {
			json_decref(array);
			array = NULL;
		}
	}
	return json_pack("{s:s, s:o}", "schema", DOCTOR_SCHEMA, "checks", array);
}
