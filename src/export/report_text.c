// SPDX-License-Identifier: BSD-2-Clause
#include <string.h>
#include <time.h>

#include "base/format.h"
#include "base/time.h"
#include "export/bench.h"
#include "export/calibration.h"
#include "export/columns.h"
#include "export/identity.h"
#include "export/report.h"
#include "export/snapshot.h"

#define LABEL_COLUMNS 13
#define FIGURE_LEN    32

static void print_when(FILE *out, uint64_t time_ns)
{
	time_t seconds = (time_t)(time_ns / NSEC_PER_SEC);
	char when[32];
	struct tm tm;

	strftime(when, sizeof(when), "%F %T %z", localtime_r(&seconds, &tm));
	fputs(when, out);
}

static void print_head(FILE *out, const struct report *r)
{
	const struct recording_head *h = r->head;
	char span[FORMAT_LEN], nr[FORMAT_LEN], each[FORMAT_LEN];

	fprintf(out, "%-*sitertrace %s on %s, itertrace %s", LABEL_COLUMNS, "recording",
		h->command, h->host[0] ? h->host : "a host without a name",
		h->itertrace);
	if (h->compiler[0])
		fprintf(out, ", BPF by %s", h->compiler);
	fprintf(out, "\n%-*s", LABEL_COLUMNS, "began");
	print_when(out, h->time_ns);
	if (h->part)
		fprintf(out, ", file %u of the run", h->part + 1);
	if (r->end.nr_intervals)
		fprintf(out, "; %s intervals, %s in all",
			format_count(nr, r->end.nr_intervals),
			format_ns(span, r->watched_ns));
	if (r->end.nr_intervals && h->interval_ns)
		fprintf(out, ", one every %s", format_ns(each, h->interval_ns));
	fputc('\n', out);
	if (r->end.is_continued)
		fprintf(out, "%-*sin another file, part %u\n", LABEL_COLUMNS,
			"continues", h->part + 1);
	if (r->end.loss[0])
		fprintf(out, "%-*s%s\n", LABEL_COLUMNS, "not whole", r->end.loss);
}

/* The names of constructs of one state, wrapped. */
static void print_state(FILE *out, const struct recording_head *h,
			enum feature_state state, int width)
{
	const char *label = feature_state_name(state);
	int column = 0, len;
	size_t i;

	for (i = 0; i < h->nr_features; i++) {
		if (h->features[i].state != state)
			continue;
		len = (int)strlen(h->features[i].name);
		if (!column || column + 1 + len > width) {
			fprintf(out, "%s%-*s", column ? "\n" : "", LABEL_COLUMNS,
				column ? "" : label);
			column = LABEL_COLUMNS - 1;
		} else {
			fputc(' ', out);
		}
		fputs(h->features[i].name, out);
		column += 1 + len;
	}
	if (column)
		fputc('\n', out);
}

/* ---- a run without a summary ------------------------------------------------- */

static const char *show(char buf[FIGURE_LEN], double figure)
{
	if (is_absent(figure))
		return NULL;
	snprintf(buf, FIGURE_LEN, "%.2f", figure);
	return buf;
}

static void show_median(struct columns *c, const struct report_site *s)
{
	char text[3 * FIGURE_LEN];

	if (!s->nr_fits) {
		columns_add(c, NULL);
		return;
	}
	snprintf(text, sizeof(text), "%.2f [%.2f, %.2f]", s->median, s->q1, s->q3);
	columns_add(c, text);
}

static void print_sites(FILE *out, const struct report *r, int width)
{
	static const char *const titles[] = {"site",   "loops",   "trips",
					     "timed",  "mean ns", "ns/trip [half]",
					     "of them"};
	static const bool right[] = {false, true, true, true, true, true, true};
	struct columns *c = columns__new(7, titles, right);
	char count[FORMAT_LEN], mean[FIGURE_LEN];
	size_t i;

	if (!c)
		return;
	for (i = 0; i < r->nr_sites; i++) {
		const struct report_site *s = &r->sites[i];

		columns_add(c, s->name);
		columns_add(c, format_count(count, s->entries));
		columns_add(c, format_count(count, s->trips));
		columns_add(c, format_count(count, s->timed));
		columns_add(c, show(mean, s->mean_ns));
		show_median(c, s);
		columns_add(c, format_count(count, s->nr_fits));
	}
	fputs("\nloop sites, added up over the intervals; ns/trip: the median of the "
	      "intervals' own\nfigures (of neighbours' means, in a long run), and the "
	      "quartiles\n",
	      out);
	columns_print(c, out, 2, width);
	columns__free(c);
}

static void print_tracers(FILE *out, const struct snapshot *sum)
{
	char count[FORMAT_LEN];
	size_t i, j;

	for (i = 0; i < sum->nr_tracers; i++) {
		const struct tracer_status *t = &sum->tracers[i];

		if (t->on)
			fprintf(out, "%s: %s events\n", t->name,
				format_count(count, t->events));
		else if (t->wanted)
			fprintf(out, "%s is off: %s\n", t->name, t->reason);
		for (j = 0; t->on && j < t->nr_lost; j++)
			if (t->lost[j].nr)
				fprintf(out, "%s lost %s: %s\n", t->name,
					t->lost[j].cause,
					format_count(count, t->lost[j].nr));
	}
}

static void print_sum(FILE *out, const struct report *r, int width)
{
	fputs("\n=== no summary: the recording has none\n", out);
	print_tracers(out, &r->sum);
	print_sites(out, r, width);
}

/* ------------------------------------------------------------------------------ */

void report_print(FILE *out, const struct report *r, int width)
{
	int state;

	print_head(out, r);
	identity_print(out, &r->head->identity);
	fputc('\n', out);
	for (state = 0; state < NR_FEATURE_STATES; state++)
		print_state(out, r->head, state, width);
	if (strcmp(r->head->command, "bench"))
		calibration_print(out, &r->head->calibration);
	if (r->bench) {
		fputc('\n', out);
		bench_print(out, r->bench, width);
	}
	if (r->has_summary)
		snapshot_print(out, &r->summary, width);
	else if (r->end.nr_intervals)
		print_sum(out, r, width);
	else if (!r->bench)
		fputs("\nnothing was recorded before it ended\n", out);
}
