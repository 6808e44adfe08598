// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/format.h"
#include "base/time.h"
#include "export/html.h"
#include "export/html_identity.h"
#include "export/html_plots.h"
#include "export/html_report.h"
#include "export/html_report_parts.h"
#include "stat/quantile.h"

#define TEXT_LEN 1024

/* So few sites are all shown open. */
#define SITES_OPEN 12

static bool is_bench(const struct report *r)
{
	return !strcmp(r->head->command, "bench");
}

/* ---- what it is ----------------------------------------------------------------- */

static void put_fact(FILE *out, const char *what, const char *text)
{
	if (!text[0])
		return;
	fprintf(out, "<div><dt>%s</dt><dd>", what);
	html_text(out, text);
	fputs("</dd></div>\n", out);
}

static void put_facts(FILE *out, const struct report *r)
{
	char when[HTML_FIGURE_LEN], text[FORMAT_LEN];

	fputs("<dl class=\"sides\">\n", out);
	put_fact(out, "kernel", r->head->identity.release);
	put_fact(out, "begun", html_time(when, r->head->time_ns));
	if (!is_bench(r)) {
		put_fact(out, "watched", format_ns(text, r->watched_ns));
		put_fact(out, "intervals", format_count(text, r->end.nr_intervals));
	} else if (r->bench && r->bench->took_s >= 0 && r->bench->took_s < 1e9) {
		put_fact(out, "took",
			 format_ns(text, (uint64_t)(r->bench->took_s * 1e9)));
	}
	put_fact(out, "loops run on", r->head->loops);
	fputs("</dl>\n", out);
}

/* A warning, a line of the list that is begun with the first. */
static void warn(FILE *out, bool *any, const char *text)
{
	if (!text[0])
		return;
	if (!*any)
		fputs("<ul class=\"warnings\" aria-label=\"Warnings\">\n", out);
	*any = true;
	html_element(out, "li", NULL, text);
	fputc('\n', out);
}

static void warn_of_tracer(FILE *out, bool *any, const struct tracer_status *t)
{
	char text[TEXT_LEN], count[FORMAT_LEN];
	size_t i;

	snprintf(text, sizeof(text), "%s is off: %s", t->name, t->reason);
	if (!t->on && t->wanted)
		warn(out, any, text);
	for (i = 0; i < t->nr_lost; i++) {
		snprintf(text, sizeof(text), "%s lost events: %s %s", t->name,
			 format_count(count, t->lost[i].nr), t->lost[i].cause);
		if (t->lost[i].nr)
			warn(out, any, text);
	}
}

static void put_warnings(FILE *out, const struct report *r)
{
	bool any = false;
	size_t i;

	warn(out, &any, r->end.loss);
	if (!r->has_summary && !is_bench(r))
		warn(out, &any,
		     "The run's own summary is not there: counts are those of the "
		     "intervals.");
	for (i = 0; i < r->summary.nr_tracers; i++)
		warn_of_tracer(out, &any, &r->summary.tracers[i]);
	if (r->bench) {
		warn(out, &any, r->bench->verdict);
		warn(out, &any,
		     r->bench->is_partial ? "The benchmark was interrupted." : "");
	}
	if (any)
		fputs("</ul>\n", out);
}

static void put_head(FILE *out, const struct report *r)
{
	fputs("<header>\n<p class=\"kicker\">itertrace report</p>\n<h1>", out);
	html_text(out, is_bench(r) ? "Benchmark" : "Recording");
	if (r->head->host[0]) {
		fputs(" of ", out);
		html_text(out, r->head->host);
	}
	fputs("</h1>\n<p class=\"file\"><code>", out);
	html_text(out, r->head->path);
	fputs("</code></p>\n", out);
	put_facts(out, r);
	put_warnings(out, r);
	fputs("</header>\n", out);
}

/* ---- figures of the sites ------------------------------------------------------- */

static const struct site_figures *summary_of(const struct report *r, const char *name)
{
	size_t i;

	for (i = 0; i < r->summary.nr_sites; i++)
		if (!strcmp(r->summary.sites[i].name, name))
			return &r->summary.sites[i];
	return NULL;
}

static void fill_times(struct plot_side *to, const struct report *r,
		       const struct report_site *site)
{
	struct plot_point *p;
	size_t i;

	for (i = 0; i < site->nr_times && i < PLOT_MAX_POINTS; i++) {
		const struct report_time *t = &site->times[i];

		p = &to->times[to->nr_times++];
		*p = (struct plot_point){
			.x = ((double)t->time_ns - (double)r->first_ns) / NSEC_PER_SEC,
			.y = t->ns_per_trip,
			.lo = t->ns_per_trip_lo,
			.hi = t->ns_per_trip_hi,
		};
		if (!site->nr_fits)
			*p = (struct plot_point){p->x, t->mean_ns / t->mean_trips, NAN,
						 NAN};
		if (!isfinite(p->y)) {
			to->nr_times--;
			continue;
		}
		to->dots[to->nr_dots++] = p->y;
		to->least = fmin(to->least, p->y);
		to->most = fmax(to->most, p->y);
	}
}

