/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What itertrace itself costs, and all BPF programs on the host.
 *
 * The run time of BPF programs is only counted while the kernel's BPF
 * statistics are on, and that costs every program on the host two clock reads
 * a run (ns each, tens of ns in some virtual machines). So they are on for a
 * tenth of the time only, in a window at a random place of each second, and what
 * is said of an interval is what was seen in its windows. The switch is a file descriptor of ours
 * (BPF_ENABLE_STATS, Linux 5.8): the kernel turns it back with the process,
 * however that ends, and another's switch or the sysctl
 * kernel.bpf_stats_enabled is not touched. Where that sysctl is on, itertrace's
 * own programs can be told even without CAP_SYS_ADMIN.
 *
 *	closed --own_cost_window_open()--> open --own_cost_window_close()--> closed
 *
 * Run time excludes the way into a program (trampoline, tracepoint dispatch), and
 * includes about one of the two clock reads.
 * Of the host's programs a window counts those that are there at its end; what
 * one ran that came and went is lost, and how many went is in own_cost_window.
 *
 * Owns the switch; not the descriptors of programs and maps, which must stay
 * open as long as it. One thread. Does not log.
 */
#ifndef ITERTRACE_TRACE_OWN_COST_H
#define ITERTRACE_TRACE_OWN_COST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/reason.h"
#include "model/snapshot.h"

struct own_cost;

/* The most programs, and maps, that it is charged by; more are left out. */
#define OWN_COST_MAX 64

/* What a window saw: ns and runs, summed over CPUs. */
struct own_cost_window {
	uint64_t length_ns;
	uint64_t own_ns, own_runs;
	uint64_t host_ns, host_runs;
	bool has_host;            /* false: other programs could not be listed */
	unsigned int nr_programs; /* on the host, at its end */
	unsigned int nr_appeared; /* in the window */
	unsigned int nr_gone;
};

/*
 * Wall and CPU time count from here. The descriptors may be none. On failure
 * *ret is untouched.
 */
int own_cost__new(const int *program_fds, size_t nr_programs, const int *map_fds,
		  size_t nr_maps, struct own_cost **ret, struct reason *why);
void own_cost__free(struct own_cost *c); /* NULL is fine */

/*
 * Charge by these from now on. Close the window before those that are charged by
 * now are closed.
 */
void own_cost_charge(struct own_cost *c, const int *program_fds, size_t nr_programs,
		     const int *map_fds, size_t nr_maps);

/* One window is opened in each period: of a second, or a shorter interval. */
uint64_t own_cost_period_ns(uint64_t interval_ns);

/* How long a window is: a tenth of the period. */
uint64_t own_cost_window_ns(uint64_t interval_ns);

/*
 * A window that cannot be opened leaves its figures absent, and says why in
 * own_cost_read(). Closing a closed one is fine.
 */
void own_cost_window_open(struct own_cost *c);
void own_cost_window_close(struct own_cost *c);

/* All windows that were closed since own_cost_read(), summed. false: none was. */
bool own_cost_last_window(const struct own_cost *c, struct own_cost_window *ret);

/*
 * The figures since the last call, which begins the next interval; or, for the
 * summary, since own_cost__new(), from all its windows.
 */
void own_cost_read(struct own_cost *c, bool summary, struct self_figures *ret);

#endif
