// SPDX-License-Identifier: BSD-2-Clause
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "export/html.h"
#include "export/html_plots.h"
#include "export/svg.h"

#define WIDTH  360
#define HEIGHT 220
#define LEFT   52
#define RIGHT  350
#define TOP    22
#define BOTTOM (HEIGHT - 34)

#define LANE        64
#define LANE_TOP    6
#define NR_STEPS    5
#define TEXT_LEN    256
#define FIGURE_PAIR (2 * HTML_FIGURE_LEN + 64)

static enum svg_shape shape_of(size_t side)
{
	return side ? SVG_DIAMOND : SVG_CIRCLE;
}

/* The class of a side's marks and lines: of its place, as its shape is. */
static void begin_side(const struct svg *s, size_t side, const char *what)
{
	char class[64];

	snprintf(class, sizeof(class), "%s %s", side ? "new" : "base", what);
	svg_group_begin(s, class);
}

static bool is_empty(const struct svg_range *r)
{
	return isnan(r->least);
}

static void begin_figure(FILE *out, const char *title, const char *how)
{
	fputs("<figure>\n<figcaption>", out);
	html_element(out, "strong", NULL, title);
	fputs(" ", out);
	html_text(out, how);
	fputs("</figcaption>\n", out);
}

static void begin_numbers(FILE *out)
{
	fputs("<details class=\"numbers\"><summary>Numbers</summary>\n", out);
}

static void end_figure(FILE *out)
{
	fputs("</details>\n</figure>\n", out);
}

static void label_of(char label[TEXT_LEN], const struct plots *p, const char *what)
{
	snprintf(label, TEXT_LEN, "%s: %s", p->name, what);
}

/* ---- distributions -------------------------------------------------------------- */

static void range_of_values(const struct plots *p, struct svg_range *r)
{
	size_t i, j;

	for (i = 0; i < p->nr_sides; i++) {
		const struct plot_side *side = &p->sides[i];

		svg_range_add(r, side->least);
		svg_range_add(r, side->most);
		svg_range_add(r, side->median);
		svg_range_add(r, side->lo);
		svg_range_add(r, side->hi);
		for (j = 0; j < side->nr_dots; j++)
			svg_range_add(r, side->dots[j]);
	}
}

static void bar(const struct svg *s, const char *class, double from, double to,
		double y, double height)
{
	double left = svg_place(&s->x, from), right = svg_place(&s->x, to);

	if (svg_can_draw(from) && svg_can_draw(to))
		fprintf(s->out,
			"<rect class=\"%s\" x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" "
			"height=\"%.2f\"/>",
			class, left, y, right - left, height);
}

/* Box of the quartiles, whiskers to the ends, the median and its interval. */
static void draw_box(const struct svg *s, const struct plot_side *side, const char *of,
		     double y)
{
	char text[FIGURE_PAIR + TEXT_LEN], m[HTML_FIGURE_LEN], l[HTML_FIGURE_LEN],
		h[HTML_FIGURE_LEN];

	bar(s, "whisker", side->least, side->most, y + 7.5, 1);
	bar(s, "box", side->q1, side->q3, y, 16);
	bar(s, "ci", side->lo, side->hi, y + 5.5, 5);
	if (!svg_can_draw(side->median))
		return;
	snprintf(text, sizeof(text), "%s: median %s %s", side->name,
		 html_exact(m, side->median), of);
	if (svg_can_draw(side->lo) && svg_can_draw(side->hi))
		snprintf(text, sizeof(text), "%s: median %s [%s, %s] %s", side->name,
			 html_exact(m, side->median), html_exact(l, side->lo),
			 html_exact(h, side->hi), of);
	fprintf(s->out,
		"<rect class=\"median\" x=\"%.2f\" y=\"%.2f\" width=\"2\" "
		"height=\"20\">",
		svg_place(&s->x, side->median) - 1, y - 2);
	html_element(s->out, "title", NULL, text);
	fputs("</rect>", s->out);
}

static void draw_lane(const struct svg *s, const struct plots *p, size_t at)
{
	const struct plot_side *side = &p->sides[at];
	double top = LANE_TOP + LANE * (double)at, spread;
	char text[TEXT_LEN], figure[HTML_FIGURE_LEN];
	size_t i;

	begin_side(s, at, "lane");
	fprintf(s->out, "<text class=\"side\" x=\"0\" y=\"%.2f\">", top + 46);
	html_text(s->out, side->name);
	fputs("</text>", s->out);
	draw_box(s, side, p->of, top + 34);
	svg_group_end(s);
	begin_side(s, at, "dots");
	for (i = 0; i < side->nr_dots; i++) {
		/* The golden ratio's multiples fill the height evenly. */
		spread = fmod((double)i * 0.6180339887, 1);
		snprintf(text, sizeof(text), "%s: %s %s", side->name,
			 html_exact(figure, side->dots[i]), p->of);
		svg_mark(s, shape_of(at), side->dots[i], top + 6 + 20 * spread, text);
	}
	svg_group_end(s);
}

