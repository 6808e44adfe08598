// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "compare/row.h"

/* -EDOM: base costs nothing, so that there is no percentage. */
static int set_shift(struct comparison_row *row, double p,
		     const struct hodges_lehmann *hl, double inflation)
{
	double median = row->base.median;

	row->p_holm = ABSENT;
	row->saves_cpu_percent = row->saves_lo = row->saves_hi = ABSENT;
	row->p = inflation > 1 ? stat_inflate_p(p, inflation) : p;
	row->shift = hl->shift;
	row->shift_lo = hl->shift - (hl->shift - hl->lo) * sqrt(inflation);
	row->shift_hi = hl->shift + (hl->hi - hl->shift) * sqrt(inflation);
	row->inflation = inflation;
	row->is_tested =
		stat_mann_whitney_least_p(row->base.nr, row->fresh.nr) < COMPARE_ALPHA;
	if (!(median > 0) && (hl->shift != 0 || hl->lo < 0 || hl->hi > 0))
		return -EDOM;
	if (!(median > 0))
		median = 1; /* nothing on both sides: 0% */
	row->shift_percent = 100 * hl->shift / median;
	row->lo = 100 * row->shift_lo / median;
	row->hi = 100 * row->shift_hi / median;
	return 0;
}

int row_measure(struct comparison_row *row, const struct units *base,
		const struct units *fresh)
{
	struct mann_whitney test;
	struct hodges_lehmann hl;
	int err;

	err = stat_mann_whitney(base->values, base->nr, fresh->values, fresh->nr,
				&test);
	if (!err)
		err = stat_hodges_lehmann(base->values, base->nr, fresh->values,
					  fresh->nr, &hl);
	return err ? err
		   : set_shift(row, test.p, &hl,
			       fmax(base->inflation, fresh->inflation));
}

int row_measure_loads(struct comparison_row *row, const struct loads *base,
		      const struct loads *fresh)
{
	struct stat_strata strata;
	int err;

	err = stat_strata_compare(base->values, base->nr, fresh->values, fresh->nr,
				  &strata);
	if (err)
		return err;
	row->is_by_load = true;
	row->base.nr = strata.n;
	row->fresh.nr = strata.m;
	return set_shift(row, strata.p,
			 &(struct hodges_lehmann){strata.shift, strata.lo, strata.hi},
			 fmax(base->inflation, fresh->inflation));
}

/* Values that each side needs for so many rows to be told apart at all. */
static size_t values_needed(size_t nr_rows)
{
	size_t n = 1;

	while (n < STAT_RANK_MAX &&
	       stat_mann_whitney_least_p(n, n) * (double)nr_rows >= COMPARE_ALPHA)
		n++;
	return n;
}

static void note_few(struct comparison_row *row, size_t nr_rows)
{
	char rows[40] = "";

	if (nr_rows > 1)
		snprintf(rows, sizeof(rows), " for %zu rows", nr_rows);
	snprintf(row->note, sizeof(row->note), "too few values%s; %zu a side would do",
		 rows, values_needed(nr_rows));
}

bool row_is_control(const struct comparison_row *row)
{
	static const char *const names[] = {"floor", "bounded", "shape_v3", "shape_7.3",
					    "shape_itertrace"};
	size_t len = strcspn(row->name, ","); /* behind it: threads, trips */

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (row->measure == MEASURE_BENCH && strlen(names[i]) == len &&
		    !memcmp(row->name, names[i], len))
			return true;
	return false;
}

bool row_is_certain(const struct comparison_row *row)
{
	return row->p_holm < COMPARE_ALPHA && (row->lo > 0 || row->hi < 0);
}

static void note_undecided(struct comparison_row *row, double threshold,
			   size_t nr_tested)
{
	double least = stat_mann_whitney_least_p(row->base.nr, row->fresh.nr);

	if (row_is_certain(row))
		snprintf(row->note, sizeof(row->note),
			 "differs, but perhaps by less than %g%%", threshold);
	else if (least * (double)nr_tested >= COMPARE_ALPHA)
		note_few(row, nr_tested);
	else if (row->lo > 0 || row->hi < 0)
		snprintf(row->note, sizeof(row->note),
			 "over so many rows not certain to differ");
	else
		snprintf(row->note, sizeof(row->note),
			 "the interval reaches beyond %g%%", threshold);
}

/* What this row shows may be the machine's doing. */
static bool is_machines(const struct comparison_row *row, const struct comparison *c,
			double nearest)
{
	return row->measure == MEASURE_BENCH && c->control[0] &&
	       (row_is_control(row) ||
		!(nearest > COMPARE_CONTROL_FACTOR * c->control_percent));
}

static void note_machine(struct comparison_row *row, struct comparison *c)
{
	c->has_moved |= c->control_percent >= c->threshold_percent;
	snprintf(row->note, sizeof(row->note), "%.24s, a control, shifted too: %.1f%%",
		 c->control, c->control_percent);
}

void row_judge(struct comparison_row *row, struct comparison *c, size_t nr_tested)
{
	bool is_new_faster = row->shift_percent < 0;
	double nearest = is_new_faster ? -row->hi : row->lo;
	double threshold = c->threshold_percent;
	double far = c->unit_is_run ? fabs(row->shift_percent) : nearest;
	bool is_machine = is_machines(row, c, nearest);

	row->verdict = VERDICT_TOO_LITTLE_DATA;
	if (!row->is_tested) {
		note_few(row, 1);
	} else if (row->inflation > COMPARE_MAX_INFLATION) {
		snprintf(row->note, sizeof(row->note),
			 "%s resemble their neighbours: record longer",
			 row->is_by_load ? "loads" : "intervals");
	} else if (is_machine && c->control_percent >= threshold) {
		note_machine(row, c);
	} else if (row->lo >= -threshold && row->hi <= threshold) {
		row->verdict = VERDICT_NO_DIFFERENCE;
		if (row_is_certain(row))
			snprintf(row->note, sizeof(row->note),
				 "a difference below the threshold");
	} else if (!row_is_certain(row) || !(far >= threshold)) {
		note_undecided(row, threshold, nr_tested);
	} else if (is_machine) {
		note_machine(row, c);
	} else {
		row->verdict = is_new_faster ? VERDICT_FASTER : VERDICT_SLOWER;
		if (nearest < threshold)
			snprintf(row->note, sizeof(row->note),
				 "perhaps by less than the threshold of %g%%",
				 threshold);
	}
	if (row->verdict != VERDICT_TOO_LITTLE_DATA && !row->note[0] &&
	    (row->base.nr < COMPARE_FEW || row->fresh.nr < COMPARE_FEW))
		snprintf(row->note, sizeof(row->note), "few values: %zu against %zu",
			 row->base.nr, row->fresh.nr);
}
