// SPDX-License-Identifier: BSD-2-Clause
/* What forbids a comparison, what is named beside it, and in which order. */
#include "made_comparison.h"

static struct digest *altered(void (*alter)(struct recording_head *h), const char *boot,
			      const char *release)
{
	struct digest *d = run_of(boot, release, 30, 100, 0);

	if (alter)
		alter(d->head);
	return d;
}

#define ALTER(name, statement)                             \
	static void alter_##name(struct recording_head *h) \
	{                                                  \
		statement;                                 \
	}

ALTER(cpu, snprintf(h->identity.cpu_model, sizeof(h->identity.cpu_model), "Other"))
ALTER(arch, snprintf(h->identity.arch, sizeof(h->identity.arch), "aarch64"))
ALTER(clock, snprintf(h->identity.clock_source, 32, "hpet"))
ALTER(loops, snprintf(h->loops, sizeof(h->loops), "bounded"))
ALTER(version, snprintf(h->itertrace, sizeof(h->itertrace), "9.9"))
ALTER(virtualised, snprintf(h->identity.virtualised, 32, "none"))
ALTER(microcode, snprintf(h->identity.microcode, 32, "0x2"))
ALTER(compiler, snprintf(h->compiler, sizeof(h->compiler), "clang 99"))
ALTER(sources, snprintf(h->sources, sizeof(h->sources), "sha256:0"))
ALTER(cpus, h->identity.nr_cpus_online = 1)
ALTER(harden, h->identity.jit_harden = 2)
ALTER(jit, h->identity.jit_enable = 2)
ALTER(kptr, h->identity.kptr_restrict = 2)
ALTER(unknown_cpu, h->identity.cpu_model[0] = '\0')
ALTER(mitigation, h->identity.nr_mitigations = 1;
      h->identity.mitigations[0] = ((struct identity_entry){"spectre_v2",
							    "Vulnerable"}))
ALTER(other_mitigation, h->identity.nr_mitigations = 1;
      h->identity.mitigations[0] = ((struct identity_entry){"spectre_v2",
							    "Mitigation"}))
ALTER(hz, h->identity.nr_config = 1;
      h->identity.config[0] = ((struct identity_entry){"CONFIG_HZ", "250"}))
ALTER(other_hz, h->identity.nr_config = 1;
      h->identity.config[0] = ((struct identity_entry){"CONFIG_HZ", "1000"}))

static void what_forbids_a_comparison(void **state)
{
	static const struct {
		const char *what;
		void (*alter)(struct recording_head *h);
	} cases[] = {
		{"CPU model", alter_cpu},
		{"architecture", alter_arch},
		{"clock source", alter_clock},
		{"loop backend", alter_loops},
		{"itertrace version", alter_version},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		for (int is_forced = 0; is_forced < 2; is_forced++) {
			struct digest *digests[] = {
				altered(NULL, "a", "7.2"),
				altered(cases[i].alter, "b", "7.3")};
			struct comparison c;

			compare_with(digests, 1, 1, 5, is_forced, &c);
			assert_non_null(difference(&c, cases[i].what));
			assert_int_equal(difference(&c, cases[i].what)->weight,
					 DIFFERENCE_REFUSAL);
			assert_int_equal(c.verdict, is_forced ? VERDICT_NO_DIFFERENCE
							      : VERDICT_NOT_COMPARABLE);
			assert_int_equal(is_absent(c.total.saves_cpu_percent),
					 !is_forced);
			assert_int_equal(c.nr_rows, is_forced);
			assert_int_equal(c.is_forced, is_forced);
			comparison_release(&c);
		}
	}
}

static void what_is_named_and_no_more(void **state)
{
	static const struct {
		const char *what;
		enum difference_weight weight;
		void (*base)(struct recording_head *h);
		void (*fresh)(struct recording_head *h);
	} cases[] = {
		{"virtualised by", DIFFERENCE_WARNING, NULL, alter_virtualised},
		{"microcode", DIFFERENCE_WARNING, NULL, alter_microcode},
		{"compiler of the programs", DIFFERENCE_WARNING, NULL, alter_compiler},
		{"sources of the programs", DIFFERENCE_WARNING, NULL, alter_sources},
		{"CPUs online", DIFFERENCE_WARNING, NULL, alter_cpus},
		{"bpf_jit_harden", DIFFERENCE_CAUSE, NULL, alter_harden},
		{"bpf_jit_enable", DIFFERENCE_CAUSE, NULL, alter_jit},
		{"kptr_restrict", DIFFERENCE_CAUSE, NULL, alter_kptr},
		{"CPU model", DIFFERENCE_WARNING, NULL, alter_unknown_cpu},
		{"kernel release", DIFFERENCE_SUBJECT, NULL, NULL},
		{"mitigation spectre_v2", DIFFERENCE_CAUSE, alter_mitigation,
		 alter_other_mitigation},
		{"CONFIG_HZ", DIFFERENCE_CAUSE, alter_hz, alter_other_hz},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct comparison c;

		compare_two(altered(cases[i].base, "a", "7.2"),
			    altered(cases[i].fresh, "b", "7.3"), &c);
		assert_non_null(difference(&c, cases[i].what));
		assert_int_equal(difference(&c, cases[i].what)->weight,
				 cases[i].weight);
		assert_int_equal(c.verdict, VERDICT_NO_DIFFERENCE);
		comparison_release(&c);
	}
}

