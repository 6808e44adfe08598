// SPDX-License-Identifier: BSD-2-Clause
#include <stdarg.h>
#include <stdio.h>
#include <systemd/sd-daemon.h>

#include "base/time.h"
#include "cmd/notify.h"

void notify_ready(void)
{
	sd_notify(0, "READY=1");
}

void notify_reloading(void)
{
	sd_notifyf(0, "RELOADING=1\nMONOTONIC_USEC=%llu",
		   (unsigned long long)(time_ns(CLOCK_MONOTONIC) / NSEC_PER_USEC));
}

void notify_stopping(void)
{
	sd_notify(0, "STOPPING=1");
}

void notify_alive(void)
{
	sd_notify(0, "WATCHDOG=1");
}

void notify_status(const char *fmt, ...)
{
	char text[256];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	sd_notifyf(0, "STATUS=%s", text);
}

uint64_t notify_alive_ns(void)
{
	uint64_t us;

	if (sd_watchdog_enabled(0, &us) <= 0)
		return 0;
	return us * NSEC_PER_USEC / 3;
}
