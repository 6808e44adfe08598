// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/thread.h"
#include "model/recording.h"
#include "record/files.h"
#include "record/writer.h"

#define MAX_QUEUED_LINES 256
#define MAX_QUEUED_BYTES RECORDING_MAX_LINE
#define CLOSE_S          10

struct line {
	struct line *next;
	size_t len;
	char text[];
};

struct recorder {
	char *path;
	struct recording_files *files; /* the thread's while it runs */
	pthread_t thread;
	bool is_running;
	const char *head; /* both until it has begun */
	struct reason *why;

	pthread_mutex_t
		lock; /* of all that follows; never held while the disk is waited for */
	pthread_cond_t wake, started;
	int begun; /* 0, -EINPROGRESS, or why not */
	struct line *first, *last;
	size_t nr_queued, bytes_queued;
	uint64_t nr_overrun, nr_failed; /* lost, and not yet handed to files */
	uint64_t nr_lost;               /* in all */
	bool is_stopped;                /* the file is full */
	bool is_closing, is_done;
	bool has_said, has_news;
	struct reason news;
};

int recorder__new(const struct recorder_options *options, struct recorder **ret,
		  struct reason *why)
{
	struct recorder *r = calloc(1, sizeof(*r));
	int err;

	if (r)
		r->path = strdup(options->path);
	if (!r || !r->path) {
		free(r);
		return reason_set(why, -ENOMEM, "out of memory");
	}
	err = recording_files__new(options, &r->files, why);
	if (err) {
		free(r->path);
		free(r);
		return err;
	}
	pthread_mutex_init(&r->lock, NULL);
	pthread_cond_init(&r->wake, NULL);
	pthread_cond_init(&r->started, NULL);
	*ret = r;
	return 0;
}

static void free_recorder(struct recorder *r)
{
	struct line *l;

	while ((l = r->first)) {
		r->first = l->next;
		free(l);
	}
	pthread_cond_destroy(&r->wake);
	pthread_cond_destroy(&r->started);
	pthread_mutex_destroy(&r->lock);
	free(r->path);
	free(r);
}

/* ---- the thread -------------------------------------------------------------- */

/* The next line, and what was lost before it; NULL: there is none, and never will be. */
static struct line *take_line(struct recorder *r)
{
	struct line *l;

	pthread_mutex_lock(&r->lock);
	while (!r->first && !r->is_closing)
		pthread_cond_wait(&r->wake, &r->lock);
	l = r->first;
	if (l) {
		r->first = l->next;
		r->nr_queued--;
		r->bytes_queued -= l->len;
	}
	recording_files_lose(r->files, r->nr_overrun, r->nr_failed);
	r->nr_overrun = r->nr_failed = 0;
	pthread_mutex_unlock(&r->lock);
	return l;
}

/* Said once; under the lock. */
static void say_failure(struct recorder *r, int err)
{
	if (r->has_said)
		return;
	r->has_said = r->has_news = true;
	if (err == -EFBIG)
		reason_set(&r->news, err,
			   "%s is as long as --record-max allows: recording stops, "
			   "tracing goes on",
			   r->path);
	else
		reason_set(&r->news, err,
			   "cannot record to %s: %s; tracing goes on, and what is lost "
			   "until there is a remedy is counted",
			   r->path,
			   err == -EAGAIN ? "the disk is too slow" : strerror(-err));
}

static void note_failure(struct recorder *r, int err)
{
	pthread_mutex_lock(&r->lock);
	if (err == -EFBIG) {
		r->is_stopped = true;
		r->has_said = false;
	} else {
		r->nr_failed++;
		r->nr_lost++;
	}
	say_failure(r, err);
	pthread_mutex_unlock(&r->lock);
}

/* false: there is no file. */
static bool begin(struct recorder *r)
{
	int err;

	recording_files_act_as_owner(r->files);
	thread_confine("itertrace-rec");
	err = recording_files_begin(r->files, r->head, r->why);
	pthread_mutex_lock(&r->lock);
	r->begun = err;
	pthread_cond_signal(&r->started);
	pthread_mutex_unlock(&r->lock);
	return !err;
}

