/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The loop sites of one BPF object: reads the per-CPU accounting of
 * bpf/wire.h, keeps the timed entries for the fits, and adapts how often each
 * site is timed. Must not know what the loops are for.
 *
 *	sites_collect()		every second or so: new timed entries come in,
 *				thresholds are adapted
 *	sites_figures()		at the end of an interval, and of the run
 *
 * Memory is bounded: a uniform sample (Vitter's algorithm R) of the timed
 * entries of the interval and of the run is kept for each site.
 */
#ifndef ITERTRACE_TRACE_SITES_H
#define ITERTRACE_TRACE_SITES_H

#include <stddef.h>
#include <stdint.h>

#include "base/reason.h"
#include "model/snapshot.h"

struct sites;

/*
 * map_fd is a per-CPU array of struct site_stat with an entry for each name;
 * thresholds, one for each, is the programs' memory. Both belong to the
 * caller and outlive the sites. On failure *ret is untouched.
 */
int sites__new(int map_fd, const char *const *names, size_t nr, uint32_t *thresholds,
	       struct sites **ret, struct reason *why);
void sites__free(struct sites *s);

/* Take in what is new, and set thresholds for the elapsed_ns since the last call. */
int sites_collect(struct sites *s, uint64_t elapsed_ns, struct reason *why);

/*
 * Figures of the interval (and begin the next one), or of the whole run. ret
 * has a place for each site; iterator_ns and inlined_saves_ns stay ABSENT.
 */
void sites_figures(struct sites *s, bool summary, struct site_figures *ret);

#endif
