// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "model/recording.h"
#include "record/lines.h"

#define IN_BYTES    (64 << 10)
#define FIRST_BYTES (64 << 10)
#define GZIP_ONLY   16 /* of inflateInit2(): no zlib header */

struct lines {
	char *path;
	int fd;
	z_stream stream;
	unsigned char in[IN_BYTES];
	char *text;              /* what is inflated and not yet given */
	size_t size;             /* that text has room for */
	size_t begin, seen, end; /* in text: the line; no newline before; its end */
	uint64_t number, nr_bytes;
	bool is_begun;   /* there is a gzip stream */
	bool at_end;     /* of the file */
	bool in_stream;  /* a gzip stream is begun and has not ended */
	bool is_full;    /* there may be more text without reading */
	bool is_damaged; /* there is no more text */
};

static int open_file(const char *path, struct reason *why)
{
	struct stat st;
	int fd;

	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (fd < 0)
		return reason_set(why, -errno, "cannot read %s: %s", path,
				  strerror(errno));
	if (!fstat(fd, &st) && S_ISDIR(st.st_mode)) {
		close(fd);
		return reason_set(why, -EISDIR,
				  "%s is a directory: name the recordings in it, as "
				  "%s/*.itr",
				  path, path);
	}
	return fd;
}

int lines__new(const char *path, struct lines **ret, struct reason *why)
{
	int fd = open_file(path, why);
	struct lines *l;

	if (fd < 0)
		return fd;
	l = calloc(1, sizeof(*l));
	if (!l) {
		close(fd);
		return reason_set(why, -ENOMEM, "out of memory");
	}
	l->fd = fd;
	l->path = strdup(path);
	l->text = malloc(FIRST_BYTES);
	l->size = FIRST_BYTES;
	if (!l->path || !l->text ||
	    inflateInit2(&l->stream, MAX_WBITS + GZIP_ONLY) != Z_OK) {
		lines__free(l);
		return reason_set(why, -ENOMEM, "out of memory");
	}
	*ret = l;
	return 0;
}

void lines__free(struct lines *l)
{
	if (!l)
		return;
	inflateEnd(&l->stream);
	close(l->fd);
	free(l->text);
	free(l->path);
	free(l);
}

const char *lines_path(const struct lines *l)
{
	return l->path;
}

uint64_t lines_number(const struct lines *l)
{
	return l->number;
}

uint64_t lines_nr_bytes(const struct lines *l)
{
	return l->nr_bytes;
}

bool lines_is_whole(const struct lines *l)
{
	return !l->in_stream;
}

size_t lines_nr_cut(const struct lines *l)
{
	return l->end - l->begin;
}

/* ---- inflating --------------------------------------------------------------- */

static int read_some(struct lines *l, struct reason *why)
{
	ssize_t n;

	do {
		n = read(l->fd, l->in, sizeof(l->in));
	} while (n < 0 && errno == EINTR);
	if (n < 0)
		return reason_set(why, -errno, "cannot read %s: %s", l->path,
				  strerror(errno));
	l->at_end = n == 0;
	l->stream.next_in = l->in;
	l->stream.avail_in = (uInt)n;
	return 0;
}

/* Room for more text behind what is there. */
static int make_room(struct lines *l, struct reason *why)
{
	size_t size = l->size;
	char *grown;

	if (l->begin) {
		memmove(l->text, l->text + l->begin, l->end - l->begin);
		l->end -= l->begin;
		l->seen -= l->begin;
		l->begin = 0;
	}
	if (l->end < size)
		return 0;
	if (size >= RECORDING_MAX_LINE)
		return reason_set(why, -EINVAL,
				  "%s: line %llu has more than %d MiB; that is no "
				  "recording, or it is damaged",
				  l->path, (unsigned long long)l->number + 1,
				  RECORDING_MAX_LINE >> 20);
	grown = realloc(l->text, 2 * size);
	if (!grown)
		return reason_set(why, -ENOMEM, "out of memory");
	l->text = grown;
	l->size = 2 * size;
	return 0;
}

static int refuse_damage(const struct lines *l, struct reason *why)
{
	return reason_set(
		why, -EINVAL,
		"%s is damaged behind line %llu (%s): what is in it cannot be "
		"relied on",
		l->path, (unsigned long long)l->number,
		l->stream.msg ? l->stream.msg : "no gzip");
}

/* Another gzip stream may follow on one, as of files put together. */
static int begin_stream(struct lines *l, struct reason *why)
{
	const unsigned char *in = l->stream.next_in;

	if (in[0] != 0x1f && l->is_begun)
		return reason_set(
			why, -EINVAL,
			"%s: something that is not gzip stands behind its end",
			l->path);
	if (in[0] != 0x1f || (l->stream.avail_in > 1 && in[1] != 0x8b))
		return reason_set(
			why, -EINVAL,
			"%s is no recording: it is not compressed by gzip%s", l->path,
			in[0] == '{' ? "; compress it first, if it is one" : "");
	inflateReset(&l->stream);
	l->in_stream = l->is_begun = true;
	return 0;
}

/* Some more text, or the end of the file. */
static int inflate_some(struct lines *l, struct reason *why)
{
	z_stream *s = &l->stream;
	int err;

	if (!s->avail_in && !l->is_full) {
		err = read_some(l, why);
		if (err || l->at_end)
			return err;
	}
	if (!l->in_stream) {
		err = begin_stream(l, why);
		if (err)
			return err;
	}
	err = make_room(l, why);
	if (err)
		return err;
	s->next_out = (unsigned char *)l->text + l->end;
	s->avail_out = (uInt)(l->size - l->end);
	err = inflate(s, Z_NO_FLUSH);
	l->end = l->size - s->avail_out;
	if (err == Z_STREAM_END)
		l->in_stream = false;
	else if (err != Z_OK && err != Z_BUF_ERROR)
		l->is_damaged = true; /* the lines before it are still given */
	l->is_full = l->in_stream && !s->avail_out;
	return 0;
}

int lines_next(struct lines *l, char **ret, size_t *ret_len, struct reason *why)
{
	char *newline;
	int err;

	for (;;) {
		newline = memchr(l->text + l->seen, '\n', l->end - l->seen);
		if (newline)
			break;
		l->seen = l->end;
		if (l->is_damaged)
			return refuse_damage(l, why);
		if (l->at_end) {
			*ret = NULL;
			return 0;
		}
		err = inflate_some(l, why);
		if (err)
			return err;
	}
	*ret = l->text + l->begin;
	*ret_len = (size_t)(newline - *ret);
	*newline = '\0';
	l->begin = l->seen = (size_t)(newline - l->text) + 1;
	l->number++;
	l->nr_bytes += *ret_len + 1;
	return 0;
}
