// SPDX-License-Identifier: BSD-2-Clause
#include <stdbool.h>
#include <string.h>

#include "record/keep.h"

#define MAX_KEPT 32

struct span {
	const char *begin, *end;
};

static const char *skip_space(const char *p, const char *end)
{
	while (p < end && (*p == ' ' || *p == '\t' || *p == '\r'))
		p++;
	return p;
}

/* Behind the string that begins at p; NULL: it does not end. */
static const char *skip_string(const char *p, const char *end)
{
	const char *begin = ++p, *before;

	while ((p = memchr(p, '"', (size_t)(end - p)))) {
		for (before = p; before > begin && before[-1] == '\\'; before--)
			;
		p++;
		if ((p - 1 - before) % 2 == 0)
			return p;
	}
	return NULL;
}

/* What a value's end is found by; within arrays and objects, commas are not. */
enum { BEGINS = 1, ENDS, SEPARATES, QUOTES };
static const unsigned char means[256] = {
	['{'] = BEGINS, ['['] = BEGINS,    ['}'] = ENDS,
	[']'] = ENDS,   [','] = SEPARATES, ['"'] = QUOTES,
};

/* Behind the value that begins at p; NULL: it does not end. */
static const char *skip_value(const char *p, const char *end)
{
	long depth = 0;

	while (p < end) {
		unsigned char meaning = means[(unsigned char)*p];

		if (meaning == QUOTES) {
			p = skip_string(p, end);
			if (!p)
				return NULL;
			continue;
		}
		if (!depth && (meaning == ENDS || meaning == SEPARATES))
			return p;
		depth += (meaning == BEGINS) - (meaning == ENDS);
		p++;
	}
	return NULL;
}

static bool is_wanted(struct span key, const char *const *keys)
{
	size_t len = (size_t)(key.end - key.begin) - 2;

	for (; *keys; keys++)
		if (strlen(*keys) == len && !memcmp(*keys, key.begin + 1, len))
			return true;
	return false;
}

/* The wanted members. false: it is no object, or too many are wanted. */
static bool find_members(const char *text, const char *end, const char *const *keys,
			 struct span *ret, size_t *ret_nr)
{
	const char *p = skip_space(text, end);
	struct span key;
	size_t nr = 0;

	if (p == end || *p != '{')
		return false;
	do {
		key.begin = skip_space(p + 1, end);
		key.end = key.begin < end && *key.begin == '"'
				  ? skip_string(key.begin, end)
				  : NULL;
		p = key.end ? skip_space(key.end, end) : end;
		if (p == end || *p != ':')
			return false;
		p = skip_value(p, end);
		if (!p || (is_wanted(key, keys) && nr == MAX_KEPT))
			return false;
		if (is_wanted(key, keys))
			ret[nr++] = (struct span){key.begin, p};
	} while (*p == ',');
	*ret_nr = nr;
	return *p == '}' && skip_space(p + 1, end) == end;
}

size_t keep_members(char *text, size_t len, const char *const *keys)
{
	struct span kept[MAX_KEPT];
	size_t nr, i, n, at = 0;

	if (!find_members(text, text + len, keys, kept, &nr))
		return len;
	text[at++] = '{';
	for (i = 0; i < nr; i++) {
		n = (size_t)(kept[i].end - kept[i].begin);
		memmove(text + at, kept[i].begin, n);
		at += n;
		text[at++] = i + 1 < nr ? ',' : '}';
	}
	if (!nr)
		text[at++] = '}';
	return at;
}
