// SPDX-License-Identifier: BSD-2-Clause
#include <string.h>

#include "record/read.h"

static void read_lost(struct fields *f, const json_t *tracer, struct tracer_status *ret)
{
	json_t *object = (json_t *)field_object(f, tracer, "lost"), *value;
	const char *cause;

	json_object_foreach (object, cause, value) {
		if (ret->nr_lost == TRACER_MAX_LOST) {
			fields_fail(f, "%s lost events for more than %d causes",
				    ret->name, TRACER_MAX_LOST);
			return;
		}
		ret->lost[ret->nr_lost].cause = fields_intern(f, cause);
		ret->lost[ret->nr_lost++].nr = field_count(f, object, cause);
	}
}

static void read_tracer(struct fields *f, const json_t *item, struct tracer_status *ret)
{
	const char *state = field_needed_name(f, item, "state");

	ret->name = field_needed_name(f, item, "name");
	ret->on = !strcmp(state, "on");
	if (!ret->on && strcmp(state, "off"))
		fields_fail(f, "tracer %s is '%.40s', neither on nor off", ret->name,
			    state);
	field_text(f, item, "reason", ret->reason, sizeof(ret->reason));
	ret->wanted = ret->on || strcmp(ret->reason, "not asked for");
	ret->events = field_count(f, item, "events");
	read_lost(f, item, ret);
}

static void read_tracers(struct fields *f, const json_t *line, struct snapshot *ret)
{
	const json_t *array = field_array(f, line, "tracers", SNAPSHOT_MAX_TRACERS);
	struct tracer_status *t;
	size_t i, j;

	for (i = 0; i < json_array_size(array); i++) {
		t = &ret->tracers[ret->nr_tracers++];
		read_tracer(f, fields_item(f, array, i, "tracers"), t);
		for (j = 0; j < i; j++)
			if (ret->tracers[j].name == t->name)
				fields_fail(f, "tracer '%s' is in it twice", t->name);
	}
}

/* ---- sites ------------------------------------------------------------------- */

static void read_fit(struct fields *f, const json_t *item, struct site_figures *ret)
{
	const char *name = field_needed_name(f, item, "fit");
	int fit;

	for (fit = 0; fit < NR_SITE_FITS; fit++) {
		if (!strcmp(name, site_fit_name(fit))) {
			ret->fit = fit;
			return;
		}
	}
	fields_fail(f, "site %s: '%.40s' is no fit that is known of", ret->name, name);
}

static void read_classes(struct fields *f, const json_t *item, struct site_figures *ret)
{
	const json_t *array = field_array(f, item, "trips_log2", SITE_FIGURES_CLASSES);
	size_t i;

	for (i = 0; i < json_array_size(array); i++) {
		const json_t *count = json_array_get(array, i);

		if (!json_is_integer(count) || json_integer_value(count) < 0)
			fields_fail(f, "site %s: \"trips_log2\" is not all counts",
				    ret->name);
		ret->classes[i] = (uint64_t)json_integer_value(count);
	}
}

static void read_interval(struct fields *f, const json_t *item, const char *what,
			  double *ret, double *ret_lo, double *ret_hi)
{
	char lo[32], hi[32];

	snprintf(lo, sizeof(lo), "%s_lo", what);
	snprintf(hi, sizeof(hi), "%s_hi", what);
	*ret = field_figure(f, item, what);
	*ret_lo = field_figure(f, item, lo);
	*ret_hi = field_figure(f, item, hi);
	if (!is_absent(*ret) && !(*ret_lo <= *ret && *ret <= *ret_hi))
		fields_fail(f, "\"%s\" is not within its interval", what);
}

static void read_site(struct fields *f, const json_t *item, struct site_figures *ret)
{
	ret->name = field_needed_name(f, item, "site");
	ret->entries = field_needed_count(f, item, "entries");
	ret->trips = field_needed_count(f, item, "trips");
	ret->max_trips = field_count(f, item, "max_trips");
	ret->timed = field_count(f, item, "timed");
	read_classes(f, item, ret);
	read_fit(f, item, ret);
	read_interval(f, item, "ns_per_trip", &ret->ns_per_trip, &ret->ns_per_trip_lo,
		      &ret->ns_per_trip_hi);
	read_interval(f, item, "ns_per_loop", &ret->ns_per_loop, &ret->ns_per_loop_lo,
		      &ret->ns_per_loop_hi);
	ret->mean_ns = field_figure(f, item, "mean_ns");
	ret->iterator_ns = field_figure(f, item, "iterator_ns");
	ret->inlined_saves_ns = field_figure(f, item, "inlined_saves_ns");
}

static void read_sites(struct fields *f, const json_t *line, struct snapshot *ret)
{
	const json_t *array = field_array(f, line, "sites", SNAPSHOT_MAX_SITES);
	struct site_figures *site;
	size_t i, j;

	if (!array)
		fields_fail(f, "\"sites\" is missing");
	for (i = 0; i < json_array_size(array); i++) {
		site = &ret->sites[ret->nr_sites++];
		read_site(f, fields_item(f, array, i, "sites"), site);
		for (j = 0; j < i; j++)
			if (ret->sites[j].name == site->name)
				fields_fail(f, "site '%s' is in it twice", site->name);
	}
}

/* ---- the rest ---------------------------------------------------------------- */

/* Bytes, which are not less than none. */
static double read_bytes(struct fields *f, const json_t *self, const char *key)
{
	double bytes = field_figure(f, self, key);

	if (bytes < 0)
		fields_fail(f, "\"%s\" is less than nothing", key);
	return bytes;
}

static void read_self(struct fields *f, const json_t *line, struct self_figures *ret)
{
	const json_t *self = field_object(f, line, "self");

	ret->cpu_percent = field_figure(f, self, "cpu_percent");
	ret->bpf_cpu_percent = field_figure(f, self, "bpf_cpu_percent");
	ret->bpf_window_ns = field_count(f, self, "bpf_window_ns");
	ret->rss_bytes = read_bytes(f, self, "rss_bytes");
	ret->map_bytes = read_bytes(f, self, "map_bytes");
	field_text(f, self, "reason", ret->reason, sizeof(ret->reason));
	ret->host_bpf_cpu_percent =
		field_figure(f, field_object(f, line, "host_bpf"), "cpu_percent");
}

void read_snapshot(struct fields *f, const json_t *line, bool wants_sections,
		   struct snapshot *ret)
{
	memset(ret, 0, sizeof(*ret));
	ret->time_ns = field_needed_count(f, line, "time_ns");
	ret->interval_ns = field_needed_count(f, line, "interval_ns");
	ret->loops = field_name(f, line, "loops");
	read_tracers(f, line, ret);
	read_sites(f, line, ret);
	read_self(f, line, &ret->self);
	if (wants_sections && !f->err)
		read_sections(f, line, ret);
}
