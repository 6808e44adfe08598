// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "export/html.h"
#include "export/html_compare_rows.h"
#include "export/html_plots.h"
#include "export/svg.h"

/* So few rows are all shown open. */
#define ROWS_OPEN 6

/* A word for classes and ids; and a sign, as colour alone tells not everybody. */
static const struct {
	const char *class, *sign;
} verdicts[NR_VERDICTS] = {
	[VERDICT_FASTER] = {"faster", "\u25BC"},
	[VERDICT_SLOWER] = {"slower", "\u25B2"},
	[VERDICT_NO_DIFFERENCE] = {"same", "="},
	[VERDICT_TOO_LITTLE_DATA] = {"unknown", "?"},
	[VERDICT_NOT_COMPARABLE] = {"refused", "\u2715"},
};

void html_verdict(FILE *out, const char *tag, enum verdict v)
{
	fprintf(out,
		"<%s class=\"verdict is-%s\"><span aria-hidden=\"true\">%s</span> "
		"%s</%s>",
		tag, verdicts[v].class, verdicts[v].sign, verdict_name(v), tag);
}

static const char *units_of(const struct comparison *c,
			    const struct comparison_row *row)
{
	if (c->unit_is_run)
		return c->unit_is_host ? "hosts" : "boots";
	if (row->measure != MEASURE_BENCH)
		return "intervals";
	return row->is_by_load ? "loads" : "placements";
}

/* ---- rows ----------------------------------------------------------------------- */

#define STRIP_WIDTH  190
#define STRIP_HEIGHT 24

static bool is_open(const struct comparison *c, const struct comparison_row *row)
{
	return c->nr_rows <= ROWS_OPEN || row->verdict == VERDICT_FASTER ||
	       row->verdict == VERDICT_SLOWER;
}

static struct svg_axis shift_axis(const struct comparison *c)
{
	struct svg_range r = {-c->threshold_percent, c->threshold_percent};
	struct svg_axis axis;
	size_t i;

	for (i = 0; i < c->nr_rows; i++) {
		svg_range_add(&r, c->rows[i].shift_percent);
		svg_range_add(&r, c->rows[i].lo);
		svg_range_add(&r, c->rows[i].hi);
	}
	svg_axis_init(&axis, &r, 3, 14, STRIP_WIDTH - 14);
	return axis;
}

/* Over a column of shifts. */
static void put_scale(FILE *out, const struct svg_axis *axis)
{
	char label[SVG_LABEL_LEN];
	int i;

	fprintf(out,
		"<svg class=\"strip\" viewBox=\"0 0 %d 14\" width=\"%d\" height=\"14\" "
		"aria-hidden=\"true\">"
		"<g class=\"axis x\">",
		STRIP_WIDTH, STRIP_WIDTH);
	for (i = 0; i < svg_nr_ticks(axis); i++)
		fprintf(out, "<text x=\"%.2f\" y=\"11\">%s</text>",
			svg_place(axis, svg_tick(axis, i)),
			svg_tick_label(label, axis, i));
	fputs("</g></svg>", out);
}

/* The shift and its interval, over the threshold's band and the line of zero. */
static void put_strip(FILE *out, const struct comparison *c,
		      const struct svg_axis *axis, const struct comparison_row *row)
{
	double from = svg_place(axis, -c->threshold_percent), to;
	const char *class = verdicts[row->verdict].class;

	to = svg_place(axis, c->threshold_percent);
	fprintf(out,
		"<td><svg class=\"strip\" viewBox=\"0 0 %d %d\" width=\"%d\" "
		"height=\"%d\" aria-hidden=\"true\">"
		"<rect class=\"threshold\" x=\"%.2f\" y=\"0\" width=\"%.2f\" "
		"height=\"%d\"/>"
		"<path class=\"zero\" d=\"M%.2f 0V%d\"/>",
		STRIP_WIDTH, STRIP_HEIGHT, STRIP_WIDTH, STRIP_HEIGHT, from, to - from,
		STRIP_HEIGHT, svg_place(axis, 0), STRIP_HEIGHT);
	if (svg_can_draw(row->lo) && svg_can_draw(row->hi))
		fprintf(out, "<path class=\"ci is-%s\" d=\"M%.2f 12H%.2f\"/>", class,
			svg_place(axis, row->lo), svg_place(axis, row->hi));
	if (svg_can_draw(row->shift_percent))
		fprintf(out,
			"<circle class=\"shift is-%s\" cx=\"%.2f\" cy=\"12\" r=\"4\"/>",
			class, svg_place(axis, row->shift_percent));
	fputs("</svg></td>", out);
}

