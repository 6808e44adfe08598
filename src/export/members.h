/* SPDX-License-Identifier: BSD-2-Clause */
/* Members of JSON objects, where what is not known is null. */
#ifndef ITERTRACE_EXPORT_MEMBERS_H
#define ITERTRACE_EXPORT_MEMBERS_H

#include <jansson.h>
#include <stdint.h>

void member_count(json_t *object, const char *key, uint64_t count);

/* Negative is null. */
void member_known(json_t *object, const char *key, long long count);

/* NaN and infinity are null. */
void member_figure(json_t *object, const char *key, double figure);

/* The same, written as a whole number. */
void member_bytes(json_t *object, const char *key, double bytes);

/* Without its last character if that was cut; null, if it is not UTF-8 otherwise. */
json_t *text_to_json(const char *text);

/* The same; "" is null too. */
void member_text(json_t *object, const char *key, const char *text);

#endif
