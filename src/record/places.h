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

/* A directory. */
struct place {
	int dirfd;
	char host[80], release[80]; /* as in names */
	uint64_t start_s;           /* seconds of CLOCK_REALTIME */
};

/* The names' parts from the host's name and the kernel's release. */
void place_init(struct place *p, int dirfd, const char *host, const char *release,
		uint64_t time_ns);

/* Of the file of that number. */
void place_name(const struct place *p, unsigned int number, char name[PLACE_NAME_LEN]);

/*
 * Is the name free, or, with force, a regular file's? 0; -EEXIST; -EMEDIUMTYPE: it is
 * something else, through which nothing is recorded; -errno.
 */
int place_check(const struct place *p, const char *name, bool force);

/*
 * A new file of mode 0640, locked as long as the descriptor is open. It has no name
 * until place_give_name(), so that who is killed before that leaves nothing. Where the
 * file system knows no such files, it has its name at once, and, with force, what had it
 * is unlinked. Returns the descriptor; -EEXIST; -errno.
 */
int place_create(const struct place *p, const char *name, bool force,
		 bool *ret_has_name);

/* To a file that has none; with force, in place of what has it. -EEXIST; -errno. */
int place_give_name(const struct place *p, int fd, const char *name, bool force);

/*
 * From now on files that root's calling thread makes in a directory of another user's are
 * that user's, as if he made them: so that who records with sudo can read it, and no
 * capability is needed for it. Takes CAP_SETUID; without, files are root's.
 */
void place_act_as_owner(const struct place *p);
void place_act_as_self(void);

/*
 * Remove this host's files, the oldest first and none that is locked, until those
 * left hold at most max bytes. Returns what they hold; -errno.
 */
int64_t place_make_room(const struct place *p, uint64_t max);

#endif
