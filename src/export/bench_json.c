// SPDX-License-Identifier: BSD-2-Clause
#include "export/bench.h"
#include "export/identity.h"
#include "export/members.h"

static json_t *cost_to_json(const struct bench_result *r)
{
	json_t *cost = json_object();

	member_figure(cost, "median", r->median);
	member_figure(cost, "lo", r->lo);
	member_figure(cost, "hi", r->hi);
	member_figure(cost, "min", r->min);
	member_figure(cost, "median_all_loads", r->median_all);
	return cost;
}

static json_t *samples_to_json(const struct bench_result *r)
{
	json_t *samples = json_array();
	size_t i;

	for (i = 0; i < r->nr_samples; i++)
		json_array_append_new(samples, json_real(r->samples[i]));
	return samples;
}

static json_t *loads_to_json(const struct bench_loads *loads)
{
	json_t *object = json_object(), *placements = json_array(), *ns = json_array();
	size_t i;

	for (i = 0; i < loads->nr; i++) {
		json_array_append_new(placements, json_integer(loads->placements[i]));
		json_array_append_new(ns, json_real(loads->ns[i]));
	}
	json_object_set_new(object, "placement", placements);
	json_object_set_new(object, "ns", ns);
	return object;
}

static json_t *modes_to_json(const struct bench_result *r)
{
	json_t *modes;

	if (!r->is_bimodal)
		return json_null();
	modes = json_object();
	member_figure(modes, "lo", r->mode_lo);
	member_figure(modes, "hi", r->mode_hi);
	member_figure(modes, "hi_share", r->mode_hi_share);
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
		member_figure(counter, "per_trip", c->per_trip);
		json_object_set_new(counter, "scaled", json_boolean(c->scaled));
		json_object_set_new(counters, c->name, counter);
	}
	return counters;
}

static json_t *code_to_json(const struct bench_code *c)
{
	json_t *code = json_object();

	member_known(code, "insns", c->nr_insns);
	member_known(code, "calls", c->nr_calls);
	member_known(code, "callee_insns", c->nr_callee_insns);
	member_text(code, "reason", c->reason);
	return code;
}

static void set_measured(json_t *row, const struct bench_result *r,
			 const struct bench_loads *loads)
{
	member_known(row, "nr_loops", (long long)r->nr_loops);
	member_known(row, "threads", r->nr_threads);
	member_known(row, "rounds", r->nr_rounds);
	member_known(row, "loads", r->nr_loads);
	member_known(row, "placements", r->nr_placements ? r->nr_placements : -1);
	json_object_set_new(row, "ns_per_iter", cost_to_json(r));
	json_object_set_new(row, "samples", samples_to_json(r));
	json_object_set_new(row, "by_load", loads_to_json(loads));
	member_figure(row, "mops", 1000.0 * r->nr_threads / r->median);
	json_object_set_new(row, "linear", json_boolean(r->is_linear));
	member_figure(row, "nonlinearity", r->nonlinearity);
	json_object_set_new(row, "modes", modes_to_json(r));
	json_object_set_new(row, "noisy", json_boolean(r->is_noisy));
	json_object_set_new(row, "code", code_to_json(&r->code));
	json_object_set_new(row, "counters", counters_to_json(r));
}

static json_t *result_to_json(const struct bench_result *r,
			      const struct bench_loads *loads)
{
	json_t *row = json_object();

	member_text(row, "name", r->name);
	if (r->measured) {
		member_text(row, "state", "measured");
		set_measured(row, r, loads);
	} else {
		member_text(row, "state",
			    r->nr_rounds ? "unknown" : feature_state_name(r->state));
		json_object_set_new(row, "nr_loops", json_null());
		json_object_set_new(row, "threads", json_null());
		json_object_set_new(row, "rounds", json_null());
		json_object_set_new(row, "ns_per_iter", json_null());
		json_object_set_new(row, "mops", json_null());
	}
	member_text(row, "reason", r->reason);
	return row;
}

static json_t *pair_to_json(const struct bench_pair *p)
{
	json_t *pair = json_object();

	member_text(pair, "name", p->name);
	member_text(pair, "than", p->than);
	member_figure(pair, "saves_ns", p->saves);
	member_figure(pair, "saves_ns_lo", p->saves_lo);
	member_figure(pair, "saves_ns_hi", p->saves_hi);
	member_figure(pair, "ratio", p->ratio);
	member_figure(pair, "ratio_lo", p->ratio_lo);
	member_figure(pair, "ratio_hi", p->ratio_hi);
	return pair;
}

static json_t *environment_to_json(const struct bench_environment *e)
{
	json_t *object = json_object();

	member_known(object, "cpu", e->cpu);
	member_figure(object, "steal_percent", e->steal_percent);
	member_known(object, "involuntary_switches", e->nr_switches);
	member_known(object, "migrations", e->nr_migrations);
	member_known(object, "interrupts", e->nr_interrupts);
	member_figure(object, "khz_lo", e->khz_lo);
	member_figure(object, "khz_hi", e->khz_hi);
	member_figure(object, "floor_spread", e->floor_spread);
	member_known(object, "loads", e->nr_loads);
	member_known(object, "loads_disturbed", e->nr_disturbed);
	member_figure(object, "pace_ns", e->pace_ns);
	json_object_set_new(object, "disturbed_left_out",
			    json_boolean(e->are_left_out));
	return object;
}

json_t *bench_to_json(const struct identity *id, const struct bench_report *r)
{
	json_t *root = json_object(), *results = json_array(), *pairs = json_array();
	size_t i;

	for (i = 0; i < r->nr_results; i++)
		json_array_append_new(results,
				      result_to_json(&r->results[i], &r->loads[i]));
	for (i = 0; i < r->nr_pairs; i++)
		json_array_append_new(pairs, pair_to_json(&r->pairs[i]));
	member_text(root, "schema", BENCH_SCHEMA);
	json_object_set_new(root, "kernel", identity_to_json(id));
	json_object_set_new(root, "results", results);
	json_object_set_new(root, "pairs", pairs);
	json_object_set_new(root, "environment", environment_to_json(&r->environment));
	json_object_set_new(root, "partial", json_boolean(r->is_partial));
	member_text(root, "verdict", r->verdict);
	member_text(root, "no_counters", r->no_counters);
	member_text(root, "threads_left_out", r->left_out);
	member_figure(root, "took_s", r->took_s);
	return root;
}
