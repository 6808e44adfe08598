// SPDX-License-Identifier: BSD-2-Clause
/*
 * Hosts from the answers of a server, and what is concluded of them. A made answer is
 * the text that a server would give.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "compare/fleet.h"
#include "made_comparison.h"

#define END_S 1800000000.0

static const struct query_range range = {3600, 15};

/* An answer that is being written. */
struct made {
	FILE *out;
	char *text;
	size_t len;
	bool has_sample;
};

static void begin(struct made *m)
{
	*m = (struct made){0};
	m->out = open_memstream(&m->text, &m->len);
	assert_non_null(m->out);
	fputs("{\"status\":\"success\",\"data\":{\"resultType\":\"vector\",\"result\":"
	      "[",
	      m->out);
}

/* of: what else it is labelled with, or "". */
static void sample(struct made *m, const char *instance, const char *release,
		   const char *of, const char *value)
{
	fprintf(m->out,
		"%s{\"metric\":{\"instance\":\"%s\",\"job\":\"itertrace\","
		"\"release\":\"%s\",\"version\":\"#1\",\"build_id\":\"id-%s\","
		"\"arch\":\"x86_64\",\"cpu\":\"A processor\",\"clock_source\":\"tsc\","
		"\"virtualised\":\"kvm\",\"itertrace\":\"0.1.0\",\"loops\":\"bpf_for\""
		"%s},\"value\":[1800000000,\"%s\"]}",
		m->has_sample ? "," : "", instance, release, release, of, value);
	m->has_sample = true;
}

static int finish(struct made *m, struct fleet *f, enum query query, struct reason *why)
{
	struct answer a;
	int err;

	fputs("]}}", m->out);
	assert_int_equal(fclose(m->out), 0);
	assert_int_equal(answer_read("s", 200, m->text, m->len, &a, why), 0);
	err = fleet_add(f, query, &a, why);
	answer_release(&a);
	free(m->text);
	return err;
}

static int add_one(struct fleet *f, enum query query, const char *instance,
		   const char *release, const char *of, const char *value,
		   struct reason *why)
{
	struct made m;

	begin(&m);
	sample(&m, instance, release, of, value);
	return finish(&m, f, query, why);
}

static void add(struct fleet *f, enum query query, const char *instance,
		const char *release, const char *of, double value)
{
	struct reason why;
	char text[40];

	snprintf(text, sizeof(text), "%.17g", value);
	if (add_one(f, query, instance, release, of, text, &why))
		fail_msg("%s", why.text);
}

#define SITE  ",\"site\":\"exec.argv\""
#define OTHER ",\"site\":\"syscall.top\""

static struct fleet *new_fleet(void)
{
	struct fleet *f = fleet__new(END_S, range);

	assert_non_null(f);
	return f;
}

/* A site of a host that was there for 200 of the steps: 1600 trips a second. */
static void add_site(struct fleet *f, const char *instance, const char *release,
		     const char *site, double ns_per_trip)
{
	add(f, QUERY_ENTRIES, instance, release, site, 100 * 200 * 15);
	add(f, QUERY_TRIPS, instance, release, site, 1600 * 200 * 15);
	add(f, QUERY_SLOPES, instance, release, site, ns_per_trip * 1e-9);
	add(f, QUERY_FITS, instance, release, site, 150);
	add(f, QUERY_PER_LOOP, instance, release, site, 50e-9);
	add(f, QUERY_MEANS, instance, release, site, (50 + 16 * ns_per_trip) * 1e-9);
	add(f, QUERY_NR_MEANS, instance, release, site, 200);
}

/* Hosts whose costs are ns_per_trip, 1% more, 2% more, … */
static struct fleet *hosts_of(const char *release, size_t nr, double ns_per_trip)
{
	struct fleet *f = new_fleet();
	char name[20];

	for (size_t i = 0; i < nr; i++) {
		snprintf(name, sizeof(name), "%s-%zu", release, i);
		add(f, QUERY_HOSTS, name, release, "", 200);
		add_site(f, name, release, SITE, ns_per_trip * (1 + (double)i / 100));
		add_site(f, name, release, OTHER, 40);
	}
	return f;
}