static void *write_lines(void *context)
{
	struct recorder *r = context;
	struct line *l;
	int err;

	if (!begin(r))
		return NULL;
	while ((l = take_line(r))) {
		err = recording_files_add(r->files, l->text, l->len);
		if (err)
			note_failure(r, err);
		free(l);
	}
	err = recording_files__close(r->files, r->is_done);
	pthread_mutex_lock(&r->lock);
	r->files = NULL;
	if (err)
		r->nr_lost++;
	pthread_mutex_unlock(&r->lock);
	return NULL;
}

/* ---- who records ------------------------------------------------------------- */

int recorder_start(struct recorder *r, const char *head, struct reason *why)
{
	int err;

	r->head = head;
	r->why = why;
	r->begun = -EINPROGRESS;
	err = pthread_create(&r->thread, NULL, write_lines, r);
	if (err)
		return reason_set(why, -err, "cannot start the thread that records: %s",
				  strerror(err));
	pthread_mutex_lock(&r->lock);
	while (r->begun == -EINPROGRESS)
		pthread_cond_wait(&r->started, &r->lock);
	err = r->begun;
	pthread_mutex_unlock(&r->lock);
	r->is_running = !err;
	if (err)
		pthread_join(r->thread, NULL);
	return err;
}

static bool has_room(const struct recorder *r, size_t len)
{
	return r->nr_queued < MAX_QUEUED_LINES &&
	       r->bytes_queued + len <= MAX_QUEUED_BYTES;
}

static void append(struct recorder *r, struct line *l)
{
	if (r->first)
		r->last->next = l;
	else
		r->first = l;
	r->last = l;
	r->nr_queued++;
	r->bytes_queued += l->len;
	pthread_cond_signal(&r->wake);
}

void recorder_add(struct recorder *r, const char *line, size_t len)
{
	struct line *l = malloc(sizeof(*l) + len);

	if (l) {
		l->next = NULL;
		l->len = len;
		memcpy(l->text, line, len);
	}
	pthread_mutex_lock(&r->lock);
	if (r->is_stopped) {
		free(l);
	} else if (l && has_room(r, len)) {
		append(r, l);
	} else {
		free(l);
		r->nr_overrun++;
		r->nr_lost++;
		say_failure(r, -EAGAIN);
	}
	pthread_mutex_unlock(&r->lock);
}

bool recorder_news(struct recorder *r, struct reason *ret)
{
	bool has;

	pthread_mutex_lock(&r->lock);
	has = r->has_news;
	r->has_news = false;
	if (has)
		*ret = r->news;
	pthread_mutex_unlock(&r->lock);
	return has;
}

/* false: the disk takes too long. */
static bool end_thread(struct recorder *r, bool is_done)
{
	struct timespec until;

	pthread_mutex_lock(&r->lock);
	r->is_closing = true;
	r->is_done = is_done;
	pthread_cond_signal(&r->wake);
	pthread_mutex_unlock(&r->lock);
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += CLOSE_S;
	return !pthread_timedjoin_np(r->thread, NULL, &until);
}

int recorder__close(struct recorder *r, bool is_done, struct reason *why)
{
	int err = 0;

	if (!r)
		return 0;
	if (!r->is_running) {
		recording_files__close(r->files, false);
		free_recorder(r);
		return 0;
	}
	/* What a thread still uses that waits for a disk is left to it. */
	if (!end_thread(r, is_done))
		return reason_set(
			why, -EIO,
			"the recording's end is missing: the disk did not take "
			"it within %d s",
			CLOSE_S);
	if (r->nr_lost)
		err = reason_set(why, -EIO,
				 "the recording misses %" PRIu64
				 " lines that could not be written",
				 r->nr_lost);
	free_recorder(r);
	return err;
}
