// SPDX-License-Identifier: BSD-2-Clause
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/format.h"
#include "export/html.h"
#include "export/html_report_parts.h"
#include "export/svg.h"

static void begin_section(FILE *out, const char *id, const char *title)
{
	fprintf(out, "<section aria-labelledby=\"%s\">\n<h2 id=\"%s\">%s</h2>\n", id,
		id, title);
}

static void end_section(FILE *out)
{
	fputs("</section>\n", out);
}

static void put_row_head(FILE *out, const char *name)
{
	fputs("<tr><th scope=\"row\">", out);
	html_text(out, name);
	fputs("</th>", out);
}

static void put_count(FILE *out, uint64_t count)
{
	char buf[FORMAT_LEN];

	html_element(out, "td", "n", format_count(buf, count));
}

/* ---- a benchmark ---------------------------------------------------------------- */

#define STRIP_WIDTH  400
#define STRIP_HEIGHT 24

static struct svg_axis cost_axis(const struct bench_report *b)
{
	struct svg_range range = {0, 0};
	struct svg_axis axis;
	size_t i, j;

	for (i = 0; i < b->nr_results; i++) {
		const struct bench_result *r = &b->results[i];

		if (!r->measured)
			continue;
		svg_range_add(&range, r->hi);
		for (j = 0; j < r->nr_samples; j++)
			svg_range_add(&range, r->samples[j]);
	}
	svg_axis_init(&axis, &range, 5, 4, STRIP_WIDTH - 20);
	return axis;
}

static void put_samples(FILE *out, const struct svg_axis *axis,
			const struct bench_result *r)
{
	struct svg s = {.out = out, .x = *axis};
	char buf[HTML_FIGURE_LEN];
	size_t i;

	fputs("<td>", out);
	svg_begin(out, "strip plot", STRIP_WIDTH, STRIP_HEIGHT, r->name,
		  "Costs at each placement; below, the median with its 95% interval.");
	svg_group_begin(&s, "base dots");
	for (i = 0; i < r->nr_samples; i++)
		svg_mark(&s, SVG_CIRCLE, r->samples[i], 7,
			 html_exact(buf, r->samples[i]));
	svg_group_end(&s);
	if (svg_can_draw(r->lo) && svg_can_draw(r->hi))
		fprintf(out, "<path class=\"ci\" d=\"M%.2f 17H%.2f\"/>",
			svg_place(axis, r->lo), svg_place(axis, r->hi));
	if (svg_can_draw(r->median))
		fprintf(out,
			"<circle class=\"shift\" cx=\"%.2f\" cy=\"17\" r=\"3.5\"/>",
			svg_place(axis, r->median));
	svg_end(out);
	fputs("</td>", out);
}

static void put_result(FILE *out, const struct svg_axis *axis,
		       const struct bench_result *r)
{
	put_row_head(out, r->name);
	put_count(out, r->nr_loops);
	put_count(out, (uint64_t)r->nr_threads);
	if (!r->measured) {
		html_cell_interval(out, html_figure, NAN, NAN, NAN);
		html_element(out, "td", "none",
			     r->reason[0] ? r->reason : feature_state_name(r->state));
		fputs("<td></td></tr>\n", out);
		return;
	}
	html_cell_interval(out, html_figure, r->median, r->lo, r->hi);
	put_samples(out, axis, r);
	put_count(out, (uint64_t)r->nr_rounds);
	fputs("</tr>\n", out);
}

static void put_pairs(FILE *out, const struct bench_report *b)
{
	static const char *const titles[] = {"", "than", "~saves, ns a trip",
					     "~takes of it"};
	size_t i;

	if (!b->nr_pairs)
		return;
	fputs("<h3>What inlining saves</h3>\n", out);
	html_table_begin(out, "What inlining saves", titles, 4);
	for (i = 0; i < b->nr_pairs; i++) {
		const struct bench_pair *p = &b->pairs[i];

		put_row_head(out, p->name);
		html_cell_text(out, p->than);
		html_cell_interval(out, html_figure, p->saves, p->saves_lo,
				   p->saves_hi);
		html_cell_interval(out, html_figure, p->ratio, p->ratio_lo,
				   p->ratio_hi);
		fputs("</tr>\n", out);
	}
	html_table_end(out);
}