static void compare_fleets(struct fleet *base, struct fleet *fresh, bool is_forced,
			   struct comparison *ret)
{
	struct compare_options options = {
		.threshold_percent = 5,
		.is_forced = is_forced,
		.unit_is_host = true,
	};
	size_t nr_base = fleet_size(base), nr = nr_base + fleet_size(fresh), i;
	struct digest **digests = calloc(nr, sizeof(*digests));
	struct reason why;

	assert_non_null(digests);
	for (i = 0; i < nr; i++)
		assert_int_equal(fleet_digest(i < nr_base ? base : fresh,
					      i < nr_base ? i : i - nr_base,
					      &digests[i]),
				 0);
	fleet__free(base);
	fleet__free(fresh);
	if (compare_digests(digests, nr_base, nr - nr_base, &options, ret, &why))
		fail_msg("%s", why.text);
	for (i = 0; i < nr; i++)
		digest__free(digests[i]);
	free(digests);
}

static const struct comparison_row *row_of(const struct comparison *c, const char *name)
{
	for (size_t i = 0; i < c->nr_rows; i++)
		if (!strcmp(c->rows[i].name, name))
			return &c->rows[i];
	fail_msg("there is no row %s", name);
	return NULL;
}

/* --- verdicts ---------------------------------------------------------------- */

/*
 * Base 100, 101 … 105, new 80, 80.8 … 84, all of these below: of the C(12, 6) = 924 ways
 * to deal 12 ranks two are as extreme; Holm doubles that for two rows. The differences
 * 80 + 0.8 j - 100 - i lie evenly about -20 + 2 - 2.5, which so is their median.
 */
static void faster_by_a_fifth(void **state)
{
	const struct comparison_row *row;
	struct comparison c;

	(void)state;
	compare_fleets(hosts_of("7.2", 6, 100), hosts_of("7.3", 6, 80), false, &c);
	assert_int_equal(c.verdict, VERDICT_FASTER);
	assert_true(c.unit_is_host && c.unit_is_run);
	assert_int_equal(c.nr_rows, 2);
	row = row_of(&c, "exec.argv");
	assert_int_equal(row->verdict, VERDICT_FASTER);
	assert_int_equal(row->measure, MEASURE_SLOPE);
	assert_int_equal(row->base.nr, 6);
	assert_near(row->base.median, 102.5, 1e-9);
	assert_near(row->fresh.median, 82, 1e-9);
	assert_near(row->shift, -20.5, 1e-9);
	assert_near(row->shift_percent, -20, 1e-9);
	assert_near(row->p, 2.0 / 924, 1e-12);
	assert_near(row->p_holm, 4.0 / 924, 1e-12);
	assert_near(row->fresh.trips_per_s, 1600, 1e-9);
	assert_near(row->fresh.mean_trips, 16, 1e-9);
	assert_near(row->fresh.a, 50, 1e-9);
	assert_near(row->saves_cpu_percent, 20.5 * 1600 * 1e-7, 1e-12);
	assert_int_equal(row->fresh.nr_times, 0);
	assert_int_equal(row_of(&c, "syscall.top")->verdict, VERDICT_NO_DIFFERENCE);
	assert_true(has_warning(&c, "6 hosts against 6: 9 a side are better"));
	assert_true(has_warning(&c, "hosts do not tell a server"));
	assert_null(difference(&c, "host"));
	assert_string_equal(difference(&c, "kernel release")->fresh, "7.3");
	comparison_release(&c);
}

static void slower_by_a_fourth(void **state)
{
	struct comparison c;

	(void)state;
	compare_fleets(hosts_of("7.3", 6, 80), hosts_of("7.2", 6, 100), false, &c);
	assert_int_equal(c.verdict, VERDICT_SLOWER);
	assert_near(row_of(&c, "exec.argv")->shift_percent, 25, 1e-9);
	comparison_release(&c);
}

