// SPDX-License-Identifier: BSD-2-Clause
#include <math.h>

#include "export/bench.h"
#include "export/identity.h"

static void set_count(json_t *object, const char *key, long long count)
{
	json_object_set_new(object, key, count < 0 ? json_null() : json_integer(count));
}

static void set_figure(json_t *object, const char *key, double figure)
{
	json_object_set_new(object, key,
			    isfinite(figure) ? json_real(figure) : json_null());
}

static void set_text(json_t *object, const char *key, const char *text)
{
	json_object_set_new(object, key, text[0] ? json_string(text) : json_null());
}

static json_t *cost_to_json(const struct bench_result *r)
{
	json_t *cost = json_object();

	set_figure(cost, "median", r->median);
	set_figure(cost, "lo", r->lo);
	set_figure(cost, "hi", r->hi);
	set_figure(cost, "min", r->min);
	return cost;
}

static json_t *modes_to_json(const struct bench_result *r)
{
	json_t *modes;

	if (!r->is_bimodal)
		return json_null();
	modes = json_object();
	set_figure(modes, "lo", r->mode_lo);
	set_figure(modes, "hi", r->mode_hi);
	set_figure(modes, "hi_share", r->mode_hi_share);
	return modes;
}

static json_t *counters_to_json(const struct bench_result *r)
{
	json_t *counters = json_object(), *counter;
	size_t i;

	for (i = 0; i < r->nr_counters; i++) {
		const struct bench_counter *c = &r->counters[i];

		if (!c->present)
			continue;
		counter = json_object();
		set_figure(counter, "per_trip", c->per_trip);
		json_object_set_new(counter, "scaled", json_boolean(c->scaled));
		json_object_set_new(counters, c->name, counter);
	}
	return counters;
}

static json_t *code_to_json(const struct bench_code *c)
{
	json_t *code = json_object();

	set_count(code, "insns", c->nr_insns);
	set_count(code, "calls", c->nr_calls);
	set_count(code, "callee_insns", c->nr_callee_insns);
	set_text(code, "reason", c->reason);
	return code;
}

static void set_measured(json_t *row, const struct bench_result *r)
{
	set_count(row, "nr_loops", (long long)r->nr_loops);
	set_count(row, "threads", r->nr_threads);
	set_count(row, "rounds", r->nr_rounds);
	set_count(row, "loads", r->nr_loads);
	set_count(row, "placements", r->nr_placements ? r->nr_placements : -1);
	json_object_set_new(row, "ns_per_iter", cost_to_json(r));
	set_figure(row, "mops", 1000.0 * r->nr_threads / r->median);
	json_object_set_new(row, "linear", json_boolean(r->is_linear));
	set_figure(row, "nonlinearity", r->nonlinearity);
	json_object_set_new(row, "modes", modes_to_json(r));
	json_object_set_new(row, "noisy", json_boolean(r->is_noisy));
	json_object_set_new(row, "code", code_to_json(&r->code));
	json_object_set_new(row, "counters", counters_to_json(r));
}

static json_t *result_to_json(const struct bench_result *r)
{
	json_t *row = json_object();

	set_text(row, "name", r->name);
	if (r->measured) {
		set_text(row, "state", "measured");
		set_measured(row, r);
	} else {
		set_text(row, "state",
			 r->nr_rounds ? "unknown" : feature_state_name(r->state));
		json_object_set_new(row, "nr_loops", json_null());
		json_object_set_new(row, "threads", json_null());
		json_object_set_new(row, "rounds", json_null());
		json_object_set_new(row, "ns_per_iter", json_null());
		json_object_set_new(row, "mops", json_null());
	}
	set_text(row, "reason", r->reason);
	return row;
}

static json_t *pair_to_json(const struct bench_pair *p)
{
	json_t *pair = json_object();

	set_text(pair, "name", p->name);
	set_text(pair, "than", p->than);
	set_figure(pair, "saves_ns", p->saves);
	set_figure(pair, "saves_ns_lo", p->saves_lo);
	set_figure(pair, "saves_ns_hi", p->saves_hi);
	set_figure(pair, "ratio", p->ratio);
	set_figure(pair, "ratio_lo", p->ratio_lo);
	set_figure(pair, "ratio_hi", p->ratio_hi);
	return pair;
}

static json_t *environment_to_json(const struct bench_environment *e)
{
	json_t *object = json_object();

	set_count(object, "cpu", e->cpu);
	set_figure(object, "steal_percent", e->steal_percent);
	set_count(object, "involuntary_switches", e->nr_switches);
	set_count(object, "migrations", e->nr_migrations);
	set_count(object, "interrupts", e->nr_interrupts);
	set_figure(object, "khz_lo", e->khz_lo);
	set_figure(object, "khz_hi", e->khz_hi);
	set_figure(object, "floor_spread", e->floor_spread);
	return object;
}

json_t *bench_to_json(const struct identity *id, const struct bench_report *r)
{
	json_t *root = json_object(), *results = json_array(), *pairs = json_array();
	size_t i;

	for (i = 0; i < r->nr_results; i++)
		json_array_append_new(results, result_to_json(&r->results[i]));
	for (i = 0; i < r->nr_pairs; i++)
		json_array_append_new(pairs, pair_to_json(&r->pairs[i]));
	set_text(root, "schema", BENCH_SCHEMA);
	json_object_set_new(root, "kernel", identity_to_json(id));
	json_object_set_new(root, "results", results);
	json_object_set_new(root, "pairs", pairs);
	json_object_set_new(root, "environment", environment_to_json(&r->environment));
	json_object_set_new(root, "partial", json_boolean(r->is_partial));
	set_text(root, "verdict", r->verdict);
	set_text(root, "no_counters", r->no_counters);
	set_text(root, "threads_left_out", r->left_out);
	set_figure(root, "took_s", r->took_s);
	return root;
}
