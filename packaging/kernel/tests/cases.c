// SPDX-License-Identifier: BSD-2-Clause
/*
 * cases [REFUSED...]: run the named uses of a numeric iterator on this kernel, which
 * must refuse these. A claim a case; a program that is not accepted fails its cases, by
 * themselves.
 */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "cases.skel.h"

#define MAX_LOOPS 8388608

struct given {
	int start;
	int end;
	int path;
};

struct left {
	long ret;
	unsigned long trips;
	long sum;
};

struct named_case {
	const char *name;
	const char *program;
	struct given given;
	struct left left;
};

/* Reckoned by hand from what the functions are documented to do. */
static const struct named_case cases[] = {
	{"plain", "run_through", {3, 8, 0}, {0, 5, 25}},
	{"start_is_end", "run_through", {5, 5, 0}, {0, 0, 0}},
	{"start_is_end_at_int_min", "run_through", {INT_MIN, INT_MIN, 0}, {0, 0, 0}},
	{"start_is_end_at_int_max", "run_through", {INT_MAX, INT_MAX, 0}, {0, 0, 0}},
	{"start_after_end", "run_through", {6, 5, 0}, {-EINVAL, 0, 0}},
	{"int_max_to_int_min", "run_through", {INT_MAX, INT_MIN, 0}, {-EINVAL, 0, 0}},
	{"from_int_min",
	 "run_through",
	 {INT_MIN, INT_MIN + 3, 0},
	 {0, 3, 3L * INT_MIN + 3}},
	{"to_int_max",
	 "run_through",
	 {INT_MAX - 3, INT_MAX, 0},
	 {0, 3, 3L * INT_MAX - 6}},
	{"int_min_to_int_max", "run_through", {INT_MIN, INT_MAX, 0}, {-E2BIG, 0, 0}},
	{"max_loops_run_through",
	 "run_through",
	 {0, MAX_LOOPS, 0},
	 {0, MAX_LOOPS, MAX_LOOPS / 2L * (MAX_LOOPS - 1)}},
	{"max_loops_below_zero",
	 "run_through",
	 {-MAX_LOOPS, 0, 0},
	 {0, MAX_LOOPS, -(MAX_LOOPS / 2L) * (MAX_LOOPS + 1)}},
	{"one_over_max_loops", "run_through", {-1, MAX_LOOPS, 0}, {-E2BIG, 0, 0}},
	{"break_at_the_first", "leave_by_break", {2, 9, 2}, {0, 0, 0}},
	{"break_in_the_middle", "leave_by_break", {2, 9, 5}, {0, 3, 9}},
	{"break_never_taken", "leave_by_break", {2, 9, 9}, {0, 7, 35}},
	{"continue", "go_on_by_continue", {0, 7, 0}, {0, 7, 12}},
	{"next_after_exhaustion", "next_after_exhaustion", {1, 4, 0}, {0, 3, 6}},
	{"next_after_exhaustion_at_int_max",
	 "next_after_exhaustion",
	 {INT_MAX - 2, INT_MAX, 0},
	 {0, 2, 2L * INT_MAX - 3}},
	{"next_after_exhaustion_at_int_min",
	 "next_after_exhaustion",
	 {INT_MIN, INT_MIN + 1, 0},
	 {0, 1, INT_MIN}},
	{"next_after_an_error", "next_after_exhaustion", {4, 1, 0}, {-EINVAL, 0, 0}},
	{"destroy_early", "destroy_early", {10, 13, 0}, {0, 4, 43}},
	{"destroy_at_once", "destroy_at_once", {10, 13, 0}, {0, 0, 0}},
	{"three_deep", "three_deep", {0, 3, 4}, {0, 60, 6000 + 900 + 120}},
	{"three_deep_with_an_empty_one", "three_deep", {0, 3, 0}, {0, 0, 0}},
	{"two_at_once", "two_at_once", {1, 5, 4}, {0, 4, 6010}},
	{"two_at_once_one_shorter", "two_at_once", {1, 5, 2}, {0, 4, 1010}},
	{"in_callers_frame", "in_callers_frame", {-2, 3, 0}, {0, 5, 0}},
	{"in_a_callback", "in_callback", {1, 4, 10}, {0, 30, 60}},
	{"under_a_spin_lock", "under_spin_lock", {1, 11, 0}, {0, 10, 55}},
	{"two_constants_first", "two_constants_into_one_call", {0, 0, 0}, {0, 5, 20}},
	{"two_constants_second", "two_constants_into_one_call", {0, 0, 1}, {0, 4, -6}},
	{"constants_on_one_path", "constants_or_variables", {1, 3, 0}, {0, 5, 20}},
	{"variables_on_the_other", "constants_or_variables", {1, 3, 1}, {0, 2, 3}},
	{"reversed_on_the_other", "constants_or_variables", {3, 1, 1}, {-EINVAL, 0, 0}},
	{"constants_in_order", "constants_in_order", {0, 0, 0}, {0, 6, 3}},
	{"constants_reversed", "constants_reversed", {0, 0, 0}, {-EINVAL, 0, 0}},
	{"constants_too_far_apart",
	 "constants_too_far_apart",
	 {0, 0, 0},
	 {-E2BIG, 0, 0}},
	{"bounds_from_a_map", "bounds_from_a_map", {-4, 6, 0}, {0, 10, 5}},
	{"reversed_from_a_map", "bounds_from_a_map", {6, -4, 0}, {-EINVAL, 0, 0}},
};

