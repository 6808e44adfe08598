// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compare/compare.h"
#include "compare/guards.h"
#include "compare/join.h"
#include "compare/row.h"
#include "compare/total.h"
#include "compare/warnings.h"

struct sides {
	struct side base, fresh;
};

static int add_runs(struct comparison *c, const struct side *s, bool is_new)
{
	for (size_t i = 0; i < s->nr; i++) {
		struct comparison_run *run = &c->runs[c->nr_runs];

		run->head = malloc(sizeof(*run->head));
		if (!run->head)
			return -ENOMEM;
		*run->head = *s->digests[i]->head;
		run->end = s->digests[i]->end;
		run->is_new = is_new;
		run->boot = s->boot_of[i];
		run->nr_lost = s->digests[i]->nr_lost;
		c->nr_runs++;
	}
	return 0;
}

/* Base that costs nothing has no percentage: such a row goes to the incomparable. */
static int drop_row(struct comparison *c, size_t at)
{
	struct comparison_only *all;

	all = reallocarray(c->incomparable, c->nr_incomparable + 1, sizeof(*all));
	if (!all)
		return -ENOMEM;
	c->incomparable = all;
	all += c->nr_incomparable++;
	*all = (struct comparison_only){
		.kind = c->rows[at].kind,
		.reason = "base costs nothing: there is no percentage of it",
	};
	memcpy(all->name, c->rows[at].name, sizeof(all->name));
	c->nr_rows--;
	memmove(&c->rows[at], &c->rows[at + 1], (c->nr_rows - at) * sizeof(*c->rows));
	return 0;
}

static int measure_loads(const struct sides *s, struct subject subject,
			 struct comparison_row *row)
{
	struct loads base, fresh;

	side_loads(&s->base, subject, &base);
	side_loads(&s->fresh, subject, &fresh);
	return row_measure_loads(row, &base, &fresh);
}

static int measure_row(struct comparison *c, const struct sides *s,
		       struct comparison_row *row)
{
	struct subject subject = {row->kind, row->name};
	struct units base, fresh;
	int err = -ENODATA;

	side_units(&s->base, subject, row->measure, c->unit_is_run, &base);
	side_units(&s->fresh, subject, row->measure, c->unit_is_run, &fresh);
	side_describe(&s->base, subject, row->measure, c->unit_is_run, &base,
		      &row->base);
	side_describe(&s->fresh, subject, row->measure, c->unit_is_run, &fresh,
		      &row->fresh);
	if (row->measure == MEASURE_BENCH && !c->unit_is_run)
		err = measure_loads(s, subject, row);
	return err == -ENODATA ? row_measure(row, &base, &fresh) : err;
}

static int measure_rows(struct comparison *c, const struct sides *s)
{
	size_t i = 0;
	int err = 0;

	while (i < c->nr_rows && !err) {
		err = measure_row(c, s, &c->rows[i]);
		if (err == -EDOM)
			err = drop_row(c, i);
		else
			i++;
	}
	return err;
}

static int adjust(struct comparison *c, size_t *ret_nr)
{
	double *p = calloc(c->nr_rows + 1, sizeof(*p));
	size_t i, nr = 0;
	int err;

	if (!p)
		return -ENOMEM;
	for (i = 0; i < c->nr_rows; i++)
		if (c->rows[i].is_tested)
			p[nr++] = c->rows[i].p;
	err = stat_holm(p, nr, p);
	*ret_nr = nr;
	for (i = 0, nr = 0; !err && i < c->nr_rows; i++)
		if (c->rows[i].is_tested)
			c->rows[i].p_holm = p[nr++];
	free(p);
	return err;
}

/* Differences first, the greatest of them at the head. */
static int compare_rows(const void *a, const void *b)
{
	static const int ranks[NR_VERDICTS] = {
		[VERDICT_SLOWER] = 0,
		[VERDICT_FASTER] = 1,
		[VERDICT_NO_DIFFERENCE] = 2,
		[VERDICT_TOO_LITTLE_DATA] = 3,
	};
	const struct comparison_row *x = a, *y = b;
	double far = fabs(y->shift_percent) - fabs(x->shift_percent);

	if (x->verdict != y->verdict)
		return ranks[x->verdict] - ranks[y->verdict];
	if (ranks[x->verdict] < 2 && far != 0)
		return far > 0 ? 1 : -1;
	if (x->kind != y->kind)
		return (int)x->kind - (int)y->kind;
	return strcmp(x->name, y->name);
}

static void find_control(struct comparison *c)
{
	for (size_t i = 0; i < c->nr_rows; i++) {
		const struct comparison_row *row = &c->rows[i];
		double shift = fabs(row->shift_percent);

		if (!row->is_tested || !row_is_control(row) || !row_is_certain(row) ||
		    shift <= c->control_percent)
			continue;
		c->control_percent = shift;
		memcpy(c->control, row->name, sizeof(c->control));
	}
}

