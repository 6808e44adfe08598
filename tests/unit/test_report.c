// SPDX-License-Identifier: BSD-2-Clause
/* A recording's report: sums over intervals, and time folded into a bounded series. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "record/keep.h"
#include "record/report.h"
#include "unit/recording.h"

static struct report report;
static struct reason why;

static int forget(void **state)
{
	(void)state;
	report_release(&report);
	memset(&report, 0, sizeof(report));
	return 0;
}

static struct snapshot interval(uint64_t nr, double cost)
{
	return (struct snapshot){
		.time_ns = (nr + 1) * 1000,
		.interval_ns = 1000,
		.sites = {{.name = "s",
			   .entries = 10,
			   .trips = 40,
			   .timed = 2,
			   .ns_per_trip = cost,
			   .ns_per_trip_lo = cost - 1,
			   .ns_per_trip_hi = cost + 1,
			   .ns_per_loop = 7,
			   .mean_ns = 100 + cost}},
		.nr_sites = 1,
	};
}

static void few_intervals_stand_as_they_are(void **state)
{
	static const double costs[] = {5, 1, 3, ABSENT};
	const struct report_site *s = &report.sites[0];
	struct snapshot snapshot;
	size_t i;

	(void)state;
	for (i = 0; i < 4; i++) {
		snapshot = interval(i, costs[i]);
		report_add_interval(&report, &snapshot);
	}
	report_finish(&report);
	assert_int_equal(report.nr_sites, 1);
	assert_int_equal(report.first_ns, 0);
	assert_int_equal(report.last_ns, 4000);
	assert_int_equal(report.watched_ns, 4000);
	assert_int_equal(s->entries, 40);
	assert_int_equal(s->trips, 160);
	assert_int_equal(s->timed, 8);
	assert_int_equal(s->nr_times, 4);
	assert_int_equal(s->nr_fits, 3);
	assert_float_equal(s->median, 3, 0);
	assert_float_equal(s->q1, 2, 1e-12);
	assert_float_equal(s->q3, 4, 1e-12);
	/* Of 105, 101 and 103, as many each: the one without is no part of it. */
	assert_float_equal(s->mean_ns, 103, 1e-9);
	assert_float_equal(s->times[1].ns_per_trip, 1, 0);
	assert_float_equal(s->times[1].mean_trips, 4, 0);
	assert_true(is_absent(s->times[3].ns_per_trip));
}

/* 1100 costs of 0, 1, 2, …: at most 512 places, so four intervals in each. */
static void many_intervals_are_merged_with_their_neighbours(void **state)
{
	const struct report_site *s = &report.sites[0];
	struct snapshot snapshot;
	size_t i;

	(void)state;
	for (i = 0; i < 1100; i++) {
		snapshot = interval(i, (double)i);
		report_add_interval(&report, &snapshot);
	}
	report_finish(&report);
	assert_int_equal(s->nr_merged, 4);
	assert_int_equal(s->nr_times, 275);
	assert_int_equal(s->entries, 11000);
	for (i = 0; i < s->nr_times; i++) {
		assert_int_equal(s->times[i].nr, 4);
		assert_int_equal(s->times[i].entries, 40);
		assert_int_equal(s->times[i].length_ns, 4000);
		assert_int_equal(s->times[i].time_ns, 4000 * (i + 1));
		assert_float_equal(s->times[i].ns_per_trip, 4.0 * (double)i + 1.5, 1e-9);
		assert_float_equal(s->times[i].ns_per_trip_lo, 4.0 * (double)i - 1, 0);
		assert_float_equal(s->times[i].ns_per_trip_hi, 4.0 * (double)i + 4, 0);
		assert_float_equal(s->times[i].mean_ns, 4.0 * (double)i + 101.5, 1e-9);
	}
	assert_float_equal(s->median, 549.5, 1e-9);
}

