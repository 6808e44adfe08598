// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "record/line_file.h"

#define LEVEL 6

/*
 * RFC 1952. The header, trailer and check sum are made here, and zlib makes the raw
 * stream between: so a line that did not reach the file can be taken back by
 * starting the stream anew at the last whole byte, of which the text before
 * knows nothing. Every line ends in a flush, which ends at a whole byte.
 */
struct line_file {
	int fd;
	z_stream stream;
	uint64_t size;          /* that is in the file and whole */
	uint32_t crc, nr_bytes; /* of the text in it; modulo 2^32 */
	unsigned char *out;
	size_t out_size;
};

/* All of it behind what is whole, or nothing. */
static int write_all(struct line_file *f, const unsigned char *bytes, size_t len)
{
	size_t done = 0;
	ssize_t n;
	int err;

	while (done < len) {
		n = pwrite(f->fd, bytes + done, len - done, (off_t)(f->size + done));
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			err = n < 0 ? -errno : -EIO;
			/* -EFBIG is that of line_file_add(). */
			err = err == -EFBIG ? -EDQUOT : err;
			/* If this fails, the next line is written over it. */
			n = ftruncate(f->fd, (off_t)f->size);
			return err;
		}
		done += (size_t)n;
	}
	f->size += len;
	return 0;
}

int line_file__new(int fd, struct line_file **ret)
{
	static const unsigned char header[10] = {0x1f, 0x8b, 8, [9] = 3};
	struct line_file *f = calloc(1, sizeof(*f));
	int err;

	if (!f)
		return -ENOMEM;
	f->fd = fd;
	f->crc = (uint32_t)crc32(0, NULL, 0);
	if (deflateInit2(&f->stream, LEVEL, Z_DEFLATED, -MAX_WBITS, 8,
			 Z_DEFAULT_STRATEGY) != Z_OK) {
		free(f);
		return -ENOMEM;
	}
	err = write_all(f, header, sizeof(header));
	if (err) {
		deflateEnd(&f->stream);
		free(f);
		return err;
	}
	*ret = f;
	return 0;
}

static int reserve(struct line_file *f, size_t size)
{
	unsigned char *out;

	if (size <= f->out_size)
		return 0;
	out = realloc(f->out, size);
	if (!out)
		return -ENOMEM;
	f->out = out;
	f->out_size = size;
	return 0;
}

int line_file_add(struct line_file *f, const char *text, size_t len, uint64_t limit)
{
	z_stream *s = &f->stream;
	size_t made;
	int err;

	err = reserve(f, deflateBound(s, len) + 64);
	if (err)
		return err;
	s->next_in = (unsigned char *)text;
	s->avail_in = (uInt)len;
	s->next_out = f->out;
	s->avail_out = (uInt)f->out_size;
	if (deflate(s, Z_SYNC_FLUSH) != Z_OK || s->avail_in || !s->avail_out) {
		deflateReset(s);
		return -EIO;
	}
	made = f->out_size - s->avail_out;
	err = f->size + made + LINE_FILE_TRAILER > limit ? -EFBIG
							 : write_all(f, f->out, made);
	if (err) {
		deflateReset(s);
		return err;
	}
	f->crc = (uint32_t)crc32(f->crc, (const Bytef *)text, (uInt)len);
	f->nr_bytes += (uint32_t)len;
	return 0;
}

uint64_t line_file_size(const struct line_file *f)
{
	return f->size;
}

int line_file_sync(struct line_file *f)
{
	return fdatasync(f->fd) ? -errno : 0;
}

static void put_u32(unsigned char *to, uint32_t value)
{
	for (int i = 0; i < 4; i++)
		to[i] = (unsigned char)(value >> 8 * i);
}

/* An empty last block, and what is before it is known by. */
static int write_trailer(struct line_file *f)
{
	unsigned char trailer[LINE_FILE_TRAILER] = {3, 0};

	put_u32(trailer + 2, f->crc);
	put_u32(trailer + 6, f->nr_bytes);
	return write_all(f, trailer, 10);
}

int line_file__close(struct line_file *f)
{
	int err;

	if (!f)
		return 0;
	err = write_trailer(f);
	if (!err && fdatasync(f->fd) && errno != EINVAL && errno != EROFS)
		err = -errno;
	deflateEnd(&f->stream);
	if (close(f->fd) && !err)
		err = -errno;
	free(f->out);
	free(f);
	return err;
}
