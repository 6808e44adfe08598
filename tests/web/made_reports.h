/* SPDX-License-Identifier: BSD-2-Clause */
/* Reports that are made up. */
#ifndef ITERTRACE_TESTS_MADE_REPORTS_H
#define ITERTRACE_TESTS_MADE_REPORTS_H

#include "model/report.h"
#include "web/made.h"

static inline void fill_price(struct bench_result *r, const char *name, double median)
{
	size_t i;

	*r = (struct bench_result){
		.name = name,
		.measured = true,
		.nr_loops = 1000,
		.nr_threads = 1,
		.nr_rounds = 320,
		.median = median,
		.lo = 0.97 * median,
		.hi = 1.04 * median,
		.nr_samples = 24,
	};
	for (i = 0; i < r->nr_samples; i++)
		r->samples[i] = median * (1 + 0.04 * normal());
}

static inline void fill_times(struct report_site *site, double b)
{
	size_t i;

	for (i = 0; i < 36; i++) {
		struct report_time *t = &site->times[site->nr_times++];

		*t = (struct report_time){
			.time_ns = BEGAN_NS + (i + 1) * 10 * NSEC_PER_SEC,
			.length_ns = 10 * NSEC_PER_SEC,
			.ns_per_trip = b * (1 + 0.03 * normal()),
			.mean_trips = 10 + 30 * uniform(),
			.nr = 1,
			.nr_fits = 1,
			.nr_means = 1,
		};
		t->ns_per_trip_lo = 0.95 * t->ns_per_trip;
		t->ns_per_trip_hi = 1.06 * t->ns_per_trip;
		t->mean_ns = 9 * b + t->ns_per_trip * t->mean_trips;
	}
	site->nr_fits = 36;
	site->median = b;
	site->q1 = 0.98 * b;
	site->q3 = 1.02 * b;
}

static inline struct report *new_report(struct recording_head *head)
{
	struct report *r = must(calloc(1, sizeof(*r)));

	r->head = head;
	r->first_ns = BEGAN_NS;
	r->last_ns = BEGAN_NS + 360 * NSEC_PER_SEC;
	r->watched_ns = 360 * NSEC_PER_SEC;
	r->end.is_whole = true;
	return r;
}

static inline void add_report_site(struct report *r, const char *name, double b)
{
	struct site_figures *f = &r->summary.sites[r->summary.nr_sites++];
	struct report_site *site = &r->sites[r->nr_sites++];

	*f = (struct site_figures){
		.name = name,
		.entries = 84123,
		.trips = 2103075,
		.max_trips = 83,
		.timed = 8412,
		.ns_per_trip = b,
		.ns_per_trip_lo = 0.97 * b,
		.ns_per_trip_hi = 1.03 * b,
		.ns_per_loop = 9 * b,
		.ns_per_loop_lo = 8 * b,
		.ns_per_loop_hi = 10 * b,
		.mean_ns = 34 * b,
		.iterator_ns = 2,
		.inlined_saves_ns = 0.6,
	};
	site->name = name;
	fill_times(site, b);
}

static inline void set_constant(struct report *r, size_t at)
{
	struct site_figures *f = &r->summary.sites[at];
	size_t i;

	f->fit = SITE_FIT_TRIPS_CONSTANT;
	f->ns_per_trip = f->ns_per_trip_lo = f->ns_per_trip_hi = NAN;
	f->ns_per_loop = f->ns_per_loop_lo = f->ns_per_loop_hi = NAN;
	f->inlined_saves_ns = NAN;
	r->sites[at].nr_fits = 0;
	r->sites[at].median = r->sites[at].q1 = r->sites[at].q3 = NAN;
	for (i = 0; i < r->sites[at].nr_times; i++)
		r->sites[at].times[i].ns_per_trip = NAN;
}

static inline void add_tracer(struct report *r, const char *name, bool on, const char *reason)
{
	struct tracer_status *t = &r->summary.tracers[r->summary.nr_tracers++];

	*t = (struct tracer_status){.name = name, .wanted = true, .on = on, .events = 123456};
	TEXT(t->reason, reason);
	t->lost[t->nr_lost++] = (struct lost_count){"ring_full", on ? 0 : 17};
}

static const struct column call_columns[] = {
	{"name", "system call", COLUMN_TEXT, 0},
	{"count", "calls", COLUMN_COUNT, 0},
	{"total_ns", "total", COLUMN_NS, 0},
	{"hidden", NULL, COLUMN_COUNT, 0},
	{"argv", "arguments", COLUMN_LIST, 0},
};

