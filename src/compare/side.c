// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <string.h>

#include "base/time.h"
#include "compare/side.h"
#include "model/bench.h"
#include "stat/quantile.h"

/* The place of a subject's cost a loop, behind the measures. */
#define PER_LOOP ((enum comparison_measure)NR_MEASURES)

static const char *boot_name(const struct side *s, size_t run)
{
	const struct recording_head *head = s->digests[run]->head;

	return s->has_hosts ? head->host : head->identity.boot_id;
}

/* The boot of the run; those whose boot is not known are one. */
static size_t find_boot(const struct side *s, size_t run)
{
	for (size_t i = 0; i < run; i++)
		if (!strcmp(boot_name(s, i), boot_name(s, run)))
			return s->boot_of[i];
	return s->nr_boots;
}

/* The files of one run differ in their part. */
bool side_is_same_recording(const struct recording_head *a,
			    const struct recording_head *b)
{
	return a->time_ns == b->time_ns && a->part == b->part &&
	       !strcmp(a->command, b->command) && !strcmp(a->host, b->host) &&
	       !strcmp(a->identity.boot_id, b->identity.boot_id);
}

int side_init(struct side *s, struct digest *const *digests, size_t nr, bool has_hosts)
{
	if (nr > SIDE_MAX_RUNS)
		return -E2BIG;
	*s = (struct side){.digests = digests, .nr = nr, .has_hosts = has_hosts};
	for (size_t i = 0; i < nr; i++) {
		s->boot_of[i] = find_boot(s, i);
		s->nr_boots += s->boot_of[i] == s->nr_boots;
		s->is_boot_unknown |= !boot_name(s, i)[0];
	}
	return 0;
}

void side_presence(const struct side *s, struct subject subject, struct presence *ret)
{
	*ret = (struct presence){.reason = ""};
	for (size_t i = 0; i < s->nr; i++) {
		const struct digest_item *item =
			digest_find(s->digests[i], subject.kind, subject.name);

		if (!item)
			continue;
		ret->is_listed = true;
		for (size_t m = 0; m < NR_MEASURES; m++)
			ret->nr_values[m] += item->by[m].nr;
		ret->nr_fits += item->nr_fits;
		ret->nr_means += item->nr_means;
		ret->entries += (double)item->entries;
		ret->trips += (double)item->trips;
		ret->watched_s += (double)item->watched_ns / NSEC_PER_SEC;
		ret->is_too_noisy |= item->is_too_noisy;
		if (item->reason[0])
			ret->reason = item->reason;
	}
}

/* NULL: the recording has none. */
static const struct series *series_of(const struct digest *d, struct subject subject,
				      enum comparison_measure measure)
{
	const struct digest_item *item = digest_find(d, subject.kind, subject.name);
	const struct series *series;

	if (!item)
		return NULL;
	series = measure == PER_LOOP ? &item->per_loop : &item->by[measure];
	return series->nr ? series : NULL;
}

static double centre_of(const struct digest *d, struct subject subject,
			enum comparison_measure measure, const struct series *series)
{
	const struct digest_item *item = digest_find(d, subject.kind, subject.name);

	return measure == MEASURE_BENCH && item ? item->bench_centre
						: series_median(series);
}

/* The files of one run share its calibration: it counts once. */
static bool is_repeated(const struct side *s, size_t run, struct subject subject)
{
	const struct series *mine =
		series_of(s->digests[run], subject, MEASURE_CALIBRATION);

	for (size_t i = 0; i < run; i++) {
		const struct series *other =
			series_of(s->digests[i], subject, MEASURE_CALIBRATION);

		if (other && s->boot_of[i] == s->boot_of[run] &&
		    other->values[0].ns == mine->values[0].ns)
			return true;
	}
	return false;
}

static void collect_boot(const struct side *s, size_t boot, struct subject subject,
			 enum comparison_measure measure, struct units *ret)
{
	double centres[SIDE_MAX_RUNS];
	size_t i, nr = 0;

	for (i = 0; i < s->nr; i++) {
		const struct series *series;

		if (s->boot_of[i] != boot)
			continue;
		series = series_of(s->digests[i], subject, measure);
		if (series)
			centres[nr++] =
				centre_of(s->digests[i], subject, measure, series);
	}
	if (!nr)
		return;
	stat_sort(centres, nr);
	ret->boots[ret->nr] = boot;
	ret->values[ret->nr++] = stat_median(centres, nr);
}

/* What bench and the calibration of a run measured. */
static void collect_run(const struct side *s, size_t run, struct subject subject,
			enum comparison_measure measure, struct units *ret)
{
	const struct series *series = series_of(s->digests[run], subject, measure);

