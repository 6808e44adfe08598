// SPDX-License-Identifier: BSD-2-Clause
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/format.h"

/* Three significant digits of value/scale. */
static const char *format_scaled(char buf[FORMAT_LEN], uint64_t value, uint64_t scale,
				 const char *unit)
{
	double v = (double)value / (double)scale;
	int decimals = v < 9.995 ? 2 : v < 99.95 ? 1 : 0;

	if (value % scale == 0)
		decimals = 0;
	snprintf(buf, FORMAT_LEN, "%.*f %s", decimals, v, unit);
	return buf;
}

const char *format_ns(char buf[FORMAT_LEN], uint64_t ns)
{
	static const struct {
		uint64_t scale, up_to;
		const char *unit;
	} units[] = {
		{1, 1000, "ns"},
		{1000, 1000000, "us"},
		{1000000, 1000000000, "ms"},
		{1000000000, 120000000000, "s"},
		{60000000000, 7200000000000, "min"},
		{3600000000000, UINT64_MAX, "h"},
	};
	size_t i = 0;

	/* What would be rounded up to the next unit is shown in it. */
	while (ns >= units[i].up_to - units[i].scale / 2 &&
	       units[i].up_to != UINT64_MAX)
		i++;
	return format_scaled(buf, ns, units[i].scale, units[i].unit);
}

const char *format_bytes(char buf[FORMAT_LEN], uint64_t bytes)
{
	static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
	uint64_t scale = 1;
	size_t i = 0;

	while (i + 1 < sizeof(units) / sizeof(units[0]) &&
	       bytes >= 1024 * scale - scale / 2) {
		scale *= 1024;
		i++;
	}
	return format_scaled(buf, bytes, scale, units[i]);
}

const char *format_count(char buf[FORMAT_LEN], uint64_t count)
{
	char digits[24];
	size_t len, i, out = 0;

	len = (size_t)snprintf(digits, sizeof(digits), "%" PRIu64, count);
	for (i = 0; i < len; i++) {
		if (i && (len - i) % 3 == 0)
			buf[out++] = ',';
		buf[out++] = digits[i];
	}
	buf[out] = '\0';
	return buf;
}
