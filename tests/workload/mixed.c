// SPDX-License-Identifier: BSD-2-Clause
/*
 * mixed: something for every tracer to see, with loops of every length.
 *
 * As long as it lives it uses a fifth of one CPU: executes /bin/true with 1 to
 * 400 words and up to several KiB of arguments, and shells within shells 1 to 8
 * deep, in cgroups 1 to 5 deep where a cgroup v2 hierarchy can be written;
 * makes system calls of which some fail; and wakes threads that sleep. What it
 * does follows from a fixed seed.
 *
 * SIGTERM, SIGINT, SIGHUP and the death of its parent end it: it waits for its
 * children and removes its cgroups.
 */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <linux/sched.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define TICK_NS 10000000LL
#define BUSY_SHARE 0.20		/* of one CPU */
#define MAX_DEBT_NS 50000000.0	/* what is behind by more is not made up for */
#define MAX_WORDS 400
#define MAX_ARG_BYTES 8000
#define MAX_NESTING 8
#define CGROUP_DEPTH 5
#define PATH_BYTES 512

/* One shell starts the next, and stays until it has ended. */
#define NESTED_SHELL "[ $1 -le 1 ] || /bin/sh -c \"$0\" \"$0\" $(($1 - 1)); :"

struct cgroups {
	int nr;		/* how deep they go; 0: none could be made */
	char path[CGROUP_DEPTH][PATH_BYTES];
	int fd[CGROUP_DEPTH];
};

struct workload {
	uint64_t random;
	double execs_per_tick;
	struct cgroups cgroups;
	int pipe[2];
	char text[MAX_ARG_BYTES + 1];
	char *argv[MAX_WORDS + 2];
};

static uint64_t next_random(struct workload *w)
{
	w->random ^= w->random << 13;
	w->random ^= w->random >> 7;
	w->random ^= w->random << 17;
	return w->random;
}

/* 1 to max, small ones as often as large ones on a log scale. */
static unsigned int random_size(struct workload *w, unsigned int max)
{
	unsigned int bits = 1, cut, size;

	while (max >> bits)
		bits++;
	cut = (unsigned int)(next_random(w) % bits);
	size = 1 + (unsigned int)(next_random(w) % (max >> cut));
	return size;
}

/* The cgroup v2 mount of this mount namespace, or -ENOENT. */
static int find_cgroup2(char *path, size_t size)
{
	char line[4096], *point, *type, *rest;
	FILE *f = fopen("/proc/self/mounts", "re");
	int err = -ENOENT;

	if (!f)
		return -errno;
	while (err && fgets(line, sizeof(line), f)) {
		rest = line;
		strsep(&rest, " ");
		point = strsep(&rest, " ");
		type = strsep(&rest, " ");
		if (!point || !type || strcmp(type, "cgroup2"))
			continue;
		if ((size_t)snprintf(path, size, "%s", point) < size)
			err = 0;
	}
	fclose(f);
	return err;
}