static void tabulate_values(FILE *out, const struct plots *p)
{
	const char *titles[] = {"side",  "#least", "#quartile", "#median",
				"#from", "#to",    "#quartile", "#most"};
	const char *values[3] = {"#"};
	size_t i, j, nr = 0;

	html_table_begin(out, "Distribution", titles, 8);
	for (i = 0; i < p->nr_sides; i++) {
		const struct plot_side *side = &p->sides[i];
		const double figures[] = {side->least, side->q1, side->median, side->lo,
					  side->hi,    side->q3, side->most};

		fputs("<tr>", out);
		html_element(out, "th", NULL, side->name);
		for (j = 0; j < 7; j++)
			html_cell_exact(out, figures[j]);
		fputs("</tr>\n", out);
		nr = side->nr_dots > nr ? side->nr_dots : nr;
	}
	html_table_end(out);
	for (i = 0; i < p->nr_sides; i++)
		values[i + 1] = i ? "#new" : p->nr_sides > 1 ? "#base" : "#value";
	html_table_begin(out, "Values", values, p->nr_sides + 1);
	for (j = 0; j < nr; j++) {
		fprintf(out, "<tr><td class=\"n\">%zu</td>", j + 1);
		for (i = 0; i < p->nr_sides; i++)
			html_cell_exact(out, j < p->sides[i].nr_dots
						     ? p->sides[i].dots[j]
						     : NAN);
		fputs("</tr>\n", out);
	}
	html_table_end(out);
}

/* "36 intervals of base, 1 interval of new"; units are plural. */
static void describe_counts(char text[TEXT_LEN], const struct plots *p)
{
	int length = (int)strlen(p->units);
	size_t i, len = 0;

	text[0] = '\0';
	for (i = 0; i < p->nr_sides && len < TEXT_LEN; i++) {
		const struct plot_side *side = &p->sides[i];

		len += (size_t)snprintf(text + len, TEXT_LEN - len, "%s%llu %.*s%s%s",
					i ? ", " : "", (unsigned long long)side->nr,
					length - (side->nr == 1), p->units,
					p->nr_sides > 1 ? " of " : "",
					p->nr_sides > 1 ? side->name : "");
	}
}

static bool plot_values(FILE *out, const struct plots *p)
{
	double bottom = LANE_TOP + LANE * (double)p->nr_sides;
	struct svg_range range = SVG_EMPTY;
	char label[TEXT_LEN], text[TEXT_LEN];
	struct svg s = {.out = out};
	size_t i;

	range_of_values(p, &range);
	if (is_empty(&range))
		return false;
	svg_axis_init(&s.x, &range, NR_STEPS, LEFT, RIGHT);
	s.y = (struct svg_axis){.from = bottom, .to = LANE_TOP};
	describe_counts(text, p);
	begin_figure(out, "Distribution", text);
	label_of(label, p, "distribution");
	svg_begin(out, "plot values", WIDTH, bottom + 34, label,
		  "A dot a unit of evidence; below, a box from quartile to quartile, "
		  "in it the "
		  "median with its 95% interval. The numbers are in the table that "
		  "follows.");
	svg_x_axis(&s, p->of);
	for (i = 0; i < p->nr_sides; i++)
		draw_lane(&s, p, i);
	svg_end(out);
	begin_numbers(out);
	tabulate_values(out, p);
	end_figure(out);
	return true;
}

/* ---- cost against trips --------------------------------------------------------- */

static double most_trips(const struct plot_side *side)
{
	struct svg_range r = SVG_EMPTY;
	size_t i;

	for (i = 0; i < side->nr_costs; i++)
		if (svg_can_draw(side->costs[i].y))
			svg_range_add(&r, side->costs[i].x);
	return r.most;
}

static void ranges_of_costs(const struct plots *p, struct svg_range *x,
			    struct svg_range *y)
{
	size_t i, j;

	for (i = 0; i < p->nr_sides; i++) {
		const struct plot_side *side = &p->sides[i];
		double most = most_trips(side);

		svg_range_add(x, most);
		for (j = 0; j < side->nr_costs; j++)
			if (svg_can_draw(side->costs[j].x))
				svg_range_add(y, side->costs[j].y);
		if (!isnan(most)) {
			svg_range_add(y, side->a);
			svg_range_add(y, side->a + side->b * most);
		}
	}
	if (!is_empty(x))
		svg_range_add(x, 0);
	if (!is_empty(y))
		svg_range_add(y, 0);
}

