// SPDX-License-Identifier: BSD-2-Clause
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "export/exposition.h"

#define NUMBER_LEN 32

static const char *const type_names[] = {
	[FAMILY_COUNTER] = "counter",
	[FAMILY_GAUGE] = "gauge",
	[FAMILY_HISTOGRAM] = "histogram",
	[FAMILY_INFO] = "info",
};

/* What a sample's name ends with. */
static const char *suffix(const struct family *family)
{
	return family->type == FAMILY_COUNTER ? "_total"
	       : family->type == FAMILY_INFO  ? "_info"
					      : "";
}

static void put_escaped(FILE *out, const char *text, bool quotes)
{
	for (; *text; text++) {
		if (*text == '\n') {
			fputs("\\n", out);
			continue;
		}
		if (*text == '\\' || (quotes && *text == '"'))
			putc('\\', out);
		putc(*text, out);
	}
}

void exposition_family(struct exposition *e, const struct family *family)
{
	bool open = e->format == EXPOSITION_OPENMETRICS;
	/* The older format has names of samples alone, and knows no info. */
	const char *end = open ? "" : suffix(family);
	const char *type = !open && family->type == FAMILY_INFO
				   ? "gauge"
				   : type_names[family->type];

	e->family = family;
	fprintf(e->out, "# HELP %s%s ", family->name, end);
	put_escaped(e->out, family->help, open);
	fprintf(e->out, "\n# TYPE %s%s %s\n", family->name, end, type);
	if (open && family->unit)
		fprintf(e->out, "# UNIT %s %s\n", family->name, family->unit);
}

static void put_label(FILE *out, char before, const char *name, const char *value)
{
	char *text = text_printable(value, strlen(value));

	fprintf(out, "%c%s=\"", before, name);
	put_escaped(out, text ?: "", true);
	putc('"', out);
	free(text);
}

/* bound: the label "le"; NULL: none. */
static void put_labels(FILE *out, const struct label *labels, const char *bound)
{
	char before = '{';

	for (; labels && labels->name; labels++) {
		put_label(out, before, labels->name, labels->value);
		before = ',';
	}
	if (bound) {
		put_label(out, before, "le", bound);
		before = ',';
	}
	if (before == ',')
		putc('}', out);
}

static bool take_series(struct exposition *e, size_t nr)
{
	if (e->nr_series + nr > e->max_series) {
		e->nr_left_out += nr;
		return false;
	}
	e->nr_series += nr;
	return true;
}

void exposition_count(struct exposition *e, const struct label *labels, uint64_t value)
{
	if (!take_series(e, 1))
		return;
	fprintf(e->out, "%s%s", e->family->name, suffix(e->family));
	put_labels(e->out, labels, NULL);
	fprintf(e->out, " %" PRIu64 "\n", value);
}

void exposition_value(struct exposition *e, const struct label *labels, double value)
{
	if (!isfinite(value) || !take_series(e, 1))
		return;
	fprintf(e->out, "%s%s", e->family->name, suffix(e->family));
	put_labels(e->out, labels, NULL);
	fprintf(e->out, " %.12g\n", value);
}

/* "1.0", "0.001024": always a float, the same in both formats, as it is a label. */
static const char *show_bound(char buf[NUMBER_LEN], double bound)
{
	snprintf(buf, NUMBER_LEN, "%.12g", bound);
	if (!strpbrk(buf, ".e"))
		snprintf(buf, NUMBER_LEN, "%.1f", bound);
	return buf;
}

void exposition_histogram(struct exposition *e, const struct label *labels,
			  const double *bounds, const uint64_t *counts, size_t nr,
			  double sum)
{
	const char *name = e->family->name;
	char buf[NUMBER_LEN];
	uint64_t total = 0;
	size_t i;

	if (!take_series(e, nr + 3))
		return;
	for (i = 0; i <= nr; i++) {
		total += counts[i];
		fprintf(e->out, "%s_bucket", name);
		put_labels(e->out, labels,
			   i < nr ? show_bound(buf, bounds[i]) : "+Inf");
		fprintf(e->out, " %" PRIu64 "\n", total);
	}
	fprintf(e->out, "%s_sum", name);
	put_labels(e->out, labels, NULL);
	fprintf(e->out, " %.15g\n%s_count", sum, name);
	put_labels(e->out, labels, NULL);
	fprintf(e->out, " %" PRIu64 "\n", total);
}

void exposition_end(struct exposition *e)
{
	if (e->format == EXPOSITION_OPENMETRICS)
		fputs("# EOF\n", e->out);
}
