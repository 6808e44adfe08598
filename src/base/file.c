// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"

/* Fill buf up to size bytes or the end of file; the number of bytes, or -errno. */
static ssize_t read_upto(int fd, char *buf, size_t size)
{
	size_t len = 0;
	ssize_t n;

	while (len < size) {
		n = read(fd, buf + len, size - len);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (n == 0)
			break;
		len += (size_t)n;
	}
	return (ssize_t)len;
}

int file_read(int dirfd, const char *path, size_t limit, char **ret, size_t *ret_len)
{
	size_t size = 4096, len = 0;
	char *buf = NULL, *grown;
	ssize_t n;
	int fd, err = 0;

	fd = openat(dirfd, path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	for (;;) {
		grown = realloc(buf, size + 1);
		if (!grown) {
			err = -ENOMEM;
			goto out;
		}
		buf = grown;
		n = read_upto(fd, buf + len, size - len);
		if (n < 0) {
			err = (int)n;
			goto out;
		}
		len += (size_t)n;
		if (len > limit) {
			err = -EFBIG;
			goto out;
		}
		if (len < size)
			break;
		size *= 2;
	}
	buf[len] = '\0';
	*ret = buf;
	buf = NULL;
	if (ret_len)
		*ret_len = len;
out:
	free(buf);
	close(fd);
	return err;
}

int file_read_line(int dirfd, const char *path, char *buf, size_t size)
{
	ssize_t n;
	int fd;

	fd = openat(dirfd, path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	n = read_upto(fd, buf, size - 1);
	close(fd);
	if (n < 0)
		return (int)n;
	buf[n] = '\0';
	buf[strcspn(buf, "\n")] = '\0';
	return 0;
}
