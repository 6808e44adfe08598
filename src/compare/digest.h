/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One recording, reduced to what a comparison needs of it. Its size does not grow
 * with the recording's length. Owns its memory.
 */
#ifndef ITERTRACE_COMPARE_DIGEST_H
#define ITERTRACE_COMPARE_DIGEST_H

#include "base/reason.h"
#include "compare/series.h"
#include "model/comparison.h"
#include "stat/strata.h"

#define DIGEST_MAX_ITEMS 256
#define NR_MEASURES      (MEASURE_MEAN + 1)

/* A construct or a site. */
struct digest_item {
	enum comparison_kind kind;
	char name[128];
	struct series by[NR_MEASURES]; /* ns a trip */
	struct series per_loop;        /* of a site: a of ns = a + b trips */
	uint64_t nr_fits, nr_means;    /* intervals with a slope; with a mean */
	uint64_t entries, trips, watched_ns;
	uint64_t last_interval;           /* in which it was seen, from 1 */
	double bench_centre;              /* bench's own figure; ABSENT: none */
	struct stat_stratum_value *loads; /* bench's, in order of time, by placement */
	size_t nr_loads;
	bool is_too_noisy;                /* bench's figure is left out */
	char reason[COMPARISON_TEXT_LEN]; /* why it has no figure; "" */
};

struct digest {
	struct recording_head *head; /* its features have no descriptions */
	char *feature_names;         /* that it points to */
	struct recording_end end;
	struct digest_item *items;
	size_t nr_items;
	uint64_t nr_intervals;
	uint64_t nr_events, nr_lost; /* of all tracers */
	uint64_t nr_duplicates;      /* of a site within an interval: left out */
	uint64_t nr_unlisted;        /* items beyond DIGEST_MAX_ITEMS */
	bool is_partial;             /* a bench that was interrupted */
	/* Of a bench: why the machine was too noisy, and so it has no figures. */
	char verdict[256];
	/* Of a bench: the core's own, see model/bench.h; 0, ABSENT: not known. */
	double pace_ns;
};

/* A copy of head is made. NULL: out of memory. */
struct digest *digest__new(const struct recording_head *head);
void digest__free(struct digest *d); /* NULL is fine */

/* -ENOMEM. */
int digest_add_snapshot(struct digest *d, const struct snapshot *s);
int digest_add_bench(struct digest *d, const struct bench_report *r);

/* After the last. */
int digest_finish(struct digest *d, const struct recording_end *end);

/* Reads a recording as a stream. On failure *ret is untouched, why a sentence. */
int digest__read(const char *path, struct digest **ret, struct reason *why);

/* NULL: there is none. */
const struct digest_item *digest_find(const struct digest *d, enum comparison_kind kind,
				      const char *name);

#endif
