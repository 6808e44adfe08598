// SPDX-License-Identifier: BSD-2-Clause
#include <cap-ng.h>
#include <sys/prctl.h>

#include "base/thread.h"

void thread_confine(const char *name)
{
	prctl(PR_SET_NAME, name);
	/* Those of other threads are theirs. */
	capng_clear(CAPNG_SELECT_CAPS);
	capng_apply(CAPNG_SELECT_CAPS);
}
