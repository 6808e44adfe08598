// SPDX-License-Identifier: BSD-2-Clause
/* What a run's metrics say, against figures worked out by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "export/openmetrics.h"

#define SECOND 1000000000ULL

static struct metrics *new_metrics(size_t max_series)
{
	static const struct identity identity = {
		.release = "6.12.1",
		.version = "#1 SMP",
		.arch = "x86_64",
		.build_id = "4a5a",
		.cpu_model = "A \"fast\" one",
	};
	static const struct feature features[] = {
		{.name = "bpf_iter_num_next", .state = FEATURE_CALL},
		{.name = "bpf_loop", .state = FEATURE_INLINED},
	};
	struct metrics *m = NULL;

	assert_int_equal(metrics__new(&identity, features, 2, 1700000000 * SECOND,
				      max_series, &m),
			 0);
	return m;
}

static struct site_figures bare_site(const char *name)
{
	struct site_figures site = site_figures_none;

	site.name = name;
	return site;
}

/* Ten seconds: exec is on, runq wanted and off, syscall not wanted. */
static struct snapshot an_interval(void)
{
	struct snapshot s = {
		.time_ns = 1700000010 * SECOND,
		.interval_ns = 10 * SECOND,
		.loops = "bpf_for",
		.tracers =
			{
				{.name = "exec",
				 .wanted = true,
				 .on = true,
				 .events = 5,
				 .nr_lost = 2,
				 .lost = {{"ring_full", 3}, {"recursion", 0}}},
				{.name = "runq", .wanted = true, .reason = "refused"},
				{.name = "syscall", .reason = "not asked for"},
			},
		.nr_tracers = 3,
		.nr_sites = 1,
		.self = {.cpu_percent = 1.5,
			 .bpf_cpu_percent = ABSENT,
			 .rss_bytes = 12582912,
			 .map_bytes = ABSENT,
			 .host_bpf_cpu_percent = 0},
		.sections = {{.tracer = "exec"}},
		.nr_sections = 1,
	};

	s.sites[0] = bare_site("exec.argv");
	s.sites[0].entries = 7;
	s.sites[0].trips = 70;
	s.sites[0].max_trips = 20;
	s.sites[0].timed = 4;
	s.sites[0].classes[0] = 1; /* of no trip */
	s.sites[0].classes[4] = 5; /* of 8 to 15 */
	s.sites[0].classes[5] = 1; /* of 16 to 31 */
	section_add_total(&s.sections[0], "execs", "programs started", TOTAL_SHOWN, 4);
	section_add_total(&s.sections[0], "argv_max_bytes", NULL, TOTAL_HIDDEN, 4096);
	return s;
}

static bool has_line(const char *text, const char *line)
{
	size_t len = strlen(line);

	for (; text; text = strchr(text, '\n')) {
		text += *text == '\n';
		if (!strncmp(text, line, len) && text[len] == '\n')
			return true;
		if (!*text)
			break;
	}
	return false;
}

#define assert_line(text, line)                                                        \
	do {                                                                           \
		if (!has_line(text, line))                                             \
			fail_msg("no line %s in:\n%s", line, text);                    \
	} while (0)

static void assert_no_sample(const char *text, const char *start)
{
	size_t len = strlen(start);

	for (text = strchr(text, '\n'); text; text = strchr(text + 1, '\n'))
		if (!strncmp(text + 1, start, len))
			fail_msg("there is a sample %.60s", text + 1);
}

static size_t nr_samples(const char *text)
{
	size_t nr = 0;

	for (; text && *text; text = strchr(text, '\n'), text += !!text)
		nr += *text != '#';
	return nr;
}

/* The text of the last of nr intervals, all alike; the caller's to free. */
static struct metrics_text add(struct metrics *m, const struct snapshot *s, int nr)
{
	struct metrics_text text = {0};

	while (nr--) {
		metrics_text_release(&text);
		assert_int_equal(metrics_add(m, s, &text), 0);
	}
	return text;
}

static void counters_add_up_over_intervals(void **state)
{
	struct metrics *m = new_metrics(METRICS_MAX_SERIES);
	struct snapshot s = an_interval();
	struct metrics_text t = add(m, &s, 3);

	(void)state;
	assert_line(t.openmetrics, "itertrace_intervals_total 3");
	assert_line(t.openmetrics, "itertrace_events_total{tracer=\"exec\"} 15");
	assert_line(t.openmetrics,
		    "itertrace_lost_events_total{tracer=\"exec\",cause=\"ring_full\"} 9");
	assert_line(t.openmetrics,
		    "itertrace_lost_events_total{tracer=\"exec\",cause=\"recursion\"} 0");
	assert_line(t.openmetrics, "itertrace_exec_execs_total 12");
	assert_line(t.openmetrics, "# HELP itertrace_exec_execs Tracer exec: programs started.");
	assert_line(t.openmetrics, "itertrace_loop_timed_entries_total{site=\"exec.argv\"} 12");
	/* 1.5% of three times ten seconds. */
	assert_line(t.openmetrics, "itertrace_self_cpu_seconds_total 0.45");
	assert_line(t.text, "itertrace_events_total{tracer=\"exec\"} 15");
	assert_no_sample(t.openmetrics, "itertrace_exec_argv");
	metrics_text_release(&t);
	metrics__free(m);
}