static inline void add_calls(struct report *r, const char *name)
{
	struct section *section = &r->summary.sections[r->summary.nr_sections++];
	char **list = must(calloc(3, sizeof(*list)));
	struct table *table;
	struct cell *row;

	section->tracer = "syscall";
	table = section_add_table(section, "calls", "system calls by total time", call_columns, 5);
	row = must(table_add_row(table));
	list[0] = must(strdup(name));
	list[1] = must(strdup("-c"));
	cell_set_text(&row[0], must(strdup(name)));
	cell_set_number(&row[1], 249096);
	cell_set_number(&row[2], 49700000000);
	cell_set_list(&row[4], list);
}

static inline struct report *make_report(struct recording_head *head)
{
	struct report *r = new_report(head);
	int i;

	add_report_site(r, "exec.argv", 63.4);
	add_report_site(r, "runq.merge_cpus", 14);
	add_report_site(r, "syscall.top", 20.1);
	set_constant(r, 1);
	add_tracer(r, "exec", true, "");
	add_tracer(r, "syscall", true, "");
	add_calls(r, "futex");
	r->has_summary = true;
	r->end.nr_intervals = 36;
	r->summary.self = (struct self_figures){
		.cpu_percent = 0.71,
		.bpf_cpu_percent = 1.64,
		.rss_bytes = 12163481,
		.map_bytes = NAN,
		.host_bpf_cpu_percent = NAN,
		.reason = "BPF statistics need CAP_SYS_ADMIN",
	};
	head->calibration.done = true;
	for (i = 0; i < NR_PRICES; i++)
		fill_price(&head->calibration.prices[i], "", 1 + i);
	head->calibration.prices[2].measured = false;
	TEXT(head->calibration.prices[2].reason, "the verifier does not know may_goto");
	head->features[0] = (struct feature){"bpf_iter_num_next", NULL, FEATURE_CALL, 1,
					     "calls bpf_iter_num_next"};
	head->features[1] = (struct feature){"bpf_loop", NULL, FEATURE_INLINED, 11, ""};
	head->nr_features = 2;
	return r;
}

static inline struct report *make_bench(struct recording_head *head)
{
	static const char *const names[] = {"bpf_for", "bpf_loop", "can_loop", "bounded", "hash-inc"};
	static const double costs[] = {2.06, 1.9, 1.1, 0.37, 9.4};
	struct report *r = new_report(head);
	struct bench_report *b = r->bench = must(calloc(1, sizeof(*b)));
	size_t i;

	TEXT(head->command, "bench");
	head->loops[0] = '\0';
	for (i = 0; i < 5; i++)
		fill_price(&b->results[b->nr_results++], names[i], costs[i]);
	b->results[2].measured = false;
	b->results[2].state = FEATURE_UNSUPPORTED;
	TEXT(b->results[2].reason, "the verifier does not know may_goto");
	b->pairs[b->nr_pairs++] = (struct bench_pair){"shape_7.3", "bpf_for", 0.6, 0.55, 0.66,
						      0.71, 0.68, 0.73};
	b->took_s = 12.3;
	return r;
}

static inline struct report *make_cut(struct recording_head *head)
{
	struct report *r = new_report(head);

	r->end.is_whole = false;
	TEXT(r->end.loss, "the file ends within line 1: not one interval is whole");
	return r;
}

static inline struct report *make_bad_report(struct recording_head *head)
{
	struct report *r = make_report(head);
	size_t i;

	TEXT(head->path, hostile[1]);
	TEXT(head->host, hostile[10]);
	TEXT(head->loops, hostile[6]);
	TEXT(r->end.loss, hostile[0]);
	r->summary.sites[0].name = r->sites[0].name = hostile[3];
	r->sites[0].times[0].ns_per_trip = 1e300;
	r->sites[0].times[1].ns_per_trip_hi = INFINITY;
	r->sites[0].times[2].time_ns = UINT64_MAX;
	r->sites[0].times[3].mean_ns = -1e300;
	TEXT(r->summary.tracers[0].reason, hostile[4]);
	r->summary.tracers[0].on = false;
	for (i = 0; i < 4; i++)
		add_calls(r, hostile[i]);
	TEXT(r->summary.self.reason, hostile[2]);
	r->summary.self.rss_bytes = 1e300;
	TEXT(head->calibration.prices[2].reason, hostile[5]);
	head->features[0].name = hostile[11];
	TEXT(head->features[0].reason, hostile[8]);
	return r;
}

#endif
