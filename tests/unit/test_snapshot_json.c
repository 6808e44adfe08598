// SPDX-License-Identifier: BSD-2-Clause
/* A snapshot as JSON: the keys of the documented schema, and null for what is absent. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "export/snapshot.h"

enum { COL_NAME, COL_WORDS, COL_COUNT, COL_PID, COL_TOOK, COL_CUT };
static const struct column columns[] = {
	[COL_NAME] = {"name", "name", COLUMN_TEXT},
	[COL_WORDS] = {"words", "words", COLUMN_LIST},
	[COL_COUNT] = {"count", "count", COLUMN_COUNT},
	[COL_PID] = {"pid", NULL, COLUMN_NUMBER},
	[COL_TOOK] = {"took_ns", "took", COLUMN_NS},
	[COL_CUT] = {"cut", "cut", COLUMN_FLAG},
};
#define NR_COLUMNS 6

/* Everything that can be absent is. */
static struct snapshot bare(void)
{
	struct snapshot s = {
		.time_ns = 1700000000123456789ULL,
		.interval_ns = 10000000000ULL,
		.loops = "bpf_for",
		.tracers =
			{
				{.name = "exec",
				 .on = true,
				 .events = 5,
				 .nr_lost = 2,
				 .lost = {{"ring_full", 3}, {"recursion", 0}}},
				{.name = "runq", .reason = "not asked for"},
			},
		.nr_tracers = 2,
		.sites =
			{
				{.name = "exec.argv",
				 .entries = 7,
				 .trips = 70,
				 .max_trips = 20,
				 .timed = 4,
				 .fit = SITE_FIT_TOO_FEW,
				 .ns_per_trip = ABSENT,
				 .ns_per_trip_lo = ABSENT,
				 .ns_per_trip_hi = ABSENT,
				 .ns_per_loop = ABSENT,
				 .ns_per_loop_lo = ABSENT,
				 .ns_per_loop_hi = ABSENT,
				 .mean_ns = ABSENT,
				 .iterator_ns = ABSENT,
				 .inlined_saves_ns = ABSENT},
			},
		.nr_sites = 1,
		.self = {.cpu_percent = ABSENT,
			 .bpf_cpu_percent = ABSENT,
			 .rss_bytes = ABSENT,
			 .map_bytes = ABSENT,
			 .host_bpf_cpu_percent = ABSENT},
	};

	return s;
}

/* The member at a path of keys and indices, such as "tracers.0.lost". */
static const json_t *member(const json_t *json, const char *path)
{
	char key[64];
	size_t len;

	for (; json && *path; path += len + (path[len] == '.')) {
		len = strcspn(path, ".");
		snprintf(key, sizeof(key), "%.*s", (int)len, path);
		if (json_is_array(json))
			json = json_array_get(json, strtoul(key, NULL, 10));
		else
			json = json_object_get(json, key);
	}
	return json;
}

static json_int_t integer(const json_t *json, const char *path)
{
	const json_t *m = member(json, path);

	if (!json_is_integer(m))
		fail_msg("%s is no integer", path);
	return json_integer_value(m);
}

static double number(const json_t *json, const char *path)
{
	const json_t *m = member(json, path);

	if (!json_is_number(m))
		fail_msg("%s is no number", path);
	return json_number_value(m);
}

static const char *text(const json_t *json, const char *path)
{
	const json_t *m = member(json, path);

	if (!json_is_string(m))
		fail_msg("%s is no string", path);
	return json_string_value(m);
}

static void assert_null_at(const json_t *json, const char *path)
{
	const json_t *m = member(json, path);

	if (!m || !json_is_null(m))
		fail_msg("%s is not null", path);
}

