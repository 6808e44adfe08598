/* SPDX-License-Identifier: BSD-2-Clause */
/* For simulations: numbers that are the same on every run, and not those of src/stat. */
#ifndef ITERTRACE_TESTS_RANDOM_H
#define ITERTRACE_TESTS_RANDOM_H

#include <math.h>
#include <stdint.h>

struct rng {
	uint64_t state; /* not 0 */
};

/* Marsaglia's xorshift64; uniform in (0, 1). */
static inline double uniform(struct rng *r)
{
	r->state ^= r->state << 13;
	r->state ^= r->state >> 7;
	r->state ^= r->state << 17;
	return ((double)(r->state >> 11) + 0.5) * 0x1p-53;
}

static inline double normal(struct rng *r)
{
	return sqrt(-2 * log(uniform(r))) * cos(2 * M_PI * uniform(r));
}

#endif
