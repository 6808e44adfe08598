// SPDX-License-Identifier: BSD-2-Clause
/* Constructs in a comparison: from benchmarks, and from the calibration of runs. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "made_comparison.h"
#include "random.h"

static struct digest *bench_in(const char *boot, const char *release, double bpf_for,
			       bool has_can_loop, double pace, const char *verdict)
{
	struct bench_report *r = calloc(1, sizeof(*r));
	struct digest *d = made_digest("b.itr", boot, release);

	r->environment.pace_ns = pace;
	snprintf(r->verdict, sizeof(r->verdict), "%s", verdict);
	r->nr_results = 2;
	r->results[0] = (struct bench_result){.name = "bpf_for",
					      .measured = true,
					      .nr_threads = 1,
					      .nr_loops = 1000,
					      .median = bpf_for,
					      .nr_samples = 16};
	for (size_t i = 0; i < 16; i++)
		r->results[0].samples[i] = bpf_for;
	r->results[1] = r->results[0];
	r->results[1].name = "can_loop";
	r->results[1].measured = has_can_loop;
	snprintf(r->results[1].reason, sizeof(r->results[1].reason),
		 "no may_goto here");
	assert_int_equal(digest_add_bench(d, r), 0);
	made_finish(d);
	free(r);
	return d;
}

static struct digest *bench_of(const char *boot, const char *release, double bpf_for,
			       bool has_can_loop)
{
	return bench_in(boot, release, bpf_for, has_can_loop, 16, "");
}

/* What instruction counts give: exact figures on both sides. */
static void bench_of_two_kernels(void **state)
{
	struct comparison c;

	(void)state;
	compare_two(bench_of("a", "7.2", 18, true), bench_of("b", "7.3", 15, true), &c);
	assert_int_equal(c.nr_rows, 2);
	assert_int_equal(c.verdict, VERDICT_FASTER);
	assert_int_equal(c.rows[0].measure, MEASURE_BENCH);
	assert_int_equal(c.rows[0].base.nr, 16);
	assert_near(c.rows[0].shift, -3, 0);
	assert_near(c.rows[0].shift_lo, -3, 0);
	assert_near(c.rows[0].shift_hi, -3, 0);
	comparison_release(&c);
}

static void construct_that_one_kernel_lacks(void **state)
{
	struct comparison c;

	(void)state;
	compare_two(bench_of("a", "6.1", 18, false), bench_of("b", "7.3", 18, true),
		    &c);
	assert_int_equal(c.nr_rows, 1);
	assert_int_equal(c.nr_only_in_new, 1);
	assert_string_equal(c.only_in_new[0].name, "can_loop");
	assert_string_equal(c.only_in_new[0].reason, "no may_goto here");
	comparison_release(&c);
}

/*
 * Loads at 16 placements, of which the odd ones cost twice as much; each side stood at
 * them in its own shares, and is noisy by 1%. A boot's first letter is its release.
 */
static struct digest *loads_of(const char *boot, double shift, double share_of_odd,
			       uint64_t seed)
{
	struct bench_report *r = calloc(1, sizeof(*r));
	const char release[] = {boot[0], '\0'};
	struct digest *d = made_digest("b.itr", boot, release);
	struct bench_loads *loads = &r->loads[0];
	struct rng rng = {seed};

	r->nr_results = 1;
	r->results[0] = (struct bench_result){.name = "bpf_for",
					      .measured = true,
					      .nr_threads = 1,
					      .nr_loops = 1000,
					      .median = 1,
					      .nr_samples = 16};
	for (size_t i = 0; i < 16; i++)
		r->results[0].samples[i] = (i % 2 ? 2 : 1) + shift;
	for (loads->nr = 0; loads->nr < 200; loads->nr++) {
		bool is_odd = uniform(&rng) < share_of_odd;

		loads->placements[loads->nr] =
			(unsigned char)(8 * (int)(8 * uniform(&rng)) + 4 * is_odd);
		loads->ns[loads->nr] =
			(is_odd ? 2 : 1) + shift + 0.01 * normal(&rng);
	}
	assert_int_equal(digest_add_bench(d, r), 0);
	made_finish(d);
	free(r);
	return d;
}

