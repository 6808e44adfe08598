// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The workloads whose loops are empty, with bodies that count: what they report is
 * checked against that. And one that lies, which such a check must find.
 */
#include "loop.bpf.h"

__u64 counted;

#define BENCH_BODY() (counted++)

#include "bench/bounded.bpf.c"
#include "bench/bpf_for.bpf.c"
#include "bench/bpf_for_const.bpf.c"
#include "bench/bpf_loop.bpf.c"
#include "bench/bpf_loop_indirect.bpf.c"
#include "bench/bpf_repeat.bpf.c"
#include "bench/can_loop.bpf.c"
#include "bench/clock.bpf.c"
#include "bench/plain_loop.bpf.c"
#include "bench/site_loop.bpf.c"
#include "bench/smp_id.bpf.c"
#include "bench/sweep.bpf.c"

char LICENSE[] SEC("license") = "Dual BSD/GPL";

BENCH(lies, nr)
{
	bpf_loop(nr / 2, no_body, NULL, 0);
	return nr;
}
