/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Two sides of recordings, base and new, compared: which rows they share, what each
 * says, and the verdict over all.
 *
 * The unit of evidence is the boot, where both sides have two at least: each gives a
 * row one value. Otherwise it is what there is within the runs, with a warning, as
 * boots differ by more than intervals do. Of hosts that a server was asked about it is
 * the host.
 *
 * Rows whose sizes alone forbid p < 0.05 are not tested; all others share Holm's
 * adjustment, so that over all rows together no difference is seen where there is
 * none in at least 95% of the comparisons.
 *
 * Over all: slower, if a row is; else faster, if a row is; else no difference, if
 * each row that is tested shows none, or if all sites together do (at the new
 * side's rates, so that a loop that hardly ever runs does not stand in the way);
 * else too little data. Refused sides, and sides that share no row, are not comparable.
 */
#ifndef ITERTRACE_COMPARE_COMPARE_H
#define ITERTRACE_COMPARE_COMPARE_H

#include "base/reason.h"
#include "compare/digest.h"

struct compare_options {
	double threshold_percent;
	bool is_forced;    /* compare what is refused, and say so */
	bool unit_is_host; /* the digests are hosts, not recordings */
};

/*
 * digests: first those of base, then those of the new side; at least one each. The
 * caller's; names in ret live as long as they do. -E2BIG: too many; -ENOMEM; with a
 * sentence. On failure *ret is untouched,
 * otherwise comparison_release() it.
 */
int compare_digests(struct digest *const *digests, size_t nr_base, size_t nr_new,
		    const struct compare_options *options, struct comparison *ret,
		    struct reason *why);

#endif
