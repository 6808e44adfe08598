// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "record/report.h"
#include "stat/quantile.h"

/* ---- one site over time ------------------------------------------------------ */

static double mean_of(double a, uint32_t nr_a, double b, uint32_t nr_b)
{
	if (!nr_a || !nr_b)
		return nr_a ? a : b;
	return (a * nr_a + b * nr_b) / (nr_a + nr_b);
}

/* Put the later one into a. */
static void merge(struct report_time *a, const struct report_time *b)
{
	a->ns_per_trip =
		mean_of(a->ns_per_trip, a->nr_fits, b->ns_per_trip, b->nr_fits);
	a->ns_per_loop =
		mean_of(a->ns_per_loop, a->nr_fits, b->ns_per_loop, b->nr_fits);
	a->ns_per_trip_lo = fmin(a->ns_per_trip_lo, b->ns_per_trip_lo);
	a->ns_per_trip_hi = fmax(a->ns_per_trip_hi, b->ns_per_trip_hi);
	a->mean_ns = mean_of(a->mean_ns, a->nr_means, b->mean_ns, b->nr_means);
	a->time_ns = b->time_ns;
	a->length_ns += b->length_ns;
	a->entries += b->entries;
	a->trips += b->trips;
	a->timed += b->timed;
	a->mean_trips = a->entries ? (double)a->trips / (double)a->entries : ABSENT;
	a->nr += b->nr;
	a->nr_fits += b->nr_fits;
	a->nr_means += b->nr_means;
}

static void halve(struct report_site *s)
{
	size_t i;

	for (i = 0; i < s->nr_times / 2; i++) {
		s->times[i] = s->times[2 * i];
		merge(&s->times[i], &s->times[2 * i + 1]);
	}
	s->nr_times /= 2;
	s->nr_merged *= 2;
}

static struct report_time time_of(const struct snapshot *interval,
				  const struct site_figures *f)
{
	bool has_fit = !is_absent(f->ns_per_trip);

	return (struct report_time){
		.time_ns = interval->time_ns,
		.length_ns = interval->interval_ns,
		.entries = f->entries,
		.trips = f->trips,
		.timed = f->timed,
		.ns_per_trip = f->ns_per_trip,
		.ns_per_trip_lo = f->ns_per_trip_lo,
		.ns_per_trip_hi = f->ns_per_trip_hi,
		.ns_per_loop = f->ns_per_loop,
		.mean_trips =
			f->entries ? (double)f->trips / (double)f->entries : ABSENT,
		.mean_ns = f->mean_ns,
		.nr = 1,
		.nr_fits = has_fit,
		.nr_means = !is_absent(f->mean_ns),
	};
}

static void add_time(struct report_site *s, const struct report_time *t)
{
	if (s->nr_times && s->times[s->nr_times - 1].nr < s->nr_merged) {
		merge(&s->times[s->nr_times - 1], t);
		return;
	}
	/* An even number, so that halving leaves none over. */
	if (s->nr_times == REPORT_MAX_TIMES) {
		halve(s);
		add_time(s, t);
		return;
	}
	s->times[s->nr_times++] = *t;
}

static struct report_site *find_site(struct report *r, const char *name)
{
	struct report_site *s;
	size_t i;

	for (i = 0; i < r->nr_sites; i++)
		if (!strcmp(r->sites[i].name, name))
			return &r->sites[i];
	if (r->nr_sites == SNAPSHOT_MAX_SITES)
		return NULL;
	s = &r->sites[r->nr_sites++];
	*s = (struct report_site){.name = name, .nr_merged = 1, .mean_ns = ABSENT};
	return s;
}

static void add_site(struct report *r, const struct snapshot *interval,
		     const struct site_figures *f)
{
	struct report_site *s = find_site(r, f->name);
	struct report_time t = time_of(interval, f);

	if (!s)
		return;
	add_time(s, &t);
	if (f->timed && !is_absent(f->mean_ns))
		s->mean_ns =
			((is_absent(s->mean_ns) ? 0 : s->mean_ns) * (double)s->timed +
			 f->mean_ns * (double)f->timed) /
			(double)(s->timed + f->timed);
	s->entries += f->entries;
	s->trips += f->trips;
	s->timed += f->timed;
}

