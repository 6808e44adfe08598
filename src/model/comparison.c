// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "model/comparison.h"

const char *verdict_name(enum verdict v)
{
	static const char *const names[NR_VERDICTS] = {
		[VERDICT_FASTER] = "faster",
		[VERDICT_SLOWER] = "slower",
		[VERDICT_NO_DIFFERENCE] = "no difference",
		[VERDICT_TOO_LITTLE_DATA] = "too little data",
		[VERDICT_NOT_COMPARABLE] = "not comparable",
	};

	return names[v];
}

const char *comparison_kind_name(enum comparison_kind kind)
{
	static const char *const names[] = {
		[COMPARISON_CONSTRUCT] = "construct",
		[COMPARISON_SITE] = "site",
		[COMPARISON_LOOP] = "loop",
	};

	return names[kind];
}

const char *comparison_measure_name(enum comparison_measure measure)
{
	static const char *const names[] = {
		[MEASURE_BENCH] = "bench",
		[MEASURE_CALIBRATION] = "calibration",
		[MEASURE_SLOPE] = "slope",
		[MEASURE_MEAN] = "mean",
	};

	return names[measure];
}

const char *difference_weight_name(enum difference_weight weight)
{
	static const char *const names[] = {
		[DIFFERENCE_CAUSE] = "cause",
		[DIFFERENCE_SUBJECT] = "subject",
		[DIFFERENCE_WARNING] = "warning",
		[DIFFERENCE_REFUSAL] = "refusal",
	};

	return names[weight];
}

const char *comparison_unit_name(const struct comparison *c)
{
	if (c->unit_is_host)
		return "host";
	return c->unit_is_run ? "boot" : "interval";
}

const char *comparison_run_name(const struct comparison *c)
{
	return c->unit_is_host ? "host" : "recording";
}

void comparison_release(struct comparison *c)
{
	for (size_t i = 0; i < c->nr_runs; i++)
		free(c->runs[i].head);
	free(c->runs);
	free(c->differences);
	free(c->rows);
	free(c->only_in_base);
	free(c->only_in_new);
	free(c->incomparable);
	free(c->warnings);
	*c = (struct comparison){0};
}