/* The medians of all loads would be 1 and 2. */
static void loads_are_compared_at_the_same_placements(void **state)
{
	struct comparison c;

	(void)state;
	compare_two(loads_of("a", 0, 0.2, 1), loads_of("b", 0, 0.8, 2), &c);
	assert_int_equal(c.verdict, VERDICT_NO_DIFFERENCE);
	assert_true(c.rows[0].base.nr > 150 && c.rows[0].base.nr <= 200);
	assert_near(c.rows[0].shift, 0, 0.01);
	comparison_release(&c);
	/* of a median of 1.5: 20% */
	compare_two(loads_of("a", 0, 0.8, 3), loads_of("b", 0.3, 0.2, 4), &c);
	assert_int_equal(c.verdict, VERDICT_SLOWER);
	assert_near(c.rows[0].shift, 0.3, 0.01);
	assert_near(c.rows[0].shift_percent, 20, 0.7);
	comparison_release(&c);
}

/* Where one side has none, both sides' placements are; boots count once each. */
static void without_loads_placements_are_compared(void **state)
{
	struct digest *digests[] = {loads_of("a1", 0, 0.2, 1), loads_of("a2", 0, 0.2, 2),
				    loads_of("b1", 0, 0.2, 3), loads_of("b2", 0, 0.2, 4)};
	struct comparison c;

	(void)state;
	compare_two(bench_of("a", "7.2", 1.5, false), loads_of("b", 0, 0.8, 2), &c);
	assert_int_equal(c.rows[0].base.nr, 16);
	assert_int_equal(c.rows[0].fresh.nr, 16);
	comparison_release(&c);
	compare_with(digests, 2, 2, 5, false, &c);
	assert_int_equal(c.rows[0].base.nr, 2);
	comparison_release(&c);
	/* Of one boot, all of its loads: the more that are given, the fewer of each. */
	digests[0] = loads_of("a", 0, 0.2, 1);
	digests[1] = loads_of("a", 0, 0.2, 2);
	digests[2] = loads_of("b", 0, 0.2, 3);
	compare_with(digests, 2, 1, 5, false, &c);
	assert_true(c.rows[0].base.nr > 300 && c.rows[0].fresh.nr <= 200);
	comparison_release(&c);
}

/* 7% of 1.5, and the intervals end at some 6.8 and 7.2; 5.1%, and they begin below 5. */
static void of_one_boot_the_whole_interval_is_beyond_the_threshold(void **state)
{
	struct comparison c;

	(void)state;
	compare_two(loads_of("a", 0, 0.5, 1), loads_of("b", 0.105, 0.5, 2), &c);
	assert_int_equal(c.rows[0].verdict, VERDICT_SLOWER);
	assert_true(c.rows[0].lo > 5);
	comparison_release(&c);
	compare_two(loads_of("a", 0, 0.5, 1), loads_of("b", 0.0765, 0.5, 2), &c);
	assert_true(c.rows[0].lo < 5 && c.rows[0].hi > 5 && c.rows[0].p < 0.001);
	assert_int_equal(c.rows[0].verdict, VERDICT_TOO_LITTLE_DATA);
	assert_string_equal(c.rows[0].note, "differs, but perhaps by less than 5%");
	comparison_release(&c);
}

/* bpf_for of one cost and a hand-written shape of another, each at 16 placements. */
static struct digest *with_control(const char *boot, double bpf_for, double shape)
{
	struct bench_report *r = calloc(1, sizeof(*r));
	struct digest *d = made_digest("b.itr", boot, boot);

	r->nr_results = 2;
	for (size_t i = 0; i < 2; i++) {
		r->results[i] = (struct bench_result){.name = i ? "shape_7.3" : "bpf_for",
						      .measured = true,
						      .nr_threads = i ? 4 : 1,
						      .nr_loops = 1000,
						      .median = i ? shape : bpf_for,
						      .nr_samples = 16};
		for (size_t j = 0; j < 16; j++)
			r->results[i].samples[j] =
				r->results[i].median * (1 + 0.001 * (double)j);
	}
	assert_int_equal(digest_add_bench(d, r), 0);
	made_finish(d);
	free(r);
	return d;
}

static const struct comparison_row *bpf_for_of(const struct comparison *c)
{
	assert_int_equal(c->nr_rows, 2);
	return &c->rows[strcmp(c->rows[0].name, "bpf_for") != 0];
}

static void without_a_control_a_warning_says_so(void **state)
{
	struct comparison c;

	(void)state;
	compare_two(bench_of("a", "7.2", 18, true), bench_of("b", "7.3", 15, true), &c);
	assert_true(has_warning(&c, "the machine is not shown to be the same"));
	comparison_release(&c);
	compare_two(run_of("a", "7.2", 30, 100, 0), run_of("b", "7.3", 30, 100, 0), &c);
	assert_false(has_warning(&c, "the machine is not shown to be the same"));
	comparison_release(&c);
}

