// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Loops whose trips the test knows, as sites. Run with BPF_PROG_RUN. */
#include "sites.h"
#define NR_SITES NR_TEST_SITES
#include "site.bpf.h"

char LICENSE[] SEC("license") = "Dual BSD/GPL";

#define stringify_(x) #x
#define stringify(x)  stringify_(x)

/*
 * The bounded backend's verifier walks every trip, and where a body treats one
 * trip unlike the others, the rest of the loop anew for each trip that could be it.
 */
#define MANY(x) ((x)&1023)
#define FEW(x)  ((x)&127)

SEC("?syscall")
int sites_count(struct sites_run *run)
{
	int i, start = MANY(run->start), end = MANY(run->end);
	__u64 sum = 0;

	site_for (SITE_COUNT, i, start, end)
		sum += i;
	run->sum = sum;
	return 0;
}

SEC("?syscall")
int sites_break(struct sites_run *run)
{
	int i, end = FEW(run->end);
	int stop = run->stop;
	__u64 sum = 0;

	site_for (SITE_BREAK, i, 0, end) {
		if (i == stop)
			break;
		sum += i;
	}
	run->sum = sum;
	return 0;
}

SEC("?syscall")
int sites_continue(struct sites_run *run)
{
	int i, end = FEW(run->end);
	int stop = run->stop;
	__u64 sum = 0;

	site_for (SITE_CONTINUE, i, 0, end) {
		if (i == stop)
			continue;
		sum += i;
	}
	run->sum = sum;
	return 0;
}

SEC("?syscall")
int sites_return(struct sites_run *run)
{
	int i, end = FEW(run->end);
	int stop = run->stop;

	site_for (SITE_RETURN, i, 0, end) {
		if (i == stop) {
			run->sum = i;
			return 7;
		}
	}
	run->sum = 0;
	return 0;
}

SEC("?syscall")
int sites_nested(struct sites_run *run)
{
	int i, j, end = FEW(run->end);
	__u64 sum = 0;

	site_for (SITE_OUTER, i, 0, end)
		site_for (SITE_INNER, j, 0, i & 15)
			sum += j;
	run->sum = sum;
	return 0;
}

struct adding {
	__u64 sum;
	int stop;
};

SITE_BODY(add_until, struct adding, i, a)
{
	if (i == a->stop)
		return false;
	a->sum += i;
	return true;
}

SEC("?syscall")
int sites_function(struct sites_run *run)
{
	struct adding adding = {.stop = run->stop};
	int start = MANY(run->start), end = MANY(run->end);

	site_loop(SITE_FUNCTION, start, end, add_until, &adding);
	run->sum = adding.sum;
	return 0;
}

SITE_BODY(add_inner, struct adding, i, a)
{
	a->sum += i;
	return true;
}

SITE_BODY(add_outer, struct adding, i, a)
{
	site_loop(SITE_FUNCTION_INNER, 0, i & 15, add_inner, a);
	return true;
}

SEC("?syscall")
int sites_function_nested(struct sites_run *run)
{
	struct adding adding = {};
	int end = FEW(run->end);

	site_loop(SITE_FUNCTION_OUTER, 0, end, add_outer, &adding);
	run->sum = adding.sum;
	return 0;
}

/* As many trips as the kernel allows: not for the bounded backend. */
SEC("?syscall")
int sites_long(struct sites_run *run)
{
	int i, end = run->end;
	__u64 sum = 0;

	site_for (SITE_LONG, i, 0, end)
		sum += i;
	run->sum = sum;
	return 0;
}

SEC("?syscall")
int sites_long_function(struct sites_run *run)
{
	struct adding adding = {};
	int end = run->end;

	site_loop(SITE_LONG_FUNCTION, 0, end, add_inner, &adding);
	run->sum = adding.sum;
	return 0;
}

/*
 * Takes a time that depends on the CPU's clock alone: each multiplication waits
 * for the one before, and so hides where in the cache the code happens to lie.
 */
static __always_inline void work(void)
{
	asm volatile("w1 = 0;"
		     "r2 = 3;"
		     "work_%=:"
		     "r2 *= r2;"
		     "w1 += 1;"
		     "if w1 < " stringify(WORK_TURNS) " goto work_%=;" ::
			     : "r1", "r2");
}

/* How long it was. */
static __always_inline __u64 wait_ns(__u32 ns)
{
	__u64 since = bpf_ktime_get_ns(), waited = 0;
	int i;

	bpf_for (i, 0, 1000000) {
		waited = bpf_ktime_get_ns() - since;
		if (waited >= ns)
			break;
	}
	return waited;
}

/* What a trip of the site below costs, had without the site. */
SEC("?syscall")
int sites_plain_work(struct sites_run *run)
{
	__u64 since = bpf_ktime_get_ns();
	int i, end = run->end;

	bpf_for (i, 0, end)
		work();
	run->ns = bpf_ktime_get_ns() - since;
	return 0;
}

SEC("?syscall")
int sites_work(struct sites_run *run)
{
	__u32 delay_ns = run->delay_ns;
	int i, end = run->end;
	__u64 waited = 0;

	site_for (SITE_WORK, i, 0, end) {
		if (delay_ns) {
			waited = wait_ns(delay_ns);
			delay_ns = 0;
		}
		work();
	}
	run->ns = waited;
	return 0;
}
