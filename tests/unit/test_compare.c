// SPDX-License-Identifier: BSD-2-Clause
/*
 * The rules of a comparison, on recordings made here: what is joined, what is
 * refused, and which verdict follows from which evidence.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "made_comparison.h"

#define SIDE_LIMIT 512

/* --- verdicts ---------------------------------------------------------------- */

/*
 * 1600 trips a second at 10 s and 16000 an interval; 3 ns less each are 4.8 us a
 * second, 0.00048% of a CPU.
 */
static void faster_by_three_of_eighteen(void **state)
{
	struct comparison c;

	(void)state;
	compare_two(run_of("a", "7.2", 30, 18, 0), run_of("b", "7.3", 30, 15, 0), &c);
	assert_int_equal(c.verdict, VERDICT_FASTER);
	assert_int_equal(c.nr_rows, 1);
	assert_int_equal(c.rows[0].verdict, VERDICT_FASTER);
	assert_int_equal(c.rows[0].measure, MEASURE_SLOPE);
	assert_near(c.rows[0].shift, -3, 1e-9);
	assert_near(c.rows[0].shift_percent, -100 / 6.0, 1e-9);
	assert_near(c.rows[0].lo, -100 / 6.0, 1e-9);
	assert_near(c.rows[0].fresh.trips_per_s, 1600, 1e-9);
	assert_near(c.rows[0].saves_cpu_percent, 0.00048, 1e-12);
	assert_near(c.total.saves_cpu_percent, 0.00048, 1e-12);
	assert_near(c.total.base_cpu_percent, 18 * 1600 * 1e-7, 1e-12);
	assert_near(c.total.shift_percent, -100 / 6.0, 1e-9);
	assert_true(has_warning(&c, "one boot proves little"));
	comparison_release(&c);
}

static void slower_is_said(void **state)
{
	struct comparison c;

	(void)state;
	compare_two(run_of("a", "7.2", 30, 15, 0.001),
		    run_of("b", "7.3", 30, 18, 0.001), &c);
	assert_int_equal(c.verdict, VERDICT_SLOWER);
	assert_non_null(strstr(c.why, "exec.argv"));
	assert_true(c.total.saves_hi < 0);
	comparison_release(&c);
}

/* A negative 0 would be shown as one. */
static void no_shift_saves_nothing(void **state)
{
	struct comparison c;

	(void)state;
	compare_two(run_of("a", "7.2", 30, 18, 0), run_of("b", "7.3", 30, 18, 0), &c);
	assert_true(c.rows[0].saves_cpu_percent == 0 &&
		    !signbit(c.rows[0].saves_cpu_percent));
	assert_true(c.rows[0].saves_lo == 0 && !signbit(c.rows[0].saves_lo));
	assert_true(c.rows[0].saves_hi == 0 && !signbit(c.rows[0].saves_hi));
	assert_true(c.total.shift_percent == 0 && !signbit(c.total.shift_percent));
	assert_true(c.total.lo == 0 && !signbit(c.total.lo));
	comparison_release(&c);
}

static void certain_but_tiny_does_not_matter(void **state)
{
	struct comparison c;

	(void)state;
	compare_two(run_of("a", "7.2", 30, 100, 0), run_of("b", "7.3", 30, 102, 0), &c);
	assert_int_equal(c.verdict, VERDICT_NO_DIFFERENCE);
	assert_true(c.rows[0].p_holm < 0.001);
	assert_string_equal(c.rows[0].note, "a difference below the threshold");
	comparison_release(&c);
}

/* The same evidence, and a threshold below the difference. */
static void threshold_decides_what_matters(void **state)
{
	struct digest *digests[] = {run_of("a", "7.2", 30, 100, 0),
				    run_of("b", "7.3", 30, 102, 0)};
	struct comparison c;

	(void)state;
	compare_with(digests, 1, 1, 1, false, &c);
	assert_int_equal(c.verdict, VERDICT_SLOWER);
	comparison_release(&c);
}