static void one_host_is_too_little(void **state)
{
	struct comparison c;

	(void)state;
	compare_fleets(hosts_of("7.2", 1, 100), hosts_of("7.3", 1, 50), false, &c);
	assert_int_equal(c.verdict, VERDICT_TOO_LITTLE_DATA);
	assert_true(c.unit_is_host);
	assert_int_equal(c.rows[0].base.nr, 1);
	assert_non_null(strstr(c.why, "select more hosts"));
	comparison_release(&c);
}

/* It has both values, each under its kernel, and is no host more on either side. */
static void host_that_moved_stands_on_both_sides(void **state)
{
	struct fleet *base = hosts_of("7.2", 6, 100), *fresh = hosts_of("7.3", 6, 80);
	const struct comparison_row *row;
	struct comparison c;

	(void)state;
	add(base, QUERY_HOSTS, "moved", "7.2", "", 100);
	add_site(base, "moved", "7.2", SITE, 110);
	add(fresh, QUERY_HOSTS, "moved", "7.3", "", 100);
	add_site(fresh, "moved", "7.3", SITE, 70);
	compare_fleets(base, fresh, false, &c);
	row = row_of(&c, "exec.argv");
	assert_int_equal(row->base.nr, 7);
	assert_int_equal(row->fresh.nr, 7);
	assert_near(row->base.most, 110, 1e-9);
	assert_near(row->fresh.least, 70, 1e-9);
	comparison_release(&c);
}

/* The same instance by two jobs, or replicas of a server: the median of both values. */
static void host_that_is_served_twice_counts_once(void **state)
{
	struct fleet *fresh = hosts_of("7.3", 6, 80);
	const struct comparison_row *row;
	struct comparison c;

	(void)state;
	add(fresh, QUERY_HOSTS, "7.3-5", "7.3", ",\"replica\":\"b\"", 200);
	add_site(fresh, "7.3-5", "7.3", SITE ",\"replica\":\"b\"", 90);
	compare_fleets(hosts_of("7.2", 6, 100), fresh, false, &c);
	row = row_of(&c, "exec.argv");
	assert_int_equal(row->fresh.nr, 6);
	assert_near(row->fresh.most, (84 + 90) / 2.0, 1e-9);
	assert_true(has_warning(&c, "new: 7 hosts by all labels are 6"));
	comparison_release(&c);
}

/* --- guards ------------------------------------------------------------------ */

static void two_kernels_on_a_side_are_refused(void **state)
{
	struct fleet *base = hosts_of("7.2", 6, 100);
	struct comparison c;

	(void)state;
	add(base, QUERY_HOSTS, "x", "7.1", "", 200);
	compare_fleets(base, hosts_of("7.3", 6, 80), false, &c);
	assert_int_equal(c.verdict, VERDICT_NOT_COMPARABLE);
	assert_non_null(strstr(c.why, "within the base side"));
	assert_non_null(strstr(c.why, "select hosts that are alike, or --force"));
	comparison_release(&c);
}

static void same_kernel_on_both_sides_is_said(void **state)
{
	struct comparison c;

	(void)state;
	compare_fleets(hosts_of("7.2", 6, 100), hosts_of("7.2", 6, 100), false, &c);
	assert_int_equal(c.verdict, VERDICT_NO_DIFFERENCE);
	assert_true(has_warning(&c, "both sides ran the same kernel"));
	comparison_release(&c);
}

