/* SPDX-License-Identifier: BSD-2-Clause */
/* Comparisons of recordings made by a test, and what to look for in them. */
#ifndef ITERTRACE_TESTS_MADE_COMPARISON_H
#define ITERTRACE_TESTS_MADE_COMPARISON_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "made_run.h"
#include "near.h"

static inline void compare_with(struct digest **digests, size_t nr_base, size_t nr_new,
				double threshold, bool is_forced,
				struct comparison *ret)
{
	struct compare_options options = {.threshold_percent = threshold,
					  .is_forced = is_forced};
	struct reason why = {""};

	assert_int_equal(compare_digests(digests, nr_base, nr_new, &options, ret, &why),
			 0);
	for (size_t i = 0; i < nr_base + nr_new; i++)
		digest__free(digests[i]);
}

static inline void compare_two(struct digest *base, struct digest *fresh,
			       struct comparison *ret)
{
	struct digest *digests[] = {base, fresh};

	compare_with(digests, 1, 1, 5, false, ret);
}

/* A site of which every interval has exactly this cost, times what spread gives. */
static inline struct digest *run_of(const char *boot, const char *release, size_t nr,
				    double ns_per_trip, double spread)
{
	struct digest *d = made_digest("x.itr", boot, release);
	struct site_figures site;

	for (size_t i = 0; i < nr; i++) {
		site = made_site("exec.argv",
				 ns_per_trip *
					 (1 + spread * ((double)(i * 7 % 11) - 5)));
		assert_int_equal(made_interval(d, &site, 1), 0);
	}
	made_finish(d);
	return d;
}

static inline bool has_warning(const struct comparison *c, const char *part)
{
	for (size_t i = 0; i < c->nr_warnings; i++)
		if (strstr(c->warnings[i], part))
			return true;
	return false;
}

static inline const struct comparison_difference *difference(const struct comparison *c,
							     const char *what)
{
	for (size_t i = 0; i < c->nr_differences; i++)
		if (!strcmp(c->differences[i].what, what))
			return &c->differences[i];
	return NULL;
}

#endif