/*
 * Between the lower and the upper ends of both intervals: it holds the line's own
 * interval, and is wider, as intercept and slope err in opposite directions.
 */
static void draw_line(const struct svg *s, size_t at, const struct plot_side *side)
{
	const struct svg_axis *x = &s->x, *y = &s->y;
	double most = most_trips(side);
	double lo = side->a_lo + side->b_lo * most, hi = side->a_hi + side->b_hi * most;

	begin_side(s, at, "line");
	svg_clip_begin(s);
	if (svg_can_draw(lo) && svg_can_draw(hi))
		fprintf(s->out,
			"<path class=\"band\" d=\"M%.2f %.2fL%.2f %.2fL%.2f %.2fL%.2f "
			"%.2fz\"/>",
			svg_place(x, 0), svg_place(y, side->a_lo), svg_place(x, most),
			svg_place(y, lo), svg_place(x, most), svg_place(y, hi),
			svg_place(x, 0), svg_place(y, side->a_hi));
	svg_line(s, "fit", 0, side->a, most, side->a + side->b * most);
	svg_clip_end(s);
	svg_group_end(s);
}

/* Marks at points of both axes; format has three %s: side, x, y. */
static void draw_points(const struct svg *s, size_t at, const char *side,
			const struct plot_point *points, size_t nr, const char *x_of,
			const char *y_of)
{
	char text[TEXT_LEN], x[HTML_FIGURE_LEN], y[HTML_FIGURE_LEN];
	size_t i;

	begin_side(s, at, "dots");
	for (i = 0; i < nr; i++) {
		if (!svg_can_draw(points[i].y))
			continue;
		snprintf(text, sizeof(text), "%s: %s %s, %s %s", side,
			 html_exact(x, points[i].x), x_of, html_exact(y, points[i].y),
			 y_of);
		svg_mark(s, shape_of(at), points[i].x, svg_place(&s->y, points[i].y),
			 text);
	}
	svg_group_end(s);
}

static void tabulate_points(FILE *out, const struct plots *p, const char *label,
			    const char *x_title, const char *y_title, bool is_time)
{
	const char *titles[] = {"side", x_title, y_title, "#from", "#to"};
	size_t i, j, nr_columns = 3;

	for (i = 0; is_time && i < p->nr_sides; i++)
		for (j = 0; j < p->sides[i].nr_times; j++)
			if (!isnan(p->sides[i].times[j].lo))
				nr_columns = 5;
	html_table_begin(out, label, titles, nr_columns);
	for (i = 0; i < p->nr_sides; i++) {
		const struct plot_side *side = &p->sides[i];
		const struct plot_point *points = is_time ? side->times : side->costs;

		for (j = 0; j < (is_time ? side->nr_times : side->nr_costs); j++) {
			fputs("<tr>", out);
			html_element(out, "td", NULL, side->name);
			html_cell_exact(out, points[j].x);
			html_cell_exact(out, points[j].y);
			if (nr_columns == 5) {
				html_cell_exact(out, points[j].lo);
				html_cell_exact(out, points[j].hi);
			}
			fputs("</tr>\n", out);
		}
	}
	html_table_end(out);
}

static void tabulate_lines(FILE *out, const struct plots *p)
{
	const char *titles[] = {"side",       "#ns a loop", "#from", "#to",
				"#ns a trip", "#from",      "#to"};
	size_t i, j;

	html_table_begin(out, "Fitted lines", titles, 7);
	for (i = 0; i < p->nr_sides; i++) {
		const struct plot_side *side = &p->sides[i];
		const double figures[] = {side->a, side->a_lo, side->a_hi,
					  side->b, side->b_lo, side->b_hi};

		fputs("<tr>", out);
		html_element(out, "th", NULL, side->name);
		for (j = 0; j < 6; j++)
			html_cell_exact(out, figures[j]);
		fputs("</tr>\n", out);
	}
	html_table_end(out);
}

static const char *about_lines(const struct plots *p)
{
	const char *text = "no line: its slope is not known";
	size_t i;

	for (i = 0; i < p->nr_sides; i++) {
		if (!svg_can_draw(p->sides[i].b))
			continue;
		if (svg_can_draw(p->sides[i].a))
			return "the slope is ns a trip, the intercept ns a loop";
		text = "no line: its intercept is not known";
	}
	return text;
}

