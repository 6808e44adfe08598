/* SPDX-License-Identifier: BSD-2-Clause */
/* Comparisons that are made up. */
#ifndef ITERTRACE_TESTS_MADE_COMPARISONS_H
#define ITERTRACE_TESTS_MADE_COMPARISONS_H

#include "model/comparison.h"
#include "web/made.h"

static inline int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static inline void fill_side(struct comparison_side *s, size_t nr, double median, double noise)
{
	double sorted[COMPARISON_MAX_POINTS];
	size_t i;

	*s = (struct comparison_side){.nr = nr, .nr_dots = nr};
	for (i = 0; i < nr; i++)
		s->dots[i] = median * (1 + noise * normal());
	memcpy(sorted, s->dots, sizeof(sorted));
	qsort(sorted, nr, sizeof(sorted[0]), by_value);
	s->least = sorted[0];
	s->q1 = sorted[nr / 4];
	s->median = sorted[nr / 2];
	s->q3 = sorted[3 * nr / 4];
	s->most = sorted[nr - 1];
	s->lo = nr < 6 ? NAN : sorted[nr / 2 - (size_t)sqrt((double)nr)];
	s->hi = nr < 6 ? NAN : sorted[nr / 2 + (size_t)sqrt((double)nr)];
	s->a = s->a_lo = s->a_hi = s->b = s->b_lo = s->b_hi = NAN;
	s->trips_per_s = s->mean_trips = NAN;
}

/* A site: intervals of 10 s, whose loops make 10 to 40 trips. */
static inline void fill_site(struct comparison_side *s, size_t nr, double a, double b)
{
	size_t i;

	fill_side(s, nr, b, 0.03);
	s->a = a;
	s->a_lo = 0.9 * a;
	s->a_hi = 1.1 * a;
	s->b = s->median;
	s->b_lo = s->lo;
	s->b_hi = s->hi;
	s->nr_costs = s->nr_times = nr;
	for (i = 0; i < nr; i++) {
		s->costs[i].x = 10 + 30 * uniform();
		s->costs[i].y = (a + s->dots[i] * s->costs[i].x) * (1 + 0.02 * normal());
		s->times[i].x = 10 * (double)(i + 1);
		s->times[i].y = s->dots[i];
	}
	s->trips_per_s = 125000;
	s->mean_trips = 25;
}

static inline struct comparison_row *add_row(struct comparison *c, enum comparison_kind kind,
				      const char *name, enum verdict verdict)
{
	struct comparison_row *row;

	c->rows = must(realloc(c->rows, (c->nr_rows + 1) * sizeof(*c->rows)));
	row = &c->rows[c->nr_rows++];
	*row = (struct comparison_row){.kind = kind, .verdict = verdict, .is_tested = true};
	row->measure = kind == COMPARISON_CONSTRUCT ? MEASURE_BENCH : MEASURE_SLOPE;
	TEXT(row->name, name);
	row->saves_cpu_percent = row->saves_lo = row->saves_hi = NAN;
	return row;
}

static inline void set_shift(struct comparison_row *row, double p)
{
	double error = 0.02 * row->base.median;

	row->shift = row->fresh.median - row->base.median;
	row->shift_lo = row->shift - error;
	row->shift_hi = row->shift + error;
	row->shift_percent = 100 * row->shift / row->base.median;
	row->lo = row->shift_percent - 2;
	row->hi = row->shift_percent + 2;
	row->p = p / 10;
	row->p_holm = p;
	if (row->kind != COMPARISON_SITE)
		return;
	row->saves_cpu_percent = -row->shift * row->fresh.trips_per_s * 1e-7;
	row->saves_lo = -row->shift_hi * row->fresh.trips_per_s * 1e-7;
	row->saves_hi = -row->shift_lo * row->fresh.trips_per_s * 1e-7;
}

static inline void add_site(struct comparison *c, const char *name, double b, double ratio,
		     enum verdict verdict, double p)
{
	struct comparison_row *row = add_row(c, COMPARISON_SITE, name, verdict);

	fill_site(&row->base, 36, 9 * b, b);
	fill_site(&row->fresh, 30, 9 * b, ratio * b);
	set_shift(row, p);
}

static inline void add_construct(struct comparison *c, const char *name, double b, double ratio,
			  enum verdict verdict, double p)
{
	struct comparison_row *row = add_row(c, COMPARISON_CONSTRUCT, name, verdict);

	fill_side(&row->base, 24, b, 0.02);
	fill_side(&row->fresh, 24, ratio * b, 0.02);
	set_shift(row, p);
}