/* The shape's instructions are the same on every kernel: it is the machine's pace. */
static void what_no_kernel_changes_is_a_control(void **state)
{
	struct comparison c;

	(void)state;
	/* 4% may be 12% elsewhere: 20% are more, 8% are not, and none is none */
	compare_two(with_control("a", 10, 10), with_control("b", 8, 10.4), &c);
	assert_int_equal(bpf_for_of(&c)->verdict, VERDICT_FASTER);
	assert_false(c.has_moved);
	comparison_release(&c);
	compare_two(with_control("a", 10, 10), with_control("b", 10.8, 10.4), &c);
	assert_int_equal(bpf_for_of(&c)->verdict, VERDICT_TOO_LITTLE_DATA);
	assert_non_null(strstr(bpf_for_of(&c)->note, "a control, shifted too"));
	assert_false(c.has_moved);
	comparison_release(&c);
	compare_two(with_control("a", 10, 10), with_control("b", 10, 10.4), &c);
	assert_int_equal(c.verdict, VERDICT_NO_DIFFERENCE);
	assert_false(has_warning(&c, "not shown to be the same"));
	comparison_release(&c);
	/* 10% the machine, 8% bpf_for; and none, where it would have been slower */
	for (int i = 0; i < 2; i++) {
		compare_two(with_control("a", 10, 10), with_control("b", i ? 10 : 10.8, 11),
			    &c);
		assert_string_equal(c.control, "shape_7.3, 4 threads");
		assert_near(c.control_percent, 10, 0.3);
		assert_int_equal(bpf_for_of(&c)->verdict, VERDICT_TOO_LITTLE_DATA);
		assert_non_null(strstr(bpf_for_of(&c)->note, "shape_7.3, 4 threads"));
		assert_int_equal(c.verdict, VERDICT_TOO_LITTLE_DATA);
		assert_non_null(strstr(c.why, "the machine was not the same"));
		assert_true(has_warning(&c, "the machine was not the same"));
		comparison_release(&c);
	}
	/* 28% may be of it, 40% are not; the control itself has no verdict */
	compare_two(with_control("a", 10, 10), with_control("b", 12.8, 11), &c);
	assert_int_equal(bpf_for_of(&c)->verdict, VERDICT_TOO_LITTLE_DATA);
	comparison_release(&c);
	compare_two(with_control("a", 10, 10), with_control("b", 14, 11), &c);
	assert_int_equal(bpf_for_of(&c)->verdict, VERDICT_SLOWER);
	assert_int_equal(c.rows[1].verdict, VERDICT_TOO_LITTLE_DATA);
	assert_int_equal(c.verdict, VERDICT_SLOWER);
	assert_true(has_warning(&c, "the machine was not the same"));
	comparison_release(&c);
}

/* A neighbour's work would pass for the kernel's. */
static void a_bench_that_was_too_noisy_has_no_say(void **state)
{
	struct digest *digests[] = {bench_of("a", "7.2", 18, true),
				    bench_of("b", "7.3", 15, true),
				    bench_in("c", "7.3", 30, true, 16, "too noisy")};
	struct comparison c;

	(void)state;
	compare_two(bench_of("a", "7.2", 18, true),
		    bench_in("b", "7.3", 30, true, 16, "too noisy to answer"), &c);
	assert_int_equal(c.nr_rows, 0);
	assert_int_equal(c.verdict, VERDICT_NOT_COMPARABLE);
	assert_true(has_warning(&c, "figures are left out: too noisy to answer"));
	assert_non_null(strstr(c.why, "record it again on a quieter machine"));
	comparison_release(&c);

	compare_with(digests, 1, 2, 5, false, &c);
	assert_int_equal(c.nr_rows, 2);
	assert_near(c.rows[0].fresh.most, 15, 0);
	comparison_release(&c);
}

/* Sites are the same, calibrations too, and still nobody knows of the constructs. */
static void it_is_no_proof_that_nothing_differs(void **state)
{
	struct digest *digests[] = {
		run_of("a", "7.2", 30, 100, 0), bench_of("a", "7.2", 18, true),
		run_of("b", "7.3", 30, 100, 0),
		bench_in("b", "7.3", 30, true, 16, "too noisy to answer")};
	struct comparison c;

	(void)state;
	compare_with(digests, 2, 2, 5, false, &c);
	assert_true(c.nr_rows > 0);
	for (size_t i = 0; i < c.nr_rows; i++)
		assert_int_not_equal(c.rows[i].kind, COMPARISON_CONSTRUCT);
	assert_int_equal(c.nr_only_in_base, 0);
	assert_non_null(strstr(c.why, "record it again on a quieter machine"));
	assert_int_equal(c.verdict, VERDICT_TOO_LITTLE_DATA);
	comparison_release(&c);
}

