/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What two recordings, or two groups of them, say of two kernel builds: what
 * the text, JSON and HTML of "itertrace compare" are views of. Plain data.
 * Durations are ns; intervals are 95% unless said otherwise; no figure is ABSENT.
 */
#ifndef ITERTRACE_MODEL_COMPARISON_H
#define ITERTRACE_MODEL_COMPARISON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/recording.h"

enum verdict {
	VERDICT_FASTER, /* the new side, surely, and by the threshold or more */
	VERDICT_SLOWER,
	VERDICT_NO_DIFFERENCE, /* that matters: the interval lies within the threshold */
	VERDICT_TOO_LITTLE_DATA, /* neither can be said */
	VERDICT_NOT_COMPARABLE,
};
#define NR_VERDICTS (VERDICT_NOT_COMPARABLE + 1)

enum comparison_kind {
	COMPARISON_CONSTRUCT, /* ns a trip of an empty body: from bench, calibration */
	COMPARISON_SITE,      /* ns a trip of one of itertrace's loops */
	COMPARISON_LOOP,      /* of another program's loop */
};

/* What a row's values are; both sides' are of the same measure. */
enum comparison_measure {
	MEASURE_BENCH,       /* a construct's trip at one placement, by bench */
	MEASURE_CALIBRATION, /* a construct's trip, at the start of a run */
	MEASURE_SLOPE,       /* a site's trip: b of ns = a + b trips */
	MEASURE_MEAN,        /* a site's loop over its trips, where no line fits */
};

#define COMPARISON_MAX_POINTS 128
#define COMPARISON_TEXT_LEN   256

struct comparison_point {
	double x, y;
};

/* A side's values of one row, and what is drawn of them. */
struct comparison_side {
	size_t nr; /* units of evidence */
	/* Of the units; where these are a benchmark's loads, of its placements. */
	double least, q1, median, q3, most;
	double lo, hi;                      /* of the median; ABSENT: fewer than 6 */
	double dots[COMPARISON_MAX_POINTS]; /* the units; evenly thinned if more */
	size_t nr_dots;
	/* Of a site: ns = a + b trips, the medians of the units' fits. */
	double a, a_lo, a_hi, b, b_lo, b_hi;
	struct comparison_point costs[COMPARISON_MAX_POINTS]; /* mean trips, mean ns */
	size_t nr_costs;
	struct comparison_point
		times[COMPARISON_MAX_POINTS]; /* s since start, ns a trip */
	size_t nr_times;
	double trips_per_s; /* of a site; ABSENT: of a construct */
	double mean_trips;  /* of a site's loop */
};

struct comparison_row {
	enum comparison_kind kind;
	char name[128];
	enum comparison_measure measure;
	bool is_by_load; /* of a bench, at the placements that both sides have */
	struct comparison_side base, fresh; /* fresh: the new one */
	double shift, shift_lo, shift_hi;   /* new - base, ns: Hodges and Lehmann's */
	double shift_percent, lo, hi;       /* the same, of base's median */
	double inflation; /* of the variance, where neighbouring values are alike; else 1 */
	double p;         /* Mann and Whitney's, of loads van Elteren's; two-sided */
	double p_holm;  /* adjusted over all rows that are tested */
	bool is_tested; /* false: not even the clearest difference has p < 0.05 here */
	enum verdict verdict;
	char note[COMPARISON_TEXT_LEN]; /* why not, or a warning; "" */
	double saves_cpu_percent, saves_lo,
		saves_hi; /* of one CPU, at the new side's rate; > 0: saved */
};

/* Something about the two sides that is not the same. */
enum difference_weight {
	DIFFERENCE_CAUSE,   /* configuration, hardening: often the true cause */
	DIFFERENCE_SUBJECT, /* the kernel itself: what is compared */
	DIFFERENCE_WARNING, /* the verdict may be of this */
	DIFFERENCE_REFUSAL, /* not comparable, unless forced */
};

struct comparison_difference {
	enum difference_weight weight;
	char what[64];
	char base[COMPARISON_TEXT_LEN], fresh[COMPARISON_TEXT_LEN];
};

struct comparison_only {
	enum comparison_kind kind;
	char name[128];
	char reason[COMPARISON_TEXT_LEN]; /* "" or why there is no figure */
};

struct comparison_run {              /* a recording that took part */
	struct recording_head *head; /* owned */
	struct recording_end end;
	bool is_new;
	size_t boot;      /* of its side, from 0: recordings of one boot share it */
	uint64_t nr_lost; /* events, by all tracers */
};

/*
 * All sites together at the new side's rates: what they cost, of one CPU, and
 * what the new kernel saves of it. ABSENT where no site has a shift.
 */
struct comparison_total {
	size_t nr_rows;
	double base_cpu_percent, new_cpu_percent;
	double saves_cpu_percent, saves_lo, saves_hi;
	double shift_percent, lo, hi; /* of base_cpu_percent; > 0: slower */
};

struct comparison {
	double threshold_percent;
	bool unit_is_run;  /* a boot; else the interval, or placement, within a run */
	bool unit_is_host; /* a run is then all that a server knows of a host */
	bool is_forced;
	/*
	 * The benchmark whose instructions no kernel changes and that shifted most, for
	 * certain: the machine did. "": none.
	 */
	char control[128];
	double control_percent;
	bool has_moved;    /* by the threshold, so that rows have no verdict */
	bool is_too_noisy; /* a construct has no row, as bench's figures are left out */
	struct comparison_run *runs;
	size_t nr_runs;
	struct comparison_difference *differences; /* by weight */
	size_t nr_differences;
	struct comparison_row *rows; /* slower, faster, no difference, the others */
	size_t nr_rows;
	struct comparison_only *only_in_base, *only_in_new, *incomparable;
	size_t nr_only_in_base, nr_only_in_new, nr_incomparable;
	char (*warnings)[COMPARISON_TEXT_LEN];
	size_t nr_warnings;
	struct comparison_total total;
	enum verdict verdict;
	char why[2 * COMPARISON_TEXT_LEN]; /* of the verdict, a sentence */
};

const char *verdict_name(enum verdict v); /* "faster", …, "not comparable" */
const char *comparison_kind_name(enum comparison_kind kind);
const char *comparison_measure_name(enum comparison_measure measure);
const char *difference_weight_name(enum difference_weight weight);

const char *comparison_unit_name(const struct comparison *c); /* "host", "boot", … */
const char *comparison_run_name(const struct comparison *c);  /* "recording", "host" */

void comparison_release(struct comparison *c);

#endif