static inline void add_difference(struct comparison *c, enum difference_weight weight,
			   const char *what, const char *base, const char *fresh)
{
	struct comparison_difference *d;

	c->differences = must(realloc(c->differences,
				      (c->nr_differences + 1) * sizeof(*c->differences)));
	d = &c->differences[c->nr_differences++];
	*d = (struct comparison_difference){.weight = weight};
	TEXT(d->what, what);
	TEXT(d->base, base);
	TEXT(d->fresh, fresh);
}

static inline void add_warning(struct comparison *c, const char *warning)
{
	c->warnings = must(realloc(c->warnings, (c->nr_warnings + 1) * sizeof(*c->warnings)));
	TEXT(c->warnings[c->nr_warnings], warning);
	c->nr_warnings++;
}

static inline void add_only(struct comparison_only **only, size_t *nr, enum comparison_kind kind,
		     const char *name, const char *reason)
{
	*only = must(realloc(*only, (*nr + 1) * sizeof(**only)));
	(*only)[*nr] = (struct comparison_only){.kind = kind};
	TEXT((*only)[*nr].name, name);
	TEXT((*only)[*nr].reason, reason);
	(*nr)++;
}

static inline void add_run(struct comparison *c, const char *path, const char *release, bool is_new,
		    const char *loss)
{
	struct comparison_run *run;

	c->runs = must(realloc(c->runs, (c->nr_runs + 1) * sizeof(*c->runs)));
	run = &c->runs[c->nr_runs++];
	*run = (struct comparison_run){.head = make_head(path, release), .is_new = is_new};
	run->end.nr_intervals = is_new ? 30 : 36;
	run->end.is_whole = !loss[0];
	TEXT(run->end.loss, loss);
}

static inline void begin(struct comparison *c, enum verdict verdict, const char *why)
{
	*c = (struct comparison){.threshold_percent = 5, .verdict = verdict};
	c->total = (struct comparison_total){
		.base_cpu_percent = NAN,
		.new_cpu_percent = NAN,
		.saves_cpu_percent = NAN,
		.saves_lo = NAN,
		.saves_hi = NAN,
	};
	TEXT(c->why, why);
}

static inline void add_up(struct comparison *c)
{
	struct comparison_total *t = &c->total;
	size_t i;

	t->saves_cpu_percent = t->saves_lo = t->saves_hi = 0;
	for (i = 0; i < c->nr_rows; i++) {
		if (isnan(c->rows[i].saves_cpu_percent))
			continue;
		t->saves_cpu_percent += c->rows[i].saves_cpu_percent;
		t->saves_lo += c->rows[i].saves_lo;
		t->saves_hi += c->rows[i].saves_hi;
	}
	t->base_cpu_percent = 2.6;
	t->new_cpu_percent = 2.6 - t->saves_cpu_percent;
}

static inline void make_compare(struct comparison *c)
{
	begin(c, VERDICT_SLOWER,
	      "1 of 9 rows is slower on 7.3.4+deb13-amd64, runq.merge_slots by 12% [10, 14]; 3 are "
	      "faster, and in 4 there is no difference that matters.");
	add_run(c, "recordings/base-1.itr", "6.12.117+deb13-amd64", false, "");
	add_run(c, "recordings/new-1.itr", "7.3.4+deb13-amd64", true,
		"the last interval is missing: the file ends in the middle of line 32");
	add_warning(c, "one boot a side proves little: what differs from boot to boot is not in "
		       "these intervals; record at least two boots of each kernel");
	add_difference(c, DIFFERENCE_CAUSE, "CONFIG_PREEMPT", "n", "y");
	add_difference(c, DIFFERENCE_CAUSE, "mitigation retbleed", "Vulnerable",
		       "Mitigation: untrained return thunk");
	add_difference(c, DIFFERENCE_WARNING, "host", "db-17.example.net", "db-18.example.net");
	add_difference(c, DIFFERENCE_SUBJECT, "kernel", "6.12.117+deb13-amd64",
		       "7.3.4+deb13-amd64");
	add_difference(c, DIFFERENCE_SUBJECT, "bpf_iter_num_next", "call", "inlined");
	add_site(c, "exec.argv", 63, 0.85, VERDICT_FASTER, 0.0004);
	add_site(c, "exec.parents", 4.2, 0.99, VERDICT_NO_DIFFERENCE, 0.61);
	add_site(c, "runq.merge_slots", 4.8, 1.12, VERDICT_SLOWER, 0.00031);
	add_site(c, "syscall.top", 20, 1.01, VERDICT_NO_DIFFERENCE, 1);
	add_construct(c, "bpf_for", 2.06, 0.72, VERDICT_FASTER, 0.000012);
	add_construct(c, "bpf_loop", 1.9, 1.0, VERDICT_NO_DIFFERENCE, 1);
	add_construct(c, "can_loop", 1.1, 1.005, VERDICT_NO_DIFFERENCE, 1);
	add_construct(c, "bpf_repeat", 1.8, 0.75, VERDICT_FASTER, 0.00002);
	add_site(c, "exec.cgroup", 235, 1.04, VERDICT_TOO_LITTLE_DATA, 0.2);
	c->rows[8].measure = MEASURE_MEAN;
	c->rows[8].base.a = c->rows[8].base.b = NAN;
	c->rows[8].fresh.a = c->rows[8].fresh.b = NAN;
	fill_side(&c->rows[8].fresh, 3, 244, 0.05);
	TEXT(c->rows[8].note, "3 intervals on the new side: fewer than 9 say little");
	add_only(&c->only_in_base, &c->nr_only_in_base, COMPARISON_SITE, "tcp.options",
		 "the tracer tcp is off in new");
	add_only(&c->only_in_new, &c->nr_only_in_new, COMPARISON_CONSTRUCT, "shape_7.3", "");
	add_only(&c->incomparable, &c->nr_incomparable, COMPARISON_SITE, "runq.cgroup",
		 "the program's tag differs: another program is measured");
	add_up(c);
}

