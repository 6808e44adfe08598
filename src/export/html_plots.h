/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The figures of one row, each with its numbers in a table below: how the units
 * of evidence are distributed, cost against trips, and cost against time. Each
 * of one or two sides, drawn in the same axes; what a side has no figures for
 * is left out.
 */
#ifndef ITERTRACE_EXPORT_HTML_PLOTS_H
#define ITERTRACE_EXPORT_HTML_PLOTS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define PLOT_MAX_POINTS 512

struct plot_point {
	double x, y;
	double lo, hi; /* of y; ABSENT: none */
};

/* Durations are ns. What is ABSENT is not drawn. */
struct plot_side {
	const char *name; /* "base", "new": also of the class in the style */
	uint64_t nr;      /* units of evidence; dots may be fewer */
	double least, q1, median, q3, most, lo, hi;
	double dots[PLOT_MAX_POINTS];
	size_t nr_dots;
	double a, a_lo, a_hi, b, b_lo, b_hi;      /* ns = a + b trips */
	struct plot_point costs[PLOT_MAX_POINTS]; /* trips of an entry, its ns */
	size_t nr_costs;
	struct plot_point times[PLOT_MAX_POINTS]; /* s since the start, ns */
	size_t nr_times;
};

struct plots {
	const char *name;  /* of the row; may be a recording's text */
	const char *of;    /* what a value is: "ns a trip" */
	const char *units; /* "runs", "intervals" */
	const struct plot_side *sides;
	size_t nr_sides; /* 1 or 2; the second is drawn over the first */
};

/* All that there are figures for; a sentence for what there is not. */
void html_plots(FILE *out, const struct plots *p);

#endif