static int judge_rows(struct comparison *c, const struct sides *s)
{
	size_t nr_tested = 0;
	int err;

	err = measure_rows(c, s);
	if (!err)
		err = adjust(c, &nr_tested);
	if (!err)
		find_control(c);
	for (size_t i = 0; !err && i < c->nr_rows; i++)
		row_judge(&c->rows[i], c, nr_tested);
	if (!err && c->nr_rows)
		qsort(c->rows, c->nr_rows, sizeof(*c->rows), compare_rows);
	return err;
}

/*
 * The sides are not said to be the same if sites that were too rarely seen for a word
 * on them take a larger share of what all sites take.
 */
#define TOO_NOISY                                                                  \
	"a benchmark that says it was too noisy to answer is left out: record it " \
	"again on a quieter machine"
#define UNSEEN_SHARE 0.01

/* --- over all ----------------------------------------------------------------- */

static bool is_total_within(const struct comparison *c)
{
	return c->total.nr_rows && c->total.lo >= -c->threshold_percent &&
	       c->total.hi <= c->threshold_percent;
}

/* "slower: 1 row of 12 (bpf_for), faster: 3" and the like. */
static void say_found(struct comparison *c, const size_t nr[NR_VERDICTS])
{
	const struct comparison_row *most = NULL;

	for (size_t i = 0; i < c->nr_rows; i++) {
		const struct comparison_row *row = &c->rows[i];
		bool is_more =
			!most || (c->verdict == VERDICT_SLOWER
					  ? row->shift_percent > most->shift_percent
					  : row->shift_percent < most->shift_percent);

		if (row->verdict == c->verdict && is_more)
			most = row;
	}
	snprintf(c->why, sizeof(c->why),
		 "the new kernel is %s in %zu of %zu rows, most in %s %s: %+.1f%% "
		 "[%+.1f, "
		 "%+.1f]; faster %zu, slower %zu, no difference %zu, too little data "
		 "%zu",
		 verdict_name(c->verdict), nr[c->verdict], c->nr_rows,
		 comparison_kind_name(most->kind), most->name, most->shift_percent,
		 most->lo, most->hi, nr[VERDICT_FASTER], nr[VERDICT_SLOWER],
		 nr[VERDICT_NO_DIFFERENCE], nr[VERDICT_TOO_LITTLE_DATA]);
}

static void say_no_difference(struct comparison *c, size_t nr_same, size_t nr_tested)
{
	if (nr_same == nr_tested)
		snprintf(c->why, sizeof(c->why),
			 "no difference that matters (%g%%) in any row that has data "
			 "enough: %zu of %zu",
			 c->threshold_percent, nr_tested, c->nr_rows);
	else
		snprintf(c->why, sizeof(c->why),
			 "all %zu sites together cost the same within %g%%: %+.1f%% "
			 "[%+.1f, %+.1f]; of %zu rows %zu alone have too little data",
			 c->total.nr_rows, c->threshold_percent, c->total.shift_percent,
			 c->total.lo, c->total.hi, c->nr_rows, c->nr_rows - nr_same);
}

static void say_too_little(struct comparison *c, size_t nr_same, size_t nr_tested)
{
	const char *remedy = c->unit_is_host  ? "select more hosts a side"
			     : c->unit_is_run ? "record more boots a side"
					      : "record longer";

	if (c->has_moved)
		snprintf(c->why, sizeof(c->why),
			 "the machine was not the same on both sides: %s, whose "
			 "instructions are the same on every kernel, shifted by "
			 "%.1f%%; %s",
			 c->control, c->control_percent,
			 c->unit_is_run ? remedy : "record them again, by turns");
	else if (c->is_too_noisy)
		snprintf(c->why, sizeof(c->why),
			 TOO_NOISY "; no row of %zu is shown to differ", c->nr_rows);
	else if (!nr_tested)
		snprintf(c->why, sizeof(c->why),
			 "too few values in every row for any difference to show; %s",
			 remedy);
	else
		snprintf(
			c->why, sizeof(c->why),
			"no row is shown to differ, and only %zu of %zu to be the same "
			"within %g%%; %s",
			nr_same, c->nr_rows, c->threshold_percent,
			c->unit_is_host ? "select more hosts, or a longer time"
					: "record longer, or more boots");
}

/* What the sites take that no interval, or none to be trusted, is known of. */
static bool is_much_unseen(const struct comparison *c)
{
	double unseen = 0;

	for (size_t i = 0; i < c->nr_rows; i++) {
		const struct comparison_row *row = &c->rows[i];

		if (row->kind != COMPARISON_CONSTRUCT &&
		    (!row->is_tested || row->inflation > COMPARE_MAX_INFLATION) &&
		    !is_absent(row->fresh.trips_per_s))
			unseen += row->fresh.trips_per_s * row->fresh.median *
				  TOTAL_PERCENT_PER_NS;
	}
	return unseen > 0 && !(unseen <= UNSEEN_SHARE * c->total.new_cpu_percent);
}

