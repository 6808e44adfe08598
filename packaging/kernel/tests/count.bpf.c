// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Loops whose body is s += i, with a bound that is not known, compiled alike. */
#include "loop.bpf.h"

char _license[] SEC("license") = "GPL";

volatile unsigned int trips;
unsigned long sum;

SEC("tc")
int count_bpf_for(void *ctx)
{
	unsigned int n = trips;
	unsigned long s = 0;
	unsigned int i;

	bpf_for (i, 0, n)
		s += i;
	sum = s;
	return 0;
}

static long add(__u32 i, unsigned long *s)
{
	*s += i;
	return 0;
}

SEC("tc")
int count_bpf_loop(void *ctx)
{
	unsigned long s = 0;

	bpf_loop(trips, add, &s, 0);
	sum = s;
	return 0;
}