static void states_of_constructs_are_told(void **state)
{
	struct fleet *base = hosts_of("7.2", 6, 100), *fresh = hosts_of("7.3", 6, 80);
	struct comparison c;

	(void)state;
	add(base, QUERY_STATES, "7.2-0", "7.2",
	    ",\"construct\":\"bpf_iter_num_next\",\"state\":\"call\"", 1);
	/* what the server holds for true for some minutes after it rebooted */
	add(fresh, QUERY_STATES, "7.3-0", "7.3",
	    ",\"construct\":\"bpf_iter_num_next\",\"state\":\"call\"", 20);
	add(fresh, QUERY_STATES, "7.3-0", "7.3",
	    ",\"construct\":\"bpf_iter_num_next\",\"state\":\"inlined\"", 100);
	add(fresh, QUERY_STATES, "7.3-0", "7.3",
	    ",\"construct\":\"bpf_iter_num_next\",\"state\":\"partial\"", 1);
	/* of a later version */
	add(fresh, QUERY_STATES, "7.3-0", "7.3",
	    ",\"construct\":\"may_goto\",\"state\":\"sideways\"", 1);
	compare_fleets(base, fresh, false, &c);
	assert_string_equal(difference(&c, "probe: bpf_iter_num_next")->base, "call");
	assert_string_equal(difference(&c, "probe: bpf_iter_num_next")->fresh,
			    "inlined");
	assert_null(difference(&c, "probe: may_goto"));
	comparison_release(&c);
}

/* --- what is measured -------------------------------------------------------- */

/* In 150 of 200 steps a line fitted; where it is in 99, those are a choice. */
static void lines_that_seldom_fit_give_way_to_means(void **state)
{
	struct fleet *sides[2] = {new_fleet(), new_fleet()};
	static const char *const releases[] = {"7.2", "7.3"};
	struct comparison c;

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		add(sides[i], QUERY_HOSTS, "a", releases[i], "", 200);
		add(sides[i], QUERY_ENTRIES, "a", releases[i], SITE, 1000);
		add(sides[i], QUERY_TRIPS, "a", releases[i], SITE, 16000);
		add(sides[i], QUERY_SLOPES, "a", releases[i], SITE, 7e-9);
		add(sides[i], QUERY_FITS, "a", releases[i], SITE, 99);
		add(sides[i], QUERY_MEANS, "a", releases[i], SITE, 320e-9);
		add(sides[i], QUERY_NR_MEANS, "a", releases[i], SITE, 200);
	}
	compare_fleets(sides[0], sides[1], false, &c);
	assert_int_equal(c.rows[0].measure, MEASURE_MEAN);
	assert_near(c.rows[0].base.median, 320.0 / 16, 1e-9);
	comparison_release(&c);
}

/* One scrape makes no increase: the cost is known, the rate is not, and not 0. */
static void rate_without_support_is_absent(void **state)
{
	struct fleet *f = new_fleet();
	struct comparison c;

	(void)state;
	add(f, QUERY_HOSTS, "a", "7.3", "", 1);
	add(f, QUERY_SLOPES, "a", "7.3", SITE, 80e-9);
	add(f, QUERY_FITS, "a", "7.3", SITE, 1);
	compare_fleets(hosts_of("7.2", 1, 100), f, false, &c);
	assert_near(row_of(&c, "exec.argv")->fresh.median, 80, 1e-9);
	assert_near(row_of(&c, "exec.argv")->base.trips_per_s, 1600, 1e-9);
	assert_true(is_absent(row_of(&c, "exec.argv")->fresh.trips_per_s));
	assert_true(is_absent(row_of(&c, "exec.argv")->saves_cpu_percent));
	comparison_release(&c);
}

static void prices_are_constructs(void **state)
{
	struct fleet *base = hosts_of("7.2", 1, 100), *fresh = hosts_of("7.3", 1, 80);
	struct comparison c;

	(void)state;
	add(base, QUERY_PRICES, "7.2-0", "7.2", ",\"construct\":\"bpf_for\"", 3e-9);
	add(fresh, QUERY_PRICES, "7.3-0", "7.3", ",\"construct\":\"bpf_for\"", 1.5e-9);
	add(fresh, QUERY_PRICES, "7.3-0", "7.3", ",\"construct\":\"clock\"", 30e-9);
	compare_fleets(base, fresh, false, &c);
	assert_int_equal(row_of(&c, "bpf_for")->measure, MEASURE_CALIBRATION);
	assert_near(row_of(&c, "bpf_for")->shift, -1.5, 1e-9);
	assert_int_equal(c.nr_rows, 3);
	comparison_release(&c);
}

