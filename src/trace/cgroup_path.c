// SPDX-License-Identifier: BSD-2-Clause
#include <fcntl.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "trace/cgroup_path.h"

#define ELLIPSIS        "\xe2\x80\xa6"
#define CGROUP_FILE_MAX 65536

char *cgroup_path(const struct cgroup_names *c)
{
	char path[2 * sizeof(c->names) + sizeof(ELLIPSIS) + 1], *out = path;
	size_t end, start;

	if (c->len > sizeof(c->names))
		return NULL;
	if (c->cut)
		out = mempcpy(out, ELLIPSIS, strlen(ELLIPSIS));
	for (end = c->len; end > 0; end = start) {
		/* names[end - 1] is the NUL of the name that ends here. */
		for (start = end - 1; start > 0 && c->names[start - 1]; start--)
			;
		*out++ = '/';
		out = mempcpy(out, c->names + start, end - 1 - start);
		if (end - start == CGROUP_NAME_LEN)
			out = mempcpy(out, ELLIPSIS, strlen(ELLIPSIS));
	}
	if (out == path)
		*out++ = '/';
	return text_printable(path, (size_t)(out - path));
}

bool cgroup_is_v2(const char *text)
{
	return !strncmp(text, "0::", 3) || strstr(text, "\n0::");
}

int cgroup_read_own(char **ret)
{
	return file_read(AT_FDCWD, "/proc/self/cgroup", CGROUP_FILE_MAX, ret, NULL);
}
