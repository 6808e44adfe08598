// SPDX-License-Identifier: BSD-2-Clause
#include <math.h>
#include <string.h>

#include "export/columns.h"
#include "export/compare.h"

#define FIGURE_LEN 32
#define CELL_LEN   (4 * FIGURE_LEN)

#define SGR_RESET "\033[0m"

static const char *const verdict_colours[NR_VERDICTS] = {
	[VERDICT_FASTER] = "\033[32m",         [VERDICT_SLOWER] = "\033[31m",
	[VERDICT_NO_DIFFERENCE] = "\033[1m",   [VERDICT_TOO_LITTLE_DATA] = "\033[33m",
	[VERDICT_NOT_COMPARABLE] = "\033[35m",
};

/* Four significant digits, small figures with two; "-": absent. */
static const char *show(char buf[FIGURE_LEN], double value)
{
	double size = fabs(value);
	int decimals = size < 9.9995 ? 3 : size < 99.995 ? 2 : size < 999.95 ? 1 : 0;

	if (is_absent(value))
		return "-";
	for (double least = 0.01; size > 0 && size < least && decimals < 8; least /= 10)
		decimals++;
	snprintf(buf, FIGURE_LEN, "%.*f", decimals, value);
	return buf;
}

static const char *show_percent(char buf[FIGURE_LEN], double value)
{
	if (is_absent(value))
		return "-";
	snprintf(buf, FIGURE_LEN, "%+.1f", value);
	return buf;
}

static void add_side(struct columns *to, const struct comparison_side *s)
{
	char median[FIGURE_LEN], lo[FIGURE_LEN], hi[FIGURE_LEN], text[CELL_LEN];

	if (is_absent(s->lo))
		snprintf(text, sizeof(text), "%s", show(median, s->median));
	else
		snprintf(text, sizeof(text), "%s [%s, %s]", show(median, s->median),
			 show(lo, s->lo), show(hi, s->hi));
	columns_add(to, text);
}

static void add_shift(struct columns *to, const struct comparison_row *r)
{
	char shift[FIGURE_LEN], lo[FIGURE_LEN], hi[FIGURE_LEN], text[CELL_LEN];

	if (is_absent(r->lo))
		snprintf(text, sizeof(text), "%s%%",
			 show_percent(shift, r->shift_percent));
	else
		snprintf(text, sizeof(text), "%s%% [%s, %s]",
			 show_percent(shift, r->shift_percent), show_percent(lo, r->lo),
			 show_percent(hi, r->hi));
	columns_add(to, text);
}

static void add_p(struct columns *to, double p)
{
	char text[FIGURE_LEN];

	if (is_absent(p))
		snprintf(text, sizeof(text), "-");
	else if (p < 0.0001)
		snprintf(text, sizeof(text), "<0.0001");
	else
		snprintf(text, sizeof(text), "%.4f", p);
	columns_add(to, text);
}

static void add_row(struct columns *to, const struct comparison_row *r)
{
	char text[CELL_LEN];

	columns_add(to, comparison_kind_name(r->kind));
	columns_add(to, r->name);
	add_side(to, &r->base);
	add_side(to, &r->fresh);
	add_shift(to, r);
	add_p(to, r->p_holm);
	snprintf(text, sizeof(text), "%zu:%zu", r->base.nr, r->fresh.nr);
	columns_add(to, text);
	columns_add(to, comparison_measure_name(r->measure));
	columns_add(to, verdict_name(r->verdict));
	columns_add(to, r->note);
}

static void print_rows(FILE *out, const struct comparison *c, int width)
{
	static const char *const titles[] = {
		"kind", "name",   "base [95%]", "new [95%]", "shift [95%]",
		"p",    "values", "measure",    "verdict",   "note"};
	static const bool right[] = {false, false, true,  true,  true,
				     true,  true,  false, false, false};
	static const int ranks[] = {4, 0, 2, 1, 0, 3, 5, 6, 0, 0};
	struct columns *to;

	if (!c->nr_rows)
		return;
	to = columns__new(10, titles, right);
	if (!to)
		return;
	columns_set_ranks(to, ranks);
	for (size_t i = 0; i < c->nr_rows; i++)
		add_row(to, &c->rows[i]);
	fprintf(out, "\nns a trip; a value is that of %s\n",
		c->unit_is_host  ? "a host"
		: c->unit_is_run ? "a boot"
				 : "batches of intervals, or a load of a benchmark");
	columns_print(to, out, 2, width);
	columns__free(to);
}

