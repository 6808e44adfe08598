// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "model/report.h"

void report_release(struct report *r)
{
	snapshot_release(&r->summary);
	free(r->bench);
	r->bench = NULL;
}
