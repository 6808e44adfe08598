// SPDX-License-Identifier: BSD-2-Clause
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/fsuid.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/time.h"
#include "record/places.h"

#define MODE        0640
#define NEW_FILE    (O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC)
#define TIME_FORMAT "%Y%m%dT%H%M%SZ"
#define TIME_LEN    16

bool place_is_directory(const char *path)
{
	size_t len = strlen(path);
	struct stat st;

	if (len && path[len - 1] == '/')
		return true;
	return !stat(path, &st) && S_ISDIR(st.st_mode);
}

int place_check(const struct place *p, const char *name, bool force)
{
	struct stat st;

	if (fstatat(p->dirfd, name, &st, AT_SYMLINK_NOFOLLOW))
		return errno == ENOENT ? 0 : -errno;
	if (!S_ISREG(st.st_mode))
		return -EMEDIUMTYPE;
	return force ? 0 : -EEXIST;
}

static int create_named(const struct place *p, const char *name, bool force)
{
	if (force && unlinkat(p->dirfd, name, 0) && errno != ENOENT)
		return -1;
	return openat(p->dirfd, name, NEW_FILE, MODE);
}

int place_create(const struct place *p, const char *name, bool force,
		 bool *ret_has_name)
{
	int fd = openat(p->dirfd, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, MODE);

	*ret_has_name = fd < 0 && errno == EOPNOTSUPP;
	if (*ret_has_name)
		fd = create_named(p, name, force);
	if (fd < 0)
		return -errno;
	/* Where there are no locks, all else goes on. */
	flock(fd, LOCK_EX | LOCK_NB);
	return fd;
}

static int link_as(const struct place *p, int fd, const char *name)
{
	char path[32];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return linkat(AT_FDCWD, path, p->dirfd, name, AT_SYMLINK_FOLLOW) ? -errno : 0;
}

int place_give_name(const struct place *p, int fd, const char *name, bool force)
{
	char temporary[32];
	int err;

	if (!force)
		return link_as(p, fd, name);
	/* What has the name has it until this one takes it over. */
	snprintf(temporary, sizeof(temporary), ".itertrace-%d", getpid());
	unlinkat(p->dirfd, temporary, 0);
	err = link_as(p, fd, temporary);
	if (!err && renameat(p->dirfd, temporary, p->dirfd, name)) {
		err = -errno;
		unlinkat(p->dirfd, temporary, 0);
	}
	return err;
}

void place_act_as_owner(const struct place *p)
{
	struct stat st;

	if (!geteuid() && !fstat(p->dirfd, &st))
		setfsuid(st.st_uid);
}

void place_act_as_self(void)
{
	setfsuid(geteuid());
}

/* What separates the parts of a name, and what no shell likes, is not in them. */
static void clean(char *to, size_t size, const char *from)
{
	size_t i;

	for (i = 0; from[i] && i + 1 < size; i++)
		to[i] = isalnum((unsigned char)from[i]) || strchr(".+~-", from[i])
				? from[i]
				: '-';
	to[i] = '\0';
	if (to[0] == '.')
		to[0] = '-';
}

void place_init(struct place *p, int dirfd, const char *host, const char *release,
		uint64_t time_ns)
{
	p->dirfd = dirfd;
	clean(p->host, sizeof(p->host), host[0] ? host : "localhost");
	clean(p->release, sizeof(p->release), release);
	p->start_s = time_ns / NSEC_PER_SEC;
}

void place_name(const struct place *p, unsigned int number, char name[PLACE_NAME_LEN])
{
	time_t start = (time_t)p->start_s;
	char when[TIME_LEN + 1];
	struct tm tm;

	strftime(when, sizeof(when), TIME_FORMAT, gmtime_r(&start, &tm));
	snprintf(name, PLACE_NAME_LEN, "%s_%s_%s_%04u.itr", p->host, p->release, when,
		 number);
}

/* ---- what is in a directory -------------------------------------------------- */

/* "_20261130T162040Z_0012.itr" behind "HOST_RELEASE". */
static bool is_ours(const struct place *p, const char *name)
{
	static const char form[] = "_ddddddddTddddddZ_";
	size_t len = strlen(p->host), i;

	if (strncmp(name, p->host, len) || name[len] != '_')
		return false;
	name += len + 1;
	name += strcspn(name, "_");
	for (i = 0; form[i]; i++)
		if (form[i] == 'd' ? !isdigit((unsigned char)name[i])
				   : name[i] != form[i])
			return false;
	name += i;
	len = strspn(name, "0123456789");
	return len >= 4 && !strcmp(name + len, ".itr");
}

struct found {
	char name[PLACE_NAME_LEN];
	const char *age; /* time and number, in name */
	uint64_t size;
};

static int by_age(const void *a, const void *b)
{
	const struct found *const *x = a, *const *y = b;
	const char *s = (*x)->age, *t = (*y)->age;
	int order = strncmp(s, t, TIME_LEN);

	/* Numbers of more than four digits are longer. */
	if (!order && strlen(s) != strlen(t))
		order = strlen(s) < strlen(t) ? -1 : 1;
	return order ? order : strcmp(s, t);
}

static void add_found(const struct place *p, const char *name, struct found ***list,
		      size_t *nr)
{
	struct found **grown, *f;
	struct stat st;

	if (strlen(name) >= PLACE_NAME_LEN || !is_ours(p, name) ||
	    fstatat(p->dirfd, name, &st, AT_SYMLINK_NOFOLLOW) || !S_ISREG(st.st_mode))
		return;
	f = malloc(sizeof(*f));
	grown = reallocarray(*list, *nr + 1, sizeof(*grown));
	if (grown)
		*list = grown;
	if (!f || !grown) {
		free(f);
		return;
	}
	snprintf(f->name, sizeof(f->name), "%s", name);
	f->age = strchr(strchr(f->name, '_') + 1, '_') + 1;
	f->size = (uint64_t)st.st_size;
	grown[(*nr)++] = f;
}

static int list_files(const struct place *p, struct found ***list, size_t *nr)
{
	int fd = openat(p->dirfd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC), err;
	struct dirent *entry;
	DIR *dir;

	if (fd < 0)
		return -errno;
	dir = fdopendir(fd);
	if (!dir) {
		err = -errno;
		close(fd);
		return err;
	}
	while ((entry = readdir(dir)))
		add_found(p, entry->d_name, list, nr);
	closedir(dir);
	if (*nr)
		qsort(*list, *nr, sizeof(**list), by_age);
	return 0;
}

/* Unless somebody records to it. */
static bool remove_file(const struct place *p, const char *name)
{
	int fd = openat(p->dirfd, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	bool removed;

	removed = (fd < 0 || !flock(fd, LOCK_EX | LOCK_NB) || errno != EWOULDBLOCK) &&
		  !unlinkat(p->dirfd, name, 0);
	if (fd >= 0)
		close(fd);
	return removed;
}

int64_t place_make_room(const struct place *p, uint64_t max)
{
	struct found **list = NULL;
	uint64_t sum = 0;
	size_t nr = 0, i;
	int err;

	err = list_files(p, &list, &nr);
	for (i = 0; i < nr; i++)
		sum += list[i]->size;
	for (i = 0; i < nr; i++) {
		if (sum > max && remove_file(p, list[i]->name))
			sum -= list[i]->size;
		free(list[i]);
	}
	free(list);
	return err ? err : (int64_t)sum;
}