static void three_against_three_is_too_little(void **state)
{
	struct comparison c;

	(void)state;
	compare_two(run_of("a", "7.2", 3, 100, 0), run_of("b", "7.3", 3, 300, 0), &c);
	assert_int_equal(c.verdict, VERDICT_TOO_LITTLE_DATA);
	assert_int_equal(c.rows[0].verdict, VERDICT_TOO_LITTLE_DATA);
	assert_false(c.rows[0].is_tested);
	assert_true(is_absent(c.rows[0].lo));
	assert_near(c.rows[0].p, 0.1, 1e-12);
	comparison_release(&c);
	compare_two(run_of("a", "7.2", 3, 100, 0), run_of("b", "7.3", 3, 100, 0), &c);
	assert_int_equal(c.verdict, VERDICT_TOO_LITTLE_DATA);
	comparison_release(&c);
}

static void few_values_are_warned_of(void **state)
{
	struct comparison c;

	(void)state;
	compare_two(run_of("a", "7.2", 6, 100, 0), run_of("b", "7.3", 30, 150, 0), &c);
	assert_int_equal(c.verdict, VERDICT_SLOWER);
	assert_true(has_warning(&c, "fewer than 9 values"));
	assert_string_equal(c.rows[0].note, "few values: 6 against 10");
	comparison_release(&c);
}

static void wide_spread_is_no_equality(void **state)
{
	struct comparison c;

	(void)state;
	compare_two(run_of("a", "7.2", 19, 100, 0.1), run_of("b", "7.3", 19, 101, 0.1),
		    &c);
	assert_int_equal(c.verdict, VERDICT_TOO_LITTLE_DATA);
	assert_true(c.rows[0].is_tested);
	comparison_release(&c);
}

/* Each value is the same twice over: half of the intervals say nothing new. */
static void neighbours_that_agree_widen_the_interval(void **state)
{
	static const double noise[] = {1, -1, 2, -2, 0, 3, -3, 1, -2};
	struct digest *d[2];
	struct comparison c;

	(void)state;
	for (size_t side = 0; side < 2; side++) {
		d[side] = made_digest("x.itr", side ? "b" : "a", side ? "7.3" : "7.2");
		for (size_t i = 0; i < 18; i++) {
			struct site_figures site =
				made_site("exec.argv", 100 + noise[i / 2]);

			assert_int_equal(made_interval(d[side], &site, 1), 0);
		}
		made_finish(d[side]);
	}
	compare_two(d[0], d[1], &c);
	assert_true(c.rows[0].inflation > 1.2);
	comparison_release(&c);
}

/* --- boots ------------------------------------------------------------------- */

static void boots_are_the_unit_where_there_are_two(void **state)
{
	struct digest *digests[12];
	char boot[8];
	struct comparison c;

	(void)state;
	for (size_t i = 0; i < 12; i++) {
		snprintf(boot, sizeof(boot), "%zu", i);
		digests[i] = run_of(boot, i < 6 ? "7.2" : "7.3", 30,
				    100 + (double)(i % 6), 0);
	}
	compare_with(digests, 6, 6, 10, false, &c);
	assert_true(c.unit_is_run);
	assert_int_equal(c.rows[0].base.nr, 6);
	assert_int_equal(c.rows[0].fresh.nr, 6);
	assert_near(c.rows[0].base.median, 102.5, 1e-9);
	assert_false(has_warning(&c, "one boot proves little"));
	assert_true(has_warning(&c, "6 boots against 6"));
	comparison_release(&c);
}

static void recordings_of_one_boot_count_once(void **state)
{
	struct digest *digests[] = {
		run_of("a", "7.2", 30, 100, 0), run_of("a", "7.2", 30, 120, 0),
		run_of("b", "7.2", 30, 100, 0), run_of("c", "7.3", 30, 100, 0),
		run_of("d", "7.3", 30, 100, 0),
	};
	struct comparison c;

	(void)state;
	compare_with(digests, 3, 2, 5, false, &c);
	assert_true(c.unit_is_run);
	assert_int_equal(c.rows[0].base.nr, 2);
	assert_near(c.rows[0].base.most, 110, 1e-9); /* the median of 100 and 120 */
	assert_true(has_warning(&c, "base: 3 recordings are of 2 boots"));
	comparison_release(&c);
}

