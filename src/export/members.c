// SPDX-License-Identifier: BSD-2-Clause
#include <math.h>
#include <string.h>

#include "export/members.h"

#define MAX_CHARACTER 4 /* bytes of UTF-8 */

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

json_t *text_to_json(const char *text)
{
	size_t len = strlen(text), cut;
	json_t *string = json_string(text);

	/* A buffer may have ended within a character. */
	for (cut = 1; !string && cut < MAX_CHARACTER && cut <= len; cut++)
		string = json_stringn(text, len - cut);
	return string ? string : json_null();
}

void member_text(json_t *object, const char *key, const char *text)
{
	json_object_set_new(object, key, text[0] ? text_to_json(text) : json_null());
}
