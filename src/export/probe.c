// SPDX-License-Identifier: BSD-2-Clause
#include <inttypes.h>
#include <string.h>

#include "export/identity.h"
#include "export/probe.h"
#include "export/wrap.h"

#define NAME_WIDTH  24
#define STATE_WIDTH 11
#define INSNS_WIDTH 5
#define WHY_COLUMN  (NAME_WIDTH + 2 + STATE_WIDTH + 2 + INSNS_WIDTH + 2)
#define MIN_WHY     24

#define SGR_RESET "\033[0m"
#define SGR_BOLD  "\033[1m"

static const char *const state_colours[NR_FEATURE_STATES] = {
	[FEATURE_INLINED] = "\033[32m",    [FEATURE_FOLDED] = "\033[32m",
	[FEATURE_PARTIAL] = "\033[33m",    [FEATURE_CALL] = "\033[1m",
	[FEATURE_UNSUPPORTED] = "\033[2m", [FEATURE_REFUSED] = "\033[35m",
	[FEATURE_UNKNOWN] = "\033[35m",
};

static void print_state(FILE *out, enum feature_state state, int width,
			const struct probe_style *style)
{
	const char *name = feature_state_name(state);

	if (style->is_coloured)
		fprintf(out, "%s%s%s%*s", state_colours[state], name, SGR_RESET,
			width > (int)strlen(name) ? width - (int)strlen(name) : 0, "");
	else
		fprintf(out, "%-*s", width, name);
}

static void print_row(FILE *out, const struct feature *f,
		      const struct probe_style *style)
{
	int why_width = style->width - WHY_COLUMN;

	fprintf(out, "%-*s  ", NAME_WIDTH, f->name);
	if (f->nr_insns < 0 && !f->reason[0]) {
		print_state(out, f->state, 0, style);
		putc('\n', out);
		return;
	}
	print_state(out, f->state, STATE_WIDTH, style);
	if (f->nr_insns >= 0)
		fprintf(out, "  %*d", INSNS_WIDTH, f->nr_insns);
	else
		fprintf(out, "  %*s", INSNS_WIDTH, "-");
	if (f->reason[0]) {
		fputs("  ", out);
		wrap_print(out, f->reason, WHY_COLUMN,
			   why_width > MIN_WHY ? why_width : MIN_WHY);
	}
	putc('\n', out);
}

void probe_print_table(FILE *out, const struct feature *features, size_t nr,
		       const struct probe_style *style)
{
	size_t i;

	fprintf(out, "%s%-*s  %-*s  %*s  %s%s\n", style->is_coloured ? SGR_BOLD : "",
		NAME_WIDTH, "CONSTRUCT", STATE_WIDTH, "STATE", INSNS_WIDTH, "INSNS",
		"WHY", style->is_coloured ? SGR_RESET : "");
	for (i = 0; i < nr; i++)
		print_row(out, &features[i], style);
}

static json_t *feature_to_json(const struct feature *f)
{
	json_t *insns = f->nr_insns < 0 ? json_null() : json_integer(f->nr_insns);

	return json_pack("{s:s, s:s, s:s, s:o, s:s?}", "name", f->name, "state",
			 feature_state_name(f->state), "reason", f->reason, "insns",
			 insns, "description", f->description);
}

json_t *features_to_json(const struct feature *features, size_t nr)
{
	json_t *array = json_array();
	size_t i;

	for (i = 0; array && i < nr; i++) {
		if (json_array_append_new(array, feature_to_json(&features[i]))) {
			json_decref(array);
			array = NULL;
		}
	}
	return array;
}

json_t *probe_to_json(const struct identity *id, const struct feature *features,
		      size_t nr)
{
	return json_pack("{s:s, s:o, s:o}", "schema", PROBE_SCHEMA, "kernel",
			 identity_to_json(id), "features",
			 features_to_json(features, nr));
}

void probe_print_feature(FILE *out, const struct feature *f,
			 const struct probe_style *style)
{
	fprintf(out, "%s%s%s: ", style->is_coloured ? SGR_BOLD : "", f->name,
		style->is_coloured ? SGR_RESET : "");
	print_state(out, f->state, 0, style);
	if (f->nr_insns >= 0)
		fprintf(out, ", %d instruction%s", f->nr_insns,
			f->nr_insns == 1 ? "" : "s");
	fprintf(out, "\n  %s\n", f->description ? f->description : "");
	if (!f->reason[0])
		return;
	fputs("  ", out);
	wrap_print(out, f->reason, 2, style->width - 2);
	putc('\n', out);
}

void probe_print_listing(FILE *out, const char *title, const struct listing *l,
			 bool is_hex, const struct probe_style *style)
{
	const char *on = style->is_coloured ? SGR_BOLD : "";
	const char *off = style->is_coloured ? SGR_RESET : "";
	const struct listing_line *line;
	size_t i;

	fprintf(out, "\n%s\n", title);
	if (l->note[0]) {
		fputs("  ", out);
		wrap_print(out, l->note, 2, style->width - 2);
		putc('\n', out);
	}
	for (i = 0; i < l->nr_lines; i++) {
		line = &l->lines[i];
		if (line->is_heading) {
			fprintf(out, "   %s\n", line->text);
			continue;
		}
		fputs(line->is_marked ? on : "", out);
		fprintf(out, is_hex ? " %c %16" PRIx64 ": " : " %c %4" PRIu64 ": ",
			line->is_marked ? '>' : ' ', line->at);
		fprintf(out, "%s%s\n", line->text, line->is_marked ? off : "");
	}
}
