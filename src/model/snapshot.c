// SPDX-License-Identifier: BSD-2-Clause
#include "model/snapshot.h"

void snapshot_release(struct snapshot *s)
{
	size_t i;

	for (i = 0; i < s->nr_sections; i++)
		section_release(&s->sections[i]);
	s->nr_sections = 0;
}