static void put_row(FILE *out, const struct comparison *c, const struct svg_axis *axis,
		    size_t at)
{
	const struct comparison_row *row = &c->rows[at];
	char buf[HTML_FIGURE_LEN];

	fprintf(out, "<tr class=\"row is-%s\"><th scope=\"row\"><a href=\"#row-%zu\">",
		verdicts[row->verdict].class, at);
	html_text(out, row->name);
	fprintf(out, "</a> <span class=\"muted\">%s</span></th><td>",
		comparison_kind_name(row->kind));
	html_verdict(out, "span", row->verdict);
	fputs("</td>", out);
	html_cell_interval(out, html_percent, row->shift_percent, row->lo, row->hi);
	put_strip(out, c, axis, row);
	html_cell_interval(out, html_figure, row->base.median, row->base.lo,
			   row->base.hi);
	html_cell_interval(out, html_figure, row->fresh.median, row->fresh.lo,
			   row->fresh.hi);
	html_element(out, "td", "n", html_probability(buf, row->p_holm));
	fprintf(out, "<td class=\"n\">%zu, %zu</td></tr>\n", row->base.nr,
		row->fresh.nr);
}

static void put_filters(FILE *out, const struct comparison *c)
{
	size_t nr[NR_VERDICTS] = {0}, i, nr_kinds = 0;

	for (i = 0; i < c->nr_rows; i++)
		nr_kinds += !nr[c->rows[i].verdict]++;
	if (nr_kinds < 2)
		return;
	fputs("<fieldset class=\"controls\"><legend>Show rows</legend>\n", out);
	for (i = 0; i < NR_VERDICTS; i++)
		if (nr[i])
			fprintf(out,
				"<label><input type=\"checkbox\" id=\"show-%s\" "
				"checked autocomplete=\"off\"> "
				"%s <span class=\"muted\">%zu</span></label>\n",
				verdicts[i].class, verdict_name((enum verdict)i),
				nr[i]);
	fputs("</fieldset>\n", out);
}

void html_compare_rows(FILE *out, const struct comparison *c)
{
	struct svg_axis axis = shift_axis(c);
	char buf[HTML_FIGURE_LEN];
	size_t i;

	fputs("<section aria-labelledby=\"rows\">\n<h2 id=\"rows\">Row by row</h2>\n",
	      out);
	if (!c->nr_rows) {
		fputs("<p>There are no rows to show.</p>\n</section>\n", out);
		return;
	}
	fprintf(out,
		"<p class=\"note\">Shift of the cost of a trip from base to new, with "
		"its 95%% "
		"interval: below zero is faster. Within &#177;%s%%, the shaded band, "
		"is no "
		"difference that matters. <i>p</i> is Mann and Whitney\u2019s, "
		"of loads van Elteren\u2019s, two-sided, by Holm over "
		"all rows. Costs are medians in ns a trip; <i>n</i> counts %s.</p>\n",
		html_exact(buf, c->threshold_percent),
		c->unit_is_host  ? "hosts"
		: c->unit_is_run ? "boots"
				 : "intervals within a run, or loads or placements "
				   "of a benchmark");
	put_filters(out, c);
	fputs("<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"Row "
	      "by row\">\n"
	      "<table class=\"rows\">\n<thead><tr><th scope=\"col\">row</th>"
	      "<th scope=\"col\">verdict</th><th scope=\"col\" class=\"i\" "
	      "colspan=\"2\">shift</th>"
	      "<th scope=\"col\"><span class=\"away\">shift, drawn, in percent</span>",
	      out);
	put_scale(out, &axis);
	fputs("</th><th scope=\"col\" class=\"i\" colspan=\"2\">base</th>"
	      "<th scope=\"col\" class=\"i\" colspan=\"2\">new</th>"
	      "<th scope=\"col\" class=\"n\"><i>p</i></th>"
	      "<th scope=\"col\" class=\"n\"><i>n</i></th></tr></thead>\n<tbody>\n",
	      out);
	for (i = 0; i < c->nr_rows; i++)
		put_row(out, c, &axis, i);
	html_table_end(out);
	fputs("</section>\n", out);
}

