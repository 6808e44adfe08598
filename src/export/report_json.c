// SPDX-License-Identifier: BSD-2-Clause
#include "export/bench.h"
#include "export/members.h"
#include "export/recording.h"
#include "export/report.h"
#include "export/snapshot.h"

static json_t *time_to_json(const struct report_time *t)
{
	json_t *object = json_object();

	member_count(object, "time_ns", t->time_ns);
	member_count(object, "length_ns", t->length_ns);
	member_count(object, "intervals", t->nr);
	member_count(object, "entries", t->entries);
	member_count(object, "trips", t->trips);
	member_count(object, "timed", t->timed);
	member_figure(object, "ns_per_trip", t->ns_per_trip);
	member_figure(object, "ns_per_trip_lo", t->ns_per_trip_lo);
	member_figure(object, "ns_per_trip_hi", t->ns_per_trip_hi);
	member_figure(object, "ns_per_loop", t->ns_per_loop);
	member_figure(object, "mean_trips", t->mean_trips);
	member_figure(object, "mean_ns", t->mean_ns);
	return object;
}

static json_t *site_to_json(const struct report_site *s)
{
	json_t *object = json_object(), *times = json_array();
	size_t i;

	member_text(object, "site", s->name);
	member_count(object, "entries", s->entries);
	member_count(object, "trips", s->trips);
	member_count(object, "timed", s->timed);
	member_figure(object, "mean_ns", s->mean_ns);
	member_figure(object, "median_ns_per_trip", s->median);
	member_figure(object, "q1_ns_per_trip", s->q1);
	member_figure(object, "q3_ns_per_trip", s->q3);
	member_count(object, "fits", s->nr_fits);
	member_count(object, "intervals_merged", s->nr_merged);
	for (i = 0; i < s->nr_times; i++)
		json_array_append_new(times, time_to_json(&s->times[i]));
	json_object_set_new(object, "times", times);
	return object;
}

static json_t *end_to_json(const struct report *r)
{
	json_t *object = json_object();

	json_object_set_new(object, "whole", json_boolean(r->end.is_whole));
	json_object_set_new(object, "continued", json_boolean(r->end.is_continued));
	member_count(object, "lost_lines", r->end.nr_lost);
	member_text(object, "loss", r->end.loss);
	return object;
}

json_t *report_to_json(const struct report *r)
{
	json_t *root = json_object(), *sites = json_array();
	json_t *head = recording_head_to_json(r->head);
	size_t i;

	member_count(head, "part", r->head->part);
	for (i = 0; i < r->nr_sites; i++)
		json_array_append_new(sites, site_to_json(&r->sites[i]));
	member_text(root, "schema", REPORT_SCHEMA);
	json_object_set_new(root, "recording", head);
	json_object_set_new(root, "end", end_to_json(r));
	member_count(root, "intervals", r->end.nr_intervals);
	member_count(root, "first_ns", r->first_ns);
	member_count(root, "last_ns", r->last_ns);
	member_count(root, "watched_ns", r->watched_ns);
	json_object_set_new(root, "sites", sites);
	json_object_set_new(root, "tracers", tracers_to_json(&r->sum));
	json_object_set_new(root, "summary",
			    r->has_summary ? snapshot_to_json(&r->summary)
					   : json_null());
	json_object_set_new(root, "bench",
			    r->bench ? bench_to_json(&r->head->identity, r->bench)
				     : json_null());
	return root;
}
