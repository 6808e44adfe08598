// SPDX-License-Identifier: BSD-2-Clause
#include <cap-ng.h>
#include <sys/prctl.h>

#include "base/thread.h"

void thread_confine(const char *name)
{
	capng_select_t all = CAPNG_SELECT_CAPS;

	prctl(PR_SET_NAME, name);
	capng_get_caps_process();
	if (capng_have_capability(CAPNG_EFFECTIVE, CAP_SETPCAP) == 1)
		all = CAPNG_SELECT_BOTH;
	capng_clear(all);
	capng_apply(all);
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
}
