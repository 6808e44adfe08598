/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Pictures as SVG in a page: axes, marks, lines and bands in the data's own
 * coordinates. Knows nothing of what is drawn; colours and fonts are the
 * page's style, by class. A figure that is absent, infinite or beyond 1e15 is
 * neither drawn nor counted in for an axis. Lengths are in CSS pixels at the
 * width that the picture was made for.
 */
#ifndef ITERTRACE_EXPORT_SVG_H
#define ITERTRACE_EXPORT_SVG_H

#include <stdbool.h>
#include <stdio.h>

bool svg_can_draw(double value);

/* {NAN, NAN} is empty. */
struct svg_range {
	double least, most;
};

#define SVG_EMPTY        \
	{                \
		NAN, NAN \
	}

void svg_range_add(struct svg_range *r, double value);

/*
 * An axis from lo to hi, drawn between the places from and to, with ticks at the
 * multiples of step in it: 1, 2 or 5 times a power of ten.
 */
struct svg_axis {
	double lo, hi, step;
	double from, to;
};

/*
 * For a range that is not empty, with some room around it but at an end that is
 * zero: about nr_steps steps; of 5 and more, two ticks at least. A range of one
 * value is widened.
 */
void svg_axis_init(struct svg_axis *a, const struct svg_range *r, int nr_steps,
		   double from, double to);
double svg_place(const struct svg_axis *a, double value);
int svg_nr_ticks(const struct svg_axis *a);
double svg_tick(const struct svg_axis *a, int i);

#define SVG_LABEL_LEN 32

/* As many decimals as the step has: "0.25", "1,500", "2e+09"; minus is U+2212. */
const char *svg_tick_label(char buf[SVG_LABEL_LEN], const struct svg_axis *a, int i);

struct svg {
	FILE *out;
	struct svg_axis x, y;
};

/*
 * label names the picture to those who do not see it; description says what it
 * shows. Both may be a recording's text.
 */
void svg_begin(FILE *out, const char *class, double width, double height,
	       const char *label, const char *description);
void svg_end(FILE *out);

/* Grid lines and labels, and what the axis is of. */
void svg_x_axis(const struct svg *s, const char *title);
void svg_y_axis(const struct svg *s, const char *title);

/* What is drawn between these two is cut at the axes. */
void svg_clip_begin(const struct svg *s);
void svg_clip_end(const struct svg *s);

/* A group of marks, lines and bands; class is the caller's own. */
void svg_group_begin(const struct svg *s, const char *class);
void svg_group_end(const struct svg *s);

enum svg_shape {
	SVG_CIRCLE,
	SVG_DIAMOND,
};

/* At x of the axis, y of the picture. title: shown when pointed at. */
void svg_mark(const struct svg *s, enum svg_shape shape, double x, double y_place,
	      const char *title);

/* A straight line in the axes' coordinates. */
void svg_line(const struct svg *s, const char *class, double x1, double y1, double x2,
	      double y2);

#endif
