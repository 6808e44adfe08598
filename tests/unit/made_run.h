/* SPDX-License-Identifier: BSD-2-Clause */
/* Recordings made by a test: what their reader would hand on, without a file. */
#ifndef ITERTRACE_TESTS_MADE_RUN_H
#define ITERTRACE_TESTS_MADE_RUN_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compare/compare.h"
#include "random.h"

#define MADE_INTERVAL_NS 10000000000ULL

static inline struct recording_head *made_head(const char *path, const char *boot_id,
					       const char *release)
{
	struct recording_head *h = calloc(1, sizeof(*h));
	struct identity *id = &h->identity;

	snprintf(h->path, sizeof(h->path), "%s", path);
	snprintf(h->command, sizeof(h->command), "run");
	snprintf(h->itertrace, sizeof(h->itertrace), "0.1.0");
	snprintf(h->loops, sizeof(h->loops), "bpf_for");
	snprintf(h->host, sizeof(h->host), "host");
	snprintf(id->release, sizeof(id->release), "%s", release);
	snprintf(id->build_id, sizeof(id->build_id), "%s", release);
	snprintf(id->boot_id, sizeof(id->boot_id), "%s", boot_id);
	snprintf(id->arch, sizeof(id->arch), "x86_64");
	snprintf(id->cpu_model, sizeof(id->cpu_model), "A processor");
	snprintf(id->clock_source, sizeof(id->clock_source), "tsc");
	snprintf(id->virtualised, sizeof(id->virtualised), "kvm");
	id->nr_cpus_online = id->nr_cpus_possible = 2;
	id->jit_enable = 1;
	h->time_ns = MADE_INTERVAL_NS;
	return h;
}

static inline struct digest *made_digest(const char *path, const char *boot_id,
					 const char *release)
{
	struct recording_head *h = made_head(path, boot_id, release);
	static uint64_t nr_made;
	struct digest *d;

	h->time_ns += nr_made++; /* each is a recording of its own */
	d = digest__new(h);
	free(h);
	return d;
}

/* A site entered 1000 times with 16 trips each, of this cost a trip. */
static inline struct site_figures made_site(const char *name, double ns_per_trip)
{
	return (struct site_figures){
		.name = name,
		.entries = 1000,
		.trips = 16000,
		.max_trips = 64,
		.timed = 1000,
		.fit = SITE_FIT_OK,
		.ns_per_trip = ns_per_trip,
		.ns_per_trip_lo = ns_per_trip,
		.ns_per_trip_hi = ns_per_trip,
		.ns_per_loop = 50,
		.ns_per_loop_lo = 50,
		.ns_per_loop_hi = 50,
		.mean_ns = 50 + 16 * ns_per_trip,
		.iterator_ns = ABSENT,
		.inlined_saves_ns = ABSENT,
	};
}

/* The interval behind those that there are; 0, or what digest_add_snapshot() says. */
static inline int made_interval(struct digest *d, const struct site_figures *sites,
				size_t nr)
{
	static struct snapshot zeroed, *s = &zeroed; /* too large for a stack */

	s->time_ns = (d->nr_intervals + 2) * MADE_INTERVAL_NS;
	s->interval_ns = MADE_INTERVAL_NS;
	s->loops = "bpf_for";
	s->nr_sites = nr;
	memcpy(s->sites, sites, nr * sizeof(*sites));
	return digest_add_snapshot(d, s);
}

static inline void made_finish(struct digest *d)
{
	struct recording_end end = {.nr_intervals = d->nr_intervals, .is_whole = true};

	if (digest_finish(d, &end))
		abort();
}

#endif