static void cgroups_make(struct cgroups *c)
{
	char root[PATH_BYTES / 2];
	int i, n;

	if (find_cgroup2(root, sizeof(root)))
		return;
	for (i = 0; i < CGROUP_DEPTH; i++) {
		if (i == 0)
			n = snprintf(c->path[i], PATH_BYTES, "%s/itertrace-mixed-%d",
				     root, (int)getpid());
		else
			n = snprintf(c->path[i], PATH_BYTES, "%s/level-%d",
				     c->path[i - 1], i + 1);
		if (n >= PATH_BYTES || mkdir(c->path[i], 0755))
			return;
		c->nr = i + 1;
		c->fd[i] = open(c->path[i], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	}
}

static int cgroups_remove(struct cgroups *c)
{
	const struct timespec pause = { .tv_nsec = TICK_NS };
	int tries = 100, err = 0;

	while (c->nr > 0) {
		if (!rmdir(c->path[c->nr - 1])) {
			close(c->fd[--c->nr]);
			continue;
		}
		/* The last process of it may still be on its way out. */
		if (errno == EBUSY && tries-- > 0) {
			nanosleep(&pause, NULL);
			continue;
		}
		err = -errno;
		fprintf(stderr, "mixed: cannot remove %s: %s\n", c->path[c->nr - 1],
			strerror(errno));
		break;
	}
	return err;
}

/* fork(), into one of the cgroups if there are any and the kernel can (5.7). */
static pid_t fork_somewhere(struct workload *w)
{
	struct clone_args args = { .exit_signal = SIGCHLD };
	pid_t pid;
	int at;

	if (w->cgroups.nr == 0)
		return fork();
	at = (int)(next_random(w) % (uint64_t)w->cgroups.nr);
	args.flags = CLONE_INTO_CGROUP;
	args.cgroup = (uint64_t)w->cgroups.fd[at];
	pid = (pid_t)syscall(SYS_clone3, &args, sizeof(args));
	return pid < 0 ? fork() : pid;
}

static void start(struct workload *w, const char *file, char **argv)
{
	static char path[] = "PATH=/usr/bin:/bin";
	char *const envp[] = { path, NULL };
	sigset_t none;

	if (fork_somewhere(w) != 0)
		return;
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	execve(file, argv, envp);
	_exit(127);
}

static void start_words(struct workload *w)
{
	unsigned int nr_words = random_size(w, MAX_WORDS);
	unsigned int nr_bytes = random_size(w, MAX_ARG_BYTES - 2 * MAX_WORDS);
	unsigned int len = 1 + nr_bytes / nr_words, i;
	char *at = w->text;

	for (i = 0; i < nr_words && at + len + 1 <= w->text + MAX_ARG_BYTES; i++) {
		w->argv[i] = at;
		memset(at, 'a' + (int)(i % 26), len);
		at[len] = '\0';
		at += len + 1;
	}
	w->argv[i] = NULL;
	start(w, "/bin/true", w->argv);
}

/* How many programs that executes. */
static unsigned int start_nested(struct workload *w)
{
	static char sh[] = "sh", dash_c[] = "-c", script[] = NESTED_SHELL;
	unsigned int depth = 1 + (unsigned int)(next_random(w) % MAX_NESTING);
	char number[12];
	char *argv[] = { sh, dash_c, script, script, number, NULL };

	snprintf(number, sizeof(number), "%u", depth);
	start(w, "/bin/sh", argv);
	return depth;
}

static void call_kernel(struct workload *w)
{
	unsigned int nr = random_size(w, 64), i;
	struct stat st;
	char byte;
	int fd;

	for (i = 0; i < nr; i++) {
		syscall(SYS_getppid);
		stat("/proc/self/status", &st);
		fd = open("/nonexistent/file", O_RDONLY | O_CLOEXEC);	/* ENOENT */
		if (fd >= 0)
			close(fd);
		if (read(-1, &byte, 1) < 0)				/* EBADF */
			sched_yield();
		fd = open("/proc/loadavg", O_RDONLY | O_CLOEXEC);
		if (fd < 0)
			continue;
		while (read(fd, &byte, 1) == 1 && byte != ' ')
			;
		close(fd);
	}
}

/* Sleeps until there is a byte in the pipe, then for a while. */
static void *sleeper(void *arg)
{
	const struct workload *w = arg;
	struct timespec pause = { .tv_nsec = 300000 };
	char byte;

	while (read(w->pipe[0], &byte, 1) == 1) {
		pause.tv_nsec = (pause.tv_nsec * 7) % 5000000;
		nanosleep(&pause, NULL);
	}
	return NULL;
}

static double busy_ns(void)
{
	struct rusage own, children;

	getrusage(RUSAGE_SELF, &own);
	getrusage(RUSAGE_CHILDREN, &children);
	return 1e9 * (double)(own.ru_utime.tv_sec + own.ru_stime.tv_sec +
			      children.ru_utime.tv_sec + children.ru_stime.tv_sec) +
	       1e3 * (double)(own.ru_utime.tv_usec + own.ru_stime.tv_usec +
			      children.ru_utime.tv_usec + children.ru_stime.tv_usec);
}

static double now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return 1e9 * (double)ts.tv_sec + (double)ts.tv_nsec;
}

