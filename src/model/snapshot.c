// SPDX-License-Identifier: BSD-2-Clause
#include "model/snapshot.h"

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
