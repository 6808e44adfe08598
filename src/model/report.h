/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A recording as a whole: what the text, JSON and HTML of "itertrace report" are
 * views of. Plain data, bounded whatever the recording's length. Durations are
 * ns; intervals are 95%; no figure is ABSENT.
 */
#ifndef ITERTRACE_MODEL_REPORT_H
#define ITERTRACE_MODEL_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/bench.h"
#include "model/recording.h"
#include "model/snapshot.h"

#define REPORT_MAX_TIMES 512

/*
 * A site over a stretch of the run: one interval, or neighbours merged into one
 * where there were more than fit: counts are added up, figures are means of the
 * intervals that have them, lo and hi the outermost of theirs.
 */
struct report_time {
	uint64_t time_ns;   /* CLOCK_REALTIME at its end */
	uint64_t length_ns; /* that was watched */
	uint64_t entries, trips, timed;
	double ns_per_trip, ns_per_trip_lo, ns_per_trip_hi;
	double ns_per_loop;
	double mean_trips;          /* of an entry; ABSENT: not entered */
	double mean_ns;             /* of a timed entry as a whole */
	uint32_t nr;                /* intervals in it */
	uint32_t nr_fits, nr_means; /* of these, with ns_per_trip; with mean_ns */
};

struct report_site {
	const char *name; /* lives as long as the recording that was read */
	struct report_time times[REPORT_MAX_TIMES];
	size_t nr_times;
	uint32_t nr_merged; /* intervals in each of times; the last may have fewer */
	/*
	 * Of the costs a trip in times: median, quartiles, and number. Where trips
	 * hardly vary there are none.
	 */
	double median, q1, q3;
	size_t nr_fits;
	double mean_ns;                 /* of all timed entries */
	uint64_t entries, trips, timed; /* of all intervals */
};

struct report {
	const struct recording_head *head; /* not owned: of the recording */
	struct recording_end end;
	uint64_t first_ns, last_ns; /* CLOCK_REALTIME: begin and end of the intervals */
	uint64_t watched_ns;        /* that the intervals cover */
	struct report_site sites[SNAPSHOT_MAX_SITES];
	size_t nr_sites;
	bool has_summary;        /* false: the run was cut, or it is a bench */
	struct snapshot summary; /* if there is one; owned */
	/* All intervals: events, and what tracers lost. Without sites and sections. */
	struct snapshot sum;
	struct bench_report *bench; /* NULL: none; owned */
};

void report_release(struct report *r); /* what r owns */

#endif