static bool plot_costs(FILE *out, const struct plots *p)
{
	struct svg_range x = SVG_EMPTY, y = SVG_EMPTY;
	char label[TEXT_LEN];
	struct svg s = {.out = out};
	size_t i;

	ranges_of_costs(p, &x, &y);
	if (is_empty(&x) || is_empty(&y))
		return false;
	svg_axis_init(&s.x, &x, NR_STEPS, LEFT, RIGHT);
	svg_axis_init(&s.y, &y, NR_STEPS, BOTTOM, TOP);
	begin_figure(out, "Cost against trips", about_lines(p));
	label_of(label, p, "cost of a loop against its trips");
	svg_begin(out, "plot costs", WIDTH, HEIGHT, label,
		  "A dot an interval: mean trips of a loop and its mean duration. "
		  "Lines are "
		  "fitted; their bands run from the lower to the upper ends of the "
		  "intervals "
		  "of slope and intercept. The numbers are in the tables that follow.");
	svg_y_axis(&s, "ns a loop");
	svg_x_axis(&s, "trips of a loop");
	for (i = 0; i < p->nr_sides; i++)
		draw_line(&s, i, &p->sides[i]);
	for (i = 0; i < p->nr_sides; i++)
		draw_points(&s, i, p->sides[i].name, p->sides[i].costs,
			    p->sides[i].nr_costs, "trips", "ns");
	svg_end(out);
	begin_numbers(out);
	tabulate_lines(out, p);
	tabulate_points(out, p, "Costs", "#trips", "#ns", false);
	end_figure(out);
	return true;
}

/* ---- cost against time ---------------------------------------------------------- */

static void ranges_of_times(const struct plots *p, struct svg_range *x,
			    struct svg_range *y)
{
	size_t i, j;

	for (i = 0; i < p->nr_sides; i++)
		for (j = 0; j < p->sides[i].nr_times; j++) {
			const struct plot_point *at = &p->sides[i].times[j];

			if (!svg_can_draw(at->x) || !svg_can_draw(at->y))
				continue;
			svg_range_add(x, at->x);
			svg_range_add(y, at->y);
			svg_range_add(y, at->lo);
			svg_range_add(y, at->hi);
		}
	if (!is_empty(x))
		svg_range_add(x, 0);
}

/* Where time goes backwards another run begins, and another line. */
static void draw_course(const struct svg *s, size_t at, const struct plot_side *side)
{
	const struct plot_point *last = NULL, *p;
	size_t i;

	begin_side(s, at, "course");
	for (i = 0; i < side->nr_times; i++) {
		p = &side->times[i];
		if (!svg_can_draw(p->x) || !svg_can_draw(p->y)) {
			last = NULL;
			continue;
		}
		svg_line(s, "interval", p->x, p->lo, p->x, p->hi);
		if (last && last->x < p->x)
			svg_line(s, "step", last->x, last->y, p->x, p->y);
		last = p;
	}
	svg_group_end(s);
}

static bool plot_times(FILE *out, const struct plots *p)
{
	struct svg_range x = SVG_EMPTY, y = SVG_EMPTY;
	struct svg s = {.out = out};
	char label[TEXT_LEN];
	size_t i;

	ranges_of_times(p, &x, &y);
	if (is_empty(&x))
		return false;
	svg_axis_init(&s.x, &x, NR_STEPS, LEFT, RIGHT);
	svg_axis_init(&s.y, &y, NR_STEPS, BOTTOM, TOP);
	begin_figure(out, "Over time",
		     p->nr_sides > 1 ? "each recording from its own start"
				     : "a dot an interval");
	label_of(label, p, "cost over time");
	svg_begin(
		out, "plot times", WIDTH, HEIGHT, label,
		"A dot an interval: seconds since the recording's start and cost. The "
		"numbers are in the table that follows.");
	svg_y_axis(&s, p->of);
	svg_x_axis(&s, "seconds since the start");
	for (i = 0; i < p->nr_sides; i++)
		draw_course(&s, i, &p->sides[i]);
	for (i = 0; i < p->nr_sides; i++)
		draw_points(&s, i, p->sides[i].name, p->sides[i].times,
			    p->sides[i].nr_times, "s", p->of);
	svg_end(out);
	begin_numbers(out);
	tabulate_points(out, p, "Over time", "#s", "#value", true);
	end_figure(out);
	return true;
}

void html_plots(FILE *out, const struct plots *p)
{
	bool has_values, has_costs, has_times;

	fputs("<div class=\"figures\">\n", out);
	has_values = plot_values(out, p);
	has_costs = plot_costs(out, p);
	has_times = plot_times(out, p);
	fputs("</div>\n", out);
	if (has_values && has_costs && has_times)
		return;
	fputs("<p class=\"note\">Not drawn, as there are no figures for it:", out);
	fprintf(out, "%s%s%s.</p>\n", has_values ? "" : " distribution",
		has_costs    ? ""
		: has_values ? " cost against trips"
			     : ", cost against trips",
		has_times                 ? ""
		: has_values && has_costs ? " cost over time"
					  : ", cost over time");
}
