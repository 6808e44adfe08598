// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "base/time.h"
#include "bench/bench.h"
#include "bpf/bench.h"
#include "bench.skel.h"
#include "kernel/libbpf_log.h"
#include "kernel/refusal.h"
#include "stat/quantile.h"

#define MAX_ROUNDS 1000
#define MIN_ROUNDS 3

struct bench {
	struct bench_bpf *skel;
	double rounds[NR_BENCH_WORKLOADS][MAX_ROUNDS];
	int nr_rounds[NR_BENCH_WORKLOADS];
	char reason[NR_BENCH_WORKLOADS][FEATURE_REASON_LEN];
};

/*
 * nr is what the program is told, per what its time is divided by for each of
 * those; both chosen for a run of 50 to 200 us.
 */
static const struct workload {
	const char *name;
	const char *program;
	const char *needs[2]; /* rows of the table of constructs */
	unsigned int nr;
	unsigned int per;
} workloads[NR_BENCH_WORKLOADS] = {
	[BENCH_BPF_FOR] = {"bpf_for", "bench_bpf_for", {"bpf_iter_num_next"}, 50000, 1},
	[BENCH_BPF_LOOP] = {"bpf_loop", "bench_bpf_loop", {"bpf_loop"}, 50000, 1},
	[BENCH_CAN_LOOP] = {"can_loop", "bench_can_loop", {"may_goto"}, 50000, 1},
	[BENCH_FLOOR] = {"floor", "bench_floor", {"bpf_loop"}, 40, BENCH_BATCH},
	[BENCH_SHAPE_7_3] =
		{"shape_7.3", "bench_shape_7_3", {"bpf_loop"}, 20, BENCH_BATCH},
	[BENCH_CLOCK] = {"clock", "bench_clock", {"bpf_loop"}, 4000, 1},
	[BENCH_PLAIN_LOOP] = {"plain_loop",
			      "bench_plain_loop",
			      {"bpf_iter_num_next", "bpf_loop"},
			      1000,
			      1},
	[BENCH_SITE_LOOP] = {"site_loop",
			     "bench_site_loop",
			     {"bpf_iter_num_next", "may_goto"},
			     1000,
			     1},
};

/* Does this kernel have all that a workload needs? If not, say so in why. */
static bool workload_possible(struct probe *probe, const struct workload *w, char *why)
{
	enum feature_state state;
	struct feature f;
	size_t i;
	int err;

	for (i = 0; i < 2 && w->needs[i]; i++) {
		err = probe_state(probe, w->needs[i], &state);
		if (!err && state != FEATURE_UNSUPPORTED && state != FEATURE_REFUSED)
			continue;
		if (!err)
			err = probe_feature(probe, w->needs[i], &f);
		snprintf(why, FEATURE_REASON_LEN, "%s is %s: %.160s", w->needs[i],
			 err ? "not known" : feature_state_name(state),
			 err ? strerror(-err) : f.reason);
		return false;
	}
	return true;
}

int bench__new(struct probe *probe, struct bench **ret, struct reason *why)
{
	struct bpf_program *program;
	struct bench *b;
	int i, err;

	b = calloc(1, sizeof(*b));
	if (!b)
		return reason_set(why, -ENOMEM, "out of memory");
	b->skel = bench_bpf__open();
	if (!b->skel) {
		err = reason_set(why, -errno,
				 "cannot open the benchmark's programs: %s",
				 strerror(errno));
		goto out;
	}
	for (i = 0; i < NR_BENCH_WORKLOADS; i++) {
		program = bpf_object__find_program_by_name(b->skel->obj,
							   workloads[i].program);
		bpf_program__set_autoload(
			program, workload_possible(probe, &workloads[i], b->reason[i]));
	}
	libbpf_log_clear();
	err = bench_bpf__load(b->skel);
	if (err) {
		refusal_describe("the benchmark", err, libbpf_log_text(), why);
		goto out;
	}
	*ret = b;
	b = NULL;
out:
	bench__free(b);
	return err;
}

void bench__free(struct bench *b)
{
	if (!b)
		return;
	bench_bpf__destroy(b->skel);
	free(b);
}

