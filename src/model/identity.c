// SPDX-License-Identifier: BSD-2-Clause
#include <stddef.h>
#include <string.h>

#include "model/identity.h"

const char *identity_find(const struct identity_entry *entries, int nr,
			  const char *name)
{
	for (int i = 0; i < nr; i++)
		if (!strcmp(entries[i].name, name))
			return entries[i].text;
	return NULL;
}