	if (!series)
		return;
	if (measure == MEASURE_CALIBRATION && is_repeated(s, run, subject))
		return;
	ret->nr += series_values(series, STAT_RANK_MAX / s->nr, ret->values + ret->nr);
}

static bool is_before(const struct recording_head *a, const struct recording_head *b)
{
	return a->time_ns < b->time_ns ||
	       (a->time_ns == b->time_ns && a->part < b->part);
}

#define ANY_BOOT SIZE_MAX

/* The boot's recordings that have the subject, in the order of time; their number. */
static size_t order_runs(const struct side *s, size_t boot, struct subject subject,
			 enum comparison_measure measure, size_t *ret)
{
	size_t nr = 0, at;

	for (size_t i = 0; i < s->nr; i++) {
		if ((boot != ANY_BOOT && s->boot_of[i] != boot) ||
		    !series_of(s->digests[i], subject, measure))
			continue;
		for (at = nr++; at && is_before(s->digests[i]->head,
						s->digests[ret[at - 1]]->head);
		     at--)
			ret[at] = ret[at - 1];
		ret[at] = i;
	}
	return nr;
}

/*
 * A boot's intervals as one series, over all of its recordings: what drifts slowly is
 * not seen within a part. -ENOMEM.
 */
static int join_boot(const struct side *s, size_t boot, struct subject subject,
		     enum comparison_measure measure, struct series *ret)
{
	size_t order[SIDE_MAX_RUNS], nr, i, j;
	int err = 0;

	nr = order_runs(s, boot, subject, measure, order);
	for (i = 0; i < nr; i++) {
		const struct series *part =
			series_of(s->digests[order[i]], subject, measure);

		for (j = 0; j < part->nr && !err; j++)
			err = series_add(ret, part->values[j]);
	}
	return err ? err : series_finish(ret);
}

static void collect_intervals(const struct side *s, size_t boot, struct subject subject,
			      enum comparison_measure measure, struct units *ret)
{
	double batches[SERIES_MAX_BATCHES], inflation;
	struct series all = {0};
	size_t nr = 0;

	/* Short of memory, there is no evidence. */
	if (!join_boot(s, boot, subject, measure, &all))
		nr = series_batches(&all, STAT_RANK_MAX / s->nr_boots, batches,
				    &inflation);
	series_release(&all);
	memcpy(ret->values + ret->nr, batches, nr * sizeof(*batches));
	if (nr) /* the mean over all values so far */
		ret->inflation += (inflation - ret->inflation) * (double)nr /
				  (double)(ret->nr + nr);
	ret->nr += nr;
}

void side_units(const struct side *s, struct subject subject,
		enum comparison_measure measure, bool by_run, struct units *ret)
{
	size_t i;

	ret->nr = 0;
	ret->inflation = 1;
	for (i = 0; by_run && i < s->nr_boots; i++)
		collect_boot(s, i, subject, measure, ret);
	if (by_run)
		return;
	if (measure == MEASURE_BENCH || measure == MEASURE_CALIBRATION)
		for (i = 0; i < s->nr; i++)
			collect_run(s, i, subject, measure, ret);
	else
		for (i = 0; i < s->nr_boots; i++)
			collect_intervals(s, i, subject, measure, ret);
}

/* Each less its placement's median on this side: what is like from load to load. */
static double inflation_of(const struct loads *loads)
{
	double medians[BENCH_CACHE_LINE], at[STAT_STRATA_MAX], rest[STAT_STRATA_MAX];
	size_t i, nr;

	for (unsigned int p = 0; p < BENCH_CACHE_LINE; p++) {
		for (i = 0, nr = 0; i < loads->nr; i++)
			if (loads->values[i].stratum == p)
				at[nr++] = loads->values[i].value;
		stat_sort(at, nr);
		medians[p] = nr ? stat_median(at, nr) : 0;
	}
	for (i = 0; i < loads->nr; i++)
		rest[i] = loads->values[i].value - medians[loads->values[i].stratum];
	return series_inflation(rest, loads->nr, 1);
}

void side_loads(const struct side *s, struct subject subject, struct loads *ret)
{
	size_t order[SIDE_MAX_RUNS], nr, room = STAT_STRATA_MAX / s->nr, i, j, step;

	ret->nr = 0;
	ret->inflation = 1;
	nr = order_runs(s, ANY_BOOT, subject, MEASURE_BENCH, order);
	for (i = 0; i < nr; i++) {
		const struct digest_item *item =
			digest_find(s->digests[order[i]], subject.kind, subject.name);

		if (!item->nr_loads) {
			ret->nr = 0;
			return;
		}
		step = (item->nr_loads + room - 1) / room;
		for (j = 0; j < item->nr_loads; j += step)
			ret->values[ret->nr++] = item->loads[j];
	}
	ret->inflation = inflation_of(ret);
}

