// SPDX-License-Identifier: BSD-2-Clause
#include <stdarg.h>
#include <stdio.h>

#include "base/reason.h"

int reason_set(struct reason *why, int err, const char *fmt, ...)
{
	va_list ap;

	if (!why)
		return err;
	va_start(ap, fmt);
	vsnprintf(why->text, sizeof(why->text), fmt, ap);
	va_end(ap);
	return err;
}