/* 60 parts of 6 intervals are 360 intervals of one boot: ten batches, not 360 values. */
static void parts_of_a_boot_are_one_series(void **state)
{
	struct digest *digests[120];
	struct comparison c;
	size_t i;

	(void)state;
	for (i = 0; i < 120; i++)
		digests[i] =
			run_of(i < 60 ? "a" : "b", i < 60 ? "7.2" : "7.3", 6, 100, 0);
	compare_with(digests, 60, 60, 5, false, &c);
	assert_false(c.unit_is_run);
	assert_int_equal(c.rows[0].base.nr, 10);
	assert_int_equal(c.rows[0].fresh.nr, 10);
	comparison_release(&c);
}

static void one_boot_in_two_recordings_is_one_boot(void **state)
{
	struct digest *digests[] = {
		run_of("a", "7.2", 30, 100, 0),
		run_of("a", "7.2", 30, 100, 0),
		run_of("b", "7.3", 30, 100, 0),
		run_of("b", "7.3", 30, 100, 0),
	};
	struct comparison c;

	(void)state;
	compare_with(digests, 2, 2, 5, false, &c);
	assert_false(c.unit_is_run);
	assert_true(has_warning(&c, "one boot proves little"));
	comparison_release(&c);
}

static void unknown_boots_are_one(void **state)
{
	struct digest *digests[] = {
		run_of("", "7.2", 30, 100, 0),
		run_of("", "7.2", 30, 100, 0),
		run_of("", "7.3", 30, 100, 0),
		run_of("", "7.3", 30, 100, 0),
	};
	struct comparison c;

	(void)state;
	compare_with(digests, 2, 2, 5, false, &c);
	assert_false(c.unit_is_run);
	assert_true(has_warning(&c, "do not name their boot"));
	comparison_release(&c);
}

/* --- joining ----------------------------------------------------------------- */

static struct digest *sites_of(const char *boot, const char *release,
			       const struct site_figures *sites, size_t nr)
{
	struct digest *d = made_digest("x.itr", boot, release);

	for (size_t i = 0; i < 30; i++)
		assert_int_equal(made_interval(d, sites, nr), 0);
	made_finish(d);
	return d;
}

static void sites_on_one_side_are_listed(void **state)
{
	struct site_figures base[] = {made_site("a", 10), made_site("b", 10)};
	struct site_figures fresh[] = {made_site("c", 10), made_site("a", 10)};
	struct comparison c;

	(void)state;
	compare_two(sites_of("1", "7.2", base, 2), sites_of("2", "7.3", fresh, 2), &c);
	assert_int_equal(c.nr_rows, 1);
	assert_string_equal(c.rows[0].name, "a");
	assert_int_equal(c.nr_only_in_base, 1);
	assert_string_equal(c.only_in_base[0].name, "b");
	assert_int_equal(c.nr_only_in_new, 1);
	assert_string_equal(c.only_in_new[0].name, "c");
	comparison_release(&c);
}

static void nothing_in_common_is_not_comparable(void **state)
{
	struct site_figures base = made_site("a", 10), fresh = made_site("b", 10);
	struct comparison c;

	(void)state;
	compare_two(sites_of("1", "7.2", &base, 1), sites_of("2", "7.3", &fresh, 1),
		    &c);
	assert_int_equal(c.verdict, VERDICT_NOT_COMPARABLE);
	assert_true(is_absent(c.total.saves_cpu_percent));
	comparison_release(&c);
}

static void site_that_stands_twice_counts_once(void **state)
{
	struct site_figures base[] = {made_site("a", 10), made_site("a", 1000)};
	struct site_figures fresh = made_site("a", 10);
	struct comparison c;

	(void)state;
	compare_two(sites_of("1", "7.2", base, 2), sites_of("2", "7.3", &fresh, 1), &c);
	assert_int_equal(c.verdict, VERDICT_NO_DIFFERENCE);
	assert_near(c.rows[0].base.most, 10, 0);
	assert_true(has_warning(&c, "30 figures of a name that stands twice"));
	comparison_release(&c);
}

/* Two trips at 100 ns a loop: 50 ns a trip, the loop's own share in it. */
static struct site_figures constant_site(uint64_t trips, double mean_ns)
{
	struct site_figures f = made_site("a", ABSENT);

