// SPDX-License-Identifier: BSD-2-Clause
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/time.h"
#include "bench.skel.h"
#include "bench/programs.h"
#include "bench/static_cost.h"
#include "kernel/dead_code.h"
#include "kernel/interpreter.h"
#include "kernel/libbpf_log.h"
#include "kernel/refusal.h"

#define MAX_FUNCTIONS 4

struct lack {
	enum feature_state state;
	char reason[FEATURE_REASON_LEN];
};

struct programs {
	struct bench_bpf *skel;
	struct runner runner;
	workload_set set, possible;
	bool has_sweep, has_iterator;
	struct lack lacks[NR_WORKLOADS];
	int hot_function[NR_WORKLOADS]; /* where the loop is; -1: not known */
	int placement[NR_WORKLOADS];    /* of this load */
};

static const char *const sweep_programs[NR_WORKLOADS] = {
	[WORKLOAD_BPF_FOR] = "bench_sweep_bpf_for",
	[WORKLOAD_BPF_LOOP] = "bench_sweep_bpf_loop",
	[WORKLOAD_CAN_LOOP] = "bench_sweep_can_loop",
};

/* Does this kernel have all that a workload needs? */
static bool is_possible(struct probe *probe, const struct workload *w,
			struct lack *lack)
{
	enum feature_state state;
	struct feature f;
	size_t i;
	int err;

	for (i = 0; i < WORKLOAD_MAX_NEEDS && w->needs[i]; i++) {
		err = probe_state(probe, w->needs[i], &state);
		if (!err && state != FEATURE_UNSUPPORTED && state != FEATURE_REFUSED)
			continue;
		if (!err)
			err = probe_feature(probe, w->needs[i], &f);
		lack->state = err ? FEATURE_UNKNOWN : state;
		snprintf(lack->reason, sizeof(lack->reason), "%s: %.200s", w->needs[i],
			 err ? strerror(-err) : f.reason);
		return false;
	}
	return true;
}

static struct bpf_program *find_program(const struct programs *p, enum workload_id id)
{
	return bpf_object__find_program_by_name(p->skel->obj, workloads[id].program);
}

int programs_fd(const struct programs *p, enum workload_id id)
{
	if (!p->skel || !(p->possible & WORKLOAD_BIT(id)))
		return -1;
	return bpf_program__fd(find_program(p, id));
}

/* The address of the function with the loop, modulo a cache line; -1: hidden. */
static int find_placement(const struct programs *p, enum workload_id id)
{
	__u64 addrs[MAX_FUNCTIONS] = {0};
	struct bpf_prog_info info = {
		.nr_jited_ksyms = MAX_FUNCTIONS,
		.jited_ksyms = (__u64)(uintptr_t)addrs,
	};
	__u32 len = sizeof(info);
	int hot = p->hot_function[id];

	if (hot < 0 || hot >= MAX_FUNCTIONS ||
	    bpf_obj_get_info_by_fd(programs_fd(p, id), &info, &len) || !addrs[hot])
		return -1;
	return (int)(addrs[hot] % BENCH_CACHE_LINE);
}

/* Which function holds the loop does not change from load to load. */
static void find_hot_functions(struct programs *p)
{
	struct static_cost cost;
	int i;

	for (i = 0; i < NR_WORKLOADS; i++) {
		p->hot_function[i] = -1;
		if (!(p->possible & WORKLOAD_BIT(i)))
			continue;
		if (!static_cost_read(programs_fd(p, (enum workload_id)i), &cost, NULL))
			p->hot_function[i] = (int)cost.func;
	}
}

/* The value that hash-inc adds to has to be there. */
static int prepare_maps(struct programs *p)
{
	int nr_cpus = libbpf_num_possible_cpus(), err;
	__u32 key = 0;
	__u64 *zeros;

	if (nr_cpus < 0)
		return nr_cpus;
	zeros = calloc((size_t)nr_cpus, sizeof(*zeros));
	if (!zeros)
		return -ENOMEM;
	err = bpf_map_update_elem(bpf_map__fd(p->skel->maps.hash), &key, zeros,
				  BPF_ANY);
	free(zeros);
	return err;
}

