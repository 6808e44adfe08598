/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a tracer is, to the session that runs it: one BPF object, one row in the
 * tracer table. Private to trace/.
 *
 *	open   -> configure -> load -> ready -> attach	(session.c, load.c)
 *	consume, read, ..., read			(while it runs)
 *	close						(at any point after open)
 */
#ifndef ITERTRACE_TRACE_TRACER_H
#define ITERTRACE_TRACE_TRACER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <bpf/libbpf.h>

#include "base/reason.h"
#include "model/snapshot.h"
#include "trace/session.h"
#include "trace/sites.h"

#define TRACER_MAX_PROGRAMS 6

struct tracer;

/* A program of the object; without one that is needed the tracer is off. */
struct tracer_program {
	const char *name;
	bool attach;         /* false: run by user space */
	const char *without; /* what is missing then; NULL: the tracer needs it */
};

/* The members of a skeleton that all tracers have; addresses of the mapped sections. */
struct tracer_shared {
	struct bpf_object_skeleton *skeleton;
	uint32_t *loops_backend;  /* rodata: before load only */
	uint32_t *site_threshold; /* bss: after load only */
	uint64_t *lost;           /* bss */
};

struct tracer_type {
	const char *name;
	const char *summary;
	const struct tracer_program *programs;
	size_t nr_programs;
	const char *const *sites; /* names in the order of the object's enum */
	size_t nr_sites;
	const char *const *lost; /* causes, likewise */
	size_t nr_lost;
	bool shows_cgroups;
	bool cuts_argv; /* options->argv_max concerns it */

	/* Open the skeleton, set rodata and map sizes; fills in t->state and t->shared
	 * but bss. */
	int (*open)(struct tracer *t, const struct trace_options *options,
		    struct reason *why);
	/* After load, before attach; fills in the rest of t->shared. */
	int (*ready)(struct tracer *t, struct reason *why);
	/* Take events in without waiting; NULL: none are sent. */
	int (*consume)(struct tracer *t);
	/* A file descriptor that is readable when there are events; with consume only.
	 */
	int (*event_fd)(const struct tracer *t);
	/*
	 * Add tables and totals of the interval, and begin the next one; or of the
	 * whole run. Sets *events.
	 */
	int (*read)(struct tracer *t, bool summary, struct section *section,
		    uint64_t *events, struct reason *why);
	void (*close)(struct tracer *t);
};

struct tracer {
	const struct tracer_type *type;
	bool on;
	struct reason reason;
	struct tracer_shared shared;
	void *state; /* the tracer's own */
	struct sites *sites;
	struct bpf_link *links[TRACER_MAX_PROGRAMS];
	bool missing[TRACER_MAX_PROGRAMS];     /* did not load */
	uint64_t lost_before[TRACER_MAX_LOST]; /* at the start of the interval */
};

extern const struct tracer_type exec_tracer, runq_tracer, syscall_tracer;

/* load.c: the way from open to attached; on failure t is off, with the reason. */
int tracer_start(struct tracer *t, const struct trace_options *options,
		 const struct loops *loops);
void tracer_stop(struct tracer *t);

/* Times that the kernel did not run a program because it was running already. */
uint64_t tracer_recursion(const struct tracer *t);

int tracer_map_fd(const struct tracer *t, const char *map);

#endif
