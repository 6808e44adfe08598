/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Where recordings are put: new files, and what there is in a directory of them. In
 * a directory a file is named
 *
 *	HOST_RELEASE_20261130T162040Z_0000.itr
 *
 * by the start of the run, in UTC, and the number of the file in the run, so that
 * names sort. Other files there, and those of other hosts, are never touched.
 */
#ifndef ITERTRACE_RECORD_PLACES_H
#define ITERTRACE_RECORD_PLACES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/reason.h"

#define PLACE_NAME_LEN 256

/* '/' at its end, or a directory that is there. */
bool place_is_directory(const char *path);

/*
 * A new file of mode 0640; it is never one that was there: with force that one,
 * if it is a regular file, is unlinked. Returns the descriptor; or -errno and a sentence.
 */
int place_create(const char *path, bool force, struct reason *why);

/* In a directory. */
struct place {
	int dirfd;
	char host[80], release[80]; /* as in names */
	uint64_t start_s;           /* seconds of CLOCK_REALTIME */
};

/* The names' parts from the host's name and the kernel's release. */
void place_init(struct place *p, int dirfd, const char *host, const char *release,
		uint64_t time_ns);

/*
 * The file of that number, which is locked as long as the descriptor is open. For
 * the first of a run, start_s is advanced while the name is taken. Returns the
 * descriptor; -errno.
 */
int place_create_next(struct place *p, unsigned int number, char name[PLACE_NAME_LEN]);

/*
 * Remove this host's files, the oldest first and none that is locked, until those
 * left hold at most max bytes. Returns what they hold; -errno.
 */
int64_t place_make_room(const struct place *p, uint64_t max);

#endif