static void trips_are_a_histogram_with_the_bounds_of_their_classes(void **state)
{
	struct metrics *m = new_metrics(METRICS_MAX_SERIES);
	struct snapshot s = an_interval();
	struct metrics_text t = add(m, &s, 1);

	(void)state;
	metrics_text_release(&t);
	/* And three entries of two trips, and one of 2000. */
	s.sites[0].entries = 4;
	s.sites[0].trips = 2006;
	s.sites[0].max_trips = 2000;
	memset(s.sites[0].classes, 0, sizeof(s.sites[0].classes));
	s.sites[0].classes[2] = 3;
	s.sites[0].classes[11] = 1;
	t = add(m, &s, 1);
#define BUCKET(le, n) "itertrace_loop_trips_bucket{site=\"exec.argv\",le=\"" le "\"} " n
	assert_line(t.openmetrics, BUCKET("0.0", "1"));
	assert_line(t.openmetrics, BUCKET("1.0", "1"));
	assert_line(t.openmetrics, BUCKET("3.0", "4"));
	assert_line(t.openmetrics, BUCKET("7.0", "4"));
	assert_line(t.openmetrics, BUCKET("15.0", "9"));
	assert_line(t.openmetrics, BUCKET("31.0", "10"));
	assert_line(t.openmetrics, BUCKET("1023.0", "10"));
	assert_line(t.openmetrics, BUCKET("+Inf", "11"));
	assert_line(t.openmetrics, "itertrace_loop_trips_sum{site=\"exec.argv\"} 2076");
	assert_line(t.openmetrics, "itertrace_loop_trips_count{site=\"exec.argv\"} 11");
	assert_line(t.openmetrics, "itertrace_loop_max_trips{site=\"exec.argv\"} 2000");
	metrics_text_release(&t);
	metrics__free(m);
}

static void durations_are_a_histogram_in_seconds(void **state)
{
	struct metrics *m = new_metrics(METRICS_MAX_SERIES);
	struct snapshot s = an_interval();
	struct durations *d = &s.sections[0].durations;
	struct metrics_text t;

	(void)state;
	*d = (struct durations){.key = "wait", .title = "waits", .sum_ns = 2500000000};
	d->classes[0] = 2;                    /* below 1024 ns */
	d->classes[10] = 1;                   /* below 2^20 ns */
	d->classes[DURATION_CLASSES - 1] = 1; /* 2^32 ns and more */
	t = add(m, &s, 2);
	assert_line(t.openmetrics, "# UNIT itertrace_exec_wait_seconds seconds");
	assert_line(t.openmetrics, "itertrace_exec_wait_seconds_bucket{le=\"1.024e-06\"} 4");
	assert_line(t.openmetrics, "itertrace_exec_wait_seconds_bucket{le=\"0.000524288\"} 4");
	assert_line(t.openmetrics, "itertrace_exec_wait_seconds_bucket{le=\"0.001048576\"} 6");
	assert_line(t.openmetrics, "itertrace_exec_wait_seconds_bucket{le=\"4.294967296\"} 6");
	assert_line(t.openmetrics, "itertrace_exec_wait_seconds_bucket{le=\"+Inf\"} 8");
	assert_line(t.openmetrics, "itertrace_exec_wait_seconds_sum 5");
	assert_line(t.openmetrics, "itertrace_exec_wait_seconds_count 8");
	metrics_text_release(&t);
	metrics__free(m);
}

