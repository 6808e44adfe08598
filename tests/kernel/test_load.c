// SPDX-License-Identifier: BSD-2-Clause
/* A tracer on a kernel that takes no kfunc, or as if it took none. */
#include "host.h"

#include "base/time.h"
#include "kernel/libbpf_log.h"
#include "trace/tracer.h"

static const struct trace_options options = {
	.argv_max = 4096,
	.interval_ns = NSEC_PER_SEC,
};

static void a_tracer_runs_where_no_kfunc_is_taken(void **state)
{
	const struct loops loops = {
		.backend = LOOPS_BOUNDED,
		.dead = DEAD_MAY_GOTO | DEAD_KFUNC_CALLS,
	};
	struct tracer t = {.type = &exec_tracer};

	(void)state;
	skip_unless_root();
	if (tracer_start(&t, &options, &loops))
		fail_msg("%s", t.reason.text);
	assert_true(t.on);
	tracer_stop(&t);
}

static void a_tracer_that_cannot_do_without_is_off_and_says_so(void **state)
{
	const struct loops loops = {
		.backend = LOOPS_BPF_FOR,
		.dead = DEAD_KFUNC_CALLS,
	};
	struct tracer t = {.type = &exec_tracer};

	(void)state;
	skip_unless_root();
	assert_int_not_equal(tracer_start(&t, &options, &loops), 0);
	assert_false(t.on);
	assert_string_equal(t.reason.text,
			    "the exec tracer calls a kfunc, and this kernel takes "
			    "none: 'itertrace probe' says why at bpf_iter_num_next");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_tracer_runs_where_no_kfunc_is_taken),
		cmocka_unit_test(a_tracer_that_cannot_do_without_is_off_and_says_so),
	};

	libbpf_log_init();
	return cmocka_run_group_tests_name("load", tests, NULL, NULL);
}
