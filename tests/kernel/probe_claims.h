/* SPDX-License-Identifier: BSD-2-Clause */
/* What the tests of the probe share. */
#ifndef ITERTRACE_TESTS_PROBE_CLAIMS_H
#define ITERTRACE_TESTS_PROBE_CLAIMS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "kernel/probe.h"

#define NR(array)    (sizeof(array) / sizeof((array)[0]))
#define MAX_FEATURES 64

static inline void need_root(void)
{
	if (geteuid() != 0) {
		printf("loading programs needs root\n");
		skip();
	}
}

/* All features, or -1. No assertion: children call it. */
static inline int probe_all(struct feature *features)
{
	struct probe *p;
	size_t i;
	int err;

	if (probe_nr() > MAX_FEATURES || probe__new(&p, NULL))
		return -1;
	for (i = 0, err = 0; i < probe_nr() && !err; i++)
		err = probe_feature(p, probe_name(i), &features[i]);
	probe__free(p);
	return err ? -1 : 0;
}

static inline const struct feature *by_name(const struct feature *features,
					    const char *name)
{
	size_t i;

	for (i = 0; i < probe_nr(); i++) {
		if (!strcmp(probe_name(i), name))
			return &features[i];
	}
	fail_msg("no feature %s", name);
	return NULL;
}

static inline bool is_found_out(enum feature_state state)
{
	return state == FEATURE_INLINED || state == FEATURE_FOLDED ||
	       state == FEATURE_PARTIAL || state == FEATURE_CALL;
}

#endif