static int programs_load(void *context, struct reason *why)
{
	struct programs *p = context;
	bool first = !p->skel;
	struct bpf_program *program;
	int i, err;

	bench_bpf__destroy(p->skel);
	p->skel = bench_bpf__open();
	if (!p->skel)
		return reason_set(why, -errno, "cannot open the workloads: %s",
				  strerror(errno));
	for (i = 0; i < NR_WORKLOADS; i++) {
		program = find_program(p, (enum workload_id)i);
		bpf_program__set_autoload(program, p->possible & WORKLOAD_BIT(i));
		program = sweep_programs[i] ? bpf_object__find_program_by_name(
						      p->skel->obj, sweep_programs[i])
					    : NULL;
		if (program)
			bpf_program__set_autoload(
				program, p->has_sweep && p->possible & WORKLOAD_BIT(i));
	}
	if (!p->has_iterator)
		dead_code_expect_no_kfuncs(p->skel->obj);
	libbpf_log_clear();
	err = bench_bpf__load(p->skel);
	if (err) {
		refusal_describe("the workloads", err, libbpf_log_text(), why);
		return err;
	}
	err = prepare_maps(p);
	if (err)
		return reason_set(why, err, "cannot prepare the workloads' maps: %s",
				  strerror(-err));
	if (first)
		find_hot_functions(p);
	for (i = 0; i < NR_WORKLOADS; i++)
		p->placement[i] = find_placement(p, (enum workload_id)i);
	return 0;
}

static int run_program(int fd, struct bench_run *r, const char *name,
		       struct reason *why)
{
	/* A syscall program's context is copied back to where it came from. */
	LIBBPF_OPTS(bpf_test_run_opts, opts, .ctx_in = r, .ctx_size_in = sizeof(*r));
	int err;

	err = bpf_prog_test_run_opts(fd, &opts);
	if (err)
		return reason_set(why, err, "cannot run %s: %s", name, strerror(-err));
	return 0;
}

static int programs_run(void *context, enum workload_id id, struct bench_run *r,
			struct reason *why)
{
	struct programs *p = context;
	int err;

	err = run_program(programs_fd(p, id), r, workloads[id].name, why);
	if (!err && !workloads[id].counts_trips)
		r->trips = r->nr * workloads[id].batch;
	return err;
}

static uint64_t programs_trips(void *context, enum workload_id id, uint64_t nr)
{
	(void)context;
	return nr * workloads[id].batch;
}

static int programs_placement(void *context, enum workload_id id)
{
	struct programs *p = context;

	return p->placement[id];
}

static uint64_t programs_now(void *context)
{
	(void)context;
	return time_ns(CLOCK_MONOTONIC);
}

int programs__new(struct probe *probe, workload_set set, bool sweep,
		  struct programs **ret, struct reason *why)
{
	struct lack no_iterator;
	struct programs *p;
	bool has_iterator =
		is_possible(probe, &workloads[WORKLOAD_BPF_FOR], &no_iterator);
	int i, err;

	err = interpreter_check(has_iterator, why);
	if (err)
		return err;
	p = calloc(1, sizeof(*p));
	if (!p)
		return reason_set(why, -ENOMEM, "out of memory");
	p->runner = (struct runner){
		.load = programs_load,
		.trips = programs_trips,
		.run = programs_run,
		.placement = programs_placement,
		.now_ns = programs_now,
		.context = p,
	};
	p->set = set;
	p->has_sweep = sweep;
	p->has_iterator = has_iterator;
	for (i = 0; i < NR_WORKLOADS; i++)
		if (set & WORKLOAD_BIT(i) &&
		    is_possible(probe, &workloads[i], &p->lacks[i]))
			p->possible |= WORKLOAD_BIT(i);
	*ret = p;
	return 0;
}

void programs__free(struct programs *p)
{
	if (!p)
		return;
	bench_bpf__destroy(p->skel);
	free(p);
}

workload_set programs_possible(const struct programs *p)
{
	return p->possible;
}

void programs_lack(const struct programs *p, enum workload_id id,
		   struct bench_result *ret)
{
	*ret = (struct bench_result){
		.name = workloads[id].name,
		.state = p->lacks[id].state,
	};
	memcpy(ret->reason, p->lacks[id].reason, sizeof(ret->reason));
}

int programs_sweep(struct programs *p, enum workload_id id, struct bench_run *r,
		   struct reason *why)
{
	struct bpf_program *program;

	if (!sweep_programs[id])
		return reason_set(why, -ENOTSUP, "there is no sweep of %s",
				  workloads[id].name);
	program = bpf_object__find_program_by_name(p->skel->obj, sweep_programs[id]);
	return run_program(bpf_program__fd(program), r, sweep_programs[id], why);
}

const struct runner *programs_runner(const struct programs *p)
{
	return &p->runner;
}