/* A recording's texts are gone when it is closed. */
static void features_outlive_their_recording(void **state)
{
	struct recording_head *h = made_head("x.itr", "a", "7.2");
	struct digest *base, *fresh;
	char name[] = "may_goto";
	struct comparison c;

	(void)state;
	h->nr_features = 1;
	h->features[0] = (struct feature){
		.name = name, .description = name, .state = FEATURE_CALL};
	base = digest__new(h);
	h->features[0].state = FEATURE_INLINED;
	fresh = digest__new(h);
	memset(name, 'x', sizeof(name) - 1);
	assert_string_equal(base->head->features[0].name, "may_goto");
	compare_two(base, fresh, &c);
	assert_non_null(difference(&c, "probe: may_goto"));
	assert_string_equal(difference(&c, "probe: may_goto")->base, "call");
	assert_string_equal(difference(&c, "probe: may_goto")->fresh, "inlined");
	comparison_release(&c);
	free(h);
}

static void causes_come_first(void **state)
{
	struct comparison c;

	(void)state;
	compare_two(altered(alter_microcode, "a", "7.2"),
		    altered(alter_harden, "b", "7.3"), &c);
	assert_string_equal(c.differences[0].what, "bpf_jit_harden");
	assert_string_equal(c.differences[0].base, "0");
	assert_string_equal(c.differences[0].fresh, "2");
	for (size_t i = 1; i < c.nr_differences; i++)
		assert_true(c.differences[i - 1].weight <= c.differences[i].weight);
	comparison_release(&c);
}

static void two_kernels_on_one_side_are_refused(void **state)
{
	struct digest *digests[] = {run_of("a", "7.2", 30, 100, 0),
				    run_of("b", "7.1", 30, 100, 0),
				    run_of("c", "7.3", 30, 100, 0)};
	struct comparison c;

	(void)state;
	compare_with(digests, 2, 1, 5, false, &c);
	assert_int_equal(c.verdict, VERDICT_NOT_COMPARABLE);
	assert_non_null(difference(&c, "kernel release, within the base side"));
	comparison_release(&c);
}

static void other_hardening_within_a_side_is_a_warning(void **state)
{
	struct digest *digests[] = {altered(NULL, "a", "7.2"),
				    altered(NULL, "b", "7.3"),
				    altered(alter_harden, "c", "7.3")};
	const struct comparison_difference *d;
	struct comparison c;

	(void)state;
	compare_with(digests, 1, 2, 5, false, &c);
	d = difference(&c, "bpf_jit_harden, within the new side");
	assert_non_null(d);
	assert_int_equal(d->weight, DIFFERENCE_WARNING);
	assert_int_equal(c.verdict, VERDICT_NO_DIFFERENCE);
	comparison_release(&c);
}

/* What one run does not know another of its side tells. */
static void no_unknown_hides_what_another_run_knows(void **state)
{
	struct digest *digests[] = {altered(alter_unknown_cpu, "a", "7.2"),
				    altered(NULL, "b", "7.2"),
				    altered(alter_cpu, "c", "7.3")};
	struct comparison c;

	(void)state;
	compare_with(digests, 2, 1, 5, false, &c);
	assert_non_null(difference(&c, "CPU model"));
	assert_string_equal(difference(&c, "CPU model")->fresh, "Other");
	assert_int_equal(difference(&c, "CPU model")->weight, DIFFERENCE_REFUSAL);
	assert_int_equal(difference(&c, "CPU model, within the base side")->weight,
			 DIFFERENCE_WARNING);
	assert_int_equal(c.verdict, VERDICT_NOT_COMPARABLE);
	comparison_release(&c);
}

/* The sides are each mixed, and in the same way: only that is named. */
static void what_differs_within_sides_need_not_differ_between_them(void **state)
{
	struct digest *digests[] = {
		altered(NULL, "a", "7.2"), altered(alter_microcode, "b", "7.2"),
		altered(NULL, "c", "7.3"), altered(alter_microcode, "d", "7.3")};
	struct comparison c;

	(void)state;
	compare_with(digests, 2, 2, 5, false, &c);
	assert_non_null(difference(&c, "microcode, within the base side"));
	assert_non_null(difference(&c, "microcode, within the new side"));
	assert_null(difference(&c, "microcode"));
	comparison_release(&c);
}

static void lists_that_are_not_there_are_said(void **state)
{
	struct comparison c;

	(void)state;
	compare_two(altered(alter_hz, "a", "7.2"), altered(NULL, "b", "7.3"), &c);
	assert_true(has_warning(&c, "1 of 2 recordings have no kernel configuration"));
	assert_true(has_warning(&c, "2 of 2 recordings have no list of mitigations"));
	assert_null(difference(&c, "CONFIG_HZ"));
	comparison_release(&c);
}

static void same_kernel_is_said(void **state)
{
	struct comparison c;

	(void)state;
	compare_two(run_of("a", "7.3", 30, 100, 0), run_of("b", "7.3", 30, 100, 0), &c);
	assert_true(has_warning(&c, "both sides ran the same kernel"));
	assert_int_equal(c.verdict, VERDICT_NO_DIFFERENCE);
	comparison_release(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_forbids_a_comparison),
		cmocka_unit_test(what_is_named_and_no_more),
		cmocka_unit_test(features_outlive_their_recording),
		cmocka_unit_test(causes_come_first),
		cmocka_unit_test(two_kernels_on_one_side_are_refused),
		cmocka_unit_test(other_hardening_within_a_side_is_a_warning),
		cmocka_unit_test(no_unknown_hides_what_another_run_knows),
		cmocka_unit_test(what_differs_within_sides_need_not_differ_between_them),
		cmocka_unit_test(lists_that_are_not_there_are_said),
		cmocka_unit_test(same_kernel_is_said),
	};

	return cmocka_run_group_tests_name("compare, guards", tests, NULL, NULL);
}