	f.fit = SITE_FIT_TRIPS_CONSTANT;
	f.trips = f.entries * trips;
	f.ns_per_loop = ABSENT;
	f.mean_ns = mean_ns;
	return f;
}

static void mean_where_trips_hardly_vary(void **state)
{
	struct site_figures base = constant_site(2, 100), fresh = constant_site(2, 80);
	struct comparison c;

	(void)state;
	compare_two(sites_of("1", "7.2", &base, 1), sites_of("2", "7.3", &fresh, 1),
		    &c);
	assert_int_equal(c.rows[0].measure, MEASURE_MEAN);
	assert_near(c.rows[0].base.median, 50, 1e-9);
	assert_near(c.rows[0].fresh.median, 40, 1e-9);
	assert_near(c.rows[0].base.costs[0].y, 100, 1e-9);
	assert_int_equal(c.verdict, VERDICT_FASTER);
	comparison_release(&c);
}

static void means_of_other_trips_are_not_compared(void **state)
{
	struct site_figures base = constant_site(2, 100), fresh = constant_site(4, 120);
	struct comparison c;

	(void)state;
	compare_two(sites_of("1", "7.2", &base, 1), sites_of("2", "7.3", &fresh, 1),
		    &c);
	assert_int_equal(c.nr_rows, 0);
	assert_int_equal(c.nr_incomparable, 1);
	assert_non_null(
		strstr(c.incomparable[0].reason, "2.0 trips a loop against 4.0"));
	comparison_release(&c);
}

/* Its mean, or its slope, would be that of the other's trips. */
static void a_loop_of_loops_has_no_row(void **state)
{
	struct site_figures base[] = {made_site("runq.merge_cpus", 700),
				      made_site("runq.merge_slots", 5)};
	struct site_figures fresh[] = {made_site("runq.merge_cpus", 600),
				       made_site("runq.merge_slots", 5)};
	struct comparison c;

	(void)state;
	compare_two(sites_of("1", "7.2", base, 2), sites_of("2", "7.3", fresh, 2), &c);
	assert_int_equal(c.nr_rows, 1);
	assert_string_equal(c.rows[0].name, "runq.merge_slots");
	assert_int_equal(c.nr_incomparable, 1);
	assert_string_equal(c.incomparable[0].name, "runq.merge_cpus");
	assert_non_null(
		strstr(c.incomparable[0].reason, "each trip is a loop of runq.merge_slots"));
	comparison_release(&c);
}

static void never_entered_is_said(void **state)
{
	struct site_figures base = made_site("a", 10), fresh = made_site("a", ABSENT);
	struct comparison c;

	(void)state;
	fresh.entries = fresh.trips = fresh.timed = 0;
	fresh.fit = SITE_FIT_TOO_FEW;
	fresh.mean_ns = ABSENT;
	compare_two(sites_of("1", "7.2", &base, 1), sites_of("2", "7.3", &fresh, 1),
		    &c);
	assert_int_equal(c.nr_incomparable, 1);
	assert_non_null(strstr(c.incomparable[0].reason, "new: never entered"));
	comparison_release(&c);
}

static void what_is_no_number_is_no_figure(void **state)
{
	struct site_figures base[] = {made_site("nan", 10), made_site("infinite", 10),
				      made_site("negative", 10), made_site("a", 10)};
	struct site_figures fresh[] = {made_site("nan", NAN),
				       made_site("infinite", INFINITY),
				       made_site("negative", -1), made_site("a", 10)};
	struct comparison c;

	(void)state;
	compare_two(sites_of("1", "7.2", base, 4), sites_of("2", "7.3", fresh, 4), &c);
	assert_int_equal(c.nr_rows, 2); /* of the negative one there is a mean */
	assert_int_equal(c.nr_incomparable, 2);
	assert_true(isfinite(c.total.saves_cpu_percent));
	comparison_release(&c);
}

static void nothing_costs_are_no_percentage(void **state)
{
	struct site_figures base[] = {made_site("gains", 0), made_site("both", 0)};
	struct site_figures fresh[] = {made_site("gains", 10), made_site("both", 0)};
	struct comparison c;

	(void)state;
	compare_two(sites_of("1", "7.2", base, 2), sites_of("2", "7.3", fresh, 2), &c);
	assert_int_equal(c.nr_rows, 1);
	assert_string_equal(c.rows[0].name, "both");
	assert_int_equal(c.rows[0].verdict, VERDICT_NO_DIFFERENCE);
	assert_int_equal(c.nr_incomparable, 1);
	assert_string_equal(c.incomparable[0].name, "gains");
	comparison_release(&c);
}