static void lost_events_are_said(void **state)
{
	struct fleet *base = hosts_of("7.2", 6, 100);
	struct comparison c;

	(void)state;
	add(base, QUERY_EVENTS, "7.2-3", "7.2", "", 1000);
	add(base, QUERY_LOST, "7.2-3", "7.2", "", 12.4);
	compare_fleets(base, hosts_of("7.3", 6, 80), false, &c);
	assert_true(
		has_warning(&c, "1 of 6 hosts lost events, 7.2-3 most: 12, of 1000"));
	comparison_release(&c);
}

static void what_is_no_cost_is_absent(void **state)
{
	static const char *const values[] = {"NaN", "+Inf", "-Inf", "-1"};
	struct fleet *base = hosts_of("7.2", 6, 100);
	struct comparison c;
	struct reason why;
	char name[20];

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		snprintf(name, sizeof(name), "odd-%zu", i);
		add(base, QUERY_HOSTS, name, "7.2", "", 200);
		assert_int_equal(
			add_one(base, QUERY_SLOPES, name, "7.2", SITE, values[i], &why),
			0);
		assert_int_equal(add_one(base, QUERY_ENTRIES, name, "7.2", SITE,
					 values[i], &why),
				 0);
	}
	compare_fleets(base, hosts_of("7.3", 6, 80), false, &c);
	assert_int_equal(row_of(&c, "exec.argv")->base.nr, 6);
	assert_int_equal(c.verdict, VERDICT_FASTER);
	comparison_release(&c);
}

/* --- what a server should not say -------------------------------------------- */

static void series_of_no_host_are_counted(void **state)
{
	struct fleet *f = hosts_of("7.2", 1, 100);

	(void)state;
	assert_int_equal(fleet_strays(f), 0);
	add(f, QUERY_SLOPES, "elsewhere", "7.2", SITE, 1);
	add(f, QUERY_SLOPES, "7.2-0", "7.3", SITE, 1);
	assert_int_equal(fleet_strays(f), 2);
	assert_int_equal(fleet_size(f), 1);
	fleet__free(f);
}

static void same_series_twice_is_refused(void **state)
{
	struct fleet *f = hosts_of("7.2", 1, 100);
	struct reason why;

	(void)state;
	assert_int_equal(add_one(f, QUERY_SLOPES, "7.2-0", "7.2", SITE, "1", &why),
			 -EPROTO);
	assert_non_null(strstr(why.text, "the same series of 7.2-0 twice"));
	assert_int_equal(add_one(f, QUERY_HOSTS, "7.2-0", "7.2", "", "1", &why),
			 -EPROTO);
	fleet__free(f);
}

static void host_without_a_name_is_refused(void **state)
{
	struct fleet *f = new_fleet();
	struct reason why;

	(void)state;
	assert_int_equal(add_one(f, QUERY_HOSTS, "", "7.2", "", "1", &why), -EPROTO);
	assert_non_null(strstr(why.text, "instance"));
	fleet__free(f);
}

static void site_without_a_name_is_refused(void **state)
{
	struct fleet *f = hosts_of("7.2", 1, 100);
	struct reason why;

	(void)state;
	assert_int_equal(add_one(f, QUERY_SLOPES, "7.2-0", "7.2", "", "1", &why),
			 -EPROTO);
	fleet__free(f);
}

static void more_sites_than_there_are_are_refused(void **state)
{
	struct fleet *f = new_fleet();
	struct reason why;
	char site[40];

	(void)state;
	add(f, QUERY_HOSTS, "a", "7.2", "", 1);
	for (int i = 0; i < SNAPSHOT_MAX_SITES; i++) {
		snprintf(site, sizeof(site), ",\"site\":\"s%d\"", i);
		add(f, QUERY_SLOPES, "a", "7.2", site, 1);
	}
	assert_int_equal(add_one(f, QUERY_SLOPES, "a", "7.2", SITE, "1", &why), -E2BIG);
	assert_non_null(strstr(why.text, "more than 32 loop sites"));
	fleet__free(f);
}

