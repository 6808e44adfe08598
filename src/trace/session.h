/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A run: owns the tracers, their BPF objects and their accounting, from load to
 * detach. Nothing is pinned and no global setting changed, so that the kernel
 * drops everything with the process, however it ends. One thread.
 */
#ifndef ITERTRACE_TRACE_SESSION_H
#define ITERTRACE_TRACE_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/reason.h"
#include "kernel/probe.h"
#include "model/snapshot.h"
#include "trace/loops.h"

/* Bit n is the tracer of row n. */
typedef uint32_t tracer_set;

/* The most that argv_max can be. */
#define TRACE_ARGV_LIMIT 16384

struct trace_options {
	tracer_set tracers;
	int loops;         /* a backend or LOOPS_AUTO */
	uint32_t argv_max; /* bytes of an argv that exec copies */
	uint64_t interval_ns;
};

struct session;

/* The table of tracers. */
size_t tracers_count(void);
const char *tracer_name(size_t row);
const char *tracer_summary(size_t row);
/* -EINVAL: no such tracer. */
int tracer_find(const char *name, size_t *ret_row);

/*
 * Load and attach what the kernel allows. A tracer that cannot run is off, with
 * its reason in every snapshot; -EPERM only if none is left. The probe is not
 * kept. On failure *ret is untouched.
 */
int session__new(const struct trace_options *options, struct probe *probe,
		 struct session **ret, struct reason *why);
void session__free(struct session *s);

/*
 * Go on with other options: stops the tracers that are not wanted any more, starts
 * those that are now, and starts anew those that an option concerns; the others are
 * not touched. Counts of a tracer begin with its start. The backend of loops stays.
 * The number of tracers that were started or stopped; the session's descriptors
 * have changed then. One that cannot start is off, with its reason.
 */
size_t session_change(struct session *s, const struct trace_options *options);

const struct loops *session_loops(const struct session *s);

/* How the tracers fared, also of one that is off. */
void session_status(const struct session *s, size_t row, struct tracer_status *ret);

/* Prices of loops for the snapshots from now on; not owned, NULL: none. */
void session_set_calibration(struct session *s, const struct calibration *cal);

/* What costs are charged by: program and map file descriptors, owned by s. */
size_t session_program_fds(const struct session *s, int *fds, size_t max);
size_t session_map_fds(const struct session *s, int *fds, size_t max);

/* Readable when events wait: an epoll descriptor, owned by s. */
int session_fd(const struct session *s);
void session_consume(struct session *s);

/* Every second or so: keeps rings from running over, and adapts the timing. */
int session_collect(struct session *s, struct reason *why);

/*
 * Fill in all of ret but self, and begin the next interval; or the whole run so
 * far. Release ret with snapshot_release().
 */
int session_snapshot(struct session *s, bool summary, struct snapshot *ret,
		     struct reason *why);

#endif