/* ---- tracers ----------------------------------------------------------------- */

static struct tracer_status *find_tracer(struct snapshot *sum,
					 const struct tracer_status *like)
{
	struct tracer_status *t;
	size_t i;

	for (i = 0; i < sum->nr_tracers; i++)
		if (!strcmp(sum->tracers[i].name, like->name))
			return &sum->tracers[i];
	if (sum->nr_tracers == SNAPSHOT_MAX_TRACERS)
		return NULL;
	t = &sum->tracers[sum->nr_tracers++];
	*t = *like;
	t->events = t->nr_lost = 0;
	return t;
}

static void add_tracer(struct snapshot *sum, const struct tracer_status *of)
{
	struct tracer_status *t = find_tracer(sum, of);
	size_t i;

	if (!t)
		return;
	t->events += of->events;
	for (i = 0; i < of->nr_lost; i++)
		lost_add(t->lost, &t->nr_lost, &of->lost[i]);
}

/* ---- all of it --------------------------------------------------------------- */

void report_add_interval(struct report *r, const struct snapshot *interval)
{
	size_t i;

	if (!r->watched_ns)
		r->first_ns = interval->time_ns < interval->interval_ns
				      ? 0
				      : interval->time_ns - interval->interval_ns;
	r->last_ns = interval->time_ns;
	r->watched_ns += interval->interval_ns;
	for (i = 0; i < interval->nr_sites; i++)
		add_site(r, interval, &interval->sites[i]);
	for (i = 0; i < interval->nr_tracers; i++)
		add_tracer(&r->sum, &interval->tracers[i]);
}

static void finish_site(struct report_site *s)
{
	double fits[REPORT_MAX_TIMES];
	size_t i;

	s->median = s->q1 = s->q3 = ABSENT;
	s->nr_fits = 0;
	for (i = 0; i < s->nr_times; i++)
		if (s->times[i].nr_fits)
			fits[s->nr_fits++] = s->times[i].ns_per_trip;
	if (!s->nr_fits)
		return;
	stat_sort(fits, s->nr_fits);
	s->median = stat_median(fits, s->nr_fits);
	s->q1 = stat_quantile(fits, s->nr_fits, 0.25);
	s->q3 = stat_quantile(fits, s->nr_fits, 0.75);
}

void report_finish(struct report *r)
{
	size_t i;

	r->sum.time_ns = r->last_ns;
	r->sum.interval_ns = r->watched_ns;
	for (i = 0; i < r->nr_sites; i++)
		finish_site(&r->sites[i]);
}

static int take_bench(struct report *r, const struct bench_report *bench)
{
	if (!r->bench)
		r->bench = malloc(sizeof(*r->bench));
	if (!r->bench)
		return -ENOMEM;
	*r->bench = *bench;
	return 0;
}

int report_read(struct recording *recording, struct report *ret, struct reason *why)
{
	const struct snapshot *snapshot;
	const struct bench_report *bench;
	int kind, err = 0;

	*ret = (struct report){.head = recording_head(recording)};
	while (!err) {
		kind = recording_next(recording, &snapshot, &bench, why);
		if (kind < 0 || kind == RECORD_END)
			break;
		if (kind == RECORD_INTERVAL) {
			report_add_interval(ret, snapshot);
		} else if (kind == RECORD_SUMMARY) {
			snapshot_release(&ret->summary);
			recording_take_snapshot(recording, &ret->summary);
			ret->has_summary = true;
		} else {
			err = take_bench(ret, bench);
		}
	}
	if (err)
		reason_set(why, err, "out of memory");
	else if (kind < 0)
		err = kind;
	if (err) {
		report_release(ret);
		return err;
	}
	report_finish(ret);
	ret->end = *recording_end(recording);
	return 0;
}
