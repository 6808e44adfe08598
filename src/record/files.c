// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/time.h"
#include "record/files.h"
#include "record/line_file.h"
#include "record/places.h"

#define LAST_LINE_BYTES 256  /* that ending a file takes, at most */
#define LEAST_BYTES     4096 /* a file of less would hold nothing */
#define SYNC_NS         NSEC_PER_SEC
#define MAX_TRIES       60 /* seconds that a name may be ahead of the clock */

struct recording_files {
	char *directory, *head; /* directory: NULL: one file */
	char path[4096], name[PLACE_NAME_LEN];
	uint64_t max_bytes, max_age_ns;
	bool is_stopped, force;

	struct place place; /* of the files, or the file */
	unsigned int part;  /* number of the next file */
	int fd;             /* of a file that is not begun; -1: none */
	bool has_name;      /* that file */

	struct line_file *file; /* NULL: none */
	uint64_t limit, nr_lines;
	uint64_t begun_ns, synced_ns;   /* CLOCK_MONOTONIC */
	uint64_t nr_overrun, nr_failed; /* lost, and not yet written */
	uint64_t nr_lost;               /* in this file */
};

static int open_directory(struct recording_files *f, const struct recorder_options *o,
			  struct reason *why)
{
	int fd = open(o->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return reason_set(
			why, -errno, "cannot record to the directory %s: %s%s", o->path,
			strerror(errno), errno == ENOENT ? "; make it first" : "");
	place_init(&f->place, fd, o->host, o->release, o->time_ns);
	f->directory = strdup(o->path);
	return f->directory ? 0 : reason_set(why, -ENOMEM, "out of memory");
}

static int refuse_file(const char *path, int err, struct reason *why)
{
	if (err == -EMEDIUMTYPE)
		return reason_set(why, err,
				  "cannot record to %s: it is no regular file, and "
				  "nothing is recorded through it; name a new file",
				  path);
	if (err == -EEXIST)
		return reason_set(why, err,
				  "cannot record to %s: it is there already; name "
				  "another file, or overwrite it with --force",
				  path);
	return reason_set(why, err, "cannot record to %s: %s", path, strerror(-err));
}

/* The path is cut in two, and both parts have their say. */
static int open_file(struct recording_files *f, const struct recorder_options *o,
		     struct reason *why)
{
	char directory[sizeof(f->path)], name[sizeof(f->path)];
	int err;

	snprintf(directory, sizeof(directory), "%s", o->path);
	snprintf(name, sizeof(name), "%s", o->path);
	if ((size_t)snprintf(f->name, sizeof(f->name), "%s", basename(name)) >=
	    sizeof(f->name))
		return refuse_file(o->path, -ENAMETOOLONG, why);
	f->place.dirfd = open(dirname(directory), O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (f->place.dirfd < 0)
		return refuse_file(o->path, -errno, why);
	err = place_check(&f->place, f->name, o->force);
	if (!err) {
		place_act_as_owner(&f->place);
		f->fd = place_create(&f->place, f->name, o->force, &f->has_name);
		place_act_as_self();
		err = f->fd < 0 ? f->fd : 0;
	}
	return err ? refuse_file(o->path, err, why) : 0;
}

int recording_files__new(const struct recorder_options *o, struct recording_files **ret,
			 struct reason *why)
{
	struct recording_files *f = calloc(1, sizeof(*f));
	int err;

	if (!f)
		return reason_set(why, -ENOMEM, "out of memory");
	f->max_bytes = o->max_bytes;
	f->max_age_ns = o->max_age_ns;
	f->force = o->force;
	f->fd = f->place.dirfd = -1;
	snprintf(f->path, sizeof(f->path), "%s", o->path);
	err = place_is_directory(o->path) ? open_directory(f, o, why)
					  : open_file(f, o, why);
	if (err) {
		recording_files__close(f, false);
		return err;
	}
	*ret = f;
	return 0;
}

void recording_files_lose(struct recording_files *f, uint64_t nr_overrun,
			  uint64_t nr_failed)
{
	f->nr_overrun += nr_overrun;
	f->nr_failed += nr_failed;
}

/* ---- one file ---------------------------------------------------------------- */

/* A new file in the directory, within what all may hold. Sets limit, name and fd. */
static int create_next(struct recording_files *f)
{
	uint64_t size = f->max_bytes / RECORDER_FILES;
	int64_t held;

	held = place_make_room(&f->place, f->max_bytes - size);
	if (held < 0)
		return (int)held;
	if ((uint64_t)held + LEAST_BYTES > f->max_bytes)
		return -ENOSPC;
	f->limit = f->max_bytes - (uint64_t)held;
	f->limit = f->limit < size ? f->limit : size;
	place_name(&f->place, f->part, f->name);
	snprintf(f->path, sizeof(f->path), "%s%s%s", f->directory,
		 f->directory[strlen(f->directory) - 1] == '/' ? "" : "/", f->name);
	f->fd = place_create(&f->place, f->name, false, &f->has_name);
	return f->fd < 0 ? f->fd : 0;
}

/* A file without a head is none. */
static void drop_file(struct recording_files *f)
{
	if (f->fd < 0)
		return;
	if (f->has_name)
		unlinkat(f->place.dirfd, f->name, 0);
	if (f->file)
		line_file__close(f->file);
	else
		close(f->fd);
	f->file = NULL;
	f->fd = -1;
}

static int write_head(struct recording_files *f)
{
	size_t len = strlen(f->head), size = len + 64;
	char *line = malloc(size);
	int n, err;

	if (!line)
		return -ENOMEM;
	/* The object without its closing brace, and a member more. */
	n = snprintf(line, size, "%.*s,\"part\":%u}\n", (int)len - 1, f->head, f->part);
	err = line_file_add(f->file, line, (size_t)n, f->limit - LAST_LINE_BYTES);
	free(line);
	return err;
}

static int try_file(struct recording_files *f)
{
	int err = 0;

	if (f->directory)
		err = create_next(f);
	else
		f->limit = f->max_bytes;
	if (err)
		return err;
	err = line_file__new(f->fd, &f->file);
	if (!err)
		err = write_head(f);
	if (!err && !f->has_name)
		err = place_give_name(&f->place, f->fd, f->name, f->force);
	if (err) {
		drop_file(f);
		return err;
	}
	f->fd = -1;
	f->part++;
	f->nr_lines = f->nr_lost = 0;
	f->begun_ns = f->synced_ns = time_ns(CLOCK_MONOTONIC);
	return 0;
}

/* Another run in the same second is named by the next. */
static int begin_file(struct recording_files *f)
{
	int err = try_file(f), tries;

	for (tries = 0; err == -EEXIST && f->directory && !f->part && tries < MAX_TRIES;
	     tries++) {
		f->place.start_s++;
		err = try_file(f);
	}
	return err;
}

void recording_files_act_as_owner(const struct recording_files *f)
{
	place_act_as_owner(&f->place);
}

int recording_files_begin(struct recording_files *f, const char *head,
			  struct reason *why)
{
	int err;

