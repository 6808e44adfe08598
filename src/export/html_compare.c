// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stdbool.h>

#include "base/format.h"
#include "export/html.h"
#include "export/html_compare.h"
#include "export/html_compare_rows.h"
#include "export/html_identity.h"

#define TEXT_LEN 512

static const struct comparison_run *first_of(const struct comparison *c, bool is_new)
{
	size_t i;

	for (i = 0; i < c->nr_runs; i++)
		if (c->runs[i].is_new == is_new)
			return &c->runs[i];
	return NULL;
}

static const char *release_of(const struct comparison *c, bool is_new)
{
	const struct comparison_run *run = first_of(c, is_new);

	return run && run->head->identity.release[0] ? run->head->identity.release
						     : "unknown kernel";
}

/* ---- the verdict ---------------------------------------------------------------- */

static void put_sides(FILE *out, const struct comparison *c)
{
	size_t nr[2] = {0, 0}, i;

	for (i = 0; i < c->nr_runs; i++)
		nr[c->runs[i].is_new]++;
	fputs("<dl class=\"sides\">\n", out);
	for (i = 0; i < 2; i++) {
		fprintf(out,
			"<div><dt class=\"%s\"><span aria-hidden=\"true\">%s</span> "
			"%s</dt><dd>",
			i ? "new" : "base", i ? "\u25C6" : "\u25CF",
			i ? "new" : "base");
		html_element(out, "code", NULL, release_of(c, i));
		fprintf(out, " <span class=\"muted\">%zu %s%s</span></dd></div>\n",
			nr[i], comparison_run_name(c), nr[i] == 1 ? "" : "s");
	}
	fputs("</dl>\n", out);
}

static void put_warnings(FILE *out, const struct comparison *c)
{
	size_t i;

	if (!c->is_forced && !c->nr_warnings)
		return;
	fputs("<ul class=\"warnings\" aria-label=\"Warnings\">\n", out);
	if (c->is_forced)
		fputs("<li>The two sides are not comparable; the comparison was "
		      "forced.</li>\n",
		      out);
	for (i = 0; i < c->nr_warnings; i++) {
		html_element(out, "li", NULL, c->warnings[i]);
		fputc('\n', out);
	}
	fputs("</ul>\n", out);
}

static void put_head(FILE *out, const struct comparison *c)
{
	fputs("<header>\n<p class=\"kicker\">itertrace compare</p>\n", out);
	html_verdict(out, "h1", c->verdict);
	fputs("\n<p class=\"why\">", out);
	html_text(out, c->why);
	fputs("</p>\n", out);
	put_sides(out, c);
	put_warnings(out, c);
	fputs("</header>\n", out);
}

/* ---- what differs --------------------------------------------------------------- */

static const struct {
	enum difference_weight weight;
	const char *title, *meaning;
} weights[] = {
	{DIFFERENCE_CAUSE, "Configuration and hardening",
	 "Often the true cause of a difference: look here before blaming the code."},
	{DIFFERENCE_REFUSAL, "Not the same thing measured",
	 "A difference between the sides may be of these, and of no kernel."},
	{DIFFERENCE_WARNING, "Circumstances", "The verdict may be of these."},
	{DIFFERENCE_SUBJECT, "The kernel itself", "What is compared."},
};

static void put_differences_of(FILE *out, const struct comparison *c, size_t group)
{
	bool any = false;
	size_t i;

	for (i = 0; i < c->nr_differences; i++) {
		const struct comparison_difference *d = &c->differences[i];

		if (d->weight != weights[group].weight)
			continue;
		if (!any)
			fprintf(out,
				"<tr class=\"group\"><th scope=\"rowgroup\" "
				"colspan=\"3\">%s "
				"<span class=\"note\">%s</span></th></tr>\n",
				weights[group].title, weights[group].meaning);
		any = true;
		fputs("<tr><th scope=\"row\">", out);
		html_text(out, d->what);
		fputs("</th>", out);
		html_cell_text(out, d->base);
		html_cell_text(out, d->fresh);
		fputs("</tr>\n", out);
	}
}

static void put_differences(FILE *out, const struct comparison *c)
{
	static const char *const titles[] = {"", "base", "new"};
	size_t i;

	fputs("<section aria-labelledby=\"differences\">\n"
	      "<h2 id=\"differences\">What differs between the two sides</h2>\n",
	      out);
	if (!c->nr_differences) {
		fputs("<p>Nothing that both sides tell of.</p>\n</section>\n", out);
		return;
	}
	html_table_begin(out, "What differs between the two sides", titles, 3);
	for (i = 0; i < sizeof(weights) / sizeof(weights[0]); i++)
		put_differences_of(out, c, i);
	html_table_end(out);
	fputs("</section>\n", out);
}