static void absent_figures_have_no_sample_and_zero_has_one(void **state)
{
	struct metrics *m = new_metrics(METRICS_MAX_SERIES);
	struct snapshot s = an_interval();
	struct metrics_text t = add(m, &s, 1);

	(void)state;
	assert_no_sample(t.openmetrics, "itertrace_loop_trip_seconds");
	assert_no_sample(t.openmetrics, "itertrace_loop_mean_seconds");
	assert_no_sample(t.openmetrics, "itertrace_self_bpf_cpu_seconds");
	assert_no_sample(t.openmetrics, "itertrace_self_map_bytes");
	assert_no_sample(t.openmetrics, "itertrace_construct_trip_seconds");
	assert_line(t.openmetrics, "itertrace_host_bpf_cpu_seconds_total 0");
	assert_line(t.openmetrics, "itertrace_self_resident_bytes 12582912");
	assert_line(t.openmetrics,
		    "itertrace_loop_fit{site=\"exec.argv\",state=\"too_few\"} 1");
	assert_line(t.openmetrics, "itertrace_loop_fit{site=\"exec.argv\",state=\"ok\"} 0");
	metrics_text_release(&t);
	metrics__free(m);
}

/* An interval without it adds nothing, and is told from one that adds 0. */
static void a_sum_is_absent_while_it_does_not_grow_for_want_of_figures(void **state)
{
	struct metrics *m = new_metrics(METRICS_MAX_SERIES);
	struct snapshot s = an_interval();
	struct metrics_text t;

	(void)state;
	t = add(m, &s, 1);
	metrics_text_release(&t);
	s.self.cpu_percent = ABSENT;
	t = add(m, &s, 1);
	assert_no_sample(t.openmetrics, "itertrace_self_cpu_seconds");
	metrics_text_release(&t);
	s.self.cpu_percent = 1.5;
	t = add(m, &s, 1);
	assert_line(t.openmetrics, "itertrace_self_cpu_seconds_total 0.3");
	metrics_text_release(&t);
	metrics__free(m);
}

static void costs_are_in_seconds(void **state)
{
	struct metrics *m = new_metrics(METRICS_MAX_SERIES);
	struct snapshot s = an_interval();
	struct site_figures *f = &s.sites[0];
	static struct calibration cal = {.done = true};
	struct metrics_text t;

	(void)state;
	f->fit = SITE_FIT_OK;
	f->ns_per_trip = 2.5;
	f->ns_per_trip_lo = 0;
	f->ns_per_trip_hi = 2.75;
	f->ns_per_loop = 125;
	f->mean_ns = 1000;
	f->inlined_saves_ns = -0.125;
	cal.prices[PRICE_BPF_FOR] = (struct bench_result){
		.name = "bpf_for", .measured = true, .median = 1.75, .lo = 1.5, .hi = 2};
	cal.prices[PRICE_CLOCK] = (struct bench_result){.name = "clock"};
	s.calibration = &cal;
	t = add(m, &s, 1);
	assert_line(t.openmetrics, "itertrace_loop_trip_seconds{site=\"exec.argv\"} 2.5e-09");
	assert_line(t.openmetrics, "itertrace_loop_trip_lo_seconds{site=\"exec.argv\"} 0");
	assert_line(t.openmetrics,
		    "itertrace_loop_trip_hi_seconds{site=\"exec.argv\"} 2.75e-09");
	assert_line(t.openmetrics, "itertrace_loop_entry_seconds{site=\"exec.argv\"} 1.25e-07");
	assert_line(t.openmetrics, "itertrace_loop_mean_seconds{site=\"exec.argv\"} 1e-06");
	assert_line(t.openmetrics,
		    "itertrace_loop_inlined_saves_seconds{site=\"exec.argv\"} -1.25e-10");
	assert_line(t.openmetrics,
		    "itertrace_construct_trip_seconds{construct=\"bpf_for\"} 1.75e-09");
	assert_line(t.openmetrics,
		    "itertrace_construct_trip_lo_seconds{construct=\"bpf_for\"} 1.5e-09");
	assert_line(t.openmetrics,
		    "itertrace_construct_trip_hi_seconds{construct=\"bpf_for\"} 2e-09");
	assert_no_sample(t.openmetrics, "itertrace_construct_trip_seconds{construct=\"clock");
	metrics_text_release(&t);
	metrics__free(m);
}

static void the_kernel_and_its_states_are_told(void **state)
{
	struct metrics *m = new_metrics(METRICS_MAX_SERIES);
	struct snapshot s = an_interval();
	struct metrics_text t = add(m, &s, 1);

	(void)state;
	assert_line(t.openmetrics,
		    "itertrace_kernel_info{release=\"6.12.1\",version=\"#1 SMP\","
		    "build_id=\"4a5a\",arch=\"x86_64\",cpu=\"A \\\"fast\\\" one\","
		    "clock_source=\"\",virtualised=\"\"} 1");
	assert_line(t.openmetrics, "itertrace_build_info{version=\"" ITERTRACE_VERSION
				   "\",loops=\"bpf_for\"} 1");
	assert_line(t.openmetrics, "itertrace_construct_state{construct=\"bpf_iter_num_next\","
				   "state=\"call\"} 1");
	assert_line(t.openmetrics,
		    "itertrace_construct_state{construct=\"bpf_loop\",state=\"inlined\"} 1");
	assert_line(t.openmetrics, "itertrace_start_time_seconds 1700000000");
	assert_line(t.openmetrics, "itertrace_interval_end_time_seconds 1700000010");
	assert_line(t.openmetrics, "itertrace_interval_seconds 10");
	metrics_text_release(&t);
	metrics__free(m);
}

