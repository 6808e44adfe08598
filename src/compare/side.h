/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One side of a comparison: its recordings, which boots they are of, and the units
 * of evidence that a row has there. Pure; the digests are the caller's.
 */
#ifndef ITERTRACE_COMPARE_SIDE_H
#define ITERTRACE_COMPARE_SIDE_H

#include "compare/digest.h"
#include "stat/rank.h"

#define SIDE_MAX_RUNS STAT_RANK_MAX

struct side {
	struct digest *const *digests;
	size_t nr;
	bool has_hosts; /* rather than boots: a host is what a boot is elsewhere */
	size_t boot_of[SIDE_MAX_RUNS]; /* each run's; those of one boot share it */
	size_t nr_boots;
	bool is_boot_unknown; /* of a run: all such count as one boot */
};

/* The files of one run differ in their part. */
bool side_is_same_recording(const struct recording_head *a,
			    const struct recording_head *b);

/* -E2BIG: more than SIDE_MAX_RUNS. */
int side_init(struct side *s, struct digest *const *digests, size_t nr, bool has_hosts);

/* What is looked for, in all recordings of a side. */
struct subject {
	enum comparison_kind kind;
	const char *name;
};

/* What a side knows of a subject, over all of its recordings. */
struct presence {
	bool is_listed;
	size_t nr_values[NR_MEASURES];
	uint64_t nr_fits, nr_means;
	double entries, trips, watched_s;
	bool is_too_noisy;  /* a bench's figure is left out */
	const char *reason; /* why there is no figure; "" */
};

void side_presence(const struct side *s, struct subject subject, struct presence *ret);

/*
 * by_run: one value a boot, the median of its recordings' centres. Else what there is
 * within the runs: bench's placements, one recording after the other, or batches of a
 * boot's intervals (series.h).
 */
struct units {
	double values[STAT_RANK_MAX];
	size_t nr;
	size_t boots[STAT_RANK_MAX]; /* by_run: whose each value is */
	double inflation; /* of their mean's variance, see series_batches() */
};

void side_units(const struct side *s, struct subject subject,
		enum comparison_measure measure, bool by_run, struct units *ret);

/*
 * The loads of a construct's benchmarks, in all recordings of the side, each with the
 * place in a cache line that its loop had: what a loop costs depends on that more than
 * on anything else. No values: a recording has none, as where addresses are hidden.
 */
struct loads {
	struct stat_stratum_value values[STAT_STRATA_MAX];
	size_t nr;
	double inflation; /* of a load's variance, by its neighbours; series.h */
};

void side_loads(const struct side *s, struct subject subject, struct loads *ret);

/* What is shown of the units, and of a site over its time. */
void side_describe(const struct side *s, struct subject subject,
		   enum comparison_measure measure, bool by_run,
		   const struct units *units, struct comparison_side *ret);

#endif
