// SPDX-License-Identifier: BSD-2-Clause
/*
 * Do five runs in a row of "itertrace bench bpf_for bpf_loop can_loop" agree? Beside
 * them, taken in the same minutes, batches that are timed plainly: one load, one run
 * of a million trips. A run that calls the machine too noisy, or whose pace shows that
 * the core was slower throughout than in the others, is made again, up to as many
 * times, and said. Part of "make bench". Not a test: a loaded machine may miss the bar. Exit
 * status 1 if it was missed.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/time.h"
#include "bench/bench.h"
#include "bench/programs.h"
#include "stat/quantile.h"

#define RUNS        5
#define RUN_NS      (18 * NSEC_PER_SEC) /* as long as itertrace bench takes */
#define PLAIN_TRIPS 1000000
#define BAR         0.05
#define SLOWER      1.15 /* in pace: no run to compare with */
#define MAX_REPEATS RUNS

static const struct {
	enum workload_id id;
	bool has_bar;
} asked[] = {
	{WORKLOAD_BPF_FOR, true},
	{WORKLOAD_BPF_LOOP, true},
	{WORKLOAD_CAN_LOOP, true},
	{WORKLOAD_FLOOR, false},
};
#define NR_ASKED (sizeof(asked) / sizeof(asked[0]))

/* ns a trip; 0: this kernel has none. */
struct figures {
	double in_rounds[NR_ASKED][RUNS];
	double plain[NR_ASKED][RUNS];
	double pace[RUNS];
	bool is_noisy[RUNS]; /* by its own verdict */
};

static workload_set asked_set(void)
{
	workload_set set = 0;
	size_t i;

	for (i = 0; i < NR_ASKED; i++)
		set |= WORKLOAD_BIT(asked[i].id);
	return set;
}

static int measure_in_rounds(struct probe *probe, int run, struct figures *f,
			     struct reason *why)
{
	struct bench_options options = {
		.set = asked_set(), .budget_ns = RUN_NS, .nr_threads = 1};
	struct bench_report *r = calloc(1, sizeof(*r));
	size_t i, j;
	int err;

	if (!r)
		return reason_set(why, -ENOMEM, "out of memory");
	err = bench_run(probe, &options, r, why);
	for (i = 0; !err && i < NR_ASKED; i++)
		for (j = 0; j < r->nr_results; j++)
			if (r->results[j].measured &&
			    !strcmp(r->results[j].name, workloads[asked[i].id].name))
				f->in_rounds[i][run] = r->results[j].median;
	f->pace[run] = r->environment.pace_ns;
	f->is_noisy[run] = r->verdict[0] != '\0';
	if (!err && r->verdict[0])
		printf("run %d: %s\n", run + 1, r->verdict);
	free(r);
	return err;
}

static int time_plainly(struct probe *probe, int run, struct figures *f,
			struct reason *why)
{
	struct programs *p = NULL;
	const struct runner *runner;
	size_t i;
	int err;

	err = programs__new(probe, asked_set(), false, &p, why);
	if (err)
		return err;
	runner = programs_runner(p);
	err = runner->load(runner->context, why);
	for (i = 0; !err && i < NR_ASKED; i++) {
		enum workload_id id = asked[i].id;
		struct bench_run r = {.nr = PLAIN_TRIPS / workloads[id].batch};

		if (!(programs_possible(p) & WORKLOAD_BIT(id)))
			continue;
		err = runner->run(runner->context, id, &r, why);
		f->plain[i][run] = (double)r.ns / (double)r.trips;
	}
	programs__free(p);
	return err;
}

static double spread(const double *values)
{
	double sorted[RUNS];

	memcpy(sorted, values, sizeof(sorted));
	stat_sort(sorted, RUNS);
	return (sorted[RUNS - 1] - sorted[0]) / stat_median(sorted, RUNS);
}

static void print_values(const double *values)
{
	int i;

	printf("  %5.1f%%  (", 100 * spread(values));
	for (i = 0; i < RUNS; i++)
		printf("%s%.3f", i ? " " : "", values[i]);
	putchar(')');
}

/* 1: the bar was missed. */
static int print_row(const struct figures *f, size_t i)
{
	bool missed = asked[i].has_bar && spread(f->in_rounds[i]) > BAR;

	printf("%-10s", workloads[asked[i].id].name);
	if (f->in_rounds[i][0] <= 0) {
		puts("  this kernel has none");
		return 0;
	}
	print_values(f->in_rounds[i]);
	if (asked[i].has_bar)
		printf("  bar %.0f%%: %s", 100 * BAR, missed ? "MISSED" : "met   ");
	else
		printf("  no bar        ");
	fputs("  plainly timed:", stdout);
	print_values(f->plain[i]);
	putchar('\n');
	return missed;
}

static int measure(struct probe *probe, int run, struct figures *f, struct reason *why)
{
	int err = measure_in_rounds(probe, run, f, why);

	return err ? err : time_plainly(probe, run, f, why);
}

/* The first run that has nothing to say beside the others; RUNS: there is none. */
static int find_disturbed(const struct figures *f)
{
	double best = f->pace[0];
	int i;

	for (i = 0; i < RUNS; i++)
		best = f->pace[i] < best ? f->pace[i] : best;
	for (i = 0; i < RUNS; i++)
		if (f->is_noisy[i] || f->pace[i] > SLOWER * best)
			break;
	return i;
}

static int repeat_disturbed(struct probe *probe, struct figures *f, struct reason *why)
{
	int repeats, run, err;

	for (repeats = 0; repeats < MAX_REPEATS; repeats++) {
		run = find_disturbed(f);
		if (run == RUNS)
			return 0;
		printf("run %d is made again: its pace was %.2f ns\n", run + 1,
		       f->pace[run]);
		err = measure(probe, run, f, why);
		if (err)
			return err;
	}
	if (find_disturbed(f) < RUNS)
		puts("the machine is too noisy to compare runs");
	return 0;
}

int main(void)
{
	struct figures f = {0};
	struct probe *probe = NULL;
	struct reason why = {""};
	int run, err, missed = 0;
	size_t i;

	err = probe__new(&probe, &why);
	for (run = 0; !err && run < RUNS; run++)
		err = measure(probe, run, &f, &why);
	if (!err)
		err = repeat_disturbed(probe, &f, &why);
	probe__free(probe);
	if (err) {
		fprintf(stderr, "agree: %s\n", why.text);
		return 4;
	}
	printf("spread, (max - min) / median, of %d runs of %d s of itertrace bench; "
	       "ns a trip\n",
	       RUNS, (int)(RUN_NS / NSEC_PER_SEC));
	for (i = 0; i < NR_ASKED; i++)
		missed |= print_row(&f, i);
	return missed;
}