static void reap(void)
{
	while (waitpid(-1, NULL, WNOHANG) > 0)
		;
}

/* Until a signal ends it, or the parent is gone. */
static void work(struct workload *w, const sigset_t *ending, pid_t parent)
{
	const struct timespec tick = { .tv_nsec = TICK_NS };
	double execs = 0, allowed = busy_ns(), last = now_ns(), now;

	while (sigtimedwait(ending, NULL, &tick) < 0 && getppid() == parent) {
		now = now_ns();
		allowed += BUSY_SHARE * (now - last);
		execs += w->execs_per_tick * (now - last) / (double)TICK_NS;
		last = now;
		for (; execs >= 1; execs--) {
			if (next_random(w) % 20 == 0)
				execs -= start_nested(w) - 1;
			else
				start_words(w);
		}
		if (write(w->pipe[1], "ab", 1 + next_random(w) % 2) < 0 &&
		    errno != EAGAIN)
			return;
		do
			call_kernel(w);
		while (busy_ns() < allowed && now_ns() < now + TICK_NS);
		if (allowed < busy_ns() - MAX_DEBT_NS)
			allowed = busy_ns() - MAX_DEBT_NS;
		if (allowed > busy_ns() + MAX_DEBT_NS)
			allowed = busy_ns() + MAX_DEBT_NS;
		reap();
	}
}

static int parse_options(int argc, char **argv, struct workload *w)
{
	static const struct option options[] = {
		{ "execs-per-second", required_argument, NULL, 'e' },
		{ NULL, 0, NULL, 0 },
	};
	double rate = 100;
	char *end = NULL;
	int option;

	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (option != 'e')
			return -EINVAL;
		rate = strtod(optarg, &end);
		if (end == optarg || *end || !(rate >= 0 && rate <= 2000)) {
			fprintf(stderr, "mixed: --execs-per-second takes a number from 0 to 2000\n");
			return -EINVAL;
		}
	}
	if (optind < argc) {
		fprintf(stderr, "usage: mixed [--execs-per-second N]\n");
		return -EINVAL;
	}
	w->execs_per_tick = rate * (double)TICK_NS / 1e9;
	return 0;
}

int main(int argc, char **argv)
{
	static struct workload w = { .random = 88172645463325252ULL };
	pid_t parent = getppid();
	pthread_t thread;
	sigset_t ending;
	int i;

	if (parse_options(argc, argv, &w))
		return 2;
	sigemptyset(&ending);
	sigaddset(&ending, SIGTERM);
	sigaddset(&ending, SIGINT);
	sigaddset(&ending, SIGHUP);
	sigprocmask(SIG_BLOCK, &ending, NULL);
	/* Shells whose parent has ended come back here, to be waited for. */
	if (prctl(PR_SET_PDEATHSIG, SIGTERM) || prctl(PR_SET_CHILD_SUBREAPER, 1) ||
	    pipe2(w.pipe, O_CLOEXEC)) {
		perror("mixed");
		return 1;
	}
	fcntl(w.pipe[1], F_SETFL, O_NONBLOCK);
	for (i = 0; i < 2; i++)
		if (pthread_create(&thread, NULL, sleeper, &w))
			return 1;
	cgroups_make(&w.cgroups);
	work(&w, &ending, parent);
	while (waitpid(-1, NULL, 0) > 0 || errno == EINTR)
		;
	return cgroups_remove(&w.cgroups) ? 1 : 0;
}
