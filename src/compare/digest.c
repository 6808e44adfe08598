// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/time.h"
#include "compare/digest.h"
#include "record/reader.h"

/* Of these prices constructs are compared; the clock's is no loop's. */
static bool is_construct(enum calibration_price price)
{
	return price != PRICE_CLOCK;
}

static struct digest_item *find(const struct digest *d, enum comparison_kind kind,
				const char *name)
{
	for (size_t i = 0; i < d->nr_items; i++)
		if (d->items[i].kind == kind && !strcmp(d->items[i].name, name))
			return &d->items[i];
	return NULL;
}

const struct digest_item *digest_find(const struct digest *d, enum comparison_kind kind,
				      const char *name)
{
	return find(d, kind, name);
}

/* *ret is NULL where there are too many. */
static int find_or_add(struct digest *d, enum comparison_kind kind, const char *name,
		       struct digest_item **ret)
{
	char cut[sizeof((*ret)->name)];
	struct digest_item *items;

	snprintf(cut, sizeof(cut), "%s", name);
	*ret = find(d, kind, cut);
	if (*ret)
		return 0;
	if (d->nr_items == DIGEST_MAX_ITEMS) {
		d->nr_unlisted++;
		return 0;
	}
	items = reallocarray(d->items, d->nr_items + 1, sizeof(*items));
	if (!items)
		return -ENOMEM;
	d->items = items;
	*ret = &items[d->nr_items++];
	**ret = (struct digest_item){.kind = kind, .bench_centre = ABSENT};
	memcpy((*ret)->name, cut, sizeof(cut));
	return 0;
}

/* What is no cost: absent, infinite, negative. */
static bool is_cost(double ns)
{
	return isfinite(ns) && ns >= 0;
}

static int add_figures(struct digest_item *item, const struct site_figures *f,
		       double at_s)
{
	double trips = f->entries ? (double)f->trips / (double)f->entries : 0;
	int err = 0;

	if (f->fit == SITE_FIT_OK && is_cost(f->ns_per_trip)) {
		item->nr_fits++;
		err = series_add(&item->by[MEASURE_SLOPE],
				 (struct series_value){at_s, trips, f->ns_per_trip});
	}
	if (!err && f->fit == SITE_FIT_OK && is_cost(f->ns_per_loop))
		err = series_add(&item->per_loop,
				 (struct series_value){at_s, trips, f->ns_per_loop});
	if (!err && trips > 0 && f->timed && is_cost(f->mean_ns)) {
		item->nr_means++;
		err = series_add(
			&item->by[MEASURE_MEAN],
			(struct series_value){at_s, trips, f->mean_ns / trips});
	}
	return err;
}

static int add_site(struct digest *d, const struct site_figures *f,
		    uint64_t interval_ns, double at_s)
{
	struct digest_item *item;
	int err;

	err = find_or_add(d, COMPARISON_SITE, f->name, &item);
	if (err || !item)
		return err;
	if (item->last_interval == d->nr_intervals) {
		d->nr_duplicates++;
		return 0;
	}
	item->last_interval = d->nr_intervals;
	item->entries += f->entries;
	item->trips += f->trips;
	item->watched_ns += interval_ns;
	return add_figures(item, f, at_s);
}

int digest_add_snapshot(struct digest *d, const struct snapshot *s)
{
	double at_s = s->time_ns > d->head->time_ns
			      ? (double)(s->time_ns - d->head->time_ns) / NSEC_PER_SEC
			      : 0;
	size_t i, j;
	int err = 0;

	d->nr_intervals++;
	for (i = 0; i < s->nr_tracers; i++) {
		d->nr_events += s->tracers[i].events;
		for (j = 0; j < s->tracers[i].nr_lost; j++)
			d->nr_lost += s->tracers[i].lost[j].nr;
	}
	for (i = 0; i < s->nr_sites && !err; i++)
		err = add_site(d, &s->sites[i], s->interval_ns, at_s);
	return err;
}

/* More than one row of the name and number of threads: a sweep over trips. */
static bool is_of_sweep(const struct bench_report *r, const struct bench_result *row)
{
	size_t i, nr = 0;

	for (i = 0; i < r->nr_results; i++)
		nr += !strcmp(r->results[i].name, row->name) &&
		      r->results[i].nr_threads == row->nr_threads;
	return nr > 1;
}

static void name_row(const struct bench_report *r, const struct bench_result *row,
		     char name[128])
{
	char trips[40] = "", threads[40] = "";

	if (row->measured && is_of_sweep(r, row))
		snprintf(trips, sizeof(trips), ", %llu trips",
			 (unsigned long long)row->nr_loops);
	if (row->nr_threads > 1)
		snprintf(threads, sizeof(threads), ", %d threads", row->nr_threads);
	snprintf(name, 128, "%s%s%s", row->name, trips, threads);
}

static int add_loads(struct digest_item *item, const struct bench_loads *loads)
{
	struct stat_stratum_value *all;

	if (!loads->nr)
		return 0;
	all = calloc(loads->nr, sizeof(*all));
	if (!all)
		return -ENOMEM;
	item->loads = all;
	for (size_t i = 0; i < loads->nr; i++)
		if (isfinite(loads->ns[i]))
			all[item->nr_loads++] = (struct stat_stratum_value){
				loads->ns[i], loads->placements[i]};
	return 0;
}