/* ns between the clock readings around nr trips of a workload. */
static int run_once(struct bench *b, int id, unsigned int nr, double *ret_ns)
{
	struct bench_run run = {.nr = nr};
	/* A syscall program's context is copied back to where it came from. */
	LIBBPF_OPTS(bpf_test_run_opts, opts, .ctx_in = &run,
		    .ctx_size_in = sizeof(run));
	struct bpf_program *program;
	int err;

	program = bpf_object__find_program_by_name(b->skel->obj, workloads[id].program);
	err = bpf_prog_test_run_opts(bpf_program__fd(program), &opts);
	if (err)
		return err;
	*ret_ns = (double)run.ns;
	return 0;
}

static int run_pair(struct bench *b, int id, double *ret_ns)
{
	const struct workload *w = &workloads[id];
	double once, twice;
	int err;

	err = run_once(b, id, w->nr, &once);
	if (!err)
		err = run_once(b, id, 2 * w->nr, &twice);
	if (!err)
		*ret_ns = (twice - once) / ((double)w->nr * w->per);
	return err;
}

static void shuffle(int *ids, int nr, uint64_t *state)
{
	int i, j, swap;

	for (i = nr - 1; i > 0; i--) {
		*state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
		j = (int)((*state >> 33) % (uint64_t)(i + 1));
		swap = ids[i];
		ids[i] = ids[j];
		ids[j] = swap;
	}
}

static void summarise(struct bench *b, int id, struct bench_result *ret)
{
	double sorted[MAX_ROUNDS];
	int nr = b->nr_rounds[id];
	struct stat_interval ci;

	*ret = (struct bench_result){.name = workloads[id].name, .nr_rounds = nr};
	snprintf(ret->reason, sizeof(ret->reason), "%s", b->reason[id]);
	if (!nr)
		return;
	memcpy(sorted, b->rounds[id], sizeof(double) * (size_t)nr);
	stat_sort(sorted, (size_t)nr);
	if (stat_median_ci(sorted, (size_t)nr, &ci)) {
		snprintf(ret->reason, sizeof(ret->reason),
			 "too few rounds (%d) for an interval", nr);
		return;
	}
	ret->measured = true;
	ret->median = stat_median(sorted, (size_t)nr);
	ret->lo = ci.lo;
	ret->hi = ci.hi;
	ret->min = sorted[0];
}

/* Stay on the CPU that we are on; the mask to go back to is in *before. */
static void pin(cpu_set_t *before)
{
	cpu_set_t one;

	sched_getaffinity(0, sizeof(*before), before);
	CPU_ZERO(&one);
	CPU_SET(sched_getcpu(), &one);
	sched_setaffinity(0, sizeof(one), &one);
}

static int one_round(struct bench *b, const int *ids, int nr)
{
	int i, id, err;

	for (i = 0; i < nr; i++) {
		id = ids[i];
		err = run_pair(b, id, &b->rounds[id][b->nr_rounds[id]]);
		if (err)
			return err;
		b->nr_rounds[id]++;
	}
	return 0;
}

int bench_run_rounds(struct bench *b, unsigned int set, int max_rounds,
		     unsigned long long budget_ns, struct bench_result *results,
		     struct reason *why)
{
	uint64_t state = time_ns(CLOCK_MONOTONIC), until = state + budget_ns;
	int ids[NR_BENCH_WORKLOADS], nr = 0, i, round, err = 0;
	cpu_set_t before;

	for (i = 0; i < NR_BENCH_WORKLOADS; i++) {
		b->nr_rounds[i] = 0;
		if (set & 1U << i && !b->reason[i][0])
			ids[nr++] = i;
	}
	if (max_rounds > MAX_ROUNDS)
		max_rounds = MAX_ROUNDS;
	pin(&before);
	for (round = 0; !err && round < max_rounds; round++) {
		if (round >= MIN_ROUNDS && time_ns(CLOCK_MONOTONIC) >= until)
			break;
		shuffle(ids, nr, &state);
		err = one_round(b, ids, nr);
	}
	sched_setaffinity(0, sizeof(before), &before);
	if (err)
		return reason_set(why, err, "cannot run a benchmark program: %s",
				  strerror(-err));
	for (i = 0; i < NR_BENCH_WORKLOADS; i++)
		if (set & 1U << i)
			summarise(b, i, &results[i]);
	return 0;
}

const double *bench_rounds(const struct bench *b, enum bench_workload_id id, int *nr)
{
	*nr = b->nr_rounds[id];
	return b->rounds[id];
}
