/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A run as metrics for Prometheus. Intervals are added up, so that counters only
 * grow; gauges are those of the last interval. Labels are of fixed tables alone:
 * site, tracer, cause, construct, state; never a pid, a cgroup or a tag of a program.
 *
 * There are at most max_series series. Loop sites that would be beyond that add up
 * in the site "other", which has no gauges, and are counted.
 *
 * Pure: knows neither sockets nor the kernel. One thread. itertrace-metrics.7 lists
 * the metrics.
 */
#ifndef ITERTRACE_EXPORT_OPENMETRICS_H
#define ITERTRACE_EXPORT_OPENMETRICS_H

#include <stddef.h>

#include "model/feature.h"
#include "model/identity.h"
#include "model/snapshot.h"

#define METRICS_MAX_SERIES 1000

struct metrics;

struct metrics_text {
	char *openmetrics; /* from malloc */
	size_t openmetrics_len;
	char *text; /* the same in the format 0.0.4 */
	size_t text_len;
};

/*
 * Both are copied. features: what this kernel makes of each construct. started_ns:
 * CLOCK_REALTIME. -ENOMEM: *ret is untouched.
 */
int metrics__new(const struct identity *identity, const struct feature *features,
		 size_t nr_features, uint64_t started_ns, size_t max_series,
		 struct metrics **ret);
void metrics__free(struct metrics *m);

/* Add an interval, which is no summary, and write all down. -ENOMEM: no text. */
int metrics_add(struct metrics *m, const struct snapshot *s, struct metrics_text *ret);
void metrics_text_release(struct metrics_text *t);

#endif
