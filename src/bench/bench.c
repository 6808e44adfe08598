// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/time.h"
#include "bench/bench.h"
#include "bench/counters.h"
#include "bench/pace.h"
#include "bench/programs.h"
#include "bench/static_cost.h"
#include "bench/summary.h"
#include "bench/watched.h"

#define TOO_NOISY_SPREAD 0.25 /* of the floor's rounds */
#define TOO_NOISY_STEAL  5.0  /* percent */
#define TOO_NOISY_LOADS  0.75 /* of them, disturbed */
#define COUNTED_RUNS     20

/* What is asked of a pair: the second of each is what the first would replace. */
static const struct {
	enum workload_id name, than;
} asked_pairs[] = {
	{WORKLOAD_SHAPE_V3, WORKLOAD_BPF_FOR},
	{WORKLOAD_SHAPE_7_3, WORKLOAD_BPF_FOR},
	{WORKLOAD_SHAPE_ITERTRACE, WORKLOAD_BPF_FOR},
	{WORKLOAD_SHAPE_ITERTRACE, WORKLOAD_SHAPE_7_3},
	{WORKLOAD_BPF_LOOP, WORKLOAD_BPF_FOR},
	{WORKLOAD_CAN_LOOP, WORKLOAD_BPF_FOR},
};

static struct measure_options measure_options(const struct bench_options *o,
					      workload_set set)
{
	return (struct measure_options){
		.set = set,
		.budget_ns = o->budget_ns,
		.rounds_per_load = MEASURE_ROUNDS_PER_LOAD,
		.seed = time_ns(CLOCK_MONOTONIC),
		.poll = o->poll,
		.poll_context = o->poll_context,
	};
}

static void read_code(const struct programs *p, enum workload_id id,
		      struct bench_code *ret)
{
	struct static_cost cost;
	struct reason why;

	*ret = (struct bench_code){-1, -1, -1, ""};
	if (static_cost_read(programs_fd(p, id), &cost, &why)) {
		snprintf(ret->reason, sizeof(ret->reason), "%.250s", why.text);
		return;
	}
	ret->nr_insns = (int)cost.nr_insns;
	ret->nr_calls = (int)cost.nr_calls;
	ret->nr_callee_insns = (int)cost.nr_callee_insns;
}

/* Events of nr trips and of 2 nr: their difference, over the trips, summed over runs. */
static int count_difference(const struct runner *runner, struct counters *c,
			    enum workload_id id, const struct series *s,
			    struct counter_values *sum, struct reason *why)
{
	struct bench_run r;
	int twice, i, err;

	for (twice = 0; twice < 2; twice++) {
		struct counter_values v;

		r = (struct bench_run){.nr = s->nr << twice};
		err = counters_begin(c);
		if (!err)
			err = runner->run(runner->context, id, &r, why);
		if (!err)
			err = counters_end(c, &v);
		if (err)
			return err;
		for (i = 0; i < NR_COUNTERS; i++) {
			sum->v[i].present &= v.v[i].present;
			sum->v[i].scaled |= v.v[i].scaled;
			sum->v[i].value += twice ? v.v[i].value : -v.v[i].value;
		}
	}
	return 0;
}

static void count_events(const struct programs *p, struct counters *c,
			 enum workload_id id, const struct series *s,
			 struct bench_result *ret)
{
	double trips = (double)s->trips * COUNTED_RUNS;
	struct counter_values sum;
	struct reason why;
	int i;

	memset(&sum, 0, sizeof(sum));
	for (i = 0; i < NR_COUNTERS; i++)
		sum.v[i].present = true;
	for (i = 0; i < COUNTED_RUNS; i++)
		if (count_difference(programs_runner(p), c, id, s, &sum, &why))
			return;
	for (i = 0; i < NR_COUNTERS && ret->nr_counters < BENCH_MAX_COUNTERS; i++) {
		if (counters_absence(c, (enum counter_id)i))
			continue;
		ret->counters[ret->nr_counters++] = (struct bench_counter){
			.name = counters_name((unsigned int)i),
			.present = sum.v[i].present,
			.scaled = sum.v[i].scaled,
			.per_trip = sum.v[i].value / trips,
		};
	}
}

/* Before what is left out is left out: each workload's median of all loads. */
static void sift(struct measurement *m, double *ret_medians,
		 struct bench_environment *ret)
{
	struct pace pace;
	int i;

	for (i = 0; i < NR_WORKLOADS; i++)
		ret_medians[i] = m->series[i] ? summary_median(m->series[i]) : NAN;
	pace_sift(m, &pace);
	ret->nr_loads = pace.nr_loads;
	ret->nr_disturbed = pace.nr_disturbed;
	ret->are_left_out = pace.are_left_out;
	ret->pace_ns = pace.best_ns;
}

static void add_rows(const struct programs *p, const struct measurement *m,
		     const struct bench_options *o, const double *medians,
		     struct bench_report *ret)
{
	struct counters *counters = NULL;
	struct reason why;
	int i;

