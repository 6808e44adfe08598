// SPDX-License-Identifier: BSD-2-Clause
#include <math.h>

#include "bench/environment.h"
#include "bench/threads.h"
#include "bench/watched.h"

/* After each load: a look at the frequency, then what the caller wants to know. */
struct look {
	struct watch watch;
	const struct measure_options *options;
};

static bool look_and_poll(void *context)
{
	struct look *l = context;

	watch_frequency(&l->watch);
	return l->options->poll && l->options->poll(l->options->poll_context);
}

/* Several CPUs were at work, and the watch was on none of them. */
static void forget_cpu(struct bench_environment *e)
{
	e->cpu = -1;
	e->steal_percent = e->khz_lo = e->khz_hi = NAN;
	e->nr_interrupts = e->nr_switches = -1;
}

int measure_watched(const struct runner *runner, int nr_threads,
		    const struct measure_options *options,
		    struct bench_environment *environment, struct measurement **ret,
		    struct reason *why)
{
	struct look look = {.options = options};
	struct measure_options looking = *options;
	struct threads *threads = NULL;
	int err;

	looking.poll = look_and_poll;
	looking.poll_context = &look;

	/* The threads first: once pinned, this one sees no CPU but its own. */
	if (nr_threads > 1) {
		err = threads__new(runner, nr_threads, &threads, why);
		if (err)
			return err;
		runner = threads_runner(threads);
	}
	watch_begin(&look.watch);
	err = measurement__new(runner, &looking, ret, why);
	watch_end(&look.watch, environment);
	if (nr_threads > 1)
		forget_cpu(environment);
	if (!err)
		environment->nr_migrations = (*ret)->nr_migrations;
	threads__free(threads);
	return err;
}
