// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* With plain_loop a pair: the same loop as a site, all accounting included. */
#include "bench.bpf.h"
#define NR_SITES NR_BENCH_SITES
#include "site.bpf.h"

static long site_loop_entry(__u64 n, void *context)
{
	int i;

	site_for (SITE_BENCH, i, 0, BENCH_SITE_TRIPS)
		BENCH_BODY();
	return 0;
}

BENCH(site_loop, nr)
{
	return bpf_loop(nr, site_loop_entry, NULL, 0);
}
