/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The daemon's loop: waits for events, signals and the end of each interval.
 *
 *	running --SIGINT, SIGTERM, end of duration, emit fails--> last interval
 *		--> summary --> done
 *
 * SIGHUP does not end it. One thread; returns when done.
 */
#ifndef ITERTRACE_TRACE_LOOP_H
#define ITERTRACE_TRACE_LOOP_H

#include <stdint.h>

#include "base/reason.h"
#include "trace/session.h"

struct loop_options {
	uint64_t interval_ns;
	uint64_t duration_ns; /* 0: until a signal */
	/*
	 * Called with every snapshot, the summary last. A negative errno ends the
	 * loop, without a summary.
	 */
	int (*emit)(const struct snapshot *s, void *context);
	void (*hangup)(void *context); /* SIGHUP came */
	void *context;
};

/*
 * Block the signals that end a run, so that none is lost between the start of
 * the program and the loop. The descriptor to give to loop_run(); -errno.
 */
int loop_signals(void);

int loop_run(struct session *s, int signal_fd, const struct loop_options *options,
	     struct reason *why);

#endif
