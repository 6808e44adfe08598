// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "base/text.h"
#include "model/snapshot.h"
#include "record/fields.h"

#define MAX_NAMES 4096

struct name {
	UT_hash_handle hh;
	char text[];
};

struct names {
	struct name *all;
	size_t nr;
};

int names__new(struct names **ret)
{
	*ret = calloc(1, sizeof(**ret));
	return *ret ? 0 : -ENOMEM;
}

void names__free(struct names *n)
{
	struct name *name, *next;

	if (!n)
		return;
	HASH_ITER (hh, n->all, name, next) {
		HASH_DEL(n->all, name);
		free(name);
	}
	free(n);
}

void fields_fail(struct fields *f, const char *fmt, ...)
{
	char text[256];
	va_list args;

	if (f->err)
		return;
	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	text_make_printable(text);
	f->err = reason_set(f->why, -EINVAL, "%s: line %llu: %s", f->path,
			    (unsigned long long)f->line, text);
}

/* The member, or NULL if there is none or it is null. */
static const json_t *member_of(const json_t *object, const char *key)
{
	const json_t *m = object ? json_object_get(object, key) : NULL;

	return m && !json_is_null(m) ? m : NULL;
}

static uint64_t count_of(struct fields *f, const json_t *m, const char *key)
{
	if (json_is_integer(m) && json_integer_value(m) >= 0)
		return (uint64_t)json_integer_value(m);
	fields_fail(f, "\"%s\" is not a whole number from 0 on", key);
	return 0;
}

uint64_t field_count(struct fields *f, const json_t *object, const char *key)
{
	const json_t *m = member_of(object, key);

	return m ? count_of(f, m, key) : 0;
}

uint64_t field_needed_count(struct fields *f, const json_t *object, const char *key)
{
	const json_t *m = member_of(object, key);

	if (m)
		return count_of(f, m, key);
	fields_fail(f, "\"%s\" is missing", key);
	return 0;
}

int field_known(struct fields *f, const json_t *object, const char *key, int limit)
{
	const json_t *m = member_of(object, key);
	json_int_t value = json_integer_value(m);

	if (!m)
		return -1;
	if (json_is_integer(m) && value >= -1 && value <= limit)
		return (int)value;
	fields_fail(f, "\"%s\" is not a whole number from 0 to %d", key, limit);
	return -1;
}

static double figure_of(struct fields *f, const json_t *m, const char *key)
{
	double value = json_number_value(m);

	if (json_is_number(m) && fabs(value) <= FIELDS_MAX)
		return value;
	if (json_is_number(m))
		fields_fail(f, "\"%s\" is %g, which is no figure", key, value);
	else
		fields_fail(f, "\"%s\" is no number", key);
	return ABSENT;
}

double field_figure(struct fields *f, const json_t *object, const char *key)
{
	const json_t *m = member_of(object, key);

	return m ? figure_of(f, m, key) : ABSENT;
}

double field_figure_at(struct fields *f, const json_t *array, size_t i, const char *key)
{
	return figure_of(f, json_array_get(array, i), key);
}

bool field_flag(struct fields *f, const json_t *object, const char *key)
{
	const json_t *m = member_of(object, key);

	if (m && !json_is_boolean(m))
		fields_fail(f, "\"%s\" is neither true nor false", key);
	return m && json_is_true(m);
}

void field_text(struct fields *f, const json_t *object, const char *key, char *ret,
		size_t size)
{
	const json_t *m = member_of(object, key);

	if (m && !json_is_string(m))
		fields_fail(f, "\"%s\" is no text", key);
	snprintf(ret, size, "%.*s", (int)size - 1,
		 m && json_is_string(m) ? json_string_value(m) : "");
	text_make_printable(ret);
}

const char *fields_intern(struct fields *f, const char *text)
{
	char clean[FIELDS_MAX_NAME];
	size_t len = strlen(text);
	struct name *name;

	if (len >= sizeof(clean)) {
		fields_fail(f, "a name of %zu bytes, which begins '%.20s', is too long",
			    len, text);
		return "";
	}
	memcpy(clean, text, len + 1);
	text_make_printable(clean);
	HASH_FIND_STR(f->names->all, clean, name);
	if (name)
		return name->text;
	name = f->names->nr < MAX_NAMES ? malloc(sizeof(*name) + len + 1) : NULL;
	if (!name) {
		fields_fail(f, "there are too many names, of which '%.40s' is one",
			    clean);
		return "";
	}
	memcpy(name->text, clean, strlen(clean) + 1);
	HASH_ADD_STR(f->names->all, text, name);
	f->names->nr++;
	return name->text;
}

const char *field_name(struct fields *f, const json_t *object, const char *key)
{
	const json_t *m = member_of(object, key);

	if (m && !json_is_string(m))
		fields_fail(f, "\"%s\" is no text", key);
	return m && json_is_string(m) ? fields_intern(f, json_string_value(m)) : "";
}

const char *field_needed_name(struct fields *f, const json_t *object, const char *key)
{
	const char *name = field_name(f, object, key);

	if (!name[0])
		fields_fail(f, "\"%s\" is missing", key);
	return name;
}

const json_t *field_object(struct fields *f, const json_t *object, const char *key)
{
	const json_t *m = member_of(object, key);

	if (!m || json_is_object(m))
		return m;
	fields_fail(f, "\"%s\" is no object", key);
	return NULL;
}

const json_t *field_array(struct fields *f, const json_t *object, const char *key,
			  size_t max)
{
	const json_t *m = member_of(object, key);

	if (m && !json_is_array(m))
		fields_fail(f, "\"%s\" is no array", key);
	else if (json_array_size(m) > max)
		fields_fail(f, "\"%s\" has %zu items, and at most %zu are known of",
			    key, json_array_size(m), max);
	else
		return m;
	return NULL;
}

const json_t *fields_item(struct fields *f, const json_t *array, size_t i,
			  const char *key)
{
	const json_t *item = json_array_get(array, i);

	if (json_is_object(item))
		return item;
	fields_fail(f, "item %zu of \"%s\" is no object", i + 1, key);
	return NULL;
}