static int add_result(struct digest *d, const struct bench_report *r, size_t at)
{
	const struct bench_result *row = &r->results[at];
	struct digest_item *item;
	char name[128];
	size_t i;
	int err;

	name_row(r, row, name);
	err = find_or_add(d, COMPARISON_CONSTRUCT, name, &item);
	if (err || !item)
		return err;
	if (!row->measured || !is_cost(row->median)) {
		snprintf(item->reason, sizeof(item->reason), "%s", row->reason);
		return 0;
	}
	/* No kernel's figures: what it shared the machine with is in them. */
	if (r->verdict[0]) {
		item->is_too_noisy = true;
		snprintf(item->reason, sizeof(item->reason), "%s", r->verdict);
		return 0;
	}
	if (!is_absent(item->bench_centre)) {
		d->nr_duplicates++;
		return 0;
	}
	item->bench_centre = row->median;
	for (i = 0; i < row->nr_samples && !err; i++)
		if (is_cost(row->samples[i]))
			err = series_add(&item->by[MEASURE_BENCH],
					 (struct series_value){.ns = row->samples[i]});
	if (!err && !item->by[MEASURE_BENCH].nr)
		err = series_add(&item->by[MEASURE_BENCH],
				 (struct series_value){.ns = row->median});
	return err ? err : add_loads(item, &r->loads[at]);
}

int digest_add_bench(struct digest *d, const struct bench_report *r)
{
	int err = 0;

	for (size_t i = 0; i < r->nr_results && !err; i++)
		err = add_result(d, r, i);
	d->is_partial |= r->is_partial;
	if (!r->verdict[0])
		d->pace_ns = r->environment.pace_ns;
	if (r->verdict[0])
		snprintf(d->verdict, sizeof(d->verdict), "%s", r->verdict);
	return err;
}

static int add_calibration(struct digest *d, const struct calibration *cal)
{
	struct digest_item *item;
	int err = 0;

	for (size_t i = 0; cal->done && i < NR_PRICES && !err; i++) {
		const struct bench_result *price = &cal->prices[i];

		if (!is_construct(i) || !price->measured || !is_cost(price->median))
			continue;
		err = find_or_add(d, COMPARISON_CONSTRUCT, price->name, &item);
		if (!err && item)
			err = series_add(&item->by[MEASURE_CALIBRATION],
					 (struct series_value){.ns = price->median});
	}
	return err;
}

/* The features' texts are the recording's, and go with it. -ENOMEM. */
static int copy_features(struct digest *d)
{
	struct recording_head *h = d->head;
	size_t size = 1, i;
	char *at;

	for (i = 0; i < h->nr_features; i++)
		size += strlen(h->features[i].name) + 1;
	d->feature_names = at = malloc(size);
	if (!at)
		return -ENOMEM;
	for (i = 0; i < h->nr_features; i++) {
		h->features[i].name = memcpy(at, h->features[i].name,
					     strlen(h->features[i].name) + 1);
		at += strlen(at) + 1;
		h->features[i].description = NULL;
	}
	return 0;
}

struct digest *digest__new(const struct recording_head *head)
{
	struct digest *d = calloc(1, sizeof(*d));

	if (d)
		d->head = malloc(sizeof(*d->head));
	if (d && d->head) {
		*d->head = *head;
		if (!copy_features(d))
			return d;
	}
	digest__free(d);
	return NULL;
}

void digest__free(struct digest *d)
{
	if (!d)
		return;
	for (size_t i = 0; i < d->nr_items; i++) {
		for (size_t m = 0; m < NR_MEASURES; m++)
			series_release(&d->items[i].by[m]);
		series_release(&d->items[i].per_loop);
		free(d->items[i].loads);
	}
	free(d->items);
	free(d->feature_names);
	free(d->head);
	free(d);
}

int digest_finish(struct digest *d, const struct recording_end *end)
{
	int err = add_calibration(d, &d->head->calibration);

	d->end = *end;
	for (size_t i = 0; i < d->nr_items && !err; i++) {
		for (size_t m = 0; m < NR_MEASURES && !err; m++)
			err = series_finish(&d->items[i].by[m]);
		if (!err)
			err = series_finish(&d->items[i].per_loop);
	}
	return err;
}

static int read_records(struct recording *r, struct digest *d, struct reason *why)
{
	const struct bench_report *bench = NULL;
	const struct snapshot *snapshot = NULL;
	int kind, err = 0;

	for (;;) {
		kind = recording_next(r, &snapshot, &bench, why);
		if (kind < 0)
			return kind;
		if (kind == RECORD_END)
			break;
		if (kind == RECORD_INTERVAL)
			err = digest_add_snapshot(d, snapshot);
		else if (kind == RECORD_BENCH)
			err = digest_add_bench(d, bench);
		if (err)
			break;
	}
	if (!err)
		err = digest_finish(d, recording_end(r));
	return err ? reason_set(why, err, "%s: out of memory", d->head->path) : 0;
}

int digest__read(const char *path, struct digest **ret, struct reason *why)
{
	struct recording *r = NULL;
	struct digest *d = NULL;
	int err;

	err = recording__open(path, &r, why);
	if (err)
		return err;
	d = digest__new(recording_head(r));
	if (d)
		err = read_records(r, d, why);
	else
		err = reason_set(why, -ENOMEM, "%s: out of memory", path);
	recording__close(r);
	if (err)
		digest__free(d);
	else
		*ret = d;
	return err;
}
