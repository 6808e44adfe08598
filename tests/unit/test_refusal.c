// SPDX-License-Identifier: BSD-2-Clause
/* Verifier logs as kernels print them, and the sentence that is made of each. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "kernel/refusal.h"

static void assert_line(const char *log, const char *expected)
{
	char line[128];

	assert_string_equal(verifier_line(log, line, sizeof(line)), expected);
}

static void the_complaint_is_found_in_a_verifier_log(void **state)
{
	(void)state;
	assert_line("", "");
	assert_line("unknown opcode e5\nprocessed 0 insns (limit 1000000) "
		    "max_states_per_insn 0 total_states 0 peak_states 0 mark_read 0\n",
		    "unknown opcode e5");
	assert_line("0: R1=ctx(off=0,imm=0) R10=fp0\n"
		    "0: (b7) r1 = 10                       ; R1_w=10\n"
		    "; int f(void) @ f.c:1\n"
		    "9: (85) call bpf_loop#181\n"
		    "R2 type=scalar expected=func\n"
		    "processed 5 insns (limit 1000000) max_states_per_insn 0 "
		    "total_states 0 "
		    "peak_states 0 mark_read 0\n",
		    "R2 type=scalar expected=func");
	assert_line("Unreleased reference id=2 alloc_insn=14",
		    "Unreleased reference id=2 "
		    "alloc_insn=14");
}

/* 7.3, lockdown=confidentiality */
static void the_complaint_is_found_before_its_explanation(void **state)
{
	(void)state;
	assert_line(
		"21: (85) call bpf_probe_read#4\n"
		"program of this type cannot use helper bpf_probe_read#4\n"
		"Verification failed: Policy: Operation is not allowed\n"
		"Reason:\n"
		"  The helper bpf_probe_read#4 is not allowed: this program type does "
		"not allow the helper.\n"
		"  >>> 127 |         head->pid = BPF_CORE_READ(task, tgid);\n"
		"Suggestion:\n"
		"  Use a helper allowed for this program type, or move the logic to a "
		"compatible program type.\n"
		"processed 20 insns (limit 1000000) max_states_per_insn 0\n",
		"program of this type cannot use helper bpf_probe_read#4");
	assert_line("Verification failed: Policy: Operation is not allowed\n",
		    "Verification failed: Policy: Operation is not allowed");
}

static void statistics_alone_are_no_complaint(void **state)
{
	(void)state;
	assert_line("processed 5 insns (limit 1000000) max_states_per_insn 0\n", "");
	assert_line("verification time 12 usec\nstack depth 16\n", "");
}

static void the_complaint_is_found_in_what_libbpf_prints(void **state)
{
	(void)state;
	assert_line("libbpf: prog 'next': BPF program load failed: Invalid argument\n"
		    "libbpf: prog 'next': -- BEGIN PROG LOAD LOG --\n"
		    "kernel function bpf_iter_num_new args#0 expected pointer\n"
		    "processed 3 insns (limit 1000000) max_states_per_insn 0\n"
		    "-- END PROG LOAD LOG --\n"
		    "libbpf: prog 'next': failed to load: -22\n"
		    "libbpf: failed to load object 'x_bpf'\n",
		    "kernel function bpf_iter_num_new args#0 expected pointer");
}

static void a_long_complaint_is_cut_not_overrun(void **state)
{
	char log[1000], line[16];

	(void)state;
	memset(log, 'x', sizeof(log) - 1);
	log[sizeof(log) - 1] = '\0';
	assert_string_equal(verifier_line(log, line, sizeof(line)), "xxxxxxxxxxxxxxx");
}

static void assert_refusal(int err, const char *log, enum feature_state expected,
			   const char *quote)
{
	struct reason why = {0};

	assert_int_equal(refusal_describe("the program", err, log, &why), expected);
	assert_non_null(strstr(why.text, "the program"));
	assert_non_null(strstr(why.text, quote));
}

static void a_verifier_message_means_unsupported(void **state)
{
	(void)state;
	assert_refusal(-EINVAL, "unknown opcode e5\n", FEATURE_UNSUPPORTED,
		       "unknown opcode e5");
	/* EACCES is how the verifier rejects an access, EPERM an unknown helper */
	assert_refusal(-EACCES, "invalid bpf_context access off=8 size=8\n",
		       FEATURE_UNSUPPORTED, "invalid bpf_context access");
	assert_refusal(-EPERM, "program of this type cannot use helper bpf_loop#181\n",
		       FEATURE_UNSUPPORTED, "cannot use helper");
	assert_refusal(-EINVAL, "", FEATURE_UNSUPPORTED, "Invalid argument");
}

static void permission_without_a_message_means_refused(void **state)
{
	(void)state;
	assert_refusal(-EPERM, "", FEATURE_REFUSED, "EPERM");
	assert_refusal(-EACCES, "", FEATURE_REFUSED, "EACCES");
	assert_refusal(-EPERM, "processed 5 insns (limit 1000000)\n", FEATURE_REFUSED,
		       "EPERM");
}

