// SPDX-License-Identifier: BSD-2-Clause
#include "export/compare.h"
#include "export/members.h"

static json_t *side_to_json(const struct comparison_side *s, enum comparison_kind kind)
{
	json_t *object = json_object();

	member_count(object, "values", s->nr);
	member_figure(object, "median", s->median);
	member_figure(object, "lo", s->lo);
	member_figure(object, "hi", s->hi);
	member_figure(object, "least", s->least);
	member_figure(object, "q1", s->q1);
	member_figure(object, "q3", s->q3);
	member_figure(object, "most", s->most);
	if (kind == COMPARISON_CONSTRUCT)
		return object;
	member_figure(object, "ns_per_loop", s->a);
	member_figure(object, "ns_per_loop_lo", s->a_lo);
	member_figure(object, "ns_per_loop_hi", s->a_hi);
	member_figure(object, "trips_per_s", s->trips_per_s);
	member_figure(object, "mean_trips", s->mean_trips);
	return object;
}

static json_t *row_to_json(const struct comparison_row *r)
{
	json_t *object = json_object();

	member_text(object, "kind", comparison_kind_name(r->kind));
	member_text(object, "name", r->name);
	member_text(object, "measure", comparison_measure_name(r->measure));
	json_object_set_new(object, "by_load", json_boolean(r->is_by_load));
	member_figure(object, "base", r->base.median);
	member_figure(object, "new", r->fresh.median);
	member_figure(object, "shift_percent", r->shift_percent);
	member_figure(object, "lo", r->lo);
	member_figure(object, "hi", r->hi);
	member_figure(object, "shift_ns", r->shift);
	member_figure(object, "shift_ns_lo", r->shift_lo);
	member_figure(object, "shift_ns_hi", r->shift_hi);
	member_figure(object, "p", r->p);
	member_figure(object, "p_holm", r->p_holm);
	member_figure(object, "inflation", r->inflation);
	member_text(object, "verdict", verdict_name(r->verdict));
	member_text(object, "note", r->note);
	member_figure(object, "saves_cpu_percent", r->saves_cpu_percent);
	member_figure(object, "saves_cpu_percent_lo", r->saves_lo);
	member_figure(object, "saves_cpu_percent_hi", r->saves_hi);
	json_object_set_new(object, "base_side", side_to_json(&r->base, r->kind));
	json_object_set_new(object, "new_side", side_to_json(&r->fresh, r->kind));
	return object;
}

static json_t *only_to_json(const struct comparison_only *list, size_t nr)
{
	json_t *array = json_array(), *object;

	for (size_t i = 0; i < nr; i++) {
		object = json_object();
		member_text(object, "kind", comparison_kind_name(list[i].kind));
		member_text(object, "name", list[i].name);
		member_text(object, "reason", list[i].reason);
		json_array_append_new(array, object);
	}
	return array;
}

static json_t *difference_to_json(const struct comparison_difference *d)
{
	json_t *object = json_object();

	member_text(object, "weight", difference_weight_name(d->weight));
	member_text(object, "what", d->what);
	member_text(object, "base", d->base);
	member_text(object, "new", d->fresh);
	return object;
}

static json_t *run_to_json(const struct comparison_run *r)
{
	json_t *object = json_object();

	member_text(object, "file", r->head->path);
	member_text(object, "side", r->is_new ? "new" : "base");
	member_text(object, "command", r->head->command);
	member_text(object, "host", r->head->host);
	member_text(object, "release", r->head->identity.release);
	member_text(object, "build_id", r->head->identity.build_id);
	member_text(object, "boot_id", r->head->identity.boot_id);
	member_count(object, "boot", r->boot);
	member_count(object, "time_ns", r->head->time_ns);
	member_count(object, "intervals", r->end.nr_intervals);
	member_count(object, "lost", r->nr_lost);
	json_object_set_new(object, "whole", json_boolean(r->end.is_whole));
	member_text(object, "loss", r->end.loss);
	return object;
}

static json_t *total_to_json(const struct comparison_total *t)
{
	json_t *object = json_object();

	member_count(object, "sites", t->nr_rows);
	member_figure(object, "base_cpu_percent", t->base_cpu_percent);
	member_figure(object, "new_cpu_percent", t->new_cpu_percent);
	member_figure(object, "saves_cpu_percent", t->saves_cpu_percent);
	member_figure(object, "saves_cpu_percent_lo", t->saves_lo);
	member_figure(object, "saves_cpu_percent_hi", t->saves_hi);
	member_figure(object, "shift_percent", t->shift_percent);
	member_figure(object, "lo", t->lo);
	member_figure(object, "hi", t->hi);
	return object;
}

static json_t *warnings_to_json(const struct comparison *c)
{
	json_t *array = json_array();

	for (size_t i = 0; i < c->nr_warnings; i++)
		json_array_append_new(array, text_to_json(c->warnings[i]));
	return array;
}

json_t *compare_to_json(const struct comparison *c)
{
	json_t *root = json_object(), *rows = json_array(), *runs = json_array();
	json_t *differences = json_array();
	size_t i;

	for (i = 0; i < c->nr_rows; i++)
		json_array_append_new(rows, row_to_json(&c->rows[i]));
	for (i = 0; i < c->nr_differences; i++)
		json_array_append_new(differences,
				      difference_to_json(&c->differences[i]));
	for (i = 0; i < c->nr_runs; i++)
		json_array_append_new(runs, run_to_json(&c->runs[i]));
	member_text(root, "schema", COMPARE_SCHEMA);
	member_text(root, "verdict", verdict_name(c->verdict));
	member_text(root, "why", c->why);
	member_figure(root, "threshold_percent", c->threshold_percent);
	member_text(root, "unit", comparison_unit_name(c));
	member_text(root, "control", c->control);
	member_figure(root, "control_percent",
		      c->control[0] ? c->control_percent : ABSENT);
	json_object_set_new(root, "forced", json_boolean(c->is_forced));
	json_object_set_new(root, "differences", differences);
	json_object_set_new(root, "rows", rows);
	json_object_set_new(root, "only_in_base",
			    only_to_json(c->only_in_base, c->nr_only_in_base));
	json_object_set_new(root, "only_in_new",
			    only_to_json(c->only_in_new, c->nr_only_in_new));
	json_object_set_new(root, "incomparable",
			    only_to_json(c->incomparable, c->nr_incomparable));
	json_object_set_new(root, "total", total_to_json(&c->total));
	json_object_set_new(root, "warnings", warnings_to_json(c));
	json_object_set_new(root, "runs", runs);
	return root;
}
