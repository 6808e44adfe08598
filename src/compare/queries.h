/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a Prometheus is asked of one side, in PromQL. Pure.
 *
 * A host's value of a gauge is the median over the time that is asked of, as a boot's
 * is the median of its intervals: a disturbed interval does not move it, and one
 * that is scraped twice, or not at all, weighs no more than chance. There is no mean
 * from counters: what a trip costs is fitted to an interval, and has none. How often
 * loops run is the increase of counters, whose restarts Prometheus sees.
 *
 * All is asked for step by step, and at each step joined with the kernel and the
 * itertrace that the host runs then: one that went from one kernel to the other
 * meanwhile has values under both, each of its own time.
 */
#ifndef ITERTRACE_COMPARE_QUERIES_H
#define ITERTRACE_COMPARE_QUERIES_H

#include <stdint.h>

#include "base/reason.h"

enum query {
	QUERY_HOSTS, /* and for how many steps each was there: the first that is asked */
	QUERY_STATES, /* for how many steps each construct had each */
	QUERY_PRICES,
	QUERY_EVENTS,
	QUERY_LOST,
	QUERY_ENTRIES,
	QUERY_TRIPS,
	QUERY_SLOPES,   /* of the intervals in which a line fitted */
	QUERY_FITS,     /* how many steps have one */
	QUERY_PER_LOOP, /* likewise */
	QUERY_MEANS,
	QUERY_NR_MEANS,
	NR_QUERIES,
};

struct query_range {
	uint64_t since_s; /* up to now */
	uint64_t step_s;
};

/* Steps enough for a median, and not more than a server likes. */
struct query_range query_range_of(uint64_t since_s);

/* Label matchers in braces: {build_id="…"}. -EINVAL, with a sentence. */
int query_check_selector(const char *option, const char *selector, struct reason *why);

/* From malloc; NULL: out of memory. */
char *query_text(enum query query, const char *selector, struct query_range range);

/* Which kernels the server knows of, and on how many hosts each runs. */
char *query_kernels(struct query_range range);

#endif