static void print_side(FILE *out, const struct comparison *c, bool is_new)
{
	const struct recording_head *head = NULL;
	size_t nr = 0, nr_boots = 0;

	for (size_t i = 0; i < c->nr_runs; i++) {
		if (c->runs[i].is_new != is_new)
			continue;
		if (!head)
			head = c->runs[i].head;
		nr++;
		if (c->runs[i].boot + 1 > nr_boots)
			nr_boots = c->runs[i].boot + 1;
	}
	fprintf(out, "%-5s %s %s", is_new ? "new" : "base",
		head->identity.release[0] ? head->identity.release : "unknown kernel",
		head->identity.arch);
	if (head->identity.build_id[0])
		fprintf(out, ", build id %.12s", head->identity.build_id);
	if (c->unit_is_host)
		fprintf(out, ": %zu host%s\n", nr_boots, nr_boots == 1 ? "" : "s");
	else
		fprintf(out, ": %zu recording%s, %zu boot%s\n", nr, nr == 1 ? "" : "s",
			nr_boots, nr_boots == 1 ? "" : "s");
}

static void print_differences(FILE *out, const struct comparison *c,
			      enum difference_weight weight, const char *heading,
			      int width)
{
	static const char *const titles[] = {"what", "base", "new"};
	static const bool right[] = {false, false, false};
	struct columns *to = NULL;

	for (size_t i = 0; i < c->nr_differences; i++) {
		const struct comparison_difference *d = &c->differences[i];

		if (d->weight != weight)
			continue;
		if (!to)
			to = columns__new(3, titles, right);
		if (!to)
			return;
		columns_add(to, d->what);
		columns_add(to, d->base);
		columns_add(to, d->fresh);
	}
	if (!to)
		return;
	fprintf(out, "\n%s\n", heading);
	columns_print(to, out, 2, width);
	columns__free(to);
}

static void print_only(FILE *out, const char *heading,
		       const struct comparison_only *list, size_t nr)
{
	if (nr)
		fprintf(out, "\n%s\n", heading);
	for (size_t i = 0; i < nr; i++)
		fprintf(out, "  %s %s%s%s\n", comparison_kind_name(list[i].kind),
			list[i].name, list[i].reason[0] ? ": " : "", list[i].reason);
}

static void print_total(FILE *out, const struct comparison *c)
{
	const struct comparison_total *t = &c->total;
	char base[FIGURE_LEN], saves[FIGURE_LEN], lo[FIGURE_LEN], hi[FIGURE_LEN];
	bool is_more = t->saves_cpu_percent < 0;
	double sign = is_more ? -1 : 1;

	if (is_absent(t->saves_cpu_percent))
		return;
	fprintf(out, "\nwhat the new kernel %s: %s%% of one CPU%s",
		is_more ? "costs" : "buys", show(saves, sign * t->saves_cpu_percent),
		c->unit_is_host ? " a host" : "");
	if (is_absent(t->saves_lo))
		fprintf(out, ", with no interval from so few values");
	else
		fprintf(out, " [%s, %s]",
			show(lo, is_more ? -t->saves_hi : t->saves_lo),
			show(hi, is_more ? -t->saves_lo : t->saves_hi));
	fprintf(out, ", of the %s%% that %zu site%s took at the new side's rates\n",
		show(base, t->base_cpu_percent), t->nr_rows,
		t->nr_rows == 1 ? "" : "s");
}

static void print_verdict(FILE *out, const struct comparison *c, bool is_coloured)
{
	fprintf(out, "\nverdict: %s%s%s: %s\n",
		is_coloured ? verdict_colours[c->verdict] : "",
		verdict_name(c->verdict), is_coloured ? SGR_RESET : "", c->why);
}

void compare_print(FILE *out, const struct comparison *c, int width, bool is_coloured)
{
	print_side(out, c, false);
	print_side(out, c, true);
	print_differences(out, c, DIFFERENCE_CAUSE,
			  "set or configured otherwise, which may be the true cause",
			  width);
	print_differences(out, c, DIFFERENCE_SUBJECT, "the kernels", width);
	print_differences(out, c, DIFFERENCE_WARNING, "other conditions", width);
	print_differences(out, c, DIFFERENCE_REFUSAL,
			  c->is_forced ? "not comparable, and compared by force"
				       : "not comparable",
			  width);
	print_rows(out, c, width);
	print_total(out, c);
	print_only(out, "in base only", c->only_in_base, c->nr_only_in_base);
	print_only(out, "in new only", c->only_in_new, c->nr_only_in_new);
	print_only(out, "on both sides, but not comparable", c->incomparable,
		   c->nr_incomparable);
	if (c->nr_warnings)
		fputs("\nwarnings\n", out);
	for (size_t i = 0; i < c->nr_warnings; i++)
		fprintf(out, "  %s\n", c->warnings[i]);
	print_verdict(out, c, is_coloured);
}