/* libbpf tries a trivial program first: what it guesses then is no verifier's word. */
static void a_filtered_system_call_is_not_laid_on_the_verifier(void **state)
{
	(void)state;
	assert_refusal(-EPERM,
		       "libbpf: Error in bpf_object__probe_loading():Operation not "
		       "permitted(1). Couldn't load trivial BPF program. Make sure "
		       "your kernel supports BPF (CONFIG_BPF_SYSCALL=y) and/or that "
		       "RLIMIT_MEMLOCK is set to big enough value.\n"
		       "libbpf: failed to load object 'exec_bpf'\n",
		       FEATURE_REFUSED, "EPERM, no verifier message");
}

static void what_may_pass_is_neither(void **state)
{
	(void)state;
	assert_refusal(-ENOMEM, "", FEATURE_UNKNOWN, "Cannot allocate memory");
	assert_refusal(-EMFILE, "", FEATURE_UNKNOWN, "Too many open files");
	assert_refusal(-EAGAIN, "", FEATURE_UNKNOWN, "temporarily unavailable");
}

static void assert_under(const char *lockdown, int err, const char *log,
			 enum feature_state expected, const char *sentence)
{
	struct reason why = {0};

	assert_int_equal(
		refusal_describe_under(lockdown, "the exec tracer", err, log, &why),
		expected);
	assert_string_equal(why.text, sentence);
}

#define CANNOT_READ "program of this type cannot use helper bpf_probe_read#4"

static void a_lockdown_is_named_as_the_cause(void **state)
{
	(void)state;
	assert_under("confidentiality", -EINVAL,
		     "21: (85) call bpf_probe_read#4\n" CANNOT_READ "\n",
		     FEATURE_REFUSED,
		     "cannot load the exec tracer: this kernel's lockdown, "
		     "confidentiality, lets no BPF program read kernel memory "
		     "(" CANNOT_READ "); boot it with lockdown=integrity, or none");
	/* 6.1 */
	assert_under("confidentiality", -EINVAL,
		     "unknown func bpf_probe_read_kernel#113\n", FEATURE_REFUSED,
		     "cannot load the exec tracer: this kernel's lockdown, "
		     "confidentiality, lets no BPF program read kernel memory "
		     "(unknown func bpf_probe_read_kernel#113); boot it with "
		     "lockdown=integrity, or none");
}

static void a_lockdown_is_not_blamed_for_what_it_does_not_forbid(void **state)
{
	(void)state;
	assert_under("integrity", -EINVAL, CANNOT_READ "\n", FEATURE_UNSUPPORTED,
		     "the verifier rejects the exec tracer: " CANNOT_READ);
	assert_under("", -EINVAL, CANNOT_READ "\n", FEATURE_UNSUPPORTED,
		     "the verifier rejects the exec tracer: " CANNOT_READ);
	assert_under("confidentiality", -EINVAL,
		     "program of this type cannot use helper bpf_loop#181\n",
		     FEATURE_UNSUPPORTED,
		     "the verifier rejects the exec tracer: program of this type "
		     "cannot use helper bpf_loop#181");
}

static void the_lack_of_btf_is_named_and_not_laid_on_the_verifier(void **state)
{
	(void)state;
	assert_under("none", -ESRCH,
		     "libbpf: failed to find valid kernel BTF\n"
		     "libbpf: Error loading vmlinux BTF: -3\n"
		     "libbpf: failed to load object 'exec_bpf'\n",
		     FEATURE_UNSUPPORTED,
		     "cannot load the exec tracer: this kernel has no BTF: "
		     "/sys/kernel/btf/vmlinux comes with CONFIG_DEBUG_INFO_BTF, where "
		     "sysfs is mounted");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_complaint_is_found_in_a_verifier_log),
		cmocka_unit_test(the_complaint_is_found_before_its_explanation),
		cmocka_unit_test(statistics_alone_are_no_complaint),
		cmocka_unit_test(the_complaint_is_found_in_what_libbpf_prints),
		cmocka_unit_test(a_long_complaint_is_cut_not_overrun),
		cmocka_unit_test(a_verifier_message_means_unsupported),
		cmocka_unit_test(permission_without_a_message_means_refused),
		cmocka_unit_test(a_filtered_system_call_is_not_laid_on_the_verifier),
		cmocka_unit_test(what_may_pass_is_neither),
		cmocka_unit_test(a_lockdown_is_named_as_the_cause),
		cmocka_unit_test(a_lockdown_is_not_blamed_for_what_it_does_not_forbid),
		cmocka_unit_test(the_lack_of_btf_is_named_and_not_laid_on_the_verifier),
	};

	return cmocka_run_group_tests_name("refusal", tests, NULL, NULL);
}
