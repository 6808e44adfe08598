/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The hosts of one side, from what a Prometheus answers: each becomes a digest, as if
 * it were a recording, so that all that is said of recordings is said of hosts. One
 * that ran two kernels, or two versions of itertrace, is one of each. Pure.
 */
#ifndef ITERTRACE_COMPARE_FLEET_H
#define ITERTRACE_COMPARE_FLEET_H

#include "compare/answer.h"
#include "compare/digest.h"
#include "compare/queries.h"
#include "compare/side.h"

/* Evidence of more hosts than these is not weighed. */
#define FLEET_MAX_HOSTS SIDE_MAX_RUNS

struct fleet;

/* end_s: the time that all is asked of, since 1970. NULL: out of memory. */
struct fleet *fleet__new(double end_s, struct query_range range);
void fleet__free(struct fleet *f); /* NULL is fine */

/*
 * What was answered to a query: to QUERY_HOSTS first, then to the others, each once.
 * -E2BIG: more hosts, sites or constructs than are known of; -EPROTO: no such answer;
 * -ENOMEM; with a sentence.
 */
int fleet_add(struct fleet *f, enum query query, const struct answer *a,
	      struct reason *why);

size_t fleet_size(const struct fleet *f);

/* Series that were of none of the hosts. */
uint64_t fleet_strays(const struct fleet *f);

/* The i-th host; the caller's. -ENOMEM. */
int fleet_digest(const struct fleet *f, size_t i, struct digest **ret);

#endif
