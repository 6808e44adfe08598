// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/format.h"
#include "base/time.h"
#include "export/columns.h"
#include "export/snapshot.h"

/* Rows of a table in the text report; the rest is in --json. */
#define ROWS_MAX 10

/* Text of a cell's figure: static where it can be, else from malloc. */
struct shown {
	char number[FORMAT_LEN];
	char *text;
};

/* As a shell would take it, so that every item can be told from the next. */
static void print_item(FILE *out, const char *item)
{
	if (item[0] && !strpbrk(item, " \t\"'$`;&|<>()*?[]#~"))
		fputs(item, out);
	else if (!strchr(item, '\''))
		fprintf(out, "'%s'", item);
	else
		fprintf(out, "\"%s\"", item);
}

static char *join(char **list, bool quoted)
{
	char *text = NULL;
	size_t size, i;
	FILE *out;

	out = open_memstream(&text, &size);
	if (!out)
		return NULL;
	for (i = 0; list[i]; i++) {
		fputs(i ? " " : "", out);
		if (quoted)
			print_item(out, list[i]);
		else
			fputs(list[i], out);
	}
	fclose(out);
	return text;
}

static void show_cell(struct columns *to, const struct cell *c, enum column_kind kind,
		      bool last)
{
	struct shown s = {.text = NULL};

	if (!c->present) {
		columns_add(to, NULL);
		return;
	}
	switch (kind) {
	case COLUMN_TEXT:
		columns_add(to, c->text);
		return;
	case COLUMN_LIST:
		s.text = join(c->list, last);
		columns_add(to, s.text);
		free(s.text);
		return;
	case COLUMN_COUNT:
		format_count(s.number, c->number);
		break;
	case COLUMN_NUMBER:
		snprintf(s.number, sizeof(s.number), "%llu",
			 (unsigned long long)c->number);
		break;
	case COLUMN_NS:
		format_ns(s.number, c->number);
		break;
	case COLUMN_FLAG:
		snprintf(s.number, sizeof(s.number), "%s", c->number ? "yes" : "no");
		break;
	}
	columns_add(to, s.number);
}

static void print_table(FILE *out, const struct table *t, int width)
{
	const char *titles[16];
	size_t shown[16], nr = 0, rows, i, j;
	bool right[16];
	int ranks[16];
	struct columns *c;

	for (i = 0; i < t->nr_columns && nr < 16; i++) {
		if (!t->columns[i].title)
			continue;
		titles[nr] = t->columns[i].title;
		right[nr] = t->columns[i].kind >= COLUMN_COUNT;
		ranks[nr] = t->columns[i].rank;
		shown[nr++] = i;
	}
	fprintf(out, "\n%s", t->title);
	rows = t->nr_rows < ROWS_MAX ? t->nr_rows : ROWS_MAX;
	if (t->nr_rows + t->nr_unlisted > rows)
		fprintf(out, " (%zu of %llu)", rows,
			(unsigned long long)(t->nr_rows + t->nr_unlisted));
	fprintf(out, "%s\n", t->nr_rows ? "" : ": none");
	c = t->nr_rows ? columns__new(nr, titles, right) : NULL;
	if (!c)
		return;
	columns_set_ranks(c, ranks);
	for (i = 0; i < rows; i++)
		for (j = 0; j < nr; j++)
			show_cell(c, &t->cells[i * t->nr_columns + shown[j]],
				  t->columns[shown[j]].kind, j + 1 == nr);
	columns_print(c, out, 2, width);
	columns__free(c);
}

static void print_totals(FILE *out, const struct section *s)
{
	char buf[FORMAT_LEN];
	const char *separator = ":";
	size_t i;

	fprintf(out, "\n%s", s->tracer);
	for (i = 0; i < s->nr_totals; i++) {
		const struct total *t = &s->totals[i];

		if (t->visibility == TOTAL_HIDDEN ||
		    (t->visibility == TOTAL_SHOWN_IF_ANY && !t->value))
			continue;
		fprintf(out, "%s %s %s", separator, format_count(buf, t->value),
			t->title);
		separator = ",";
	}
	fputc('\n', out);
}

static void print_tracer(FILE *out, const struct tracer_status *t)
{
	char buf[FORMAT_LEN];
	size_t i;

	if (!t->on) {
		if (t->wanted)
			fprintf(out, "%s is off: %s\n", t->name, t->reason);
		return;
	}
	if (t->reason[0])
		fprintf(out, "%s runs %s\n", t->name, t->reason);
	for (i = 0; i < t->nr_lost; i++)
		if (t->lost[i].nr)
			fprintf(out, "%s lost %s: %s\n", t->name, t->lost[i].cause,
				format_count(buf, t->lost[i].nr));
}

#define FIGURE_LEN 32

/* "1.93", "" where there is none. */
static const char *show(char buf[FIGURE_LEN], double value)
{
	int decimals = value < 9.995 && value > -9.995 ? 2 : value < 99.95 ? 1 : 0;

	if (is_absent(value))
		return "-";
	snprintf(buf, FIGURE_LEN, "%.*f", decimals, value);
	return buf;
}

static void show_interval(struct columns *c, double value, double lo, double hi)
{
	char v[FIGURE_LEN], l[FIGURE_LEN], h[FIGURE_LEN], text[3 * FIGURE_LEN + 8];

	if (is_absent(value)) {
		columns_add(c, NULL);
		return;
	}
	snprintf(text, sizeof(text), "%s [%s, %s]", show(v, value), show(l, lo),
		 show(h, hi));
	columns_add(c, text);
}

