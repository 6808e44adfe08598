// SPDX-License-Identifier: BSD-2-Clause
#include <sys/resource.h>

#include "base/limit.h"

uint64_t limit_raise_descriptors(void)
{
	struct rlimit limit, raised;

	if (getrlimit(RLIMIT_NOFILE, &limit))
		return 0;
	if (limit.rlim_cur >= LIMIT_WANTED_DESCRIPTORS)
		return limit.rlim_cur;
	raised = limit;
	raised.rlim_cur = limit.rlim_max < LIMIT_WANTED_DESCRIPTORS
				  ? limit.rlim_max
				  : LIMIT_WANTED_DESCRIPTORS;
	return setrlimit(RLIMIT_NOFILE, &raised) ? limit.rlim_cur : raised.rlim_cur;
}
