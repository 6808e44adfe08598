// SPDX-License-Identifier: BSD-2-Clause
/*
 * Do five runs in a row of "itertrace bench bpf_for bpf_loop can_loop" agree? Beside
 * them, taken in the same minutes, batches that are timed plainly: one load, one run
 * of a million trips. Part of "make bench". Not a test: a loaded machine may miss the bar. Exit
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

int main(void)
{
	struct figures f = {0};
	struct probe *probe = NULL;
	struct reason why = {""};
	int run, err, missed = 0;
	size_t i;

	err = probe__new(&probe, &why);
	for (run = 0; !err && run < RUNS; run++) {
		err = measure_in_rounds(probe, run, &f, &why);
		if (!err)
			err = time_plainly(probe, run, &f, &why);
	}
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
