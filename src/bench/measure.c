// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/time.h"
#include "bench/measure.h"

#define FIRST_TRIPS 1000
#define MAX_TRIPS   (1U << 21) /* twice that is below BPF_MAX_LOOPS */

/* So that each of some 15 placements comes several times; in more time, more often. */
#define LOADS_WANTED      100
#define LOADS_WANTED_IN_S 18
#define MIN_BATCH_NS      60000
#define MAX_BATCH_NS      NSEC_PER_MSEC

uint64_t measure_batch_ns(const struct measure_options *o, int nr_workloads,
			  uint64_t load_ns)
{
	/* A round is a run and one of twice its length; the aim is overshot by half. */
	double batches = 4.5 * o->rounds_per_load * nr_workloads;
	double budget_ns =
		fmin((double)o->budget_ns, (double)LOADS_WANTED_IN_S * NSEC_PER_SEC);
	double ns = (budget_ns / LOADS_WANTED - (double)load_ns) / batches;

	return (uint64_t)fmin(fmax(ns, MIN_BATCH_NS), MAX_BATCH_NS);
}

double series_cost(const struct series *s, int round)
{
	return (s->twice_ns[round] - s->once_ns[round]) / (double)s->trips;
}

void measurement__free(struct measurement *m)
{
	int i;

	if (!m)
		return;
	for (i = 0; i < NR_WORKLOADS; i++)
		free(m->series[i]);
	free(m);
}

/* Run once, and hold the program to what it was told. */
static int run_checked(const struct runner *runner, struct measurement *m,
		       enum workload_id id, uint64_t nr, double *ret_ns,
		       struct reason *why)
{
	struct bench_run r = {.nr = nr};
	uint64_t trips = runner->trips(runner->context, id, nr);
	int err;

	err = runner->run(runner->context, id, &r, why);
	if (err)
		return err;
	if (r.trips != trips)
		return reason_set(why, -EPROTO,
				  "%s made %llu trips where it was told to make %llu",
				  workloads[id].name, (unsigned long long)r.trips,
				  (unsigned long long)trips);
	m->nr_migrations += m->has_cpu && r.cpu != m->cpu;
	m->has_cpu = true;
	m->cpu = r.cpu;
	*ret_ns = (double)r.ns;
	return 0;
}

/* Double the trips until a run takes as long as it should. */
static int choose_nr(const struct runner *runner, struct measurement *m,
		     enum workload_id id, uint64_t batch_ns, struct reason *why)
{
	uint64_t trips, nr = 1;
	double ns;
	int err;

	while (runner->trips(runner->context, id, nr) < FIRST_TRIPS)
		nr *= 2;

	for (;;) {
		err = run_checked(runner, m, id, nr, &ns, why);
		if (err)
			return err;
		trips = runner->trips(runner->context, id, nr);
		if (ns >= (double)batch_ns || 2 * trips > MAX_TRIPS)
			break;
		nr *= 2;
	}
	m->series[id]->nr = nr;
	m->series[id]->trips = trips;
	return 0;
}

static int measure_round(const struct runner *runner, struct measurement *m,
			 enum workload_id id, bool twice_first, struct reason *why)
{
	struct series *s = m->series[id];
	int at = s->nr_rounds, err = 0;

	/* Which of the two comes first is left to chance too. */
	if (twice_first)
		err = run_checked(runner, m, id, 2 * s->nr, &s->twice_ns[at], why);
	if (!err)
		err = run_checked(runner, m, id, s->nr, &s->once_ns[at], why);
	if (!err && !twice_first)
		err = run_checked(runner, m, id, 2 * s->nr, &s->twice_ns[at], why);
	if (err)
		return err;
	s->load[at] = (uint32_t)(m->nr_loads - 1);
	s->placement[at] = runner->placement(runner->context, id);
	s->nr_rounds++;
	return 0;
}

