/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The intervals of a run, added up: what metrics count. Bounded: a loop site beyond
 * max_sites adds to all such sites' own. Pure, and plain but for totals_*().
 */
#ifndef ITERTRACE_EXPORT_TOTALS_H
#define ITERTRACE_EXPORT_TOTALS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/snapshot.h"

/* Trips up to 0, 1, 3, 7, …, 1023: the first classes of a site; the rest is one. */
#define TRIP_BOUNDS 11

struct tracer_totals {
	const char *name; /* NULL: a free place */
	bool was_on;
	uint64_t events;
	struct lost_count lost[TRACER_MAX_LOST];
	size_t nr_lost;
	struct total totals[SECTION_MAX_TOTALS];
	size_t nr_totals;
	struct durations durations;
};

struct site_totals {
	const char *name;
	uint64_t entries, trips, max_trips, timed;
	uint64_t classes[TRIP_BOUNDS + 1];
};

/* A sum of what was known; known: in the last interval too. */
struct seconds {
	double sum;
	bool known;
};

struct totals {
	uint64_t nr_intervals;
	uint64_t nr_overflow; /* sites without a place, added up over the intervals */
	struct tracer_totals tracers[SNAPSHOT_MAX_TRACERS];
	struct site_totals sites[SNAPSHOT_MAX_SITES];
	size_t nr_sites, max_sites;
	struct site_totals other; /* name NULL: all sites have a place */
	struct seconds cpu, bpf_cpu, host_bpf_cpu;
};

void totals_init(struct totals *t, size_t max_sites);

/* s is an interval, no summary. */
void totals_add(struct totals *t, const struct snapshot *s);

/* The site's own totals, or those of all that have no place. */
const struct site_totals *totals_site(const struct totals *t, const char *name);

#endif