/* --- recordings that say something against themselves -------------------------- */

static void losses_are_warned_of(void **state)
{
	struct digest *base = run_of("a", "7.2", 30, 100, 0);
	struct digest *fresh = run_of("b", "7.3", 30, 100, 0);
	struct comparison c;

	(void)state;
	base->nr_lost = 42;
	base->nr_events = 1000;
	snprintf(fresh->end.loss, sizeof(fresh->end.loss), "cut after interval 30");
	compare_two(base, fresh, &c);
	assert_true(has_warning(&c, "lost events"));
	assert_true(has_warning(&c, "42"));
	assert_true(has_warning(&c, "cut after interval 30"));
	comparison_release(&c);
}

static void lost_events_are_summed(void **state)
{
	struct digest *d = made_digest("x.itr", "a", "7.2");
	struct snapshot *s = calloc(1, sizeof(*s));

	(void)state;
	s->nr_tracers = 1;
	s->tracers[0] =
		(struct tracer_status){.name = "exec",
				       .on = true,
				       .events = 100,
				       .lost = {{"ring_full", 3}, {"map_full", 4}},
				       .nr_lost = 2};
	assert_int_equal(digest_add_snapshot(d, s), 0);
	assert_int_equal(digest_add_snapshot(d, s), 0);
	assert_int_equal(d->nr_lost, 14);
	assert_int_equal(d->nr_events, 200);
	digest__free(d);
	free(s);
}

static void too_many_recordings_are_refused(void **state)
{
	struct digest *d = run_of("a", "7.2", 1, 100, 0);
	struct digest **digests = calloc(SIDE_LIMIT + 2, sizeof(*digests));
	struct compare_options options = {.threshold_percent = 5};
	struct reason why = {""};
	struct comparison c;

	(void)state;
	for (size_t i = 0; i < SIDE_LIMIT + 2; i++)
		digests[i] = d;
	assert_int_equal(
		compare_digests(digests, SIDE_LIMIT + 1, 1, &options, &c, &why),
		-E2BIG);
	assert_non_null(strstr(why.text, "512"));
	digest__free(d);
	free(digests);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(faster_by_three_of_eighteen),
		cmocka_unit_test(slower_is_said),
		cmocka_unit_test(no_shift_saves_nothing),
		cmocka_unit_test(certain_but_tiny_does_not_matter),
		cmocka_unit_test(threshold_decides_what_matters),
		cmocka_unit_test(three_against_three_is_too_little),
		cmocka_unit_test(few_values_are_warned_of),
		cmocka_unit_test(wide_spread_is_no_equality),
		cmocka_unit_test(neighbours_that_agree_widen_the_interval),
		cmocka_unit_test(boots_are_the_unit_where_there_are_two),
		cmocka_unit_test(recordings_of_one_boot_count_once),
		cmocka_unit_test(parts_of_a_boot_are_one_series),
		cmocka_unit_test(one_boot_in_two_recordings_is_one_boot),
		cmocka_unit_test(unknown_boots_are_one),
		cmocka_unit_test(sites_on_one_side_are_listed),
		cmocka_unit_test(nothing_in_common_is_not_comparable),
		cmocka_unit_test(site_that_stands_twice_counts_once),
		cmocka_unit_test(mean_where_trips_hardly_vary),
		cmocka_unit_test(means_of_other_trips_are_not_compared),
		cmocka_unit_test(a_loop_of_loops_has_no_row),
		cmocka_unit_test(never_entered_is_said),
		cmocka_unit_test(what_is_no_number_is_no_figure),
		cmocka_unit_test(nothing_costs_are_no_percentage),
		cmocka_unit_test(losses_are_warned_of),
		cmocka_unit_test(lost_events_are_summed),
		cmocka_unit_test(too_many_recordings_are_refused),
	};

	return cmocka_run_group_tests_name("compare", tests, NULL, NULL);
}
