/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The daemon's loop: waits for events, signals and the end of each interval.
 *
 *	running --SIGINT, SIGTERM, end of duration--> last interval --> summary
 *		--> done
 *
 * SIGHUP does not end it: it may change the session and the interval. One thread;
 * returns when done.
 */
#ifndef ITERTRACE_TRACE_LOOP_H
#define ITERTRACE_TRACE_LOOP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/reason.h"
#include "trace/session.h"

struct loop_options {
	uint64_t interval_ns;
	uint64_t duration_ns; /* 0: until a signal */
	/*
	 * A snapshot as text, from malloc; the summary comes last. A negative errno
	 * ends the loop.
	 */
	int (*render)(const struct snapshot *s, void *context, char **ret,
		      size_t *ret_len);
	int out_fd; /* where the text goes */
	/*
	 * SIGHUP came. May call session_change(), true: it changed something, and
	 * set another interval.
	 */
	bool (*hangup)(void *context, uint64_t *interval_ns);
	/* Called at least so often, while the loop goes round; 0: never. */
	uint64_t alive_ns;
	void (*alive)(void *context);
	void (*stopping)(void *context); /* NULL is fine */
	void *context;
};

/*
 * Block the signals that end a run, so that none is lost between the start of
 * the program and the loop. The descriptor to give to loop_run(); -errno.
 */
int loop_signals(void);

/* Has a signal come? It stays to be read. */
bool loop_is_interrupted(int signal_fd);

/* Has one come that ends a run, which SIGHUP does not? Likewise. */
bool loop_is_to_end(void);

enum loop_end {
	LOOP_DONE,
	LOOP_READER_GONE,   /* EPIPE: nobody wants the rest */
	LOOP_OUTPUT_FAILED, /* why says how */
	LOOP_FAILED,        /* the kernel refused something; why says what */
};

/*
 * A reader that does not read holds up the reports, but neither the events nor
 * the end of the run.
 */
enum loop_end loop_run(struct session *s, int signal_fd,
		       const struct loop_options *options, struct reason *why);

#endif
