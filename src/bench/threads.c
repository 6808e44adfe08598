// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "bench/threads.h"
#include "stat/quantile.h"

struct worker {
	struct threads *threads;
	pthread_t thread;
	int cpu;
	struct bench_run run;
	struct reason why;
	int err;
};

/*
 * Workers wait behind the mutex start until all are there. The barrier is passed
 * twice a run: when its orders are given, and when it is done.
 */
struct threads {
	const struct runner *inner;
	struct runner runner;
	pthread_mutex_t start;
	pthread_barrier_t barrier;
	int nr, nr_started;
	bool has_barrier, stopping;
	enum workload_id id;
	double *ns;
	struct worker *workers;
};

int threads_max(void)
{
	cpu_set_t set;

	return sched_getaffinity(0, sizeof(set), &set) ? 1 : CPU_COUNT(&set);
}

static void pin(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	sched_setaffinity(0, sizeof(set), &set);
}

static void *work(void *context)
{
	struct worker *w = context;
	struct threads *t = w->threads;
	bool stop;

	pin(w->cpu);
	pthread_mutex_lock(&t->start);
	stop = t->stopping;
	pthread_mutex_unlock(&t->start);
	while (!stop) {
		pthread_barrier_wait(&t->barrier);
		if (t->stopping)
			return NULL;
		w->err = t->inner->run(t->inner->context, t->id, &w->run, &w->why);
		pthread_barrier_wait(&t->barrier);
	}
	return NULL;
}

static int threads_run(void *context, enum workload_id id, struct bench_run *r,
		       struct reason *why)
{
	struct threads *t = context;
	int i;

	t->id = id;
	for (i = 0; i < t->nr; i++)
		t->workers[i].run = *r;
	pthread_barrier_wait(&t->barrier);
	pthread_barrier_wait(&t->barrier);
	*r = t->workers[0].run;
	for (i = 0; i < t->nr; i++) {
		struct worker *w = &t->workers[i];

		if (w->err)
			return reason_set(why, w->err, "%s", w->why.text);
		/* One that made another number of trips must not hide behind the others. */
		if (w->run.trips != t->inner->trips(t->inner->context, id, w->run.nr))
			r->trips = w->run.trips;
		if (w->run.cpu != w->run.cpu_end)
			r->cpu_end = r->cpu + 1;
		t->ns[i] = (double)w->run.ns;
	}
	stat_sort(t->ns, (size_t)t->nr);
	r->ns = (__u64)stat_median(t->ns, (size_t)t->nr);
	return 0;
}

static int threads_load(void *context, struct reason *why)
{
	struct threads *t = context;

	return t->inner->load(t->inner->context, why);
}

static uint64_t threads_trips(void *context, enum workload_id id, uint64_t nr)
{
	struct threads *t = context;

	return t->inner->trips(t->inner->context, id, nr);
}

static int threads_placement(void *context, enum workload_id id)
{
	struct threads *t = context;

	return t->inner->placement(t->inner->context, id);
}

static uint64_t threads_now(void *context)
{
	struct threads *t = context;

	return t->inner->now_ns(t->inner->context);
}

static int start_workers(struct threads *t, struct reason *why)
{
	cpu_set_t set;
	int cpu, err = 0;

	sched_getaffinity(0, sizeof(set), &set);
	pthread_mutex_lock(&t->start);
	for (cpu = 0; !err && cpu < CPU_SETSIZE && t->nr_started < t->nr; cpu++) {
		struct worker *w = &t->workers[t->nr_started];

		if (!CPU_ISSET(cpu, &set))
			continue;
		w->threads = t;
		w->cpu = cpu;
		err = pthread_create(&w->thread, NULL, work, w);
		t->nr_started += !err;
	}
	/* With fewer than the barrier counts, no one may wait at it. */
	t->stopping = err != 0;
	pthread_mutex_unlock(&t->start);
	return err ? reason_set(why, -err, "cannot start a thread: %s", strerror(err))
		   : 0;
}

int threads__new(const struct runner *inner, int nr, struct threads **ret,
		 struct reason *why)
{
	struct threads *t;
	int err = -ENOMEM;

	if (nr > threads_max())
		return reason_set(why, -ERANGE,
				  "%d threads want as many CPUs; there are %d", nr,
				  threads_max());
	t = calloc(1, sizeof(*t));
	if (!t)
		return reason_set(why, -ENOMEM, "out of memory");
	pthread_mutex_init(&t->start, NULL);
	t->inner = inner;
	t->nr = nr;
	t->runner = (struct runner){
		threads_load,      threads_trips, threads_run,
		threads_placement, threads_now,   t,
	};
	t->ns = calloc((size_t)nr, sizeof(*t->ns));
	t->workers = calloc((size_t)nr, sizeof(*t->workers));
	if (!t->ns || !t->workers ||
	    pthread_barrier_init(&t->barrier, NULL, (unsigned int)nr + 1)) {
		reason_set(why, err, "out of memory");
		goto out;
	}
	t->has_barrier = true;
	err = start_workers(t, why);
	if (err)
		goto out;
	*ret = t;
	t = NULL;
out:
	threads__free(t);
	return err;
}

void threads__free(struct threads *t)
{
	int i;

	if (!t)
		return;
	if (!t->stopping && t->nr_started) {
		t->stopping = true;
		pthread_barrier_wait(&t->barrier);
	}
	for (i = 0; i < t->nr_started; i++)
		pthread_join(t->workers[i].thread, NULL);
	if (t->has_barrier)
		pthread_barrier_destroy(&t->barrier);
	pthread_mutex_destroy(&t->start);
	free(t->workers);
	free(t->ns);
	free(t);
}

const struct runner *threads_runner(const struct threads *t)
{
	return &t->runner;
}
