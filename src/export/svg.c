// SPDX-License-Identifier: BSD-2-Clause
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/format.h"
#include "export/html.h"
#include "export/svg.h"

#define MAX_DRAWN 1e15

bool svg_can_draw(double value)
{
	return fabs(value) <= MAX_DRAWN; /* NaN is not */
}

void svg_range_add(struct svg_range *r, double value)
{
	if (!svg_can_draw(value))
		return;
	r->least = fmin(r->least, value);
	r->most = fmax(r->most, value);
}

/* ---- axes ----------------------------------------------------------------------- */

/* The least of 1, 2, 5 times a power of ten that is not below. */
static double nice_step(double raw)
{
	static const double nice[] = {1, 2, 5, 10};
	double power = pow(10, floor(log10(raw)));
	int i = 0;

	while (nice[i] * power < raw * (1 - 1e-9) && i < 3)
		i++;
	return nice[i] * power;
}

/* Of the range, on either side. */
#define ROOM 0.04

void svg_axis_init(struct svg_axis *a, const struct svg_range *r, int nr_steps,
		   double from, double to)
{
	double least = r->least, most = r->most;
	double size = fmax(fabs(least), fabs(most)), room;

	/* Steps far smaller than the values would drown in rounding. */
	if (most - least < 1e-6 * size || most - least < 1e-300) {
		room = size > 1e-200 ? 0.05 * size : 1;
		least -= room;
		most += room;
	}
	room = ROOM * (most - least);
	a->lo = least == 0 ? 0 : least - room;
	a->hi = most == 0 ? 0 : most + room;
	a->step = nice_step((a->hi - a->lo) / nr_steps);
	a->from = from;
	a->to = to;
}

double svg_place(const struct svg_axis *a, double value)
{
	return a->from + (value - a->lo) / (a->hi - a->lo) * (a->to - a->from);
}

/* In steps from zero; an end that is a multiple but for rounding has a tick. */
static double first_tick(const struct svg_axis *a)
{
	return ceil(a->lo / a->step - 1e-6);
}

int svg_nr_ticks(const struct svg_axis *a)
{
	return (int)(floor(a->hi / a->step + 1e-6) - first_tick(a)) + 1;
}

double svg_tick(const struct svg_axis *a, int i)
{
	double value = (first_tick(a) + i) * a->step;

	return value == 0 ? 0 : value; /* no minus zero */
}

const char *svg_tick_label(char buf[SVG_LABEL_LEN], const struct svg_axis *a, int i)
{
	double value = svg_tick(a, i), size = fabs(value);
	int decimals = (int)-floor(log10(a->step) + 1e-9);
	const char *sign = value < 0 ? "\u2212" : "";
	char count[FORMAT_LEN];

	if (size >= 1e7 || decimals > 6)
		snprintf(buf, SVG_LABEL_LEN, "%s%.4g", sign, size);
	else if (decimals > 0)
		snprintf(buf, SVG_LABEL_LEN, "%s%.*f", sign, decimals, size);
	else
		snprintf(buf, SVG_LABEL_LEN, "%s%.24s", sign,
			 format_count(count, (uint64_t)llround(size)));
	return buf;
}

void svg_x_axis(const struct svg *s, const char *title)
{
	char label[SVG_LABEL_LEN];
	double x;
	int i;

	fputs("<g class=\"axis x\">", s->out);
	for (i = 0; i < svg_nr_ticks(&s->x); i++) {
		x = svg_place(&s->x, svg_tick(&s->x, i));
		fprintf(s->out,
			"<path d=\"M%.2f %.2fV%.2f\"/><text x=\"%.2f\" "
			"y=\"%.2f\">%s</text>",
			x, s->y.to, s->y.from, x, s->y.from + 14,
			svg_tick_label(label, &s->x, i));
	}
	fprintf(s->out, "<text class=\"title\" x=\"%.2f\" y=\"%.2f\">", s->x.to,
		s->y.from + 28);
	html_text(s->out, title);
	fputs("</text></g>\n", s->out);
}

void svg_y_axis(const struct svg *s, const char *title)
{
	char label[SVG_LABEL_LEN];
	double y;
	int i;

	fputs("<g class=\"axis y\">", s->out);
	for (i = 0; i < svg_nr_ticks(&s->y); i++) {
		y = svg_place(&s->y, svg_tick(&s->y, i));
		fprintf(s->out,
			"<path d=\"M%.2f %.2fH%.2f\"/><text x=\"%.2f\" "
			"y=\"%.2f\">%s</text>",
			s->x.from, y, s->x.to, s->x.from - 6, y + 4,
			svg_tick_label(label, &s->y, i));
	}
	fprintf(s->out, "<text class=\"title\" x=\"0\" y=\"%.2f\">", s->y.to - 12);
	html_text(s->out, title);
	fputs("</text></g>\n", s->out);
}

/* ---- what is drawn -------------------------------------------------------------- */

void svg_begin(FILE *out, const char *class, double width, double height,
	       const char *label, const char *description)
{
	fprintf(out,
		"<svg class=\"%s\" viewBox=\"0 0 %g %g\" width=\"%g\" height=\"%g\" "
		"role=\"img\" aria-label=\"",
		class, width, height, width, height);
	html_text(out, label);
	fputs("\"><desc>", out);
	html_text(out, description);
	fputs("</desc>\n", out);
}

void svg_end(FILE *out)
{
	fputs("</svg>\n", out);
}

void svg_clip_begin(const struct svg *s)
{
	double width = s->x.to - s->x.from, height = s->y.from - s->y.to;

	fprintf(s->out,
		"<svg x=\"%g\" y=\"%g\" width=\"%g\" height=\"%g\" viewBox=\"%g %g %g "
		"%g\">",
		s->x.from, s->y.to, width, height, s->x.from, s->y.to, width, height);
}

void svg_clip_end(const struct svg *s)
{
	fputs("</svg>\n", s->out);
}

void svg_group_begin(const struct svg *s, const char *class)
{
	fprintf(s->out, "<g class=\"%s\">", class);
}

void svg_group_end(const struct svg *s)
{
	fputs("</g>\n", s->out);
}

void svg_mark(const struct svg *s, enum svg_shape shape, double x, double y_place,
	      const char *title)
{
	double x_place = svg_place(&s->x, x);

	if (!svg_can_draw(x))
		return;
	if (shape == SVG_CIRCLE)
		fprintf(s->out, "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"2.6\">", x_place,
			y_place);
	else
		fprintf(s->out, "<path d=\"M%.2f %.2fl3.2 3.2-3.2 3.2-3.2-3.2z\">",
			x_place, y_place - 3.2);
	html_element(s->out, "title", NULL, title);
	fputs(shape == SVG_CIRCLE ? "</circle>" : "</path>", s->out);
}

void svg_line(const struct svg *s, const char *class, double x1, double y1, double x2,
	      double y2)
{
	if (!svg_can_draw(y1) || !svg_can_draw(y2))
		return;
	fprintf(s->out, "<path class=\"%s\" d=\"M%.2f %.2fL%.2f %.2f\"/>", class,
		svg_place(&s->x, x1), svg_place(&s->y, y1), svg_place(&s->x, x2),
		svg_place(&s->y, y2));
}
