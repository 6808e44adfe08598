// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <string.h>

#include "bench/workload.h"
#include "bpf/bench.h"

#define ITERATOR "bpf_iter_num_next"
#define HELPER   "bpf_loop"

/* clang-format off */
const struct workload workloads[NR_WORKLOADS] = {
	[WORKLOAD_BPF_FOR] = {
		"bpf_for", "the numeric iterator as this kernel runs it",
		"bench_bpf_for", { ITERATOR }, 1, true },
	[WORKLOAD_BPF_FOR_CONST] = {
		"bpf_for_const", "the same with bounds that the verifier knows",
		"bench_bpf_for_const", { ITERATOR, HELPER }, BENCH_BATCH, true },
	[WORKLOAD_BPF_REPEAT] = {
		"bpf_repeat", "the same without a loop variable",
		"bench_bpf_repeat", { ITERATOR }, 1, false },
	[WORKLOAD_BPF_LOOP] = {
		"bpf_loop", "the helper, one callback",
		"bench_bpf_loop", { HELPER }, 1, true },
	[WORKLOAD_BPF_LOOP_INDIRECT] = {
		"bpf_loop_indirect", "the helper, its callback chosen at run time",
		"bench_bpf_loop_indirect", { HELPER }, 1, true },
	[WORKLOAD_CAN_LOOP] = {
		"can_loop", "may_goto",
		"bench_can_loop", { "may_goto" }, 1, true },
	[WORKLOAD_BOUNDED] = {
		"bounded", "a C loop that the verifier walks",
		"bench_bounded", { HELPER }, BENCH_LONG_BATCH, true },
	[WORKLOAD_FLOOR] = {
		"floor", "a register and a branch: no loop costs less",
		"bench_floor", { HELPER }, BENCH_LONG_BATCH, true },
	[WORKLOAD_SHAPE_V3] = {
		"shape_v3", "bpf_for inlined as first proposed, by hand",
		"bench_shape_v3", { HELPER }, BENCH_BATCH, true },
	[WORKLOAD_SHAPE_7_3] = {
		"shape_7.3", "bpf_for inlined as by Linux 7.3, by hand",
		"bench_shape_7_3", { HELPER }, BENCH_BATCH, true },
	[WORKLOAD_SHAPE_ITERTRACE] = {
		"shape_itertrace", "bpf_for inlined as by our kernel patches, by hand",
		"bench_shape_itertrace", { HELPER }, BENCH_BATCH, true },
	[WORKLOAD_GLOB_ARR_INC] = {
		"glob-arr-inc", "add 1 in a global array indexed by the CPU",
		"bench_glob_arr_inc", { HELPER }, BENCH_BATCH, true },
	[WORKLOAD_ARR_INC] = {
		"arr-inc", "add 1 in a PERCPU_ARRAY",
		"bench_arr_inc", { HELPER }, BENCH_BATCH, true },
	[WORKLOAD_HASH_INC] = {
		"hash-inc", "add 1 in a PERCPU_HASH",
		"bench_hash_inc", { HELPER }, BENCH_SHORT_BATCH, true },
	[WORKLOAD_SMP_ID] = {
		"smp-id", "bpf_get_smp_processor_id()",
		"bench_smp_id", { HELPER }, BENCH_LONG_BATCH, true },
	[WORKLOAD_CLOCK] = {
		"clock", "one reading of the clock",
		"bench_clock", { HELPER }, 1, true },
	[WORKLOAD_PACE] = {
		"pace", "the core's own speed: additions in a straight line",
		"bench_pace", { HELPER }, 1, true },
	[WORKLOAD_PLAIN_LOOP] = {
		"plain_loop", "a bpf_for loop of 64 trips",
		"bench_plain_loop", { ITERATOR, HELPER }, 1, true },
	[WORKLOAD_SITE_LOOP] = {
		"site_loop", "the same loop as a site",
		"bench_site_loop", { ITERATOR, "may_goto" }, 1, true },
};
/* clang-format on */

int workload_find(const char *name, enum workload_id *ret)
{
	int i;

	for (i = 0; i < NR_LISTED_WORKLOADS; i++) {
		if (!strcmp(name, workloads[i].name)) {
			*ret = (enum workload_id)i;
			return 0;
		}
	}
	return -EINVAL;
}
