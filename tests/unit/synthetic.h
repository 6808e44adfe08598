/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A world to measure in, with a known answer and a clock of its own. A run takes
 * what the model says, and a load and its rounds take a second together, so that a
 * budget of n seconds is n loads.
 */
#ifndef ITERTRACE_TESTS_SYNTHETIC_H
#define ITERTRACE_TESTS_SYNTHETIC_H

#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/time.h"
#include "bench/measure.h"
#include "near.h"

#define MAX_LOGGED     4096
#define WORLD_BEGAN_NS (5 * NSEC_PER_SEC)

struct world;

struct logged_run {
	enum workload_id id;
	uint64_t nr;
	int load;
};

struct world {
	/* ns that a run of so many trips takes, now */
	double (*model)(struct world *w, enum workload_id id, double trips);
	/* trips that a workload makes of those that it should; NULL: all */
	uint64_t (*trips_made)(struct world *w, enum workload_id id, uint64_t trips);
	/* of the present load; NULL: hidden */
	int (*placed)(struct world *w, enum workload_id id);

	double cost[NR_WORKLOADS]; /* ns a trip */
	double fixed_ns;           /* a run */
	double noise;              /* standard deviation of a run, as a share of it */
	double load_spread;        /* of a load's cost, as a share; see load_factor */
	double interrupt_share;    /* of the runs that are lengthened */
	double interrupt_ns;
	double bend;        /* each trip costs 1 / bend ns more than the last two */
	double load_factor; /* drawn anew for each load */
	unsigned int batch; /* trips for each nr; 0 is 1 */
	uint64_t load_ns;   /* that a load takes; 0 is a second */
	int migrate_every;  /* run; 0: never */
	int fail_load,
		fail_run; /* the load with this number fails, or each run in it */
	int stop_after;   /* this load, poll says; 0: never */

	struct runner runner;
	uint64_t now, random;
	uint32_t cpu;
	int load, nr_runs, nr_migrated, nr_interrupted; /* load 1 is the first */
	struct logged_run runs[MAX_LOGGED];
};

/* xorshift64*, Vigna, "An experimental exploration of Marsaglia's xorshift". */
static inline double world_uniform(struct world *w)
{
	w->random ^= w->random >> 12;
	w->random ^= w->random << 25;
	w->random ^= w->random >> 27;
	return ((double)((w->random * 2685821657736338717ULL) >> 11) + 0.5) * 0x1p-53;
}

/* Box and Muller. */
static inline double world_normal(struct world *w)
{
	double radius = sqrt(-2 * log(world_uniform(w)));

	return radius * cos(2 * M_PI * world_uniform(w));
}

static inline double world_linear(struct world *w, enum workload_id id, double trips)
{
	double ns = w->fixed_ns + w->cost[id] * w->load_factor * trips;

	if (w->bend > 0)
		ns += trips * trips / w->bend;
	if (w->noise > 0)
		ns *= 1 + w->noise * world_normal(w);
	if (w->interrupt_share > 0 && world_uniform(w) < w->interrupt_share) {
		ns += w->interrupt_ns;
		w->nr_interrupted++;
	}
	return ns;
}

static inline int world_load(void *context, struct reason *why)
{
	struct world *w = context;

	w->load++;
	w->now = (uint64_t)w->load * (w->load_ns ? w->load_ns : NSEC_PER_SEC) +
		 WORLD_BEGAN_NS;
	w->load_factor = w->load_spread > 0 ? 1 + w->load_spread * world_normal(w) : 1;
	if (w->load == w->fail_load)
		return reason_set(why, -EBUSY, "no room for load %d", w->load);
	return 0;
}

static inline uint64_t world_trips(void *context, enum workload_id id, uint64_t nr)
{
	struct world *w = context;

	(void)id;
	return nr * (w->batch ? w->batch : 1);
}

static inline int world_run(void *context, enum workload_id id, struct bench_run *r,
			    struct reason *why)
{
	struct world *w = context;
	uint64_t trips = world_trips(w, id, r->nr);

	if (w->load == w->fail_run)
		return reason_set(why, -EIO, "run in load %d failed", w->load);
	if (w->nr_runs < MAX_LOGGED)
		w->runs[w->nr_runs] = (struct logged_run){id, r->nr, w->load};
	w->nr_runs++;
	r->ns = (__u64)llround(w->model(w, id, (double)trips));
	w->now += r->ns;
	r->trips = w->trips_made ? w->trips_made(w, id, trips) : trips;
	if (w->migrate_every && w->nr_runs % w->migrate_every == 0) {
		w->cpu ^= 1;
		w->nr_migrated++;
	}
	r->cpu = r->cpu_end = w->cpu;
	return 0;
}

static inline int world_placement(void *context, enum workload_id id)
{
	struct world *w = context;

	return w->placed ? w->placed(w, id) : -1;
}

static inline uint64_t world_now(void *context)
{
	struct world *w = context;

	return w->now;
}

static inline void world_init(struct world *w)
{
	*w = (struct world){
		.model = world_linear,
		.random = 0x9E3779B97F4A7C15ULL,
		.now = WORLD_BEGAN_NS,
		.runner = {world_load, world_trips, world_run, world_placement,
			   world_now, w},
	};
}

/* ---- what tests do in it -------------------------------------------------------- */

#define A        WORKLOAD_BPF_FOR
#define B        WORKLOAD_BPF_LOOP
#define C        WORKLOAD_FLOOR
#define BATCH_NS 60000
#define ROUNDS   5

#define assert_exactly(a, b) assert_true((a) == (b))

static struct world world;

static inline int new_world(void **state)
{
	(void)state;
	world_init(&world);
	world.cost[A] = 2.5;
	world.cost[B] = 6.25;
	world.cost[C] = 0.5;
	return 0;
}

/* Asked between loads, once there are enough of them. */
static inline bool world_poll(void *context)
{
	struct world *w = context;

	assert_true(w->load >= MEASURE_MIN_LOADS);
	return w->load == w->stop_after;
}

static inline int try_to_measure(workload_set set, uint64_t nr_loads,
				 struct measurement **ret, struct reason *why)
{
	struct measure_options options = {
		.set = set,
		.budget_ns = nr_loads * NSEC_PER_SEC,
		.batch_ns = BATCH_NS,
		.rounds_per_load = ROUNDS,
		.seed = 1,
		.poll = world_poll,
		.poll_context = &world,
	};

	/* Chance goes on, so that no two measurements are the same. */
	world.load = world.nr_runs = 0;
	world.now = WORLD_BEGAN_NS;
	return measurement__new(&world.runner, &options, ret, why);
}

static inline struct measurement *measure(workload_set set, uint64_t nr_loads)
{
	struct measurement *m = NULL;
	struct reason why = {"no sentence"};

	if (try_to_measure(set, nr_loads, &m, &why))
		fail_msg("%s", why.text);
	assert_int_equal(m->nr_loads,
			 world.stop_after ? (uint64_t)world.stop_after : nr_loads);
	return m;
}

#endif