static inline void make_same(struct comparison *c)
{
	char path[64];
	int i;

	begin(c, VERDICT_NO_DIFFERENCE,
	      "No row differs by 5% or more; every interval lies within the threshold.");
	c->unit_is_run = true;
	for (i = 0; i < 8; i++) {
		snprintf(path, sizeof(path), "recordings/%s-%d.itr", i % 2 ? "new" : "base", i / 2);
		add_run(c, path, "7.3.4+deb13-amd64", i % 2, "");
		c->runs[i].boot = (size_t)i / 2;
	}
	add_construct(c, "bpf_for", 2.06, 1, VERDICT_NO_DIFFERENCE, 0.8);
	add_construct(c, "bpf_loop", 1.9, 1, VERDICT_NO_DIFFERENCE, 1);
}

static inline void make_hostile(struct comparison *c)
{
	struct comparison_row *row;
	struct identity *id;
	char name[128];
	size_t i;

	begin(c, VERDICT_NOT_COMPARABLE, hostile[0]);
	c->is_forced = true;
	add_run(c, hostile[1], hostile[3], false, hostile[0]);
	add_run(c, hostile[5], hostile[10], true, hostile[9]);
	for (i = 0; i < 2; i++) {
		id = &c->runs[i].head->identity;
		TEXT(id->cpu_model, hostile[4]);
		TEXT(id->version, hostile[8]);
		TEXT(id->mitigations[0].name, hostile[2]);
		TEXT(id->mitigations[0].text, hostile[1]);
		TEXT(id->config[0].name, hostile[3]);
		c->runs[i].head->time_ns = UINT64_MAX;
	}
	for (i = 0; i < NR_HOSTILE; i++) {
		add_warning(c, hostile[i]);
		add_difference(c, (enum difference_weight)(i % 4), hostile[i], hostile[i],
			       hostile[(i + 1) % NR_HOSTILE]);
		add_only(&c->only_in_base, &c->nr_only_in_base, COMPARISON_SITE, hostile[i],
			 hostile[i]);
		add_site(c, hostile[i], 50, 1, VERDICT_NO_DIFFERENCE, 1);
		TEXT(c->rows[i].note, hostile[i]);
	}
	memset(name, 'W', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	add_site(c, name, 50, 1.1, VERDICT_SLOWER, 0);
	/* Figures that no axis has room for. */
	row = &c->rows[0];
	row->base.dots[0] = 1e300;
	row->base.most = INFINITY;
	row->base.costs[1].y = -1e300;
	row->base.times[1].y = NAN;
	row->fresh.trips_per_s = 1e308;
	row->lo = -INFINITY;
	row = &c->rows[1];
	fill_side(&row->base, 1, 0, 0);
	fill_side(&row->fresh, 1, 0, 0);
	row->shift_percent = row->lo = row->hi = row->p_holm = NAN;
	row = &c->rows[2];
	row->base.nr = row->base.nr_dots = row->base.nr_costs = row->base.nr_times = 0;
	row->base.least = row->base.q1 = row->base.median = row->base.q3 = row->base.most = NAN;
	row->base.lo = row->base.hi = NAN;
}

static inline void make_empty(struct comparison *c)
{
	begin(c, VERDICT_NOT_COMPARABLE,
	      "The CPU is another on the new side, so no difference could be laid at the kernel's "
	      "door; --force compares all the same.");
	add_run(c, "base.itr", "6.12.117+deb13-amd64", false, "");
	add_run(c, "new.itr", "7.3.4+deb13-amd64", true, "");
	add_difference(c, DIFFERENCE_REFUSAL, "CPU", "Intel(R) Xeon(R) Processor @ 2.90GHz",
		       "AMD EPYC 9654 96-Core Processor");
}

#endif
