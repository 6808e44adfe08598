// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * For the sweep over trip counts: whole loops of run->loop trips each, so that
 * what a loop costs once shows where its trips are few.
 */
#include "bench.bpf.h"

struct sweep {
	__u64 loop;  /* trips of a loop */
	__u64 trips; /* made so far */
};

#define BENCH_SWEEP(name)                                  \
	SEC("?syscall")                                    \
	int bench_sweep_##name(struct bench_run *run)      \
	{                                                  \
		struct sweep s = {.loop = run->loop};      \
		__u64 since;                               \
                                                           \
		run->cpu = bpf_get_smp_processor_id();     \
		since = bpf_ktime_get_ns();                \
		bpf_loop(run->nr, sweep_##name, &s, 0);    \
		run->ns = bpf_ktime_get_ns() - since;      \
		run->trips = s.trips;                      \
		run->cpu_end = bpf_get_smp_processor_id(); \
		return 0;                                  \
	}

static long sweep_bpf_for(__u64 n, struct sweep *s)
{
	int i = -1, end = s->loop;

	bpf_for (i, 0, end)
		BENCH_BODY();
	s->trips += i + 1;
	return 0;
}

BENCH_SWEEP(bpf_for)

static long sweep_no_body(__u64 i, void *context)
{
	BENCH_BODY();
	return 0;
}

static long sweep_bpf_loop(__u64 n, struct sweep *s)
{
	s->trips += bpf_loop(s->loop, sweep_no_body, NULL, 0);
	return 0;
}

BENCH_SWEEP(bpf_loop)

static __u64 sweep_zero;

static long sweep_can_loop(__u64 n, struct sweep *s)
{
	__u64 i = sweep_zero, end = s->loop;

	for (; i < end && can_loop; i++)
		BENCH_BODY();
	s->trips += i;
	return 0;
}

BENCH_SWEEP(can_loop)
