// SPDX-License-Identifier: BSD-2-Clause
/*
 * count: what one trip of each loop of count.bpf.c takes, in the nanoseconds of this
 * machine's clock. Under qemu -icount shift=0 these are instructions, exactly.
 */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <stdio.h>

#include "count.skel.h"

#define ROUNDS 20

/* The least of some rounds: the others were interrupted. 0: it did not run. */
static unsigned int time_run(struct count_bpf *skel, int fd, unsigned int trips)
{
	char packet[64] = {};
	unsigned int best = ~0U;

	for (int i = 0; i < ROUNDS; i++) {
		LIBBPF_OPTS(bpf_test_run_opts, opts, .data_in = packet,
			    .data_size_in = sizeof(packet), .repeat = 1);

		skel->bss->trips = trips;
		skel->bss->sum = 0;
		if (bpf_prog_test_run_opts(fd, &opts))
			return 0;
		if (skel->bss->sum != trips * (trips - 1UL) / 2) {
			printf("the sum of %u trips came out as %lu\n", trips,
			       skel->bss->sum);
			return 0;
		}
		if (opts.duration < best)
			best = opts.duration;
	}
	return best;
}

int main(void)
{
	struct count_bpf *skel = count_bpf__open_and_load();
	struct bpf_program *prog;
	int status = 0;

	if (!skel) {
		fprintf(stderr, "count: the kernel does not load the loops\n");
		return 1;
	}
	bpf_object__for_each_program (prog, skel->obj) {
		unsigned int few = time_run(skel, bpf_program__fd(prog), 10000);
		unsigned int many = time_run(skel, bpf_program__fd(prog), 30000);

		if (few && many)
			printf("%s %.3f\n", bpf_program__name(prog),
			       ((double)many - few) / 20000);
		else
			status = 1;
	}
	count_bpf__destroy(skel);
	return status;
}