void html_report_bench(FILE *out, const struct report *r)
{
	char scale[64], buf[HTML_FIGURE_LEN];
	const char *titles[] = {"workload",   "#trips", "#threads",
				"~ns a trip", scale,    "#rounds"};
	struct svg_axis axis;
	size_t i;

	if (!r->bench)
		return;
	axis = cost_axis(r->bench);
	snprintf(scale, sizeof(scale), "placements, from 0 to %s ns",
		 html_figure(buf, axis.hi));
	begin_section(out, "bench", "What a trip costs");
	fputs("<p class=\"note\">Median of a trip of each construct, with its 95% "
	      "interval; dots are "
	      "medians at one placement in memory each. All strips have the same "
	      "scale.</p>\n",
	      out);
	html_table_begin(out, "What a trip costs", titles, 6);
	for (i = 0; i < r->bench->nr_results; i++)
		put_result(out, &axis, &r->bench->results[i]);
	html_table_end(out);
	put_pairs(out, r->bench);
	end_section(out);
}

/* ---- sites ---------------------------------------------------------------------- */

static const char *fit_note(const struct site_figures *f)
{
	switch (f->fit) {
	case SITE_FIT_OK:
		return isnan(f->ns_per_loop) ? "ns a loop: not told from 0" : "";
	case SITE_FIT_NOT_LINEAR:
		return "not linear";
	case SITE_FIT_TOO_FEW:
		return f->entries ? "too few timed" : "not entered";
	case SITE_FIT_TRIPS_CONSTANT:
		return "trips hardly vary";
	case SITE_FIT_TOO_NOISY:
		return "too noisy";
	}
	return "";
}

/* A link to the site's figures, where it has some. */
static void put_site_name(FILE *out, const struct report *r, const char *name)
{
	size_t i;

	for (i = 0; i < r->nr_sites; i++)
		if (!strcmp(r->sites[i].name, name) && r->sites[i].nr_times)
			break;
	fputs("<tr><th scope=\"row\">", out);
	if (i < r->nr_sites)
		fprintf(out, "<a href=\"#row-%zu\">", i);
	html_text(out, name);
	fputs(i < r->nr_sites ? "</a></th>" : "</th>", out);
}

static void put_site(FILE *out, const struct report *r, const struct site_figures *f)
{
	char buf[HTML_FIGURE_LEN];

	put_site_name(out, r, f->name);
	html_cell_interval(out, html_figure, f->ns_per_trip, f->ns_per_trip_lo,
			   f->ns_per_trip_hi);
	html_cell_interval(out, html_figure, f->ns_per_loop, f->ns_per_loop_lo,
			   f->ns_per_loop_hi);
	html_element(out, "td", "n", html_figure(buf, f->iterator_ns));
	html_element(out, "td", "n", html_figure(buf, f->inlined_saves_ns));
	html_element(out, "td", "n", html_figure(buf, f->mean_ns));
	put_count(out, f->entries);
	put_count(out, f->trips);
	put_count(out, f->max_trips);
	put_count(out, f->timed);
	html_element(out, "td", NULL, fit_note(f));
	fputs("</tr>\n", out);
}

void html_report_sites(FILE *out, const struct report *r)
{
	static const char *const titles[] = {
		"site",          "~ns a trip", "~ns a loop", "#iterator, ns",
		"#inlining, ns", "#mean, ns",  "#loops",     "#trips",
		"#longest",      "#timed",     "note"};
	size_t i;

	if (!r->summary.nr_sites)
		return;
	begin_section(out, "sites", "Loop sites");
	fputs("<p class=\"note\">The line <i>ns = a + b \u00b7 trips</i>, fitted to "
	      "timed loops: "
	      "<i>b</i> is ns a trip, <i>a</i> ns a loop, with 95% intervals; the "
	      "iterator\u2019s own "
	      "share of a trip, and what inlining would save of it. A figure that the "
	      "data do "
	      "not support is left out, and the note says why.</p>\n",
	      out);
	html_table_begin(out, "Loop sites", titles, 11);
	for (i = 0; i < r->summary.nr_sites; i++)
		put_site(out, r, &r->summary.sites[i]);
	html_table_end(out);
	end_section(out);
}

