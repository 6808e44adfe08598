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
	VERDICT_FASTER,         /* the new side, by more than nothing and the threshold */
	VERDICT_SLOWER,
	VERDICT_NO_DIFFERENCE,  /* that matters: the interval lies within the threshold */
	VERDICT_TOO_LITTLE_DATA, /* neither can be said */
	VERDICT_NOT_COMPARABLE,
};

enum comparison_kind {
	COMPARISON_CONSTRUCT, /* ns a trip of an empty body: from bench, calibration */
	COMPARISON_SITE,      /* ns a trip of one of itertrace's loops */
	COMPARISON_LOOP,      /* of another program's loop */
};

/* A side's values of one row, and what is drawn of them. */
#define COMPARISON_MAX_POINTS 128

struct comparison_point {
	double x, y;
};

struct comparison_side {
	size_t nr;                        /* units of evidence */
	double least, q1, median, q3, most; /* of the units */
	double lo, hi;                    /* of the median; ABSENT: too few */
	double dots[COMPARISON_MAX_POINTS]; /* the units; evenly thinned if more */
	size_t nr_dots;
	/* Of a site: ns = a + b trips, the medians of the units' fits. */
	double a, a_lo, a_hi, b, b_lo, b_hi;
	struct comparison_point costs[COMPARISON_MAX_POINTS]; /* mean trips, mean ns */
	size_t nr_costs;
	struct comparison_point times[COMPARISON_MAX_POINTS]; /* s since start, ns a trip */
	size_t nr_times;
	double trips_per_s;
};

struct comparison_row {
	enum comparison_kind kind;
	char name[128];
	struct comparison_side base, fresh; /* fresh: the new one */
	double shift, shift_lo, shift_hi;   /* new - base, ns: Hodges and Lehmann's */
	double shift_percent, lo, hi;       /* the same, of base's median */
	double p;                           /* Mann and Whitney's, two-sided */
	double p_holm;                      /* adjusted over all rows */
	enum verdict verdict;
	char note[256];                     /* why not, or a warning; "" */
	double saves_cpu_percent, saves_lo, saves_hi; /* of one CPU, at the new side's rate; > 0: saved */
};

/* Something about the two sides that is not the same. */
enum difference_weight {
	DIFFERENCE_CAUSE,  /* configuration, hardening: often the true cause */
	DIFFERENCE_SUBJECT, /* the kernel itself: what is compared */
	DIFFERENCE_WARNING, /* the verdict may be of this */
	DIFFERENCE_REFUSAL, /* not comparable, unless forced */
};

struct comparison_difference {
	enum difference_weight weight;
	char what[64];
	char base[256], fresh[256];
};

struct comparison_only {
	enum comparison_kind kind;
	char name[128];
	char reason[256]; /* "" or why it has no figure on the other side */
};

struct comparison_run { /* a recording that took part */
	struct recording_head *head;
	struct recording_end end;
	bool is_new;
};

struct comparison {
	double threshold_percent;
	bool unit_is_run;                 /* else the interval within a run */
	bool is_forced;
	struct comparison_run *runs;
	size_t nr_runs;
	struct comparison_difference *differences; /* by weight */
	size_t nr_differences;
	struct comparison_row *rows;
	size_t nr_rows;
	struct comparison_only *only_in_base, *only_in_new, *incomparable;
	size_t nr_only_in_base, nr_only_in_new, nr_incomparable;
	char warnings[8][256];
	size_t nr_warnings;
	double saves_cpu_percent, saves_lo, saves_hi; /* summed over rows */
	enum verdict verdict;
	char why[256];                    /* of the verdict, a sentence */
};

const char *verdict_name(enum verdict v); /* "faster", …, "not comparable" */
const char *comparison_kind_name(enum comparison_kind kind);

void comparison_release(struct comparison *c);

#endif