/* ---- what it buys --------------------------------------------------------------- */

static void put_buy(FILE *out, const struct comparison_row *row)
{
	char buf[HTML_FIGURE_LEN];

	fputs("<tr><th scope=\"row\">", out);
	html_text(out, row->name);
	fputs("</th>", out);
	html_element(out, "td", "n", html_figure(buf, row->fresh.trips_per_s));
	html_cell_interval(out, html_figure, row->shift, row->shift_lo, row->shift_hi);
	html_cell_interval(out, html_figure, row->saves_cpu_percent, row->saves_lo,
			   row->saves_hi);
	fputs("</tr>\n", out);
}

static void put_buys_table(FILE *out, const struct comparison *c)
{
	static const char *const titles[] = {"row", "#trips/s", "~shift, ns a trip",
					     "~saves, % of a CPU"};
	const struct comparison_total *t = &c->total;
	size_t i;

	html_table_begin(out, "What the new kernel buys", titles, 4);
	for (i = 0; i < c->nr_rows; i++)
		if (isfinite(c->rows[i].saves_cpu_percent))
			put_buy(out, &c->rows[i]);
	fputs("<tr class=\"sum\"><th "
	      "scope=\"row\">together</th><td></td><td></td><td></td>",
	      out);
	html_cell_interval(out, html_figure, t->saves_cpu_percent, t->saves_lo,
			   t->saves_hi);
	fputs("</tr>\n", out);
	html_table_end(out);
}

void html_compare_buys(FILE *out, const struct comparison *c)
{
	const struct comparison_total *t = &c->total;
	bool is_cost = t->saves_cpu_percent < 0;
	char v[HTML_FIGURE_LEN], l[HTML_FIGURE_LEN], h[HTML_FIGURE_LEN];

	fputs("<section aria-labelledby=\"buys\">\n"
	      "<h2 id=\"buys\">What the new kernel buys</h2>\n",
	      out);
	if (!isfinite(t->saves_cpu_percent)) {
		fputs("<p>Not known: no loop has both a rate, from a recording of "
		      "<code>run</code>, "
		      "and a shift.</p>\n</section>\n",
		      out);
		return;
	}
	fprintf(out,
		"<p>At the rates of the new side its loops %s <b>%s%%</b> of one CPU",
		is_cost ? "cost" : "save", html_figure(v, fabs(t->saves_cpu_percent)));
	if (isfinite(t->saves_lo) && isfinite(t->saves_hi))
		fprintf(out, " [%s, %s]",
			html_figure(l, is_cost ? -t->saves_hi : t->saves_lo),
			html_figure(h, is_cost ? -t->saves_lo : t->saves_hi));
	fprintf(out, "%s.", is_cost ? " more" : "");
	if (isfinite(t->base_cpu_percent) && isfinite(t->new_cpu_percent))
		fprintf(out, " They take %s%% instead of %s%%.",
			html_figure(v, t->new_cpu_percent),
			html_figure(l, t->base_cpu_percent));
	fputs(" Trips a second \u00d7 shift, for each loop that has both.</p>\n", out);
	put_buys_table(out, c);
	fputs("</section>\n", out);
}

/* ---- each row's figures --------------------------------------------------------- */

static void fill_points(struct plot_point *to, const struct comparison_point *from,
			size_t nr)
{
	size_t i;

	for (i = 0; i < nr; i++)
		to[i] = (struct plot_point){from[i].x, from[i].y, NAN, NAN};
}