/* ---- what has no row ------------------------------------------------------------ */

static void put_only(FILE *out, const char *title, const struct comparison_only *only,
		     size_t nr)
{
	static const char *const titles[] = {"name", "kind", "why"};
	size_t i;

	if (!nr)
		return;
	fprintf(out, "<h3>%s</h3>\n", title);
	html_table_begin(out, title, titles, 3);
	for (i = 0; i < nr; i++) {
		fputs("<tr><th scope=\"row\">", out);
		html_text(out, only[i].name);
		fputs("</th>", out);
		html_cell_text(out, comparison_kind_name(only[i].kind));
		html_element(out, "td", NULL, only[i].reason);
		fputs("</tr>\n", out);
	}
	html_table_end(out);
}

static void put_others(FILE *out, const struct comparison *c)
{
	if (!c->nr_only_in_base && !c->nr_only_in_new && !c->nr_incomparable)
		return;
	fputs("<section aria-labelledby=\"others\">\n"
	      "<h2 id=\"others\">What has no row</h2>\n",
	      out);
	put_only(out, "Only in base", c->only_in_base, c->nr_only_in_base);
	put_only(out, "Only in new", c->only_in_new, c->nr_only_in_new);
	put_only(out, "Not comparable", c->incomparable, c->nr_incomparable);
	fputs("</section>\n", out);
}

/* ---- who took part -------------------------------------------------------------- */

static void put_run(FILE *out, const struct comparison_run *run)
{
	const struct recording_head *h = run->head;
	char when[HTML_FIGURE_LEN], count[FORMAT_LEN];

	fprintf(out, "<tr><td class=\"%s\">%s</td>", run->is_new ? "new" : "base",
		run->is_new ? "new" : "base");
	html_cell_text(out, h->path);
	html_cell_text(out, h->command);
	html_cell_text(out, h->identity.release);
	html_cell_text(out, html_time(when, h->time_ns));
	fprintf(out, "<td class=\"n\">%zu</td>", run->boot + 1);
	html_element(out, "td", "n", format_count(count, run->end.nr_intervals));
	html_element(out, "td", "n", format_count(count, run->nr_lost));
	html_element(out, "td", NULL,
		     run->end.loss[0]    ? run->end.loss
		     : run->end.is_whole ? "whole"
					 : "cut");
	fputs("</tr>\n", out);
}

static void put_runs(FILE *out, const struct comparison *c)
{
	const char *titles[] = {"side",       comparison_run_name(c),
				"of",         "kernel",
				"begun",      c->unit_is_host ? "#number" : "#boot",
				"#intervals", "#events lost",
				"state"};
	static const char *const names[] = {"base", "new"};
	const struct comparison_run *base = first_of(c, false),
				    *fresh = first_of(c, true);
	const struct recording_head *heads[2];
	size_t i;

	fputs("<section aria-labelledby=\"runs\">\n<h2 id=\"runs\">Who took "
	      "part</h2>\n",
	      out);
	html_table_begin(out, c->unit_is_host ? "Hosts" : "Recordings", titles, 9);
	for (i = 0; i < c->nr_runs; i++)
		put_run(out, &c->runs[i]);
	html_table_end(out);
	if (base && fresh) {
		heads[0] = base->head;
		heads[1] = fresh->head;
		fprintf(out,
			"<h3>Kernel and machine</h3>\n"
			"<p class=\"note\">Of the first %s of each side.</p>\n",
			comparison_run_name(c));
		html_identity(out, heads, names, 2);
	}
	fputs("</section>\n", out);
}

int html_compare(FILE *out, const struct comparison *c)
{
	char title[TEXT_LEN];
	int err;

	snprintf(title, sizeof(title), "%s: %s to %s \u2013 itertrace compare",
		 verdict_name(c->verdict), release_of(c, false), release_of(c, true));
	html_begin(out, title);
	put_head(out, c);
	fputs("<main>\n", out);
	put_differences(out, c);
	html_compare_rows(out, c);
	html_compare_buys(out, c);
	err = html_compare_figures(out, c);
	put_others(out, c);
	put_runs(out, c);
	fputs("</main>\n", out);
	html_end(out);
	return err ? err : ferror(out) ? -EIO : 0;
}
