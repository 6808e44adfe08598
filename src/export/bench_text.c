// SPDX-License-Identifier: BSD-2-Clause
#include <math.h>
#include <string.h>

#include "base/format.h"
#include "export/bench.h"
#include "export/columns.h"

#define TEXT_LEN     160
#define BASE_COLUMNS 6 /* name, cost, least, rate, code, notes */
#define MAX_COLUMNS  (BASE_COLUMNS + BENCH_MAX_COUNTERS)

static void add_number(struct columns *c, int decimals, double value)
{
	char text[32];

	snprintf(text, sizeof(text), "%.*f", decimals, value);
	columns_add(c, isfinite(value) ? text : NULL);
}

/* JITed instructions of an iteration: "9", "12 + call", "8 + 14 called". */
static void add_code(struct columns *c, const struct bench_code *code)
{
	char text[48], calls[24] = "";

	if (code->nr_insns < 0) {
		columns_add(c, NULL);
		return;
	}
	if (code->nr_callee_insns > 0)
		snprintf(calls, sizeof(calls), " + %d called", code->nr_callee_insns);
	else if (code->nr_calls > 0)
		snprintf(calls, sizeof(calls),
			 code->nr_calls > 1 ? " + %d calls" : " + call",
			 code->nr_calls);
	snprintf(text, sizeof(text), "%d%s", code->nr_insns, calls);
	columns_add(c, text);
}

static void add_notes(struct columns *c, const struct bench_result *r)
{
	char text[TEXT_LEN] = "";
	size_t at = 0;

	if (!r->is_linear)
		at += (size_t)snprintf(text + at, sizeof(text) - at,
				       "not linear: %+.0f%%; ", 100 * r->nonlinearity);
	if (r->is_bimodal)
		at += (size_t)snprintf(text + at, sizeof(text) - at,
				       "two modes: %.2f, and %.2f (%.0f%%); ",
				       r->mode_lo, r->mode_hi, 100 * r->mode_hi_share);
	if (r->is_noisy)
		at += (size_t)snprintf(text + at, sizeof(text) - at, "wide interval; ");
	if (at)
		text[at - 2] = '\0';
	columns_add(c, text);
}

static void add_counters(struct columns *c, const struct bench_result *r, size_t nr)
{
	char text[32];
	size_t i;

	for (i = 0; i < nr; i++) {
		const struct bench_counter *k = &r->counters[i];

		if (i >= r->nr_counters || !k->present) {
			columns_add(c, NULL);
			continue;
		}
		snprintf(text, sizeof(text), "%s%.2f", k->scaled ? "~" : "",
			 k->per_trip);
		columns_add(c, text);
	}
}

static void add_result(struct columns *c, const struct bench_result *r,
		       size_t nr_counters)
{
	char text[FEATURE_REASON_LEN + 32];
	size_t i;

	columns_add(c, r->name);
	if (!r->measured) {
		for (i = 0; i < BASE_COLUMNS - 2 + nr_counters; i++)
			columns_add(c, NULL);
		snprintf(text, sizeof(text), "%s%s%s",
			 r->nr_rounds ? "" : feature_state_name(r->state),
			 r->nr_rounds ? "" : ": ", r->reason);
		columns_add(c, text);
		return;
	}
	snprintf(text, sizeof(text), "%.3f [%.3f, %.3f]", r->median, r->lo, r->hi);
	columns_add(c, text);
	add_number(c, 3, r->min);
	add_number(c, 1, 1000.0 * r->nr_threads / r->median);
	add_code(c, &r->code);
	add_counters(c, r, nr_counters);
	add_notes(c, r);
}

static void print_results(FILE *out, const struct bench_report *r, int width)
{
	static const int ranks[MAX_COLUMNS] = {0, 0, 2, 1, 0};
	const char *titles[MAX_COLUMNS] = {"workload", "ns/trip [95%]", "least", "M/s",
					   "code"};
	bool right[MAX_COLUMNS] = {false, true, true, true, true};
	size_t i, j, nr_counters = 0, nr = BASE_COLUMNS - 1;
	const struct bench_result *counted = NULL;
	struct columns *c;

	for (i = 0; i < r->nr_results && !counted; i++)
		counted = r->results[i].nr_counters ? &r->results[i] : NULL;
	nr_counters = counted ? counted->nr_counters : 0;
	for (j = 0; j < nr_counters; j++) {
		right[nr] = true;
		titles[nr++] = counted->counters[j].name;
	}
	right[nr] = false;
	titles[nr++] = "";
	c = columns__new(nr, titles, right);
	if (!c)
		return;
	columns_set_ranks(c, ranks);
	for (i = 0; i < r->nr_results; i++)
		add_result(c, &r->results[i], nr_counters);
	columns_print(c, out, 0, width);
	columns__free(c);
}

static void print_pairs(FILE *out, const struct bench_report *r, int width)
{
	static const char *const titles[] = {"instead of", "there",
					     "saves ns/trip [95%]", "ratio [95%]"};
	static const bool right[] = {false, false, true, true};
	struct columns *c = r->nr_pairs ? columns__new(4, titles, right) : NULL;
	char text[TEXT_LEN];
	size_t i;

	if (!c)
		return;
	for (i = 0; i < r->nr_pairs; i++) {
		const struct bench_pair *p = &r->pairs[i];

		columns_add(c, p->than);
		columns_add(c, p->name);
		snprintf(text, sizeof(text), "%.3f [%.3f, %.3f]", p->saves, p->saves_lo,
			 p->saves_hi);
		columns_add(c, text);
		snprintf(text, sizeof(text), "%.3f [%.3f, %.3f]", p->ratio, p->ratio_lo,
			 p->ratio_hi);
		columns_add(c, text);
	}
	fputc('\n', out);
	columns_print(c, out, 0, width);
	columns__free(c);
}

