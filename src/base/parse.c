// SPDX-License-Identifier: BSD-2-Clause
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/format.h"
#include "base/parse.h"

struct unit {
	const char *suffix;
	uint64_t scale;
};

static const struct unit duration_units[] = {
	{"", 1000000000ULL},
	{"ns", 1},
	{"us", 1000ULL},
	{"ms", 1000000ULL},
	{"s", 1000000000ULL},
	{"m", 60 * 1000000000ULL},
	{"h", 3600 * 1000000000ULL},
	{"d", 86400 * 1000000000ULL},
	{NULL, 0},
};

static const struct unit byte_units[] = {
	{"", 1},           {"k", 1ULL << 10}, {"K", 1ULL << 10},
	{"M", 1ULL << 20}, {"G", 1ULL << 30}, {NULL, 0},
};

static const struct unit no_units[] = {{"", 1}, {NULL, 0}};

/* Digits and a unit, nothing else. -EINVAL: not of that form. -ERANGE: overflow. */
static int parse_scaled(const char *text, const struct unit *units, uint64_t *ret)
{
	unsigned long long number;
	char *end;

	if (!isdigit((unsigned char)text[0]))
		return -EINVAL;
	errno = 0;
	number = strtoull(text, &end, 10);
	if (errno)
		return -ERANGE;
	for (; units->suffix; units++) {
		if (strcmp(end, units->suffix))
			continue;
		if (__builtin_mul_overflow(number, units->scale, ret))
			return -ERANGE;
		return 0;
	}
	return -EINVAL;
}

int parse_uint(const char *option, const char *text, uint64_t min, uint64_t max,
	       uint64_t *ret, struct reason *why)
{
	uint64_t value;
	int err;

	err = parse_scaled(text, no_units, &value);
	if (err == -EINVAL)
		return reason_set(why, err, "%s takes a whole number, not '%s'", option,
				  text);
	if (err || value < min || value > max)
		return reason_set(
			why, -ERANGE, "%s takes a number from %llu to %llu, not '%s'",
			option, (unsigned long long)min, (unsigned long long)max, text);
	*ret = value;
	return 0;
}

int parse_duration_ns(const char *option, const char *text, uint64_t min_ns,
		      uint64_t max_ns, uint64_t *ret_ns, struct reason *why)
{
	char lo[FORMAT_LEN], hi[FORMAT_LEN];
	uint64_t value;
	int err;

	err = parse_scaled(text, duration_units, &value);
	if (err == -EINVAL)
		return reason_set(why, err,
				  "%s takes a time such as 500ms, 10s or 5m, not '%s'",
				  option, text);
	if (err || value < min_ns || value > max_ns)
		return reason_set(why, -ERANGE,
				  "%s takes a time from %s to %s, not '%s'", option,
				  format_ns(lo, min_ns), format_ns(hi, max_ns), text);
	*ret_ns = value;
	return 0;
}

int parse_bytes(const char *option, const char *text, uint64_t min, uint64_t max,
		uint64_t *ret, struct reason *why)
{
	char lo[FORMAT_LEN], hi[FORMAT_LEN];
	uint64_t value;
	int err;

	err = parse_scaled(text, byte_units, &value);
	if (err == -EINVAL)
		return reason_set(why, err,
				  "%s takes a size such as 4096 or 16k, not '%s'",
				  option, text);
	if (err || value < min || value > max)
		return reason_set(why, -ERANGE,
				  "%s takes a size from %s to %s, not '%s'", option,
				  format_bytes(lo, min), format_bytes(hi, max), text);
	*ret = value;
	return 0;
}