static void another_pace_of_the_core_is_said(void **state)
{
	struct comparison c;

	(void)state;
	compare_two(bench_in("a", "7.2", 18, true, 16, ""),
		    bench_in("b", "7.3", 18, true, 16.7, ""), &c);
	assert_false(has_warning(&c, "the core itself"));
	comparison_release(&c);
	/* 17 of 16: 6.25% */
	compare_two(bench_in("a", "7.2", 18, true, 16, ""),
		    bench_in("b", "7.3", 18, true, 17, ""), &c);
	assert_true(has_warning(&c, "the core itself was slower on the new side"));
	assert_true(has_warning(&c, "(+6.2%)"));
	comparison_release(&c);
	compare_two(bench_in("a", "7.2", 18, true, 0, ""),
		    bench_in("b", "7.3", 18, true, 17, ""), &c);
	assert_false(has_warning(&c, "the core itself"));
	comparison_release(&c);
}

static void sweep_rows_are_named_by_trips(void **state)
{
	struct bench_report *r = calloc(1, sizeof(*r));
	struct digest *d = made_digest("b.itr", "a", "7.3");

	(void)state;
	r->nr_results = 4;
	for (size_t i = 0; i < 4; i++)
		r->results[i] = (struct bench_result){
			.name = "bpf_for",
			.measured = true,
			.median = 1,
			.nr_loops = i % 2 ? 100 : 10,
			.nr_threads = i < 2 ? 1 : 4,
		};
	assert_int_equal(digest_add_bench(d, r), 0);
	assert_non_null(digest_find(d, COMPARISON_CONSTRUCT, "bpf_for, 10 trips"));
	assert_non_null(
		digest_find(d, COMPARISON_CONSTRUCT, "bpf_for, 100 trips, 4 threads"));
	digest__free(d);
	free(r);
}

static void calibration_counts_once_a_run(void **state)
{
	struct digest *digests[4];
	struct comparison c;

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		digests[i] =
			made_digest("x.itr", i < 2 ? "a" : "b", i < 2 ? "7.2" : "7.3");
		digests[i]->head->calibration.done = true;
		digests[i]->head->calibration.prices[PRICE_BPF_FOR] =
			(struct bench_result){
				.name = "bpf_for", .measured = true, .median = 2};
		made_finish(digests[i]);
	}
	compare_with(digests, 2, 2, 5, false, &c);
	assert_int_equal(c.rows[0].measure, MEASURE_CALIBRATION);
	assert_int_equal(c.rows[0].base.nr, 1);
	comparison_release(&c);
}

static void bench_and_calibration_are_not_mixed(void **state)
{
	struct digest *d = made_digest("x.itr", "b", "7.3");
	struct comparison c;

	(void)state;
	d->head->calibration.done = true;
	d->head->calibration.prices[PRICE_BPF_FOR] =
		(struct bench_result){.name = "bpf_for", .measured = true, .median = 2};
	made_finish(d);
	compare_two(bench_of("a", "7.2", 18, false), d, &c);
	assert_int_equal(c.verdict, VERDICT_NOT_COMPARABLE);
	assert_int_equal(c.nr_incomparable, 2);
	comparison_release(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bench_of_two_kernels),
		cmocka_unit_test(loads_are_compared_at_the_same_placements),
		cmocka_unit_test(without_loads_placements_are_compared),
		cmocka_unit_test(of_one_boot_the_whole_interval_is_beyond_the_threshold),
		cmocka_unit_test(without_a_control_a_warning_says_so),
		cmocka_unit_test(what_no_kernel_changes_is_a_control),
		cmocka_unit_test(construct_that_one_kernel_lacks),
		cmocka_unit_test(a_bench_that_was_too_noisy_has_no_say),
		cmocka_unit_test(it_is_no_proof_that_nothing_differs),
		cmocka_unit_test(another_pace_of_the_core_is_said),
		cmocka_unit_test(sweep_rows_are_named_by_trips),
		cmocka_unit_test(calibration_counts_once_a_run),
		cmocka_unit_test(bench_and_calibration_are_not_mixed),
	};

	return cmocka_run_group_tests_name("compare, constructs", tests, NULL, NULL);
}
