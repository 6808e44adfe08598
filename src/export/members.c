// SPDX-License-Identifier: BSD-2-Clause
#include <math.h>

#include "export/members.h"

void member_count(json_t *object, const char *key, uint64_t count)
{
	json_object_set_new(object, key, json_integer((json_int_t)count));
}

void member_known(json_t *object, const char *key, long long count)
{
	json_object_set_new(object, key, count < 0 ? json_null() : json_integer(count));
}

void member_figure(json_t *object, const char *key, double figure)
{
	json_object_set_new(object, key,
			    isfinite(figure) ? json_real(figure) : json_null());
}

void member_bytes(json_t *object, const char *key, double bytes)
{
	json_object_set_new(object, key,
			    isfinite(bytes) ? json_integer((json_int_t)bytes)
					    : json_null());
}

void member_text(json_t *object, const char *key, const char *text)
{
	json_t *string = text[0] ? json_string(text) : NULL;

	json_object_set_new(object, key, string ? string : json_null());
}
