/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What tests that need this kernel share. Functions end the test if the host
 * does not do as asked; skip_…() print the reason first.
 */
#ifndef ITERTRACE_TESTS_HOST_H
#define ITERTRACE_TESTS_HOST_H

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

static inline void skip_unless_root(void)
{
	if (!geteuid())
		return;
	print_message("root is needed to load programs\n");
	skip();
}

/* The n-th CPU, from 0, on which this process may run; -1: there are not so many. */
static inline int nth_cpu(const cpu_set_t *allowed, int n)
{
	int cpu;

	for (cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, allowed) && n-- == 0)
			return cpu;
	return -1;
}

static inline void pin_to(int cpu)
{
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	assert_int_equal(sched_setaffinity(0, sizeof(one), &one), 0);
}

/* cpus[0] and cpus[1]: two CPUs, or skip. */
static inline void skip_unless_two_cpus(int cpus[2])
{
	cpu_set_t allowed;

	assert_int_equal(sched_getaffinity(0, sizeof(allowed), &allowed), 0);
	cpus[0] = nth_cpu(&allowed, 0);
	cpus[1] = nth_cpu(&allowed, 1);
	if (cpus[1] >= 0)
		return;
	print_message("two CPUs are needed\n");
	skip();
}

static inline void sleep_ms(long ms)
{
	struct timespec left = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};

	while (nanosleep(&left, &left) && errno == EINTR)
		;
}

/* The cgroup v2 mount of this mount namespace. false: there is none. */
static inline bool find_cgroup2(char *path, size_t size)
{
	char line[4096], *point, *type, *rest;
	FILE *f = fopen("/proc/self/mounts", "re");
	bool found = false;

	assert_non_null(f);
	while (!found && fgets(line, sizeof(line), f)) {
		rest = line;
		strsep(&rest, " ");
		point = strsep(&rest, " ");
		type = strsep(&rest, " ");
		found = point && type && !strcmp(type, "cgroup2") &&
			(size_t)snprintf(path, size, "%s", point) < size;
	}
	fclose(f);
	return found;
}

/*
 * A new cgroup right under the root: its directory in path, its path as the
 * kernel shows it behind root. false, with the reason printed: none can be made.
 */
static inline bool make_cgroup(const char *name, char *path, size_t size,
			       size_t *root_len)
{
	char root[2048];
	int i;

	if (!find_cgroup2(root, sizeof(root))) {
		print_message("no cgroup v2 hierarchy is mounted\n");
		return false;
	}
	*root_len = strlen(root);
	/* A test that failed has left its own; see remove_cgroups(). */
	for (i = 0; i < 100; i++) {
		assert_true((size_t)snprintf(path, size, "%s/%s-%d-%d", root, name, i,
					     (int)getpid()) < size);
		if (!mkdir(path, 0755))
			return true;
		if (errno != EEXIST)
			break;
	}
	print_message("cannot make a cgroup in %s: %s\n", root, strerror(errno));
	return false;
}

/* The last process of it may still be on its way out. */
static inline void remove_cgroup(const char *path)
{
	int tries = 500;

	while (rmdir(path) && errno == EBUSY && tries-- > 0)
		sleep_ms(10);
	assert_int_not_equal(access(path, F_OK), 0);
}

/* Kill what is in there, and remove it with all that is below. */
static inline void remove_tree(const char *path)
{
	char below[4096];
	struct dirent *entry;
	int pid, tries = 500;
	DIR *dir;
	FILE *f;

	snprintf(below, sizeof(below), "%s/cgroup.procs", path);
	f = fopen(below, "re");
	while (f && fscanf(f, "%d", &pid) == 1)
		kill(pid, SIGKILL);
	if (f)
		fclose(f);
	dir = opendir(path);
	while (dir && (entry = readdir(dir))) {
		if (entry->d_type != DT_DIR || entry->d_name[0] == '.')
			continue;
		if ((size_t)snprintf(below, sizeof(below), "%s/%s", path,
				     entry->d_name) < sizeof(below))
			remove_tree(below);
	}
	if (dir)
		closedir(dir);
	while (rmdir(path) && errno == EBUSY && tries-- > 0)
		sleep_ms(10);
}

/* A group's teardown: what tests that failed have left of make_cgroup(). */
static inline int remove_cgroups(void **state)
{
	char root[2048], path[4096], end[16];
	struct dirent *entry;
	DIR *dir;

	(void)state;
	snprintf(end, sizeof(end), "-%d", (int)getpid());
	dir = find_cgroup2(root, sizeof(root)) ? opendir(root) : NULL;
	while (dir && (entry = readdir(dir))) {
		size_t len = strlen(entry->d_name);

		if (strncmp(entry->d_name, "itertrace-test-", 15) ||
		    len < strlen(end) || strcmp(entry->d_name + len - strlen(end), end))
			continue;
		snprintf(path, sizeof(path), "%s/%s", root, entry->d_name);
		remove_tree(path);
	}
	if (dir)
		closedir(dir);
	return 0;
}

/* Not for the parent of a failed test: may be called in a child, and only returns -1. */
static inline int enter_cgroup(const char *path)
{
	char procs[4096];
	int fd, err;

	snprintf(procs, sizeof(procs), "%s/cgroup.procs", path);
	fd = open(procs, O_WRONLY | O_CLOEXEC);
	err = fd < 0 || write(fd, "0", 1) != 1;
	if (fd >= 0)
		close(fd);
	return err ? -1 : 0;
}

/* The status that waitpid() gives. */
static inline int wait_for(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) < 0)
		assert_int_equal(errno, EINTR);
	return status;
}

#endif