static void every_documented_key_is_there(void **state)
{
	static const char *const paths[] = {
		"schema",
		"time_ns",
		"interval_ns",
		"tracers",
		"tracers.0.name",
		"tracers.0.state",
		"tracers.0.reason",
		"tracers.0.events",
		"tracers.0.lost",
		"tracers.1.name",
		"tracers.1.state",
		"tracers.1.reason",
		"tracers.1.events",
		"tracers.1.lost",
		"sites",
		"sites.0.site",
		"sites.0.entries",
		"sites.0.trips",
		"sites.0.max_trips",
		"sites.0.timed",
		"sites.0.ns_per_trip",
		"sites.0.ns_per_trip_lo",
		"sites.0.ns_per_trip_hi",
		"sites.0.ns_per_loop",
		"sites.0.iterator_ns",
		"sites.0.inlined_saves_ns",
		"self",
		"self.cpu_percent",
		"self.bpf_cpu_percent",
		"self.rss_bytes",
		"self.map_bytes",
		"host_bpf",
		"host_bpf.cpu_percent",
	};
	struct snapshot s = bare();
	json_t *json = snapshot_to_json(&s);
	size_t i;

	(void)state;
	assert_non_null(json);
	for (i = 0; i < sizeof(paths) / sizeof(paths[0]); i++)
		if (!member(json, paths[i]))
			fail_msg("there is no %s", paths[i]);
	json_decref(json);
}

static void counts_and_names_are_as_they_were(void **state)
{
	struct snapshot s = bare();
	json_t *json = snapshot_to_json(&s);

	(void)state;
	assert_string_equal(text(json, "schema"), "itertrace.snapshot/1");
	assert_true(integer(json, "time_ns") == 1700000000123456789LL);
	assert_true(integer(json, "interval_ns") == 10000000000LL);
	assert_string_equal(text(json, "tracers.0.name"), "exec");
	assert_string_equal(text(json, "tracers.0.state"), "on");
	assert_null_at(json, "tracers.0.reason");
	assert_int_equal(integer(json, "tracers.0.events"), 5);
	assert_int_equal(integer(json, "tracers.0.lost.ring_full"), 3);
	assert_int_equal(integer(json, "tracers.0.lost.recursion"), 0);
	assert_string_equal(text(json, "tracers.1.state"), "off");
	assert_string_equal(text(json, "tracers.1.reason"), "not asked for");
	assert_string_equal(text(json, "sites.0.site"), "exec.argv");
	assert_int_equal(integer(json, "sites.0.entries"), 7);
	assert_int_equal(integer(json, "sites.0.trips"), 70);
	assert_int_equal(integer(json, "sites.0.max_trips"), 20);
	assert_int_equal(integer(json, "sites.0.timed"), 4);
	json_decref(json);
}

static void absent_figures_are_null(void **state)
{
	static const char *const paths[] = {
		"sites.0.ns_per_trip",
		"sites.0.ns_per_trip_lo",
		"sites.0.ns_per_trip_hi",
		"sites.0.ns_per_loop",
		"sites.0.mean_ns",
		"sites.0.iterator_ns",
		"sites.0.inlined_saves_ns",
		"self.cpu_percent",
		"self.bpf_cpu_percent",
		"self.rss_bytes",
		"self.map_bytes",
		"host_bpf.cpu_percent",
		"calibration",
	};
	struct snapshot s = bare();
	json_t *json = snapshot_to_json(&s);
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(paths) / sizeof(paths[0]); i++)
		assert_null_at(json, paths[i]);
	json_decref(json);
}