static void fill_costs(struct plot_side *to, const struct report_site *site)
{
	size_t i;

	for (i = 0; i < site->nr_times && i < PLOT_MAX_POINTS; i++)
		if (isfinite(site->times[i].mean_trips) &&
		    isfinite(site->times[i].mean_ns))
			to->costs[to->nr_costs++] =
				(struct plot_point){site->times[i].mean_trips,
						    site->times[i].mean_ns, NAN, NAN};
}

static void fill_quartiles(struct plot_side *to)
{
	double sorted[PLOT_MAX_POINTS];

	if (!to->nr_dots)
		return;
	memcpy(sorted, to->dots, sizeof(sorted));
	stat_sort(sorted, to->nr_dots);
	to->q1 = stat_quantile(sorted, to->nr_dots, 0.25);
	to->median = stat_median(sorted, to->nr_dots);
	to->q3 = stat_quantile(sorted, to->nr_dots, 0.75);
}

static void fill_side(struct plot_side *to, const struct report *r,
		      const struct report_site *site)
{
	const struct site_figures *f = summary_of(r, site->name);

	*to = (struct plot_side){
		.name = "cost",
		.least = NAN,
		.most = NAN,
		.q1 = site->q1,
		.median = site->median,
		.q3 = site->q3,
		.lo = NAN,
		.hi = NAN,
		.a = f ? f->ns_per_loop : NAN,
		.a_lo = f ? f->ns_per_loop_lo : NAN,
		.a_hi = f ? f->ns_per_loop_hi : NAN,
		.b = f ? f->ns_per_trip : NAN,
		.b_lo = f ? f->ns_per_trip_lo : NAN,
		.b_hi = f ? f->ns_per_trip_hi : NAN,
	};
	fill_times(to, r, site);
	fill_costs(to, site);
	if (!site->nr_fits)
		fill_quartiles(to);
	to->nr = site->nr_fits ? site->nr_fits : to->nr_dots;
}

static bool is_merged(const struct report_site *site)
{
	size_t i;

	for (i = 0; i < site->nr_times; i++)
		if (site->times[i].nr > 1)
			return true;
	return false;
}

static void put_site(FILE *out, const struct report *r, size_t at,
		     struct plot_side *side)
{
	const struct report_site *site = &r->sites[at];
	struct plots plots = {
		.name = site->name,
		.of = "ns a trip",
		.units = "intervals",
		.sides = side,
		.nr_sides = 1,
	};

	fill_side(side, r, site);
	fprintf(out, "<details class=\"row\"%s><summary><h3>",
		r->nr_sites <= SITES_OPEN ? " open" : "");
	html_text(out, site->name);
	fprintf(out,
		"</h3></summary>\n<div id=\"row-%zu\">\n<p class=\"note\">A value is "
		"%s%s.</p>\n",
		at,
		site->nr_fits
			? "the cost of a trip in an interval: the slope of the line "
			  "fitted to "
			  "timed loops"
			: "the mean duration of a loop over its trips, as no line fits",
		is_merged(site) ? "; neighbouring intervals are drawn as one" : "");
	html_plots(out, &plots);
	fputs("</div>\n</details>\n", out);
}

static int put_figures(FILE *out, const struct report *r)
{
	struct plot_side *side;
	size_t i, nr = 0;

	for (i = 0; i < r->nr_sites; i++)
		nr += r->sites[i].nr_times > 0;
	if (!nr)
		return 0;
	side = calloc(1, sizeof(*side));
	if (!side)
		return -ENOMEM;
	fputs("<section aria-labelledby=\"figures\" class=\"plots\">\n"
	      "<h2 id=\"figures\">Each site\u2019s figures</h2>\n"
	      "<p class=\"note\">A dot is an interval. Under the dots: a box from "
	      "quartile to "
	      "quartile, whiskers to the ends, and in the box the median.</p>\n",
	      out);
	for (i = 0; i < r->nr_sites; i++)
		if (r->sites[i].nr_times)
			put_site(out, r, i, side);
	free(side);
	fputs("</section>\n", out);
	return 0;
}

/* ---- the page ------------------------------------------------------------------- */

static void put_identity(FILE *out, const struct report *r)
{
	static const char *const names[] = {"this host"};

	fputs("<section aria-labelledby=\"identity\">\n"
	      "<h2 id=\"identity\">Kernel and machine</h2>\n",
	      out);
	html_identity(out, &r->head, names, 1);
	fputs("</section>\n", out);
}

int html_report(FILE *out, const struct report *r)
{
	char title[TEXT_LEN];
	int err;

	snprintf(title, sizeof(title), "%.100s%s%.100s \u2013 itertrace report",
		 r->head->host, r->head->host[0] ? ", " : "",
		 r->head->identity.release);
	html_begin(out, title);
	put_head(out, r);
	fputs("<main>\n", out);
	html_report_bench(out, r);
	html_report_sites(out, r);
	err = put_figures(out, r);
	html_report_tracers(out, r);
	html_report_prices(out, r->head);
	html_report_features(out, r->head);
	put_identity(out, r);
	fputs("</main>\n", out);
	html_end(out);
	return err ? err : ferror(out) ? -EIO : 0;
}