/* ---- tracers -------------------------------------------------------------------- */

static void put_lost(FILE *out, const struct tracer_status *t)
{
	uint64_t nr = 0;
	size_t i;

	for (i = 0; i < t->nr_lost; i++)
		nr += t->lost[i].nr;
	put_count(out, nr);
}

static void put_tracer(FILE *out, const struct tracer_status *t)
{
	put_row_head(out, t->name);
	html_cell_text(out, t->on ? "on" : "off");
	put_count(out, t->events);
	put_lost(out, t);
	html_element(out, "td", NULL, t->reason);
	fputs("</tr>\n", out);
}

static void put_list(FILE *out, char **list)
{
	size_t i;

	fputs("<td><code>", out);
	for (i = 0; list[i]; i++) {
		if (i)
			fputc(' ', out);
		html_text(out, list[i]);
	}
	fputs("</code></td>", out);
}

static void put_cell(FILE *out, const struct cell *c, enum column_kind kind)
{
	char buf[FORMAT_LEN];

	if (!c->present) {
		html_cell_text(out, "");
		return;
	}
	switch (kind) {
	case COLUMN_TEXT:
		html_cell_text(out, c->text);
		break;
	case COLUMN_LIST:
		put_list(out, c->list);
		break;
	case COLUMN_COUNT:
		put_count(out, c->number);
		break;
	case COLUMN_NUMBER:
		fprintf(out, "<td class=\"n\">%llu</td>",
			(unsigned long long)c->number);
		break;
	case COLUMN_NS:
		html_element(out, "td", "n", format_ns(buf, c->number));
		break;
	case COLUMN_FLAG:
		html_cell_text(out, c->number ? "yes" : "no");
		break;
	}
}

#define MAX_COLUMNS 16
#define TITLE_LEN   64

/* As many rows as a page has room for; the others are in the recording. */
#define MAX_ROWS 30

static void put_table(FILE *out, const struct table *t)
{
	char texts[MAX_COLUMNS][TITLE_LEN];
	const char *titles[MAX_COLUMNS];
	size_t shown[MAX_COLUMNS], nr = 0, i, j;
	size_t nr_rows = t->nr_rows < MAX_ROWS ? t->nr_rows : MAX_ROWS;

	for (i = 0; i < t->nr_columns && nr < MAX_COLUMNS; i++) {
		if (!t->columns[i].title)
			continue;
		snprintf(texts[nr], TITLE_LEN, "%s%s",
			 t->columns[i].kind >= COLUMN_COUNT &&
					 t->columns[i].kind <= COLUMN_NS
				 ? "#"
				 : "",
			 t->columns[i].title);
		titles[nr] = texts[nr];
		shown[nr++] = i;
	}
	html_element(out, "h3", NULL, t->title);
	if (!t->nr_rows) {
		fputs("<p class=\"note\">None.</p>\n", out);
		return;
	}
	if (t->nr_rows + t->nr_unlisted > nr_rows)
		fprintf(out, "<p class=\"note\">The first %zu of %llu.</p>\n", nr_rows,
			(unsigned long long)(t->nr_rows + t->nr_unlisted));
	html_table_begin(out, t->title, titles, nr);
	for (i = 0; i < nr_rows; i++) {
		fputs("<tr>", out);
		for (j = 0; j < nr; j++)
			put_cell(out, &t->cells[i * t->nr_columns + shown[j]],
				 t->columns[shown[j]].kind);
		fputs("</tr>\n", out);
	}
	html_table_end(out);
}

