// SPDX-License-Identifier: BSD-2-Clause
/* In place of notify.c in a build with SYSTEMD=0. */
#include "cmd/notify.h"

void notify_ready(void)
{
}

void notify_reloading(void)
{
}

void notify_stopping(void)
{
}

void notify_alive(void)
{
}

void notify_status(const char *fmt, ...)
{
	(void)fmt;
}

uint64_t notify_alive_ns(void)
{
	return 0;
}
