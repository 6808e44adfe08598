// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * What one trip of each loop construct costs, with an empty body.
 *
 * User space runs every program with two numbers of trips and takes the
 * difference, so that the clock and the way in cancel out. A loop whose bound
 * the verifier must see is written for BENCH_BATCH trips and repeated by
 * bpf_loop; its cost, once a batch, is a two-thousandth of a trip.
 */
#include "bench.h"
#define NR_SITES NR_BENCH_SITES
#include "site.bpf.h"

char LICENSE[] SEC("license") = "Dual BSD/GPL";

#define __stringify(x) #x
#define stringify(x)   __stringify(x)

SEC("?syscall")
int bench_bpf_for(struct bench_run *run)
{
	__u64 since = bpf_ktime_get_ns();
	int i, nr = run->nr;

	bpf_for (i, 0, nr)
		;
	run->ns = bpf_ktime_get_ns() - since;
	return 0;
}

static long no_body(__u64 i, void *ctx)
{
	return 0;
}

SEC("?syscall")
int bench_bpf_loop(struct bench_run *run)
{
	__u64 since = bpf_ktime_get_ns();

	bpf_loop(run->nr, no_body, NULL, 0);
	run->ns = bpf_ktime_get_ns() - since;
	return 0;
}

SEC("?syscall")
int bench_can_loop(struct bench_run *run)
{
	__u64 since = bpf_ktime_get_ns();
	__u32 i = loops_zero, nr = run->nr;

	for (; i < nr && can_loop; i++)
		;
	run->ns = bpf_ktime_get_ns() - since;
	return 0;
}

/* The least that a loop can cost: a register and a branch. */
static long floor_batch(__u64 i, void *ctx)
{
	asm volatile("w1 = 0;"
		     "floor_%=:"
		     "w1 += 1;"
		     "if w1 < " stringify(BENCH_BATCH) " goto floor_%=;" ::
			     : "r1");
	return 0;
}

SEC("?syscall")
int bench_floor(struct bench_run *run)
{
	__u64 since = bpf_ktime_get_ns();

	bpf_loop(run->nr, floor_batch, NULL, 0);
	run->ns = bpf_ktime_get_ns() - since;
	return 0;
}

/*
 * A trip of bpf_for where the kernel inlines the iterator as Linux 7.3 does:
 * the argument, what stands for the call of bpf_iter_num_next(), and the
 * program's own NULL check, load and bound. The two halves of the state lie in
 * a slot each, since the verifier keeps no constants of half slots and could
 * not count the trips.
 */
static long shape_7_3_batch(__u64 i, void *ctx)
{
	asm volatile("w0 = -1;"
		     "*(u32 *)(r10 - 8) = w0;"
		     "w0 = " stringify(BENCH_BATCH) ";"
						    "*(u32 *)(r10 - 16) = w0;"
						    "w3 = w0;"
						    "trip_%=:"
						    "r1 = r10;"
						    "r1 += -16;"
						    "w0 = *(u32 *)(r1 + 8);"
						    "w0 += 1;"
						    "w2 = *(u32 *)(r1 + 0);"
						    "if w0 s>= w2 goto exhausted_%=;"
						    "*(u32 *)(r1 + 8) = w0;"
						    "r0 = r1;"
						    "goto next_%=;"
						    "exhausted_%=:"
						    "w0 = 0;"
						    "*(u64 *)(r1 + 8) = r0;"
						    "next_%=:"
						    "if r0 == 0 goto out_%=;"
						    "w1 = *(u32 *)(r0 + 8);"
						    "if w1 < w3 goto trip_%=;"
						    "out_%=:" ::
							    : "r0", "r1", "r2", "r3",
							      "memory");
	return 0;
}

SEC("?syscall")
int bench_shape_7_3(struct bench_run *run)
{
	__u64 since = bpf_ktime_get_ns();

	bpf_loop(run->nr, shape_7_3_batch, NULL, 0);
	run->ns = bpf_ktime_get_ns() - since;
	return 0;
}

/* The clock itself: the reading that ends one run of a timed entry. */
static long read_clock(__u64 i, void *ctx)
{
	bpf_ktime_get_ns();
	return 0;
}

SEC("?syscall")
int bench_clock(struct bench_run *run)
{
	__u64 since = bpf_ktime_get_ns();

	bpf_loop(run->nr, read_clock, NULL, 0);
	run->ns = bpf_ktime_get_ns() - since;
	return 0;
}

/* A pair: the same loop of BENCH_SITE_TRIPS trips, plain and as a site. */
static long plain_loop(__u64 n, void *ctx)
{
	int i;

	bpf_for (i, 0, BENCH_SITE_TRIPS)
		;
	return 0;
}

SEC("?syscall")
int bench_plain_loop(struct bench_run *run)
{
	__u64 since = bpf_ktime_get_ns();

	bpf_loop(run->nr, plain_loop, NULL, 0);
	run->ns = bpf_ktime_get_ns() - since;
	return 0;
}

static long site_loop_entry(__u64 n, void *ctx)
{
	int i;

	site_for (SITE_BENCH, i, 0, BENCH_SITE_TRIPS)
		;
	return 0;
}

SEC("?syscall")
int bench_site_loop(struct bench_run *run)
{
	__u64 since = bpf_ktime_get_ns();

	bpf_loop(run->nr, site_loop_entry, NULL, 0);
	run->ns = bpf_ktime_get_ns() - since;
	return 0;
}
