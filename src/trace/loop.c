// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/time.h"
#include "trace/loop.h"
#include "trace/own_cost.h"

#define COLLECT_NS       NSEC_PER_SEC
#define FIRST_COLLECT_NS (NSEC_PER_SEC / 10)
#define NEVER            UINT64_MAX

#define MAX_PROGRAMS 64
#define MAX_MAPS     64

/* When what is due next: CLOCK_MONOTONIC. */
struct schedule {
	uint64_t collect_ns, window_ns, interval_ns, end_ns;
};

struct loop {
	struct session *session;
	const struct loop_options *options;
	struct own_cost *cost;
	struct schedule due;
	int signal_fd, epoll_fd;
	bool stopping;
};

int loop_signals(void)
{
	sigset_t set;
	int fd;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	if (sigprocmask(SIG_BLOCK, &set, NULL))
		return -errno;
	fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	return fd < 0 ? -errno : fd;
}

static int watch(int epoll_fd, int fd)
{
	struct epoll_event event = {.events = EPOLLIN, .data.fd = fd};

	return epoll_ctl(epoll_fd, EPOLL_CTL_ADD, fd, &event) ? -errno : 0;
}

/* Charge by the programs and maps that the session has now. */
static int open_cost(struct loop *l, struct reason *why)
{
	int programs[MAX_PROGRAMS], maps[MAX_MAPS];

	return own_cost__new(
		programs, session_program_fds(l->session, programs, MAX_PROGRAMS), maps,
		session_map_fds(l->session, maps, MAX_MAPS), &l->cost, why);
}

static uint64_t min_ns(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* The window in which BPF run time is counted is the last part of what is reported
 * next. */
static void schedule_window(struct loop *l)
{
	uint64_t end = min_ns(l->due.interval_ns, l->due.end_ns);
	uint64_t now = time_ns(CLOCK_MONOTONIC);

	l->due.window_ns = end > now ? end - own_cost_window_ns(end - now) : NEVER;
}

static int open_loop(struct loop *l, struct reason *why)
{
	uint64_t now = time_ns(CLOCK_MONOTONIC);
	int err;

	l->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	if (l->epoll_fd < 0)
		return reason_set(why, -errno, "cannot make an epoll descriptor: %s",
				  strerror(errno));
	err = watch(l->epoll_fd, l->signal_fd);
	if (!err)
		err = watch(l->epoll_fd, session_fd(l->session));
	if (err)
		return reason_set(why, err, "cannot wait for events: %s",
				  strerror(-err));
	l->due.collect_ns = now + FIRST_COLLECT_NS;
	l->due.interval_ns = now + l->options->interval_ns;
	l->due.end_ns = l->options->duration_ns ? now + l->options->duration_ns : NEVER;
	schedule_window(l);
	return open_cost(l, why);
}

static void close_loop(struct loop *l)
{
	own_cost__free(l->cost);
	if (l->epoll_fd >= 0)
		close(l->epoll_fd);
}

static void take_signals(struct loop *l)
{
	struct signalfd_siginfo info;

	while (read(l->signal_fd, &info, sizeof(info)) == sizeof(info)) {
		if (info.ssi_signo == SIGHUP)
			l->options->hangup(l->options->context);
		else
			l->stopping = true;
	}
}

/* Sleep until something is due or comes in. */
static int wait_for_work(const struct loop *l)
{
	const struct schedule *due = &l->due;
	uint64_t now = time_ns(CLOCK_MONOTONIC), until;
	struct epoll_event event;
	struct timespec timeout;

	until = min_ns(min_ns(due->collect_ns, due->window_ns),
		       min_ns(due->interval_ns, due->end_ns));
	until = until > now ? until - now : 0;
	timeout.tv_sec = (time_t)(until / NSEC_PER_SEC);
	timeout.tv_nsec = (long)(until % NSEC_PER_SEC);
	if (epoll_pwait2(l->epoll_fd, &event, 1, &timeout, NULL) < 0 && errno != EINTR)
		return -errno;
	return 0;
}

static int emit(struct loop *l, bool summary, struct reason *why)
{
	struct snapshot snapshot;
	int err;

	own_cost_window_close(l->cost);
	err = session_snapshot(l->session, summary, &snapshot, why);
	if (err)
		return err;
	own_cost_read(l->cost, summary, &snapshot.self);
	err = l->options->emit(&snapshot, l->options->context);
	snapshot_release(&snapshot);
	if (err)
		return reason_set(why, err, "cannot write the output: %s",
				  strerror(-err));
	return 0;
}

static int end_interval(struct loop *l, struct reason *why)
{
	uint64_t length = l->options->interval_ns, now;
	int err;

	err = emit(l, false, why);
	/* An interval that was slept through (a stopped process, a suspended host) is
	 * skipped. */
	now = time_ns(CLOCK_MONOTONIC);
	while (l->due.interval_ns <= now)
		l->due.interval_ns += length;
	schedule_window(l);
	return err;
}

/* Do what is due. */
static int step(struct loop *l, struct reason *why)
{
	uint64_t now;
	int err = 0;

	take_signals(l);
	session_consume(l->session);
	now = time_ns(CLOCK_MONOTONIC);
	if (now >= l->due.end_ns)
		l->stopping = true;
	if (l->stopping)
		return 0;
	if (now >= l->due.window_ns) {
		own_cost_window_open(l->cost);
		l->due.window_ns = NEVER;
	}
	if (now >= l->due.collect_ns) {
		err = session_collect(l->session, why);
		l->due.collect_ns = now + COLLECT_NS;
	}
	if (!err && now >= l->due.interval_ns)
		err = end_interval(l, why);
	return err;
}

int loop_run(struct session *s, int signal_fd, const struct loop_options *options,
	     struct reason *why)
{
	struct loop l = {
		.session = s,
		.options = options,
		.signal_fd = signal_fd,
		.epoll_fd = -1,
	};
	int err;

	err = open_loop(&l, why);
	while (!err && !l.stopping) {
		err = wait_for_work(&l);
		if (err)
			reason_set(why, err, "cannot wait for events: %s",
				   strerror(-err));
		else
			err = step(&l, why);
	}
	if (!err)
		err = emit(&l, false, why);
	if (!err)
		err = emit(&l, true, why);
	close_loop(&l);
	return err;
}
