// SPDX-License-Identifier: BSD-2-Clause
#include "bench/environment.h"
#include "bench/threads.h"
#include "bench/watched.h"

int measure_watched(const struct runner *runner, int nr_threads,
		    const struct measure_options *options,
		    struct bench_environment *environment, struct measurement **ret,
		    struct reason *why)
{
	struct threads *threads = NULL;
	struct watch watch;
	int err;

	/* The threads first: once pinned, this one sees no CPU but its own. */
	if (nr_threads > 1) {
		err = threads__new(runner, nr_threads, &threads, why);
		if (err)
			return err;
		runner = threads_runner(threads);
	}
	watch_begin(&watch);
	err = measurement__new(runner, options, ret, why);
	watch_end(&watch, environment);
	if (!err)
		environment->nr_migrations = (*ret)->nr_migrations;
	threads__free(threads);
	return err;
}
