/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The two text formats that Prometheus scrapes, written a family of metrics at a
 * time: OpenMetrics 1.0, and the Prometheus text format 0.0.4. Knows their syntax,
 * not what is measured. Does not log.
 *
 *	exposition_family() -> its samples -> the next family, ... -> exposition_end()
 *
 * At most max_series lines are written, beside those of the families alone; a
 * sample, or a histogram as a whole, that does not fit is left out and counted.
 */
#ifndef ITERTRACE_EXPORT_EXPOSITION_H
#define ITERTRACE_EXPORT_EXPOSITION_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum exposition_format { EXPOSITION_OPENMETRICS, EXPOSITION_TEXT };

enum family_type { FAMILY_COUNTER, FAMILY_GAUGE, FAMILY_HISTOGRAM, FAMILY_INFO };

/* The name is without _total and _info, which the type adds. */
struct family {
	const char *name;
	enum family_type type;
	const char *unit; /* with which the name ends; NULL: none */
	const char *help;
};

struct label {
	const char *name; /* NULL ends an array of labels */
	const char *value;
};

struct exposition {
	FILE *out;
	enum exposition_format format;
	size_t max_series;
	size_t nr_series, nr_left_out;
	const struct family *family; /* that is being written; not owned */
};

void exposition_family(struct exposition *e, const struct family *family);

/* labels may be NULL: none. What is no number (NAN) is left out. */
void exposition_count(struct exposition *e, const struct label *labels, uint64_t value);
void exposition_value(struct exposition *e, const struct label *labels, double value);

/*
 * nr counts of values up to bounds[0], bounds[1], … each without those before it,
 * and one more, of those above all bounds.
 */
void exposition_histogram(struct exposition *e, const struct label *labels,
			  const double *bounds, const uint64_t *counts, size_t nr,
			  double sum);

void exposition_end(struct exposition *e);

#endif
