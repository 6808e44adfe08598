// SPDX-License-Identifier: BSD-2-Clause
#include <stdarg.h>
#include <stdio.h>

#include "model/doctor.h"

const char *check_status_name(enum check_status status)
{
	static const char *const names[NR_CHECK_STATUSES] = {
		[CHECK_OK] = "ok", [CHECK_WARN] = "warn", [CHECK_FAIL] = "fail"};

	return names[status];
}

enum check_status checks_worst(const struct check *checks, size_t nr)
{
	enum check_status worst = CHECK_OK;
	size_t i;

	for (i = 0; i < nr; i++)
		if (checks[i].status > worst)
			worst = checks[i].status;
	return worst;
}

void check_found(struct check *c, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(c->found, sizeof(c->found), fmt, ap);
	va_end(ap);
}

void check_follows(struct check *c, enum check_status status, const char *fmt, ...)
{
	va_list ap;

	c->status = status;
	va_start(ap, fmt);
	vsnprintf(c->consequence, sizeof(c->consequence), fmt, ap);
	va_end(ap);
}

void check_remedy(struct check *c, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(c->remedy, sizeof(c->remedy), fmt, ap);
	va_end(ap);
}

void check_unknown(struct check *c, const char *why)
{
	check_found(c, "not known: %s", why);
	check_follows(c, CHECK_WARN, "what depends on it cannot be told");
	check_remedy(c, "ask as root: `sudo itertrace doctor`");
}
