// SPDX-License-Identifier: BSD-2-Clause
#include <string.h>

#include "record/read.h"

#define MANY (1 << 30)

static void read_samples(struct fields *f, const json_t *row, struct bench_result *ret)
{
	const json_t *array = field_array(f, row, "samples", BENCH_MAX_SAMPLES);
	size_t i;

	for (i = 0; i < json_array_size(array); i++)
		ret->samples[ret->nr_samples++] =
			field_figure_at(f, array, i, "samples");
}

static void read_loads(struct fields *f, const json_t *row, const char *name,
		       struct bench_loads *ret)
{
	const json_t *object = field_object(f, row, "by_load");
	const json_t *ns = field_array(f, object, "ns", BENCH_MAX_LOADS);
	const json_t *placements = field_array(f, object, "placement", BENCH_MAX_LOADS);
	size_t i;

	if (json_array_size(ns) != json_array_size(placements))
		fields_fail(f, "%s: \"by_load\" has %zu figures of %zu placements",
			    name, json_array_size(ns), json_array_size(placements));
	for (i = 0; i < json_array_size(ns) && !f->err; i++) {
		const json_t *placement = json_array_get(placements, i);
		json_int_t at = json_integer_value(placement);

		if (!json_is_integer(placement) || at < 0 || at >= BENCH_CACHE_LINE)
			fields_fail(f,
				    "%s: \"by_load\" has a placement that is not from "
				    "0 to %d",
				    name, BENCH_CACHE_LINE - 1);
		ret->placements[i] = (unsigned char)at;
		ret->ns[i] = field_figure_at(f, ns, i, "ns");
	}
	ret->nr = json_array_size(ns);
}

static void read_counters(struct fields *f, const json_t *row, struct bench_result *ret)
{
	json_t *object = (json_t *)field_object(f, row, "counters"), *value;
	struct bench_counter *c;
	const char *name;

	json_object_foreach (object, name, value) {
		if (ret->nr_counters == BENCH_MAX_COUNTERS) {
			fields_fail(f, "%s has more than %d counters", ret->name,
				    BENCH_MAX_COUNTERS);
			return;
		}
		c = &ret->counters[ret->nr_counters++];
		c->name = fields_intern(f, name);
		c->present = true;
		c->scaled = field_flag(f, field_object(f, object, name), "scaled");
		c->per_trip = field_figure(f, value, "per_trip");
	}
}

static void read_modes(struct fields *f, const json_t *row, struct bench_result *ret)
{
	const json_t *modes = field_object(f, row, "modes");

	ret->is_bimodal = modes != NULL;
	ret->mode_lo = field_figure(f, modes, "lo");
	ret->mode_hi = field_figure(f, modes, "hi");
	ret->mode_hi_share = field_figure(f, modes, "hi_share");
}

static void read_code(struct fields *f, const json_t *row, struct bench_code *ret)
{
	const json_t *code = field_object(f, row, "code");

	ret->nr_insns = field_known(f, code, "insns", MANY);
	ret->nr_calls = field_known(f, code, "calls", MANY);
	ret->nr_callee_insns = field_known(f, code, "callee_insns", MANY);
	field_text(f, code, "reason", ret->reason, sizeof(ret->reason));
}

static void read_cost(struct fields *f, const json_t *row, struct bench_result *ret)
{
	const json_t *cost = field_object(f, row, "ns_per_iter");

	ret->median = field_figure(f, cost, "median");
	ret->lo = field_figure(f, cost, "lo");
	ret->hi = field_figure(f, cost, "hi");
	ret->min = field_figure(f, cost, "min");
	ret->median_all = field_figure(f, cost, "median_all_loads");
	if (is_absent(ret->median) || is_absent(ret->lo) || is_absent(ret->hi))
		fields_fail(f, "%s: \"ns_per_iter\" lacks a figure", ret->name);
}

static void read_measured(struct fields *f, const json_t *row, struct bench_result *ret,
			  struct bench_loads *loads)
{
	int nr_placements = field_known(f, row, "placements", MANY);

