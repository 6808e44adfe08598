/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One interval of a run, or the whole of it: the object that the text report,
 * JSON lines, recordings and metrics are views of. Plain data.
 *
 * A figure without support is ABSENT (NaN), and null in JSON: never zero.
 */
#ifndef ITERTRACE_MODEL_SNAPSHOT_H
#define ITERTRACE_MODEL_SNAPSHOT_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "model/bench.h"
#include "model/table.h"

#define ABSENT            NAN
#define is_absent(figure) isnan(figure)

#define SNAPSHOT_MAX_TRACERS 8
#define SNAPSHOT_MAX_SITES   32
#define TRACER_MAX_LOST      6

struct lost_count {
	const char *cause; /* static, a word: "ring_full" */
	uint64_t nr;
};

/* More of a cause, in a list of at most TRACER_MAX_LOST; one too many is left out. */
void lost_add(struct lost_count *list, size_t *nr, const struct lost_count *more);

struct tracer_status {
	const char *name; /* static */
	bool wanted;      /* asked for, or nothing was */
	bool on;
	char reason[512]; /* why off, or what is missing of it; "" if nothing */
	uint64_t events;
	struct lost_count lost[TRACER_MAX_LOST];
	size_t nr_lost;
};

enum site_fit {
	SITE_FIT_OK,
	SITE_FIT_NOT_LINEAR, /* a cost a trip on average, but none a loop: see sites.c
			      */
	SITE_FIT_TOO_FEW,    /* timed entries */
	SITE_FIT_TRIPS_CONSTANT, /* or nearly so */
	SITE_FIT_TOO_NOISY,      /* the cost of a trip may be three times as high */
};
#define NR_SITE_FITS (SITE_FIT_TOO_NOISY + 1)

/* As in JSON: "ok", "not_linear", … */
const char *site_fit_name(enum site_fit fit);

#define SITE_FIGURES_CLASSES 25

/* ns; intervals are 95%. */
struct site_figures {
	const char *name; /* static: "exec.argv" */
	uint64_t entries, trips;
	uint64_t max_trips;                     /* since the start of the run */
	uint64_t classes[SITE_FIGURES_CLASSES]; /* entries of 0, 1, 2-3, 4-7, … trips */
	uint64_t timed; /* entries with the clock at both ends */
	enum site_fit fit;
	double ns_per_trip, ns_per_trip_lo, ns_per_trip_hi;
	double ns_per_loop, ns_per_loop_lo, ns_per_loop_hi;
	double mean_ns;          /* of a timed entry as a whole */
	double iterator_ns;      /* of a trip: the construct's own price here */
	double inlined_saves_ns; /* of a trip, were the iterator inlined */
};

/* Of a site that nothing is known of. */
extern const struct site_figures site_figures_none;

struct self_figures {
	double cpu_percent; /* of one CPU */
	double bpf_cpu_percent;
	double rss_bytes;
	double map_bytes;
	uint64_t bpf_window_ns; /* of the time, in which BPF programs were watched */
	double host_bpf_cpu_percent; /* all BPF programs on the host, ours too */
	char reason[256];            /* why one of these is absent */
};

struct snapshot {
	bool summary;         /* the whole run */
	uint64_t time_ns;     /* CLOCK_REALTIME at the end */
	uint64_t interval_ns; /* what it covers */
	const char *loops;    /* static: the backend in use */
	struct tracer_status tracers[SNAPSHOT_MAX_TRACERS];
	size_t nr_tracers;
	struct site_figures sites[SNAPSHOT_MAX_SITES];
	size_t nr_sites;
	struct self_figures self;
	struct section sections[SNAPSHOT_MAX_TRACERS];
	size_t nr_sections;
	const struct calibration *calibration; /* not owned; NULL: none */
};

void snapshot_release(struct snapshot *s);

#endif