static void fill_side(struct plot_side *to, const char *name,
		      const struct comparison_side *from)
{
	*to = (struct plot_side){
		.name = name,
		.nr = from->nr,
		.least = from->least,
		.q1 = from->q1,
		.median = from->median,
		.q3 = from->q3,
		.most = from->most,
		.lo = from->lo,
		.hi = from->hi,
		.nr_dots = from->nr_dots,
		.a = from->a,
		.a_lo = from->a_lo,
		.a_hi = from->a_hi,
		.b = from->b,
		.b_lo = from->b_lo,
		.b_hi = from->b_hi,
		.nr_costs = from->nr_costs,
		.nr_times = from->nr_times,
	};
	memcpy(to->dots, from->dots, from->nr_dots * sizeof(from->dots[0]));
	fill_points(to->costs, from->costs, from->nr_costs);
	fill_points(to->times, from->times, from->nr_times);
}

static const char *measure_text(enum comparison_measure measure)
{
	switch (measure) {
	case MEASURE_BENCH:
		return "cost of a trip of an empty body, by bench: a dot a placement";
	case MEASURE_CALIBRATION:
		return "cost of a trip of an empty body, at the start of a run";
	case MEASURE_SLOPE:
		return "cost of a trip: the slope of the line fitted to timed loops";
	case MEASURE_MEAN:
		return "mean duration of a loop over its trips, as no line fits";
	}
	return "";
}

static void put_details(FILE *out, const struct comparison *c, size_t at,
			struct plot_side sides[2])
{
	const struct comparison_row *row = &c->rows[at];
	char buf[HTML_FIGURE_LEN];
	struct plots plots = {
		.name = row->name,
		.of = "ns a trip",
		.units = units_of(c, row),
		.sides = sides,
		.nr_sides = 2,
	};

	fill_side(&sides[0], "base", &row->base);
	fill_side(&sides[1], "new", &row->fresh);
	fprintf(out, "<details class=\"row is-%s\"%s><summary><h3>",
		verdicts[row->verdict].class, is_open(c, row) ? " open" : "");
	html_text(out, row->name);
	fprintf(out, " <span class=\"muted\">%s</span></h3> ",
		comparison_kind_name(row->kind));
	html_verdict(out, "span", row->verdict);
	if (isfinite(row->shift_percent))
		fprintf(out, " <span class=\"n\">%s</span>",
			html_percent(buf, row->shift_percent));
	fprintf(out,
		"</summary>\n<div id=\"row-%zu\">\n<p class=\"note\">A value is the "
		"%s.",
		at, measure_text(row->measure));
	if (row->note[0]) {
		fputs(" <b>", out);
		html_text(out, row->note);
		fputs("</b>", out);
	}
	fputs("</p>\n", out);
	html_plots(out, &plots);
	fputs("</div>\n</details>\n", out);
}

int html_compare_figures(FILE *out, const struct comparison *c)
{
	struct plot_side *sides;
	size_t i;

	if (!c->nr_rows)
		return 0;
	sides = calloc(2, sizeof(*sides));
	if (!sides)
		return -ENOMEM;
	fputs("<section aria-labelledby=\"figures\" class=\"plots\">\n"
	      "<h2 id=\"figures\">Each row\u2019s figures</h2>\n"
	      "<fieldset class=\"controls legend\"><legend>Show sides</legend>\n"
	      "<label class=\"base\"><input type=\"checkbox\" id=\"show-base\" checked "
	      "autocomplete=\"off\"> "
	      "<span aria-hidden=\"true\">\u25CF</span> base</label>\n"
	      "<label class=\"new\"><input type=\"checkbox\" id=\"show-new\" checked "
	      "autocomplete=\"off\"> "
	      "<span aria-hidden=\"true\">\u25C6</span> new</label>\n</fieldset>\n"
	      "<p class=\"note\">A dot is a unit of evidence, of a benchmark a "
	      "placement. Under the dots: a box "
	      "from quartile to "
	      "quartile, whiskers to the ends, and in the box the median with its 95% "
	      "interval.</p>\n",
	      out);
	for (i = 0; i < c->nr_rows; i++)
		put_details(out, c, i, sides);
	free(sides);
	fputs("</section>\n", out);
	return 0;
}