	ret->nr_loops = field_needed_count(f, row, "nr_loops");
	ret->nr_threads = field_known(f, row, "threads", 1 << 20);
	ret->nr_rounds = field_known(f, row, "rounds", MANY);
	ret->nr_loads = field_known(f, row, "loads", MANY);
	ret->nr_placements = nr_placements < 0 ? 0 : nr_placements;
	read_cost(f, row, ret);
	read_samples(f, row, ret);
	read_loads(f, row, ret->name, loads);
	ret->is_linear = field_flag(f, row, "linear");
	ret->nonlinearity = field_figure(f, row, "nonlinearity");
	read_modes(f, row, ret);
	ret->is_noisy = field_flag(f, row, "noisy");
	read_code(f, row, &ret->code);
	read_counters(f, row, ret);
}

static void read_result(struct fields *f, const json_t *row, struct bench_result *ret,
			struct bench_loads *loads)
{
	const char *state = field_needed_name(f, row, "state");

	ret->name = field_needed_name(f, row, "name");
	ret->measured = !strcmp(state, "measured");
	field_text(f, row, "reason", ret->reason, sizeof(ret->reason));
	if (ret->measured)
		read_measured(f, row, ret, loads);
	else if (feature_state_parse(state, &ret->state))
		fields_fail(f, "%s: '%.40s' is no state that is known of", ret->name,
			    state);
}

static void read_results(struct fields *f, const json_t *line, struct bench_report *ret)
{
	const json_t *array = field_array(f, line, "results", BENCH_MAX_RESULTS);
	struct bench_result *result;
	size_t i, j;

	if (!array)
		fields_fail(f, "\"results\" is missing");
	for (i = 0; i < json_array_size(array); i++) {
		result = &ret->results[ret->nr_results++];
		read_result(f, fields_item(f, array, i, "results"), result,
			    &ret->loads[i]);
		for (j = 0; j < i; j++)
			if (ret->results[j].name == result->name &&
			    ret->results[j].nr_loops == result->nr_loops &&
			    ret->results[j].nr_threads == result->nr_threads)
				fields_fail(f, "'%s' is in it twice", result->name);
	}
}

static void read_pairs(struct fields *f, const json_t *line, struct bench_report *ret)
{
	const json_t *array = field_array(f, line, "pairs", BENCH_MAX_PAIRS), *item;
	struct bench_pair *p;
	size_t i;

	for (i = 0; i < json_array_size(array); i++) {
		item = fields_item(f, array, i, "pairs");
		p = &ret->pairs[ret->nr_pairs++];
		p->name = field_needed_name(f, item, "name");
		p->than = field_needed_name(f, item, "than");
		p->saves = field_figure(f, item, "saves_ns");
		p->saves_lo = field_figure(f, item, "saves_ns_lo");
		p->saves_hi = field_figure(f, item, "saves_ns_hi");
		p->ratio = field_figure(f, item, "ratio");
		p->ratio_lo = field_figure(f, item, "ratio_lo");
		p->ratio_hi = field_figure(f, item, "ratio_hi");
	}
}

static void read_environment(struct fields *f, const json_t *line,
			     struct bench_environment *ret)
{
	const json_t *e = field_object(f, line, "environment");

	ret->cpu = field_known(f, e, "cpu", 1 << 20);
	ret->steal_percent = field_figure(f, e, "steal_percent");
	ret->nr_switches = field_known(f, e, "involuntary_switches", MANY);
	ret->nr_migrations = field_known(f, e, "migrations", MANY);
	ret->nr_interrupts = field_known(f, e, "interrupts", MANY);
	ret->khz_lo = field_figure(f, e, "khz_lo");
	ret->khz_hi = field_figure(f, e, "khz_hi");
	ret->floor_spread = field_figure(f, e, "floor_spread");
	ret->nr_loads = field_known(f, e, "loads", MANY);
	ret->nr_disturbed = field_known(f, e, "loads_disturbed", MANY);
	ret->pace_ns = field_figure(f, e, "pace_ns");
	ret->are_left_out = field_flag(f, e, "disturbed_left_out");
}

void read_bench(struct fields *f, const json_t *line, struct bench_report *ret)
{
	memset(ret, 0, sizeof(*ret));
	read_results(f, line, ret);
	read_pairs(f, line, ret);
	read_environment(f, line, &ret->environment);
	ret->is_partial = field_flag(f, line, "partial");
	field_text(f, line, "verdict", ret->verdict, sizeof(ret->verdict));
	field_text(f, line, "no_counters", ret->no_counters, sizeof(ret->no_counters));
	field_text(f, line, "threads_left_out", ret->left_out, sizeof(ret->left_out));
	ret->took_s = field_figure(f, line, "took_s");
}
