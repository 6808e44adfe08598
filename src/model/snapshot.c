// SPDX-License-Identifier: BSD-2-Clause
#include <string.h>

#include "model/snapshot.h"

void lost_add(struct lost_count *list, size_t *nr, const struct lost_count *more)
{
	size_t i;

	for (i = 0; i < *nr && strcmp(list[i].cause, more->cause); i++)
		;
	if (i == TRACER_MAX_LOST)
		return;
	if (i == *nr)
		list[(*nr)++] = (struct lost_count){more->cause, 0};
	list[i].nr += more->nr;
}

const struct site_figures site_figures_none = {
	.fit = SITE_FIT_TOO_FEW,
	.ns_per_trip = ABSENT,
	.ns_per_trip_lo = ABSENT,
	.ns_per_trip_hi = ABSENT,
	.ns_per_loop = ABSENT,
	.ns_per_loop_lo = ABSENT,
	.ns_per_loop_hi = ABSENT,
	.mean_ns = ABSENT,
	.iterator_ns = ABSENT,
	.inlined_saves_ns = ABSENT,
};

const char *site_fit_name(enum site_fit fit)
{
	static const char *const names[NR_SITE_FITS] = {
		[SITE_FIT_OK] = "ok",
		[SITE_FIT_NOT_LINEAR] = "not_linear",
		[SITE_FIT_TOO_FEW] = "too_few",
		[SITE_FIT_TRIPS_CONSTANT] = "trips_constant",
		[SITE_FIT_TOO_NOISY] = "too_noisy",
	};

	return names[fit];
}

void snapshot_release(struct snapshot *s)
{
	size_t i;

	for (i = 0; i < s->nr_sections; i++)
		section_release(&s->sections[i]);
	s->nr_sections = 0;
}
