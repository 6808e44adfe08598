// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <string.h>

#include "model/feature.h"

static const char *const names[NR_FEATURE_STATES] = {
	[FEATURE_INLINED] = "inlined",         [FEATURE_FOLDED] = "folded",
	[FEATURE_PARTIAL] = "partial",         [FEATURE_CALL] = "call",
	[FEATURE_UNSUPPORTED] = "unsupported", [FEATURE_REFUSED] = "refused",
	[FEATURE_UNKNOWN] = "unknown",
};

const char *feature_state_name(enum feature_state state)
{
	return names[state];
}

int feature_state_parse(const char *name, enum feature_state *ret)
{
	int i;

	for (i = 0; i < NR_FEATURE_STATES; i++) {
		if (strcmp(name, names[i]))
			continue;
		*ret = (enum feature_state)i;
		return 0;
	}
	return -EINVAL;
}
