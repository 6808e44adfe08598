// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd/page.h"

/* Of mkstemp()'s file, 0600, the mode that open() would have given it. */
static int set_mode(int fd)
{
	mode_t mask = umask(0);

	umask(mask);
	return fchmod(fd, 0666 & ~mask);
}

static int write_to(int fd, int (*print)(FILE *out, const void *what), const void *what)
{
	FILE *out = fdopen(fd, "w");
	int err;

	if (!out) {
		err = -errno;
		close(fd);
		return err;
	}
	err = set_mode(fd) ? -errno : print(out, what);
	if (fclose(out) && !err)
		err = -errno;
	return err;
}

int page_write(const char *path, int (*print)(FILE *out, const void *what),
	       const void *what, struct reason *why)
{
	char part[4096];
	int fd, err;

	if (snprintf(part, sizeof(part), "%s.XXXXXX", path) >= (int)sizeof(part))
		return reason_set(why, -ENAMETOOLONG, "--html: the path is too long");
	fd = mkstemp(part);
	if (fd < 0)
		return reason_set(why, -errno, "cannot write the page %s: %s", path,
				  strerror(errno));
	err = write_to(fd, print, what);
	if (!err && rename(part, path))
		err = -errno;
	if (!err)
		return 0;
	unlink(part);
	return reason_set(why, err, "cannot write the page %s: %s", path,
			  strerror(-err));
}
