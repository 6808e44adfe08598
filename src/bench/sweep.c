// SPDX-License-Identifier: BSD-2-Clause
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/time.h"
#include "bench/bench.h"
#include "bench/programs.h"
#include "bench/summary.h"
#include "bench/threads.h"
#include "bench/watched.h"

static const uint64_t trip_counts[] = {
	10, 100, 500, 1000, 5000, 10000, 50000, 100000, 500000, 1000000,
};
#define NR_TRIP_COUNTS (sizeof(trip_counts) / sizeof(trip_counts[0]))

static const int thread_counts[] = {1, 4, 8, 12, 16};
#define NR_THREAD_COUNTS (sizeof(thread_counts) / sizeof(thread_counts[0]))

/* Whole loops of so many trips, on the programs of another runner. */
struct sweep {
	struct programs *programs;
	const struct runner *inner;
	struct runner runner;
	uint64_t loop;
};

static int sweep_load(void *context, struct reason *why)
{
	struct sweep *s = context;

	return s->inner->load(s->inner->context, why);
}

static uint64_t sweep_trips(void *context, enum workload_id id, uint64_t nr)
{
	struct sweep *s = context;

	(void)id;
	return nr * s->loop;
}

static int sweep_run(void *context, enum workload_id id, struct bench_run *r,
		     struct reason *why)
{
	struct sweep *s = context;

	r->loop = s->loop;
	return programs_sweep(s->programs, id, r, why);
}

static int sweep_placement(void *context, enum workload_id id)
{
	(void)context;
	(void)id;
	return -1;
}

static uint64_t sweep_now(void *context)
{
	struct sweep *s = context;

	return s->inner->now_ns(s->inner->context);
}

/* Thread counts that this machine has CPUs for; all that it has, if that is none of them. */
static size_t possible_threads(int *ret)
{
	int max = threads_max();
	size_t i, nr = 0;

	for (i = 0; i < NR_THREAD_COUNTS; i++)
		if (thread_counts[i] <= max)
			ret[nr++] = thread_counts[i];
	if (ret[nr - 1] < max && max < thread_counts[NR_THREAD_COUNTS - 1])
		ret[nr++] = max;
	return nr;
}

static int nr_cells(void)
{
	int threads[NR_THREAD_COUNTS + 1];

	return (int)(NR_TRIP_COUNTS * possible_threads(threads));
}

static int measure_cell(struct sweep *s, const struct bench_options *o, int nr_threads,
			struct bench_report *ret, struct reason *why)
{
	struct measure_options options = {
		.set = programs_possible(s->programs),
		.budget_ns = o->budget_ns / (uint64_t)nr_cells(),
		.rounds_per_load = MEASURE_ROUNDS_PER_LOAD,
		.seed = time_ns(CLOCK_MONOTONIC),
		.poll = o->poll,
		.poll_context = o->poll_context,
	};
	struct measurement *m = NULL;
	int i, err;

	err = measure_watched(&s->runner, nr_threads, &options, &ret->environment, &m,
			      why);
	for (i = 0; !err && i < NR_LISTED_WORKLOADS; i++) {
		struct bench_result *row = &ret->results[ret->nr_results];

		if (!m->series[i])
			continue;
		summarise(m, (enum workload_id)i, nr_threads, row);
		row->nr_loops = s->loop;
		row->median_all = row->median; /* no pace is measured beside it */
		row->is_linear = true;         /* the loop is as long in both runs */
		ret->nr_results++;
	}
	if (m)
		ret->is_partial = m->is_partial;
	measurement__free(m);
	return err;
}

static int measure_cells(struct sweep *s, const struct bench_options *o,
			 struct bench_report *ret, struct reason *why)
{
	int threads[NR_THREAD_COUNTS + 1], err = 0;
	size_t nr = possible_threads(threads), t, c;

	for (t = 0; !err && t < nr; t++) {
		for (c = 0; !err && !ret->is_partial && c < NR_TRIP_COUNTS; c++) {
			s->loop = trip_counts[c];
			err = measure_cell(s, o, threads[t], ret, why);
		}
	}
	return err;
}

/* What the many cells have in common; each was watched by itself. */
static void forget_cells(struct bench_environment *e)
{
	*e = (struct bench_environment){
		.cpu = -1,
		.steal_percent = NAN,
		.nr_switches = -1,
		.nr_interrupts = -1,
		.khz_lo = NAN,
		.khz_hi = NAN,
		.floor_spread = NAN,
		.nr_loads = -1,
		.nr_disturbed = -1,
		.pace_ns = NAN,
	};
}

static void say_left_out(struct bench_report *r)
{
	size_t i, at = 0;

	for (i = 0; i < NR_THREAD_COUNTS; i++)
		if (thread_counts[i] > threads_max() && at < sizeof(r->left_out))
			at += (size_t)snprintf(r->left_out + at,
					       sizeof(r->left_out) - at, "%s%d",
					       at ? ", " : "", thread_counts[i]);
}

int bench_sweep(struct probe *probe, const struct bench_options *options,
		struct bench_report *ret, struct reason *why)
{
	uint64_t since = time_ns(CLOCK_MONOTONIC);
	struct sweep s = {
		.runner = {sweep_load, sweep_trips, sweep_run, sweep_placement,
			   sweep_now, &s},
	};
	int i, err;

	*ret = (struct bench_report){0};
	err = programs__new(probe, options->set & BENCH_SWEPT, true, &s.programs, why);
	if (err)
		return err;
	s.inner = programs_runner(s.programs);
	if (programs_possible(s.programs))
		err = measure_cells(&s, options, ret, why);
	for (i = 0; i < NR_LISTED_WORKLOADS; i++)
		if (options->set & BENCH_SWEPT & ~programs_possible(s.programs) &
		    WORKLOAD_BIT(i))
			programs_lack(s.programs, (enum workload_id)i,
				      &ret->results[ret->nr_results++]);
	programs__free(s.programs);
	forget_cells(&ret->environment);
	say_left_out(ret);
	ret->took_s = (double)(time_ns(CLOCK_MONOTONIC) - since) / NSEC_PER_SEC;
	return err;
}
