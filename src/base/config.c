// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <ini.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/config.h"

#define MAX_NAMES 64
#define NAME_LEN  32
#define MAX_LINES 10000

struct reading {
	const char *path, *section;
	FILE *file;
	int line, err;
	config_take take;
	void *context;
	struct reason *why;
	char seen[MAX_NAMES][NAME_LEN];
	int nr_seen, seen_on[MAX_NAMES];
};

/* The first thing that is wrong is what is said. */
static void complain(struct reading *r, int err, const char *what)
{
	if (!r->err)
		r->err = reason_set(r->why, err, "%s:%d: %s", r->path, r->line, what);
}

static bool is_section(const struct reading *r, const char *text)
{
	size_t len = strlen(r->section);

	return !strncmp(text + 1, r->section, len) && text[1 + len] == ']';
}

/* inih's reader: a line of the file into text, as fgets() would. */
static char *read_line(char *text, int size, void *stream)
{
	struct reading *r = stream;
	char why[128];
	size_t len;

	if (r->err || !fgets(text, size, r->file))
		return NULL;
	r->line++;
	len = strlen(text);
	if (r->line > MAX_LINES)
		complain(r, -EINVAL, "too many lines for a configuration");
	else if (!len || (text[len - 1] != '\n' && !feof(r->file)))
		complain(r, -EINVAL, "the line is too long, or not text");
	else if (text[0] == ' ' || text[0] == '\t')
		/* inih would append it to the last value. */
		memmove(text, text + strspn(text, " \t"),
			len + 1 - strspn(text, " \t"));
	if (text[0] == '[' && !is_section(r, text)) {
		snprintf(why, sizeof(why),
			 "there is no such section; all settings stand under [%.32s]",
			 r->section);
		complain(r, -EINVAL, why);
	}
	return r->err ? NULL : text;
}

static int find_seen(const struct reading *r, const char *name)
{
	int i;

	for (i = 0; i < r->nr_seen; i++)
		if (!strcmp(r->seen[i], name))
			return r->seen_on[i];
	return 0;
}

/* false: complained. */
static bool is_new(struct reading *r, const char *name)
{
	char what[128];

	if (find_seen(r, name)) {
		snprintf(what, sizeof(what), "%s was set in line %d already", name,
			 find_seen(r, name));
		complain(r, -EINVAL, what);
	} else if (r->nr_seen == MAX_NAMES) {
		complain(r, -EINVAL, "too many settings");
	} else {
		snprintf(r->seen[r->nr_seen], NAME_LEN, "%s", name);
		r->seen_on[r->nr_seen++] = r->line;
	}
	return !r->err;
}

/* inih's handler: 0 is an error. */
static int take_line(void *user, const char *section, const char *name,
		     const char *value)
{
	struct reading *r = user;
	struct reason why = {""};
	char what[512];
	int err;

	if (strcmp(section, r->section)) {
		snprintf(what, sizeof(what),
			 "%.60s belongs under [%s], and nothing else does", name,
			 r->section);
		complain(r, -EINVAL, what);
		return 0;
	}
	err = r->take(r->context, name, value, &why);
	if (err == -ENOENT) {
		snprintf(what, sizeof(what), "there is no setting '%.60s'", name);
		complain(r, -EINVAL, what);
	} else if (err) {
		complain(r, err, why.text);
	}
	return !r->err && is_new(r, name);
}

int config_read(const char *path, const char *section, config_take take, void *context,
		struct reason *why)
{
	struct reading r = {
		.path = path,
		.section = section,
		.take = take,
		.context = context,
		.why = why,
	};
	int line;

	r.file = fopen(path, "re");
	if (!r.file)
		return reason_set(why, -errno, "cannot open the configuration %s: %s",
				  path, strerror(errno));
	line = ini_parse_stream(read_line, &r, take_line, &r);
	if (ferror(r.file) && !r.err)
		r.err = reason_set(why, -errno, "cannot read the configuration %s: %s",
				   path, strerror(errno));
	fclose(r.file);
	if (line > 0 && !r.err) {
		r.line = line;
		complain(&r, -EINVAL,
			 "this is neither [section], 'name = value' nor a "
			 "comment");
	}
	return r.err;
}

int config_parse_flag(const char *text, bool *ret)
{
	static const char *const words[][2] = {
		{"no", "yes"}, {"false", "true"}, {"off", "on"}};
	size_t i, j;

	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		for (j = 0; j < 2; j++) {
			if (!strcasecmp(text, words[i][j])) {
				*ret = j;
				return 0;
			}
		}
	}
	return -EINVAL;
}