static void show_share(struct columns *c, double part, double whole)
{
	char text[FIGURE_LEN];
	double percent = 100 * part / whole;

	if (is_absent(percent) || whole <= 0)
		snprintf(text, sizeof(text), "-");
	else
		snprintf(text, sizeof(text), percent > 100 ? ">100%%" : "%.0f%%",
			 percent);
	columns_add(c, text);
}

/* Why a site has no cost a trip, in a word or two. */
static const char *fit_note(const struct site_figures *f)
{
	switch (f->fit) {
	case SITE_FIT_OK:
	case SITE_FIT_NOT_LINEAR:
		break;
	case SITE_FIT_TOO_FEW:
		return f->entries ? "too few timed" : "not entered";
	case SITE_FIT_TRIPS_CONSTANT:
		return "trips hardly vary";
	case SITE_FIT_TOO_NOISY:
		return "too noisy";
	}
	return NULL;
}

static void show_saving(struct columns *c, const struct site_figures *f)
{
	char ns[FIGURE_LEN], text[2 * FIGURE_LEN];

	if (is_absent(f->inlined_saves_ns) || is_absent(f->ns_per_trip)) {
		columns_add(c, NULL);
		return;
	}
	snprintf(text, sizeof(text), "%s ns",
		 show(ns, f->ns_per_trip - f->inlined_saves_ns));
	columns_add(c, text);
}

static void print_sites(FILE *out, const struct snapshot *s, int width)
{
	static const char *const titles[] = {
		"site",    "loops",         "trips",         "longest",  "timed",
		"mean ns", "ns/loop [95%]", "ns/trip [95%]", "iterator", "if inlined"};
	static const bool right[] = {false, true, true, true, true,
				     true,  true, true, true, true};
	char buf[FORMAT_LEN], mean[FIGURE_LEN];
	static const int ranks[] = {0, 0, 0, 5, 1, 3, 4, 0, 2, 6};
	struct columns *c = columns__new(10, titles, right);
	size_t i;

	if (!c)
		return;
	columns_set_ranks(c, ranks);
	for (i = 0; i < s->nr_sites; i++) {
		const struct site_figures *f = &s->sites[i];

		columns_add(c, f->name);
		columns_add(c, format_count(buf, f->entries));
		columns_add(c, format_count(buf, f->trips));
		columns_add(c, format_count(buf, f->max_trips));
		columns_add(c, format_count(buf, f->timed));
		columns_add(c, show(mean, f->mean_ns));
		if (f->fit == SITE_FIT_NOT_LINEAR)
			columns_add(c, "not linear");
		else
			show_interval(c, f->ns_per_loop, f->ns_per_loop_lo,
				      f->ns_per_loop_hi);
		if (!is_absent(f->ns_per_trip))
			show_interval(c, f->ns_per_trip, f->ns_per_trip_lo,
				      f->ns_per_trip_hi);
		else
			columns_add(c, fit_note(f));
		show_share(c, f->iterator_ns, f->ns_per_trip);
		show_saving(c, f);
	}
	fprintf(out, "\nloop sites (%s)\n", s->loops);
	columns_print(c, out, 2, width);
	columns__free(c);
}

static void show_percent(FILE *out, const char *what, double percent)
{
	char figure[FIGURE_LEN];

	if (is_absent(percent))
		fprintf(out, "%s unknown", what);
	else
		fprintf(out, "%s %s%%", what, show(figure, percent));
}

static void show_bytes(FILE *out, const char *what, double bytes)
{
	char figure[FORMAT_LEN];

	if (!is_absent(bytes))
		fprintf(out, ", %s %s", what, format_bytes(figure, (uint64_t)bytes));
}

static void print_self(FILE *out, const struct self_figures *self)
{
	char span[FORMAT_LEN];

	fputs("\nown cost (of one CPU): ", out);
	show_percent(out, "process", self->cpu_percent);
	show_percent(out, ", BPF", self->bpf_cpu_percent);
	show_bytes(out, "RSS", self->rss_bytes);
	show_bytes(out, "maps", self->map_bytes);
	show_percent(out, "\n  all BPF programs on this host",
		     self->host_bpf_cpu_percent);
	if (self->bpf_window_ns)
		fprintf(out, ", watched for %s of the time",
			format_ns(span, self->bpf_window_ns));
	fputc('\n', out);
	if (self->reason[0])
		fprintf(out, "  %s\n", self->reason);
}

static void print_heading(FILE *out, const struct snapshot *s)
{
	time_t seconds = (time_t)(s->time_ns / NSEC_PER_SEC);
	char when[32], span[FORMAT_LEN];
	struct tm tm;

	strftime(when, sizeof(when), "%F %T %z", localtime_r(&seconds, &tm));
	fprintf(out, "\n=== %s, %s %s\n", when, s->summary ? "summary of" : "last",
		format_ns(span, s->interval_ns));
}

void snapshot_print(FILE *out, const struct snapshot *s, int width)
{
	size_t i, j;

	print_heading(out, s);
	for (i = 0; i < s->nr_tracers; i++)
		print_tracer(out, &s->tracers[i]);
	for (i = 0; i < s->nr_sections; i++) {
		print_totals(out, &s->sections[i]);
		for (j = 0; j < s->sections[i].nr_tables; j++)
			print_table(out, &s->sections[i].tables[j], width);
	}
	print_sites(out, s, width);
	print_self(out, &s->self);
}