static void figures_are_numbers_and_zero_is_one(void **state)
{
	struct snapshot s = bare();
	struct site_figures *f = &s.sites[0];
	json_t *json;

	(void)state;
	f->fit = SITE_FIT_OK;
	f->ns_per_trip = 2.5;
	f->ns_per_trip_lo = 2.25;
	f->ns_per_trip_hi = 2.75;
	f->ns_per_loop = 0;
	f->mean_ns = 25;
	f->iterator_ns = 1.9375;
	f->inlined_saves_ns = -0.125;
	s.self.cpu_percent = 1.5;
	s.self.bpf_cpu_percent = 0;
	s.self.rss_bytes = 1048576;
	s.self.map_bytes = 4096;
	s.self.host_bpf_cpu_percent = 3.25;
	json = snapshot_to_json(&s);
	assert_string_equal(text(json, "sites.0.fit"), "ok");
	assert_true(number(json, "sites.0.ns_per_trip") == 2.5);
	assert_true(number(json, "sites.0.ns_per_trip_lo") == 2.25);
	assert_true(number(json, "sites.0.ns_per_trip_hi") == 2.75);
	assert_true(number(json, "sites.0.ns_per_loop") == 0);
	assert_true(number(json, "sites.0.mean_ns") == 25);
	assert_true(number(json, "sites.0.iterator_ns") == 1.9375);
	assert_true(number(json, "sites.0.inlined_saves_ns") == -0.125);
	assert_true(number(json, "self.cpu_percent") == 1.5);
	assert_true(number(json, "self.bpf_cpu_percent") == 0);
	assert_true(number(json, "self.rss_bytes") == 1048576);
	assert_true(number(json, "self.map_bytes") == 4096);
	assert_true(number(json, "host_bpf.cpu_percent") == 3.25);
	json_decref(json);
}

static void classes_of_trips_end_with_the_last_that_is_not_empty(void **state)
{
	struct snapshot s = bare();
	json_t *json = snapshot_to_json(&s);

	(void)state;
	assert_int_equal(json_array_size(member(json, "sites.0.trips_log2")), 0);
	assert_true(json_is_array(member(json, "sites.0.trips_log2")));
	json_decref(json);
	s.sites[0].classes[0] = 2;
	s.sites[0].classes[3] = 1ULL << 40;
	json = snapshot_to_json(&s);
	assert_int_equal(json_array_size(member(json, "sites.0.trips_log2")), 4);
	assert_int_equal(integer(json, "sites.0.trips_log2.0"), 2);
	assert_int_equal(integer(json, "sites.0.trips_log2.1"), 0);
	assert_true(integer(json, "sites.0.trips_log2.3") == 1LL << 40);
	json_decref(json);
}

/* A tracer that does not run has seen nothing, which is not 0 events. */
static void events_of_a_tracer_that_is_off_are_null(void **state)
{
	struct snapshot s = bare();
	json_t *json = snapshot_to_json(&s);

	(void)state;
	assert_int_equal(integer(json, "tracers.0.events"), 5);
	assert_null_at(json, "tracers.1.events");
	json_decref(json);
}

static void summary_has_a_schema_of_its_own(void **state)
{
	struct snapshot s = bare();
	json_t *json;

	(void)state;
	s.summary = true;
	json = snapshot_to_json(&s);
	assert_string_equal(text(json, "schema"), "itertrace.summary/1");
	json_decref(json);
}