static void more_constructs_than_there_are_are_refused(void **state)
{
	struct fleet *f = new_fleet();
	char of[60];
	struct reason why;

	(void)state;
	add(f, QUERY_HOSTS, "a", "7.2", "", 1);
	for (int i = 0; i < RECORDING_MAX_FEATURES; i++) {
		snprintf(of, sizeof(of), ",\"construct\":\"c%d\",\"state\":\"call\"",
			 i);
		add(f, QUERY_STATES, "a", "7.2", of, 1);
	}
	assert_int_equal(add_one(f, QUERY_STATES, "a", "7.2",
				 ",\"construct\":\"d\",\"state\":\"call\"", "1", &why),
			 -E2BIG);
	fleet__free(f);
}

static void more_hosts_than_can_be_weighed_are_refused(void **state)
{
	struct fleet *f = new_fleet();
	struct reason why;
	struct made m;
	char name[20];

	(void)state;
	begin(&m);
	for (int i = 0; i <= FLEET_MAX_HOSTS; i++) {
		snprintf(name, sizeof(name), "host-%d", i);
		sample(&m, name, "7.2", "", "1");
	}
	assert_int_equal(finish(&m, f, QUERY_HOSTS, &why), -E2BIG);
	assert_non_null(strstr(why.text, "more than 512 hosts"));
	fleet__free(f);
}

/* --- queries ----------------------------------------------------------------- */

static void queries_ask_for_the_selected_at_each_step(void **state)
{
	char *text;

	(void)state;
	for (int query = 0; query < NR_QUERIES; query++) {
		text = query_text(query, "{release=\"7.2\"}", range);
		assert_non_null(strstr(text, "itertrace_kernel_info{release=\"7.2\"}"));
		assert_string_equal(text + strlen(text) - 13, ")[3600s:15s])");
		free(text);
	}
}

static void steps_are_enough_and_not_too_many(void **state)
{
	(void)state;
	assert_int_equal(query_range_of(60).step_s, 5);
	assert_int_equal(query_range_of(3600).step_s, 15);
	assert_int_equal(query_range_of(3601).step_s, 16);
	assert_int_equal(query_range_of(86400).step_s, 360);
}

static void selectors_are_in_braces(void **state)
{
	static const char *const bad[] = {"", "{", "}", "7.2", "{a=\"b\"", "a{}b"};
	struct reason why;

	(void)state;
	assert_int_equal(query_check_selector("--base", "{}", &why), 0);
	assert_int_equal(query_check_selector("--base", "{a=\"b\"}", &why), 0);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(query_check_selector("--base", bad[i], &why), -EINVAL);
		assert_non_null(strstr(why.text, "--base"));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(faster_by_a_fifth),
		cmocka_unit_test(slower_by_a_fourth),
		cmocka_unit_test(one_host_is_too_little),
		cmocka_unit_test(host_that_moved_stands_on_both_sides),
		cmocka_unit_test(host_that_is_served_twice_counts_once),
		cmocka_unit_test(two_kernels_on_a_side_are_refused),
		cmocka_unit_test(same_kernel_on_both_sides_is_said),
		cmocka_unit_test(states_of_constructs_are_told),
		cmocka_unit_test(lines_that_seldom_fit_give_way_to_means),
		cmocka_unit_test(rate_without_support_is_absent),
		cmocka_unit_test(prices_are_constructs),
		cmocka_unit_test(lost_events_are_said),
		cmocka_unit_test(what_is_no_cost_is_absent),
		cmocka_unit_test(series_of_no_host_are_counted),
		cmocka_unit_test(same_series_twice_is_refused),
		cmocka_unit_test(host_without_a_name_is_refused),
		cmocka_unit_test(site_without_a_name_is_refused),
		cmocka_unit_test(more_sites_than_there_are_are_refused),
		cmocka_unit_test(more_constructs_than_there_are_are_refused),
		cmocka_unit_test(more_hosts_than_can_be_weighed_are_refused),
		cmocka_unit_test(queries_ask_for_the_selected_at_each_step),
		cmocka_unit_test(steps_are_enough_and_not_too_many),
		cmocka_unit_test(selectors_are_in_braces),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
