// SPDX-License-Identifier: BSD-2-Clause
#include "export/calibration.h"
#include "export/members.h"
#include "export/snapshot.h"

static json_t *tracer_to_json(const struct tracer_status *t)
{
	json_t *object = json_object(), *lost = json_object();
	size_t i;

	member_text(object, "name", t->name);
	member_text(object, "state", t->on ? "on" : "off");
	member_text(object, "reason", t->reason);
	if (t->on)
		member_count(object, "events", t->events);
	else
		json_object_set_new(object, "events", json_null());
	for (i = 0; i < t->nr_lost; i++)
		member_count(lost, t->lost[i].cause, t->lost[i].nr);
	json_object_set_new(object, "lost", lost);
	return object;
}

/* Entries by class of trips: of 0, 1, 2-3, 4-7, …; up to the last that is not empty. */
static json_t *classes_to_json(const struct site_figures *f)
{
	json_t *array = json_array();
	size_t i, nr = SITE_FIGURES_CLASSES;

	while (nr && !f->classes[nr - 1])
		nr--;
	for (i = 0; i < nr; i++)
		json_array_append_new(array, json_integer((json_int_t)f->classes[i]));
	return array;
}

static json_t *site_to_json(const struct site_figures *f)
{
	json_t *object = json_object();

	member_text(object, "site", f->name);
	member_count(object, "entries", f->entries);
	member_count(object, "trips", f->trips);
	member_count(object, "max_trips", f->max_trips);
	member_count(object, "timed", f->timed);
	json_object_set_new(object, "trips_log2", classes_to_json(f));
	member_text(object, "fit", site_fit_name(f->fit));
	member_figure(object, "ns_per_trip", f->ns_per_trip);
	member_figure(object, "ns_per_trip_lo", f->ns_per_trip_lo);
	member_figure(object, "ns_per_trip_hi", f->ns_per_trip_hi);
	member_figure(object, "ns_per_loop", f->ns_per_loop);
	member_figure(object, "ns_per_loop_lo", f->ns_per_loop_lo);
	member_figure(object, "ns_per_loop_hi", f->ns_per_loop_hi);
	member_figure(object, "mean_ns", f->mean_ns);
	member_figure(object, "iterator_ns", f->iterator_ns);
	member_figure(object, "inlined_saves_ns", f->inlined_saves_ns);
	return object;
}

static json_t *list_to_json(char **list)
{
	json_t *array = json_array();

	for (; *list; list++)
		json_array_append_new(array, text_to_json(*list));
	return array;
}

static json_t *cell_to_json(const struct cell *c, enum column_kind kind)
{
	if (!c->present)
		return json_null();
	switch (kind) {
	case COLUMN_TEXT:
		return text_to_json(c->text);
	case COLUMN_LIST:
		return list_to_json(c->list);
	case COLUMN_FLAG:
		return json_boolean(c->number);
	case COLUMN_COUNT:
	case COLUMN_NUMBER:
	case COLUMN_NS:
		break;
	}
	return json_integer((json_int_t)c->number);
}

static json_t *table_to_json(const struct table *t)
{
	json_t *rows = json_array(), *row;
	size_t i, j;

	for (i = 0; i < t->nr_rows; i++) {
		row = json_object();
		for (j = 0; j < t->nr_columns; j++)
			json_object_set_new(
				row, t->columns[j].key,
				cell_to_json(&t->cells[i * t->nr_columns + j],
					     t->columns[j].kind));
		json_array_append_new(rows, row);
	}
	return rows;
}

/* "wait_log2": counts of durations below 2^10 ns, 2^11 ns, …; the last: all others. */
static void durations_to_json(json_t *object, const struct durations *d)
{
	json_t *array;
	char key[64];
	size_t i;

	if (!d->key)
		return;
	array = json_array();
	for (i = 0; i < DURATION_CLASSES; i++)
		json_array_append_new(array, json_integer((json_int_t)d->classes[i]));
	snprintf(key, sizeof(key), "%s_log2", d->key);
	json_object_set_new(object, key, array);
}

static json_t *section_to_json(const struct section *s)
{
	json_t *object = json_object();
	size_t i;

	for (i = 0; i < s->nr_totals; i++)
		member_count(object, s->totals[i].key, s->totals[i].value);
	for (i = 0; i < s->nr_tables; i++)
		json_object_set_new(object, s->tables[i].key,
				    table_to_json(&s->tables[i]));
	durations_to_json(object, &s->durations);
	member_count(object, "unlisted", s->nr_unlisted);
	return object;
}

static json_t *self_to_json(const struct self_figures *self)
{
	json_t *object = json_object();

	member_figure(object, "cpu_percent", self->cpu_percent);
	member_figure(object, "bpf_cpu_percent", self->bpf_cpu_percent);
	member_count(object, "bpf_window_ns", self->bpf_window_ns);
	member_bytes(object, "rss_bytes", self->rss_bytes);
	member_bytes(object, "map_bytes", self->map_bytes);
	member_text(object, "reason", self->reason);
	return object;
}

json_t *tracers_to_json(const struct snapshot *s)
{
	json_t *tracers = json_array();
	size_t i;

	for (i = 0; i < s->nr_tracers; i++)
		json_array_append_new(tracers, tracer_to_json(&s->tracers[i]));
	return tracers;
}

json_t *snapshot_to_json(const struct snapshot *s)
{
	json_t *root = json_object(), *sites = json_array(), *host = json_object();
	size_t i;

	for (i = 0; i < s->nr_sites; i++)
		json_array_append_new(sites, site_to_json(&s->sites[i]));
	member_figure(host, "cpu_percent", s->self.host_bpf_cpu_percent);

	member_text(root, "schema",
		    s->summary ? "itertrace.summary/1" : "itertrace.snapshot/1");
	member_count(root, "time_ns", s->time_ns);
	member_count(root, "interval_ns", s->interval_ns);
	member_text(root, "loops", s->loops);
	json_object_set_new(root, "tracers", tracers_to_json(s));
	json_object_set_new(root, "sites", sites);
	json_object_set_new(root, "self", self_to_json(&s->self));
	json_object_set_new(root, "host_bpf", host);
	json_object_set_new(root, "calibration", calibration_to_json(s->calibration));
	for (i = 0; i < s->nr_sections; i++)
		json_object_set_new(root, s->sections[i].tracer,
				    section_to_json(&s->sections[i]));
	return root;
}