/* The first row that was measured; NULL: none. */
static const struct bench_result *first_measured(const struct bench_report *r)
{
	size_t i;

	for (i = 0; i < r->nr_results; i++)
		if (r->results[i].measured)
			return &r->results[i];
	return NULL;
}

static void print_meanwhile(FILE *out, const struct bench_environment *e)
{
	fprintf(out, "meanwhile there: %.1f%% stolen by the host", e->steal_percent);
	if (e->nr_interrupts >= 0)
		fprintf(out, ", %ld interrupts", e->nr_interrupts);
	if (e->nr_switches >= 0)
		fprintf(out, ", %ld involuntary switches", e->nr_switches);
	if (isfinite(e->khz_lo))
		fprintf(out, ",\n  %.0f to %.0f MHz", e->khz_lo / 1000,
			e->khz_hi / 1000);
	else
		fputs(",\n  frequency not told", out);
	fprintf(out, ", %ld migrations\n", e->nr_migrations);
}

static void print_pace(FILE *out, const struct bench_environment *e)
{
	if (isfinite(e->pace_ns))
		fprintf(out, "pace of the core at its fastest: %.2f ns\n", e->pace_ns);
	if (e->nr_disturbed > 0)
		fprintf(out,
			"in %d of %d loads the core was slower (its frequency, or work "
			"on "
			"its other thread):\n  %s\n",
			e->nr_disturbed, e->nr_loads,
			e->are_left_out
				? "the figures are without them; --json has those "
				  "with them too"
				: "the figures are with them, as too few others are "
				  "left");
}

static void print_environment(FILE *out, const struct bench_report *r)
{
	const struct bench_environment *e = &r->environment;
	const struct bench_result *row = first_measured(r);

	if (row && e->cpu >= 0)
		fprintf(out, "\non CPU %d: ", e->cpu);
	else
		fprintf(out, "\non %d CPUs: ", row ? row->nr_threads : 0);
	if (row)
		fprintf(out, "%d rounds in %d loads of the programs%s", row->nr_rounds,
			row->nr_loads, row->nr_placements ? "" : ", addresses hidden");
	fprintf(out, "; %.1f s\n", r->took_s);
	if (isfinite(e->steal_percent))
		print_meanwhile(out, e);
	print_pace(out, e);
	if (r->no_counters[0])
		fprintf(out, "%s\n", r->no_counters);
	if (r->verdict[0])
		fprintf(out, "%s\n", r->verdict);
}

static void print_end(FILE *out, const struct bench_report *r)
{
	if (r->is_partial)
		fputs("PARTIAL: interrupted before its time\n", out);
}

void bench_print(FILE *out, const struct bench_report *r, int width)
{
	print_results(out, r, width);
	print_pairs(out, r, width);
	print_environment(out, r);
	print_end(out, r);
}

static const struct bench_result *find_cell(const struct bench_report *r,
					    const char *name, uint64_t nr_loops,
					    int nr_threads)
{
	size_t i;

	for (i = 0; i < r->nr_results; i++) {
		const struct bench_result *row = &r->results[i];

		if (row->measured && row->nr_loops == nr_loops &&
		    row->nr_threads == nr_threads && !strcmp(row->name, name))
			return row;
	}
	return NULL;
}

static void add_cell(struct columns *c, const struct bench_result *cell)
{
	char text[64];

	if (!cell) {
		columns_add(c, NULL);
		return;
	}
	snprintf(text, sizeof(text), "%.1f M/s (%.3f ns)",
		 1000.0 * cell->nr_threads / cell->median, cell->median);
	columns_add(c, text);
}

#define SWEPT_CONSTRUCTS 3

/* Rows from first on with as many threads as it has; where the next number begins. */
static size_t print_threads(FILE *out, const struct bench_report *r, size_t first,
			    int width)
{
	static const char *const titles[] = {"nr_loops", "bpf_for", "bpf_loop",
					     "can_loop"};
	static const bool right[] = {true, true, true, true};
	int nr_threads = r->results[first].nr_threads;
	struct columns *c = columns__new(1 + SWEPT_CONSTRUCTS, titles, right);
	char text[FORMAT_LEN];
	uint64_t last = 0;
	size_t i, j;

	for (i = first; i < r->nr_results && r->results[i].nr_threads == nr_threads;
	     i++) {
		uint64_t nr_loops = r->results[i].nr_loops;

		if (!c || nr_loops == last)
			continue;
		last = nr_loops;
		snprintf(text, sizeof(text), "%llu", (unsigned long long)nr_loops);
		columns_add(c, text);
		for (j = 1; j <= SWEPT_CONSTRUCTS; j++)
			add_cell(c, find_cell(r, titles[j], nr_loops, nr_threads));
	}
	fprintf(out, "\n%d thread%s\n", nr_threads,
		nr_threads > 1 ? "s, a CPU each" : "");
	if (c)
		columns_print(c, out, 2, width);
	columns__free(c);
	return i;
}

void bench_print_sweep(FILE *out, const struct bench_report *r, int width)
{
	size_t i = 0;

	while (i < r->nr_results) {
		const struct bench_result *row = &r->results[i];

		if (row->nr_threads) {
			i = print_threads(out, r, i, width);
			continue;
		}
		fprintf(out, "%s is %s: %s\n", row->name,
			feature_state_name(row->state), row->reason);
		i++;
	}
	if (r->left_out[0])
		fprintf(out, "\nnot on %s threads: there are fewer CPUs\n",
			r->left_out);
	fprintf(out, "\n%.1f s; --json has the intervals\n", r->took_s);
	print_end(out, r);
}