static void judge_all(struct comparison *c)
{
	size_t nr[NR_VERDICTS] = {0}, nr_tested = 0, nr_undecided_constructs = 0;
	bool is_unseen = is_much_unseen(c) || c->is_too_noisy;

	for (size_t i = 0; i < c->nr_rows; i++) {
		const struct comparison_row *row = &c->rows[i];

		nr[row->verdict]++;
		nr_tested += row->is_tested;
		is_unseen |= !row->is_tested && row->measure == MEASURE_BENCH;
		nr_undecided_constructs += row->is_tested &&
					   row->kind == COMPARISON_CONSTRUCT &&
					   row->verdict == VERDICT_TOO_LITTLE_DATA;
	}
	c->verdict = nr[VERDICT_SLOWER]   ? VERDICT_SLOWER
		     : nr[VERDICT_FASTER] ? VERDICT_FASTER
					  : VERDICT_TOO_LITTLE_DATA;
	if (c->verdict != VERDICT_TOO_LITTLE_DATA) {
		say_found(c, nr);
		return;
	}
	if (nr_tested && !is_unseen &&
	    (nr[VERDICT_NO_DIFFERENCE] == nr_tested ||
	     (is_total_within(c) && !nr_undecided_constructs))) {
		c->verdict = VERDICT_NO_DIFFERENCE;
		say_no_difference(c, nr[VERDICT_NO_DIFFERENCE], nr_tested);
		return;
	}
	say_too_little(c, nr[VERDICT_NO_DIFFERENCE], nr_tested);
}

static void say_refused(struct comparison *c)
{
	size_t nr = 0, first = c->nr_differences;

	for (size_t i = c->nr_differences; i-- > 0;) {
		if (c->differences[i].weight != DIFFERENCE_REFUSAL)
			continue;
		nr++;
		first = i;
	}
	c->verdict = VERDICT_NOT_COMPARABLE;
	snprintf(c->why, sizeof(c->why),
		 "%s: %.180s; %.180s%s; %s--force compares all the same",
		 c->differences[first].what, c->differences[first].base,
		 c->differences[first].fresh, nr > 1 ? "; and more" : "",
		 c->unit_is_host ? "select hosts that are alike, or " : "");
}

static int judge(struct comparison *c, const struct sides *s)
{
	int err;

	err = guards_compare(c);
	if (err)
		return err;
	if (guards_refuse(c) && !c->is_forced) {
		say_refused(c);
		return 0;
	}
	c->is_forced = guards_refuse(c);
	err = join_sides(c, &s->base, &s->fresh);
	if (!err)
		err = judge_rows(c, s);
	if (!err)
		err = total_compute(c, &s->base, &s->fresh);
	if (!err)
		err = warnings_of_evidence(c, &s->base, &s->fresh);
	if (!err)
		err = warnings_of_recordings(c, &s->base);
	if (!err)
		err = warnings_of_recordings(c, &s->fresh);
	if (err)
		return err;
	if (c->nr_rows) {
		judge_all(c);
		return 0;
	}
	c->verdict = VERDICT_NOT_COMPARABLE;
	snprintf(c->why, sizeof(c->why), "%s",
		 c->is_too_noisy ? TOO_NOISY
				 : "the sides have no construct and no site with "
				   "figures in common");
	return 0;
}

/* Evidence that is given twice is no more evidence. */
static int refuse_copies(const struct side *s, struct reason *why)
{
	for (size_t i = 0; i < s->nr && !s->has_hosts; i++)
		for (size_t j = 0; j < i; j++)
			if (side_is_same_recording(s->digests[i]->head,
						   s->digests[j]->head))
				return reason_set(why, -EINVAL,
						  "%.200s and %.200s are the same "
						  "recording: give it once",
						  s->digests[j]->head->path,
						  s->digests[i]->head->path);
	return 0;
}

int compare_digests(struct digest *const *digests, size_t nr_base, size_t nr_new,
		    const struct compare_options *options, struct comparison *ret,
		    struct reason *why)
{
	struct comparison c = {
		.threshold_percent = options->threshold_percent,
		.is_forced = options->is_forced,
		.unit_is_host = options->unit_is_host,
	};
	struct sides s;
	int err;

	total_init(&c.total);
	err = side_init(&s.base, digests, nr_base, c.unit_is_host);
	if (!err)
		err = side_init(&s.fresh, digests + nr_base, nr_new, c.unit_is_host);
	if (err)
		return reason_set(why, err, "more than %d %ss on a side", SIDE_MAX_RUNS,
				  comparison_run_name(&c));
	err = refuse_copies(&s.base, why);
	if (!err)
		err = refuse_copies(&s.fresh, why);
	if (err)
		return err;
	c.unit_is_run = c.unit_is_host || (s.base.nr_boots > 1 && s.fresh.nr_boots > 1);
	c.runs = calloc(nr_base + nr_new, sizeof(*c.runs));
	err = c.runs ? add_runs(&c, &s.base, false) : -ENOMEM;
	if (!err)
		err = add_runs(&c, &s.fresh, true);
	if (!err)
		err = judge(&c, &s);
	if (err) {
		comparison_release(&c);
		return reason_set(why, err, "cannot compare: %s", strerror(-err));
	}
	*ret = c;
	return 0;
}