static void a_tracer_is_on_or_off_only_if_it_was_asked_for(void **state)
{
	struct metrics *m = new_metrics(METRICS_MAX_SERIES);
	struct snapshot s = an_interval();
	struct metrics_text t = add(m, &s, 1);

	(void)state;
	assert_line(t.openmetrics, "itertrace_tracer_on{tracer=\"exec\"} 1");
	assert_line(t.openmetrics, "itertrace_tracer_on{tracer=\"runq\"} 0");
	assert_no_sample(t.openmetrics, "itertrace_tracer_on{tracer=\"syscall");
	assert_no_sample(t.openmetrics, "itertrace_events_total{tracer=\"runq");
	metrics_text_release(&t);
	metrics__free(m);
}

/* 32 sites, each entered 7 times an interval, in a limit that has no room for them. */
static void series_are_limited_and_the_rest_adds_up_as_other(void **state)
{
	static const size_t limits[] = {700, METRICS_MAX_SERIES};
	static char names[SNAPSHOT_MAX_SITES][16];
	struct snapshot s = an_interval();
	unsigned long long in_sites, n, overflow;
	struct metrics_text t;
	struct metrics *m;
	const char *at;
	size_t i, l;

	(void)state;
	for (i = 0; i < SNAPSHOT_MAX_SITES; i++) {
		snprintf(names[i], sizeof(names[i]), "site.%zu", i);
		s.sites[i] = s.sites[0];
		s.sites[i].name = names[i];
	}
	s.nr_sites = SNAPSHOT_MAX_SITES;
	for (l = 0; l < 2; l++) {
		m = new_metrics(limits[l]);
		t = add(m, &s, 2);
		assert_true(nr_samples(t.openmetrics) <= limits[l]);
		assert_true(nr_samples(t.text) == nr_samples(t.openmetrics));
		in_sites = 0;
		for (at = t.openmetrics, i = 0;
		     (at = strstr(at, "\nitertrace_loop_trips_count{")); at++, i++) {
			assert_int_equal(sscanf(strchr(at, '}'), "} %llu", &n), 1);
			in_sites += n;
		}
		assert_true(in_sites == 2 * 7 * SNAPSHOT_MAX_SITES);
		assert_non_null(strstr(t.openmetrics, "_count{site=\"other\"}"));
		assert_null(strstr(t.openmetrics, "itertrace_loop_fit{site=\"other\""));
		/* i series, one of them of all the others, whose number it is. */
		at = strstr(t.openmetrics, "\nitertrace_series_overflow_total ");
		assert_non_null(at);
		assert_int_equal(
			sscanf(at, "\nitertrace_series_overflow_total %llu", &overflow), 1);
		assert_true(overflow == 2 * (SNAPSHOT_MAX_SITES - (i - 1)));
		metrics_text_release(&t);
		metrics__free(m);
	}
}

static void however_low_the_limit_is_it_holds(void **state)
{
	struct snapshot s = an_interval();
	struct metrics_text t;
	struct metrics *m;
	size_t limit;

	(void)state;
	for (limit = 1; limit < 300; limit += 7) {
		m = new_metrics(limit);
		t = add(m, &s, 1);
		assert_true(nr_samples(t.openmetrics) <= limit);
		assert_non_null(strstr(t.openmetrics, "\nitertrace_series_overflow_total "));
		metrics_text_release(&t);
		metrics__free(m);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counters_add_up_over_intervals),
		cmocka_unit_test(trips_are_a_histogram_with_the_bounds_of_their_classes),
		cmocka_unit_test(durations_are_a_histogram_in_seconds),
		cmocka_unit_test(absent_figures_have_no_sample_and_zero_has_one),
		cmocka_unit_test(a_sum_is_absent_while_it_does_not_grow_for_want_of_figures),
		cmocka_unit_test(costs_are_in_seconds),
		cmocka_unit_test(the_kernel_and_its_states_are_told),
		cmocka_unit_test(a_tracer_is_on_or_off_only_if_it_was_asked_for),
		cmocka_unit_test(series_are_limited_and_the_rest_adds_up_as_other),
		cmocka_unit_test(however_low_the_limit_is_it_holds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