	if (counters__new(&counters, &why))
		snprintf(ret->no_counters, sizeof(ret->no_counters), "%.250s",
			 why.text);
	for (i = 0; i < NR_LISTED_WORKLOADS; i++) {
		struct bench_result *row = &ret->results[ret->nr_results];
		enum workload_id id = (enum workload_id)i;

		if (!(o->set & WORKLOAD_BIT(i)))
			continue;
		ret->nr_results++;
		if (!(programs_possible(p) & WORKLOAD_BIT(i))) {
			programs_lack(p, id, row);
			continue;
		}
		summarise(m, id, o->nr_threads, row);
		row->median_all = medians[i];
		if (row->measured)
			summary_loads(m->series[i], &ret->loads[row - ret->results]);
		read_code(p, id, &row->code);
		if (counters && row->measured)
			count_events(p, counters, id, m->series[i], row);
	}
	counters__free(counters);
}

static void add_pairs(const struct measurement *m, workload_set set,
		      struct bench_report *ret)
{
	size_t i;

	for (i = 0; i < sizeof(asked_pairs) / sizeof(asked_pairs[0]); i++) {
		enum workload_id name = asked_pairs[i].name, than = asked_pairs[i].than;

		if (set & WORKLOAD_BIT(name) && set & WORKLOAD_BIT(than) &&
		    summarise_pair(m, name, than, &ret->pairs[ret->nr_pairs]))
			ret->nr_pairs++;
	}
}

/* The floor is a register and a branch: at one address its speed is the CPU's own. */
static void judge(struct bench_report *r)
{
	const struct bench_environment *e = &r->environment;

	if (e->steal_percent > TOO_NOISY_STEAL)
		snprintf(r->verdict, sizeof(r->verdict),
			 "too noisy to answer: the host took %.0f%% of this CPU's time",
			 e->steal_percent);
	else if (e->nr_disturbed > TOO_NOISY_LOADS * e->nr_loads)
		snprintf(
			r->verdict, sizeof(r->verdict),
			"too noisy to answer: the core was slower in %d of %d loads "
			"than in the rest (its frequency, or work on its other thread)",
			e->nr_disturbed, e->nr_loads);
	else if (e->floor_spread > TOO_NOISY_SPREAD)
		snprintf(r->verdict, sizeof(r->verdict),
			 "too noisy to answer: the middle half of the floor's runs at "
			 "one "
			 "address spreads over %.0f%%, so the CPU's own speed changed "
			 "(its frequency, or work on the same core)",
			 100 * e->floor_spread);
	else if (e->khz_hi > e->khz_lo * (1 + TOO_NOISY_SPREAD))
		snprintf(r->verdict, sizeof(r->verdict),
			 "too noisy to answer: the CPU's frequency went from %.0f to "
			 "%.0f MHz",
			 e->khz_lo / 1000, e->khz_hi / 1000);
}

int bench_run(struct probe *probe, const struct bench_options *options,
	      struct bench_report *ret, struct reason *why)
{
	uint64_t since = time_ns(CLOCK_MONOTONIC);
	workload_set set = options->set | WORKLOADS_OF_THE_CORE;
	struct measure_options measure;
	struct measurement *m = NULL;
	struct programs *p = NULL;
	double medians[NR_WORKLOADS];
	int err;

	*ret = (struct bench_report){0};
	err = programs__new(probe, set, false, &p, why);
	if (!err && !programs_possible(p))
		err = reason_set(why, -ENOTSUP,
				 "this kernel can run none of the workloads");
	if (!err) {
		measure = measure_options(options, programs_possible(p));
		err = measure_watched(programs_runner(p), options->nr_threads, &measure,
				      &ret->environment, &m, why);
	}
	if (!err) {
		sift(m, medians, &ret->environment);
		add_rows(p, m, options, medians, ret);
		add_pairs(m, options->set, ret);
		ret->environment.floor_spread = summary_spread(m, WORKLOAD_FLOOR);
		ret->is_partial = m->is_partial;
		judge(ret);
	}
	measurement__free(m);
	programs__free(p);
	ret->took_s = (double)(time_ns(CLOCK_MONOTONIC) - since) / NSEC_PER_SEC;
	return err;
}

int bench_measure(struct probe *probe, const struct measure_options *options,
		  struct measurement **ret, struct reason *why)
{
	struct measure_options possible = *options;
	struct bench_environment environment;
	struct programs *p = NULL;
	struct pace pace;
	int err;

	err = programs__new(probe, options->set, false, &p, why);
	if (err)
		return err;
	possible.set = programs_possible(p);
	if (!possible.set)
		err = reason_set(why, -ENOTSUP,
				 "this kernel can run none of the workloads");
	if (!err)
		err = measure_watched(programs_runner(p), 1, &possible, &environment,
				      ret, why);
	if (!err)
		pace_sift(*ret, &pace);
	programs__free(p);
	return err;
}