static int run(struct cases_bpf *skel, const struct named_case *c, struct left *left)
{
	char packet[64] = {};
	LIBBPF_OPTS(bpf_test_run_opts, opts, .data_in = packet,
		    .data_size_in = sizeof(packet), .repeat = 1);
	struct bpf_program *prog;
	int err;

	skel->bss->start = c->given.start;
	skel->bss->end = c->given.end;
	skel->bss->path = c->given.path;
	prog = bpf_object__find_program_by_name(skel->obj, c->program);
	err = bpf_prog_test_run_opts(bpf_program__fd(prog), &opts);
	*left = (struct left){skel->bss->ret, skel->bss->trips, skel->bss->sum};
	return err;
}

/* In an object of its own, so that one program that is refused is told apart. */
static int check_case(const struct named_case *c, bool refused)
{
	struct cases_bpf *skel = cases_bpf__open();
	libbpf_print_fn_t print = NULL;
	struct left left = {};
	struct bpf_program *prog;
	int err;

	if (!skel)
		return -errno;
	bpf_object__for_each_program (prog, skel->obj)
		bpf_program__set_autoload(prog,
					  !strcmp(bpf_program__name(prog), c->program));
	/* Why it is refused nobody needs to read. */
	if (refused)
		print = libbpf_set_print(NULL);
	err = cases_bpf__load(skel);
	if (refused) {
		libbpf_set_print(print);
		err = err ? 0 : -EEXIST;
	} else if (!err) {
		err = run(skel, c, &left);
	}
	if (!err && !refused && memcmp(&left, &c->left, sizeof(left)))
		err = -EDOM;
	printf("%s - %s%s\n", err ? "not ok" : "ok", c->name,
	       refused ? "_is_refused" : "");
	if (err == -EDOM)
		printf("new() returned %ld, %lu trips, sum %ld; and not %ld, %lu, "
		       "%ld\n",
		       left.ret, left.trips, left.sum, c->left.ret, c->left.trips,
		       c->left.sum);
	else if (err)
		printf("%s\n", refused ? "it was accepted" : strerror(-err));
	cases_bpf__destroy(skel);
	return err;
}

static bool is_listed(const char *name, char **list)
{
	for (; *list; list++)
		if (!strcmp(name, *list))
			return true;
	return false;
}

int main(int argc __attribute__((unused)), char **argv)
{
	int status = 0;

	setvbuf(stdout, NULL, _IOLBF, 0);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		if (check_case(&cases[i], is_listed(cases[i].name, argv + 1)))
			status = 1;
	return status;
}