static void tables_are_arrays_of_objects_under_their_tracer(void **state)
{
	struct snapshot s = bare();
	struct section *section = &s.sections[s.nr_sections++];
	struct table *t;
	struct cell *row;
	char **list;
	json_t *json;

	(void)state;
	section->tracer = "exec";
	section_add_total(section, "execs", "programs started", TOTAL_HIDDEN, 12);
	t = section_add_table(section, "processes", "processes", columns, NR_COLUMNS);
	row = table_add_row(t);
	list = calloc(3, sizeof(*list));
	list[0] = strdup("a b");
	list[1] = strdup("\xc3\xa9\"");
	cell_set_text(&row[COL_NAME], strdup("tail"));
	cell_set_list(&row[COL_WORDS], list);
	cell_set_number(&row[COL_COUNT], 0);
	cell_set_number(&row[COL_PID], 4194304);
	cell_set_number(&row[COL_TOOK], 1ULL << 60);
	cell_set_number(&row[COL_CUT], 1);
	table_add_row(t);
	section->nr_unlisted = 9;
	json = snapshot_to_json(&s);
	assert_int_equal(integer(json, "exec.execs"), 12);
	assert_int_equal(json_array_size(member(json, "exec.processes")), 2);
	assert_string_equal(text(json, "exec.processes.0.name"), "tail");
	assert_int_equal(json_array_size(member(json, "exec.processes.0.words")), 2);
	assert_string_equal(text(json, "exec.processes.0.words.0"), "a b");
	assert_string_equal(text(json, "exec.processes.0.words.1"), "\xc3\xa9\"");
	assert_int_equal(integer(json, "exec.processes.0.count"), 0);
	assert_int_equal(integer(json, "exec.processes.0.pid"), 4194304);
	assert_true(integer(json, "exec.processes.0.took_ns") == 1LL << 60);
	assert_true(json_is_true(member(json, "exec.processes.0.cut")));
	assert_null_at(json, "exec.processes.1.name");
	assert_null_at(json, "exec.processes.1.words");
	assert_null_at(json, "exec.processes.1.count");
	assert_null_at(json, "exec.processes.1.cut");
	assert_int_equal(integer(json, "exec.unlisted"), 9);
	json_decref(json);
	snapshot_release(&s);
}

static void calibration_has_a_price_for_what_was_measured(void **state)
{
	struct calibration cal = {
		.done = true,
		.prices =
			{
				[PRICE_BPF_FOR] = {.name = "bpf_for",
						   .measured = true,
						   .nr_rounds = 9,
						   .median = 2.5,
						   .lo = 2.25,
						   .hi = 2.75,
						   .min = 2},
				[PRICE_BPF_LOOP] = {.name = "bpf_loop",
						    .reason = "why"},
				[PRICE_CAN_LOOP] = {.name = "can_loop"},
				[PRICE_FLOOR] = {.name = "floor"},
				[PRICE_SHAPE_7_3] = {.name = "shape_7.3"},
				[PRICE_CLOCK] = {.name = "clock"},
			},
	};
	struct snapshot s = bare();
	json_t *json;

	(void)state;
	s.calibration = &cal;
	json = snapshot_to_json(&s);
	assert_true(number(json, "calibration.bpf_for.median") == 2.5);
	assert_true(number(json, "calibration.bpf_for.lo") == 2.25);
	assert_true(number(json, "calibration.bpf_for.hi") == 2.75);
	assert_int_equal(integer(json, "calibration.bpf_for.rounds"), 9);
	assert_null_at(json, "calibration.bpf_loop");
	json_decref(json);
}

/* As the run prints it: one line, and NaN nowhere. */
static void document_is_one_line_of_json(void **state)
{
	struct snapshot s = bare();
	json_t *json = snapshot_to_json(&s), *again;
	json_error_t error;
	char *line;

	(void)state;
	line = json_dumps(json, JSON_COMPACT | JSON_REAL_PRECISION(9));
	assert_non_null(line);
	assert_null(strchr(line, '\n'));
	assert_null(strstr(line, "nan"));
	assert_null(strstr(line, "NaN"));
	again = json_loads(line, JSON_REJECT_DUPLICATES, &error);
	assert_non_null(again);
	assert_true(json_equal(json, again));
	free(line);
	json_decref(json);
	json_decref(again);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_documented_key_is_there),
		cmocka_unit_test(counts_and_names_are_as_they_were),
		cmocka_unit_test(absent_figures_are_null),
		cmocka_unit_test(figures_are_numbers_and_zero_is_one),
		cmocka_unit_test(classes_of_trips_end_with_the_last_that_is_not_empty),
		cmocka_unit_test(events_of_a_tracer_that_is_off_are_null),
		cmocka_unit_test(summary_has_a_schema_of_its_own),
		cmocka_unit_test(tables_are_arrays_of_objects_under_their_tracer),
		cmocka_unit_test(calibration_has_a_price_for_what_was_measured),
		cmocka_unit_test(document_is_one_line_of_json),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
