// SPDX-License-Identifier: BSD-2-Clause
#include "export/snapshot.h"

static void set_count(json_t *object, const char *key, uint64_t count)
{
	json_object_set_new(object, key, json_integer((json_int_t)count));
}

static void set_figure(json_t *object, const char *key, double figure)
{
	json_object_set_new(object, key,
			    is_absent(figure) ? json_null() : json_real(figure));
}

static void set_bytes(json_t *object, const char *key, double bytes)
{
	json_object_set_new(object, key,
			    is_absent(bytes) ? json_null()
					     : json_integer((json_int_t)bytes));
}

/* "" is null. */
static void set_text(json_t *object, const char *key, const char *text)
{
	json_object_set_new(object, key, text[0] ? json_string(text) : json_null());
}

static json_t *tracer_to_json(const struct tracer_status *t)
{
	json_t *object = json_object(), *lost = json_object();
	size_t i;

	set_text(object, "name", t->name);
	set_text(object, "state", t->on ? "on" : "off");
	set_text(object, "reason", t->reason);
	if (t->on)
		set_count(object, "events", t->events);
	else
		json_object_set_new(object, "events", json_null());
	for (i = 0; i < t->nr_lost; i++)
		set_count(lost, t->lost[i].cause, t->lost[i].nr);
	json_object_set_new(object, "lost", lost);
	return object;
}

static const char *fit_name(enum site_fit fit)
{
	static const char *const names[] = {
		[SITE_FIT_OK] = "ok",
		[SITE_FIT_NOT_LINEAR] = "not_linear",
		[SITE_FIT_TOO_FEW] = "too_few",
		[SITE_FIT_TRIPS_CONSTANT] = "trips_constant",
		[SITE_FIT_TOO_NOISY] = "too_noisy",
	};

	return names[fit];
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

	set_text(object, "site", f->name);
	set_count(object, "entries", f->entries);
	set_count(object, "trips", f->trips);
	set_count(object, "max_trips", f->max_trips);
	set_count(object, "timed", f->timed);
	json_object_set_new(object, "trips_log2", classes_to_json(f));
	set_text(object, "fit", fit_name(f->fit));
	set_figure(object, "ns_per_trip", f->ns_per_trip);
	set_figure(object, "ns_per_trip_lo", f->ns_per_trip_lo);
	set_figure(object, "ns_per_trip_hi", f->ns_per_trip_hi);
	set_figure(object, "ns_per_loop", f->ns_per_loop);
	set_figure(object, "ns_per_loop_lo", f->ns_per_loop_lo);
	set_figure(object, "ns_per_loop_hi", f->ns_per_loop_hi);
	set_figure(object, "mean_ns", f->mean_ns);
	set_figure(object, "iterator_ns", f->iterator_ns);
	set_figure(object, "inlined_saves_ns", f->inlined_saves_ns);
	return object;
}

static json_t *list_to_json(char **list)
{
	json_t *array = json_array();

	for (; *list; list++)
		json_array_append_new(array, json_string(*list));
	return array;
}

static json_t *cell_to_json(const struct cell *c, enum column_kind kind)
{
	if (!c->present)
		return json_null();
	switch (kind) {
	case COLUMN_TEXT:
		return json_string(c->text);
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

static json_t *section_to_json(const struct section *s)
{
	json_t *object = json_object();
	size_t i;

	for (i = 0; i < s->nr_totals; i++)
		set_count(object, s->totals[i].key, s->totals[i].value);
	for (i = 0; i < s->nr_tables; i++)
		json_object_set_new(object, s->tables[i].key,
				    table_to_json(&s->tables[i]));
	set_count(object, "unlisted", s->nr_unlisted);
	return object;
}

static json_t *self_to_json(const struct self_figures *self)
{
	json_t *object = json_object();

	set_figure(object, "cpu_percent", self->cpu_percent);
	set_figure(object, "bpf_cpu_percent", self->bpf_cpu_percent);
	set_count(object, "bpf_window_ns", self->bpf_window_ns);
	set_bytes(object, "rss_bytes", self->rss_bytes);
	set_bytes(object, "map_bytes", self->map_bytes);
	set_text(object, "reason", self->reason);
	return object;
}

static json_t *price_to_json(const struct bench_result *r)
{
	json_t *object;

	if (!r->measured)
		return json_null();
	object = json_object();
	set_figure(object, "median", r->median);
	set_figure(object, "lo", r->lo);
	set_figure(object, "hi", r->hi);
	set_count(object, "rounds", (uint64_t)r->nr_rounds);
	return object;
}

static json_t *calibration_to_json(const struct calibration *cal)
{
	json_t *object;
	size_t i;

	if (!cal || !cal->done)
		return json_null();
	object = json_object();
	for (i = 0; i < NR_PRICES; i++)
		json_object_set_new(object, cal->prices[i].name,
				    price_to_json(&cal->prices[i]));
	return object;
}

json_t *snapshot_to_json(const struct snapshot *s)
{
	json_t *root = json_object(), *tracers = json_array(), *sites = json_array();
	json_t *host = json_object();
	size_t i;

	for (i = 0; i < s->nr_tracers; i++)
		json_array_append_new(tracers, tracer_to_json(&s->tracers[i]));
	for (i = 0; i < s->nr_sites; i++)
		json_array_append_new(sites, site_to_json(&s->sites[i]));
	set_figure(host, "cpu_percent", s->self.host_bpf_cpu_percent);

	set_text(root, "schema",
		 s->summary ? "itertrace.summary/1" : "itertrace.snapshot/1");
	set_count(root, "time_ns", s->time_ns);
	set_count(root, "interval_ns", s->interval_ns);
	set_text(root, "loops", s->loops);
	json_object_set_new(root, "tracers", tracers);
	json_object_set_new(root, "sites", sites);
	json_object_set_new(root, "self", self_to_json(&s->self));
	json_object_set_new(root, "host_bpf", host);
	json_object_set_new(root, "calibration", calibration_to_json(s->calibration));
	for (i = 0; i < s->nr_sections; i++)
		json_object_set_new(root, s->sections[i].tracer,
				    section_to_json(&s->sections[i]));
	return root;
}
