// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * All workloads as one object: what a kernel lacks is left out when it is
 * loaded. (The linker of libbpf 1.1 cannot join objects that call kfuncs.)
 */
#include "bench/arr_inc.bpf.c"
#include "bench/bounded.bpf.c"
#include "bench/bpf_for.bpf.c"
#include "bench/bpf_for_const.bpf.c"
#include "bench/bpf_loop.bpf.c"
#include "bench/bpf_loop_indirect.bpf.c"
#include "bench/bpf_repeat.bpf.c"
#include "bench/can_loop.bpf.c"
#include "bench/clock.bpf.c"
#include "bench/floor.bpf.c"
#include "bench/glob_arr_inc.bpf.c"
#include "bench/hash_inc.bpf.c"
#include "bench/pace.bpf.c"
#include "bench/plain_loop.bpf.c"
#include "bench/shape_7_3.bpf.c"
#include "bench/shape_itertrace.bpf.c"
#include "bench/shape_v3.bpf.c"
#include "bench/site_loop.bpf.c"
#include "bench/smp_id.bpf.c"
#include "bench/sweep.bpf.c"

char LICENSE[] SEC("license") = "Dual BSD/GPL";