static void a_mean_leaves_out_what_has_none(void **state)
{
	const struct report_site *s = &report.sites[0];
	struct snapshot snapshot;
	size_t i;

	(void)state;
	for (i = 0; i < 513; i++) {
		snapshot = interval(i, i % 2 ? ABSENT : 10);
		report_add_interval(&report, &snapshot);
	}
	report_finish(&report);
	assert_int_equal(s->nr_times, 257);
	assert_int_equal(s->times[0].nr, 2);
	assert_int_equal(s->times[0].nr_fits, 1);
	assert_float_equal(s->times[0].ns_per_trip, 10, 0);
	assert_float_equal(s->times[0].ns_per_trip_lo, 9, 0);
	assert_int_equal(s->times[256].nr, 1);
}

static void read_text(const char *text)
{
	struct recording *r = NULL;
	char *path = recording_of(text);

	if (recording__open(path, &r, &why) || report_read(r, &report, &why))
		fail_msg("%s", why.text);
	drop(path);
	assert_int_equal(report.nr_sites, 0);
	assert_int_equal(report.sum.nr_tracers, 1);
	assert_int_equal(report.sum.tracers[0].events, 12);
	assert_int_equal(report.sum.tracers[0].nr_lost, 2);
	assert_int_equal(report.sum.tracers[0].lost[0].nr, 3);
	assert_int_equal(report.sum.tracers[0].lost[1].nr, 7);
	recording__close(r);
}

#define TRACER(events, lost)                                             \
	"\"tracers\":[{\"name\":\"t\",\"state\":\"on\",\"events\":" events \
	",\"lost\":{" lost "}}],\"sites\":[]"

static void losses_are_added_up_by_cause(void **state)
{
	(void)state;
	read_text(HEAD SNAPSHOT("1", TRACER("5", "\"a\":1")) SNAPSHOT(
		"2", TRACER("7", "\"b\":7,\"a\":2")));
	assert_false(report.has_summary);
	assert_false(report.end.is_whole);
}

/* ---- what is not asked for ------------------------------------------------------ */

static void kept(const char *text, const char *expected)
{
	static const char *const keys[] = {"a", "bc", NULL};
	char buf[256];
	size_t len;

	snprintf(buf, sizeof(buf), "%s", text);
	len = keep_members(buf, strlen(buf), keys);
	buf[len] = '\0';
	assert_string_equal(buf, expected);
}

static void only_these_members_are_kept(void **state)
{
	(void)state;
	kept("{\"a\":1,\"x\":2,\"bc\":3}", "{\"a\":1,\"bc\":3}");
	kept("{\"x\":{\"a\":1},\"y\":[\"a\",{\"bc\":2}]}", "{}");
	kept("{\"x\":\"a\\\"}\",\"a\":\"\\\\\"}", "{\"a\":\"\\\\\"}");
	kept("{ \"x\" : 1 , \"a\" : [ 1 , 2 ] }", "{\"a\" : [ 1 , 2 ] }");
	kept("{\"x\":\"\\\\\\\\\\\"\",\"a\":0}", "{\"a\":0}");
	/* The same key twice is the parser's to refuse. */
	kept("{\"a\":1,\"a\":2}", "{\"a\":1,\"a\":2}");
}

static void what_is_no_object_stays(void **state)
{
	static const char *const texts[] = {
		"",         "[]",         "{}",        "{",          "{\"a\"",
		"{\"a\":",  "{\"a\":1",   "{\"x\":1,", "{\"x\":\"",  "{\"x\":[}",
		"{\"x\":1}}", "{\"x\":1} y", "{x:1}",    "{\"x\" 1}",  "7",
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		kept(texts[i], texts[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(few_intervals_stand_as_they_are, forget),
		cmocka_unit_test_teardown(
			many_intervals_are_merged_with_their_neighbours, forget),
		cmocka_unit_test_teardown(a_mean_leaves_out_what_has_none, forget),
		cmocka_unit_test_teardown(losses_are_added_up_by_cause, forget),
		cmocka_unit_test(only_these_members_are_kept),
		cmocka_unit_test(what_is_no_object_stays),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
