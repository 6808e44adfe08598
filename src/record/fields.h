/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Members of a line's JSON, with their types and bounds checked. The first that is
 * wrong is remembered, with a sentence that names file, line and member; what is
 * read after it is of no use. A member that is null or not there is "", ABSENT, 0
 * or -1, unless it is needed.
 */
#ifndef ITERTRACE_RECORD_FIELDS_H
#define ITERTRACE_RECORD_FIELDS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/reason.h"

#define FIELDS_MAX_NAME 256  /* bytes of a name, its NUL included */
#define FIELDS_MAX      1e18 /* no figure but a count is larger */

struct names;

struct fields {
	const char *path;
	uint64_t line;
	struct names *names;
	struct reason *why;
	int err;
};

/* Names that live as long as this, each once. */
int names__new(struct names **ret);
void names__free(struct names *n); /* NULL is fine */

void fields_fail(struct fields *f, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* A whole number from 0 on. */
uint64_t field_count(struct fields *f, const json_t *object, const char *key);
uint64_t field_needed_count(struct fields *f, const json_t *object, const char *key);

/* From -1, which is unknown, to limit. */
int field_known(struct fields *f, const json_t *object, const char *key, int limit);

double field_figure(struct fields *f, const json_t *object, const char *key);
double field_figure_at(struct fields *f, const json_t *array, size_t i,
		       const char *key); /* that is needed */
bool field_flag(struct fields *f, const json_t *object, const char *key);

/* Cut to fit, and safe to print: what is not printable stands as '?'. */
void field_text(struct fields *f, const json_t *object, const char *key, char *ret,
		size_t size);

/*
 * Safe to print, and the same pointer for the same name. "" where there is none. The
 * name of a member likewise.
 */
const char *field_name(struct fields *f, const json_t *object, const char *key);
const char *field_needed_name(struct fields *f, const json_t *object, const char *key);
const char *fields_intern(struct fields *f, const char *name);

/* NULL where there is none, which is fine for all of the above. */
const json_t *field_object(struct fields *f, const json_t *object, const char *key);
const json_t *field_array(struct fields *f, const json_t *object, const char *key,
			  size_t max);

/* The array's item, or NULL if it is no object. */
const json_t *fields_item(struct fields *f, const json_t *array, size_t i,
			  const char *key);

#endif
