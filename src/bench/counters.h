/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The processor's counters around a piece of work of the calling thread: kernel
 * mode only, which is where BPF programs run. Hardware events only: where one is
 * not to be had, its value is absent, and nothing stands in for it.
 *
 * Two groups, each of which is on the processor as a whole or not at all: cycles,
 * instructions, branches, branch misses; and the rest. The entry and exit of the
 * system calls that start and stop the counting are counted too, some hundred
 * instructions: take the difference of two amounts of work.
 *
 * Events beyond the kernel's generic ones, from the vendors' lists in the kernel's
 * tools/perf/pmu-events:
 *  - store-forward-blocks: loads that waited because an older store could not be
 *    forwarded. Intel LD_BLOCKS.STORE_FORWARD, event 0x03, umask 0x02 from Sandy
 *    Bridge to Rocket Lake, 0x82 from Alder Lake and Sapphire Rapids on (P-cores);
 *    AMD family 17h and later LS_BAD_STATUS2.STLI_OTHER, event 0x24, umask 0x02.
 *  - backend-stall-cycles: PERF_COUNT_HW_STALLED_CYCLES_BACKEND where the kernel
 *    knows it; on arm64 else STALL_BACKEND, raw event 0x24.
 *  - slots and backend-bound-slots, Intel from Ice Lake on, which has no such
 *    event in cycles: TOPDOWN.SLOTS_P and TOPDOWN.BACKEND_BOUND_SLOTS, event 0xa4,
 *    umasks 0x01 and 0x02; a slot is a chance to issue one micro-operation.
 * On a model that is not listed, a raw event number may mean anything: absent.
 *
 * Threads: counters belong to the thread that made them.
 */
#ifndef ITERTRACE_BENCH_COUNTERS_H
#define ITERTRACE_BENCH_COUNTERS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/reason.h"

enum counter_id {
	COUNTER_CYCLES,
	COUNTER_INSTRUCTIONS,
	COUNTER_BRANCHES,
	COUNTER_BRANCH_MISSES,
	COUNTER_STORE_FORWARD_BLOCKS,
	COUNTER_BACKEND_STALL_CYCLES,
	COUNTER_SLOTS,
	COUNTER_BACKEND_BOUND_SLOTS,
	NR_COUNTERS,
};

struct counter_value {
	bool present;
	bool scaled; /* counted for a part of the time, and extrapolated */
	double value;
};

struct counter_values {
	struct counter_value v[NR_COUNTERS];
};

struct counters;

/*
 * -ENOENT, -EOPNOTSUPP, -ENODEV: no PMU; -EACCES, -EPERM: not allowed; -ENOSYS: a
 * kernel without perf events; or another errno of perf_event_open(2). *ret is then
 * untouched and why says it, to be told once.
 */
int counters__new(struct counters **ret, struct reason *why);
void counters__free(struct counters *c); /* NULL is fine */

/* -errno of ioctl(2) or read(2). On failure *ret is untouched. */
int counters_begin(struct counters *c);
int counters_end(struct counters *c, struct counter_values *ret);

/* "cycles", "branch-misses", …; NULL: no such counter. */
const char *counters_name(unsigned int id);

/* Why a counter is absent from the start; NULL: it is there. Owned by c. */
const char *counters_absence(const struct counters *c, enum counter_id id);

/* ---- pure --------------------------------------------------------------------- */

/*
 * The value of a count of delta, of an event that was enabled for enabled_ns and
 * on the processor for running_ns of them; absent if never.
 */
struct counter_value counters_scale(uint64_t delta, uint64_t enabled_ns,
				    uint64_t running_ns);

/*
 * A PMU that says that kernel work took no cycles or no instructions counts
 * nothing, as some virtual ones do: then everything is absent.
 */
void counters_drop_dead(struct counter_values *v);

/* The processor, as CPUID has it. */
enum counters_vendor {
	VENDOR_OTHER,
	VENDOR_INTEL,
	VENDOR_AMD,
	VENDOR_ARM64,
};

struct counters_cpu {
	enum counters_vendor vendor;
	unsigned int family, model; /* extended ones included */
};

/* perf_event_attr.config of type PERF_TYPE_RAW; 0: there is none. */
uint64_t counters_raw_event(const struct counters_cpu *cpu, enum counter_id id);

#endif