	f->head = strdup(head);
	err = f->head ? begin_file(f) : -ENOMEM;
	if (err == -ENOSPC && f->directory && f->fd < 0)
		return reason_set(
			why, err,
			"cannot record to %s: the disk is full, or other runs "
			"record there and fill what --record-max allows",
			f->directory);
	return err ? refuse_file(f->path, err, why) : 0;
}

/* The last line, for which there is always room. how: "done", "rotated", "limit". */
static int end_file(struct recording_files *f, const char *how)
{
	char line[LAST_LINE_BYTES];
	int len, err = 0, close_err;

	if (!f->file)
		return 0;
	len = snprintf(line, sizeof(line),
		       "{\"schema\":\"itertrace.end/1\",\"time_ns\":%" PRIu64
		       ",\"end\":\"%s\",\"lines\":%" PRIu64 ",\"lost\":%" PRIu64 "}\n",
		       time_ns(CLOCK_REALTIME), how, f->nr_lines,
		       f->nr_lost + f->nr_overrun + f->nr_failed);
	err = line_file_add(f->file, line, (size_t)len, UINT64_MAX);
	if (!err)
		f->nr_overrun = f->nr_failed = 0; /* said here */
	close_err = line_file__close(f->file);
	f->file = NULL;
	return err ? err : close_err;
}

/* ---- lines ------------------------------------------------------------------- */

/* What was lost before this line, if anything was. */
static int write_lost(struct recording_files *f)
{
	char line[LAST_LINE_BYTES];
	int len, err;

	if (!f->nr_overrun && !f->nr_failed)
		return 0;
	len = snprintf(line, sizeof(line),
		       "{\"schema\":\"itertrace.lost/1\",\"time_ns\":%" PRIu64
		       ",\"overrun\":%" PRIu64 ",\"failed\":%" PRIu64 "}\n",
		       time_ns(CLOCK_REALTIME), f->nr_overrun, f->nr_failed);
	err = line_file_add(f->file, line, (size_t)len, f->limit - LAST_LINE_BYTES);
	if (err)
		return err;
	f->nr_lost += f->nr_overrun + f->nr_failed;
	f->nr_overrun = f->nr_failed = 0;
	f->nr_lines++;
	return 0;
}

static int write_line(struct recording_files *f, const char *line, size_t len)
{
	int err;

	err = write_lost(f);
	if (!err)
		err = line_file_add(f->file, line, len, f->limit - LAST_LINE_BYTES);
	if (!err)
		f->nr_lines++;
	return err;
}

/* To the disk, but not more than once a second. */
static int sync_file(struct recording_files *f)
{
	uint64_t now = time_ns(CLOCK_MONOTONIC);

	if (now - f->synced_ns < SYNC_NS)
		return 0;
	f->synced_ns = now;
	return line_file_sync(f->file);
}

static bool is_old(const struct recording_files *f)
{
	return f->directory && f->max_age_ns && f->nr_lines &&
	       time_ns(CLOCK_MONOTONIC) - f->begun_ns >= f->max_age_ns;
}

int recording_files_add(struct recording_files *f, const char *line, size_t len)
{
	int err = 0;

	if (f->is_stopped)
		return -EFBIG;
	if (f->file && is_old(f))
		end_file(f, "rotated");
	if (!f->file)
		err = begin_file(f);
	if (!err)
		err = write_line(f, line, len);
	if (err == -EFBIG && f->directory && f->file && f->nr_lines) {
		end_file(f, "rotated");
		err = begin_file(f);
		if (!err)
			err = write_line(f, line, len);
	}
	if (err == -EFBIG && f->directory)
		err = -EMSGSIZE; /* no file can hold it; the next line may fit */
	if (err == -EFBIG) {
		end_file(f, "limit");
		f->is_stopped = true;
	}
	return err ? err : sync_file(f);
}

int recording_files__close(struct recording_files *f, bool is_done)
{
	int err;

	if (!f)
		return 0;
	err = is_done ? end_file(f, "done") : line_file__close(f->file);
	drop_file(f);
	if (f->place.dirfd >= 0)
		close(f->place.dirfd);
	free(f->directory);
	free(f->head);
	free(f);
	return err;
}