static uint64_t next_random(uint64_t *state)
{
	/* Knuth's MMIX generator; its upper bits are good enough to shuffle by. */
	*state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
	return *state >> 33;
}

static void shuffle(int *ids, int nr, uint64_t *state)
{
	int i, j, swap;

	for (i = nr - 1; i > 0; i--) {
		j = (int)(next_random(state) % (uint64_t)(i + 1));
		swap = ids[i];
		ids[i] = ids[j];
		ids[j] = swap;
	}
}

struct work {
	const struct runner *runner;
	const struct measure_options *options;
	struct measurement *m;
	int ids[NR_WORKLOADS];
	int nr_ids;
	uint64_t since_ns, random;
	uint64_t batch_ns; /* 0: not yet chosen */
};

static bool is_over(const struct work *w)
{
	const struct measure_options *o = w->options;
	uint64_t done = w->runner->now_ns(w->runner->context) - w->since_ns;

	if (w->m->nr_loads < MEASURE_MIN_LOADS)
		return false;
	if (o->poll && o->poll(o->poll_context)) {
		w->m->is_partial = true;
		return true;
	}
	return done >= o->budget_ns;
}

/* Not measured: the first run after a load finds caches and predictors empty. */
static int warm_up(struct work *w, enum workload_id id, struct reason *why)
{
	struct measurement *m = w->m;
	double ns;

	if (m->nr_loads == 1)
		return choose_nr(w->runner, m, id, w->batch_ns, why);
	return run_checked(w->runner, m, id, m->series[id]->nr, &ns, why);
}

/* One load and its rounds. */
static int measure_load(struct work *w, struct reason *why)
{
	uint64_t since = w->runner->now_ns(w->runner->context);
	struct measurement *m = w->m;
	int round, i, err;

	err = w->runner->load(w->runner->context, why);
	if (err)
		return err;
	m->nr_loads++;
	if (!w->batch_ns)
		w->batch_ns =
			measure_batch_ns(w->options, w->nr_ids,
					 w->runner->now_ns(w->runner->context) - since);
	for (i = 0; i < w->nr_ids; i++) {
		err = warm_up(w, (enum workload_id)w->ids[i], why);
		if (err)
			return err;
	}
	for (round = 0; round < w->options->rounds_per_load; round++) {
		shuffle(w->ids, w->nr_ids, &w->random);
		for (i = 0; i < w->nr_ids; i++) {
			err = measure_round(w->runner, m, (enum workload_id)w->ids[i],
					    next_random(&w->random) & 1, why);
			if (err)
				return err;
		}
	}
	return 0;
}

static struct measurement *allocate(workload_set set)
{
	struct measurement *m = calloc(1, sizeof(*m));
	int i;

	for (i = 0; m && i < NR_WORKLOADS; i++) {
		if (!(set & WORKLOAD_BIT(i)))
			continue;
		m->series[i] = calloc(1, sizeof(*m->series[i]));
		if (!m->series[i]) {
			measurement__free(m);
			return NULL;
		}
	}
	return m;
}

int measurement__new(const struct runner *runner, const struct measure_options *options,
		     struct measurement **ret, struct reason *why)
{
	struct work w = {
		.runner = runner,
		.options = options,
		.since_ns = runner->now_ns(runner->context),
		.random = options->seed,
		.batch_ns = options->batch_ns,
	};
	int i, err = 0, max_loads = MEASURE_MAX_ROUNDS / options->rounds_per_load;

	w.m = allocate(options->set);
	if (!w.m)
		return reason_set(why, -ENOMEM, "out of memory");
	for (i = 0; i < NR_WORKLOADS; i++)
		if (w.m->series[i])
			w.ids[w.nr_ids++] = i;
	do {
		err = measure_load(&w, why);
	} while (!err && w.m->nr_loads < max_loads && !is_over(&w));
	if (err) {
		measurement__free(w.m);
		return err;
	}
	*ret = w.m;
	return 0;
}