static void put_section(FILE *out, const struct section *s)
{
	size_t i;

	for (i = 0; i < s->nr_tables; i++)
		put_table(out, &s->tables[i]);
}

static void put_self(FILE *out, const struct self_figures *self)
{
	static const char *const titles[] = {"", "#of one CPU", "#bytes"};
	const struct {
		const char *what;
		double percent, bytes;
	} rows[] = {
		{"the process", self->cpu_percent, self->rss_bytes},
		{"its BPF programs and maps", self->bpf_cpu_percent, self->map_bytes},
		{"all BPF programs of the host", self->host_bpf_cpu_percent, NAN},
	};
	char buf[HTML_FIGURE_LEN], bytes[FORMAT_LEN];
	size_t i;

	fputs("<h3>What it cost itself</h3>\n", out);
	html_table_begin(out, "What it cost itself", titles, 3);
	for (i = 0; i < 3; i++) {
		put_row_head(out, rows[i].what);
		fprintf(out, "<td class=\"n\">%s%s</td>",
			html_figure(buf, rows[i].percent),
			isfinite(rows[i].percent) ? "%" : "");
		html_element(out, "td", "n",
			     rows[i].bytes >= 0 && rows[i].bytes < 1e18
				     ? format_bytes(bytes, (uint64_t)rows[i].bytes)
				     : "");
		fputs("</tr>\n", out);
	}
	html_table_end(out);
	if (self->reason[0])
		html_element(out, "p", "note", self->reason);
}

void html_report_tracers(FILE *out, const struct report *r)
{
	static const char *const titles[] = {"tracer", "state", "#events", "#lost",
					     "note"};
	const struct snapshot *s = &r->summary;
	size_t i;

	if (!s->nr_tracers)
		return;
	begin_section(out, "tracers", "What the tracers saw");
	html_table_begin(out, "Tracers", titles, 5);
	for (i = 0; i < s->nr_tracers; i++)
		put_tracer(out, &s->tracers[i]);
	html_table_end(out);
	for (i = 0; i < s->nr_sections; i++)
		put_section(out, &s->sections[i]);
	put_self(out, &s->self);
	end_section(out);
}

/* ---- prices and features -------------------------------------------------------- */

void html_report_prices(FILE *out, const struct recording_head *head)
{
	static const char *const titles[] = {"construct", "~ns a trip", "note"};
	const struct calibration *cal = &head->calibration;
	int i;

	if (!cal->done && strcmp(head->command, "run"))
		return;
	begin_section(out, "prices", "Calibration");
	if (!cal->done) {
		fputs("<p>Not calibrated: ", out);
		html_text(out, cal->reason);
		fputs(".</p>\n", out);
		end_section(out);
		return;
	}
	html_table_begin(out, "Calibration", titles, 3);
	for (i = 0; i < NR_PRICES; i++) {
		const struct bench_result *p = &cal->prices[i];

		put_row_head(out, calibration_price_name((enum calibration_price)i));
		html_cell_interval(out, html_figure, p->measured ? p->median : NAN,
				   p->lo, p->hi);
		html_element(out, "td", NULL, p->measured ? "" : p->reason);
		fputs("</tr>\n", out);
	}
	html_table_end(out);
	end_section(out);
}

void html_report_features(FILE *out, const struct recording_head *head)
{
	static const char *const titles[] = {"construct", "state", "#instructions",
					     "why"};
	size_t i;

	if (!head->nr_features)
		return;
	begin_section(out, "features", "What this kernel inlines");
	html_table_begin(out, "What this kernel inlines", titles, 4);
	for (i = 0; i < head->nr_features; i++) {
		const struct feature *f = &head->features[i];

		put_row_head(out, f->name);
		html_cell_text(out, feature_state_name(f->state));
		html_cell_exact(out, f->nr_insns < 0 ? NAN : f->nr_insns);
		html_element(out, "td", NULL, f->reason);
		fputs("</tr>\n", out);
	}
	html_table_end(out);
	end_section(out);
}