/* The median with its interval; ABSENT: no values, or too few. */
static void describe(const struct units *units, double *median, double *lo, double *hi)
{
	double sorted[STAT_RANK_MAX];
	struct stat_interval ci = {ABSENT, ABSENT};

	*median = ABSENT;
	if (units->nr) {
		memcpy(sorted, units->values, units->nr * sizeof(*sorted));
		stat_sort(sorted, units->nr);
		*median = stat_median(sorted, units->nr);
		stat_median_ci(sorted, units->nr, &ci);
	}
	*lo = ci.lo;
	*hi = ci.hi;
}

static void describe_spread(const struct units *units, struct comparison_side *ret)
{
	double sorted[STAT_RANK_MAX];
	size_t step = (units->nr + COMPARISON_MAX_POINTS - 1) / COMPARISON_MAX_POINTS;

	ret->nr = units->nr;
	if (!units->nr)
		return;
	memcpy(sorted, units->values, units->nr * sizeof(*sorted));
	stat_sort(sorted, units->nr);
	ret->least = sorted[0];
	ret->q1 = stat_quantile(sorted, units->nr, 0.25);
	ret->q3 = stat_quantile(sorted, units->nr, 0.75);
	ret->most = sorted[units->nr - 1];
	for (size_t i = 0; i < units->nr; i += step)
		ret->dots[ret->nr_dots++] = units->values[i];
}

/* How many of nr points are shown of each of so many recordings: every n-th. */
static size_t step_of(size_t nr, size_t nr_runs)
{
	size_t room = COMPARISON_MAX_POINTS / nr_runs;

	return room ? (nr + room - 1) / room : nr;
}

static void describe_costs(const struct side *s, struct subject subject,
			   struct comparison_side *ret)
{
	for (size_t i = 0; i < s->nr; i++) {
		const struct series *series =
			series_of(s->digests[i], subject, MEASURE_MEAN);
		size_t step = series ? step_of(series->nr, s->nr) : 1;

		for (size_t j = 0;
		     series && j < series->nr && ret->nr_costs < COMPARISON_MAX_POINTS;
		     j += step) {
			const struct series_value *v = &series->values[j];

			ret->costs[ret->nr_costs++] =
				(struct comparison_point){v->trips, v->ns * v->trips};
		}
	}
}

/* Of the first recording that has the subject. */
static void describe_times(const struct side *s, struct subject subject,
			   enum comparison_measure measure, struct comparison_side *ret)
{
	const struct series *series = NULL;
	size_t step;

	for (size_t i = 0; !series && i < s->nr; i++)
		series = series_of(s->digests[i], subject, measure);
	step = series ? step_of(series->nr, 1) : 1;
	for (size_t j = 0; series && j < series->nr; j += step)
		ret->times[ret->nr_times++] = (struct comparison_point){
			series->values[j].at_s, series->values[j].ns};
}

void side_describe(const struct side *s, struct subject subject,
		   enum comparison_measure measure, bool by_run,
		   const struct units *units, struct comparison_side *ret)
{
	struct presence presence;
	struct units fits;

	*ret = (struct comparison_side){
		.trips_per_s = ABSENT,
		.mean_trips = ABSENT,
		.a = ABSENT,
		.a_lo = ABSENT,
		.a_hi = ABSENT,
		.b = ABSENT,
		.b_lo = ABSENT,
		.b_hi = ABSENT,
	};
	describe(units, &ret->median, &ret->lo, &ret->hi);
	describe_spread(units, ret);
	if (subject.kind == COMPARISON_CONSTRUCT)
		return;
	side_presence(s, subject, &presence);
	if (presence.watched_s > 0)
		ret->trips_per_s = presence.trips / presence.watched_s;
	if (presence.entries > 0)
		ret->mean_trips = presence.trips / presence.entries;
	describe_costs(s, subject, ret);
	if (!s->has_hosts)
		describe_times(s, subject, measure, ret);
	if (measure != MEASURE_SLOPE)
		return;
	describe(units, &ret->b, &ret->b_lo, &ret->b_hi);
	side_units(s, subject, PER_LOOP, by_run, &fits);
	describe(&fits, &ret->a, &ret->a_lo, &ret->a_hi);
}
