// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/time.h"
#include "trace/loop.h"
#include "trace/own_cost.h"

#define COLLECT_NS       NSEC_PER_SEC
#define FIRST_COLLECT_NS (NSEC_PER_SEC / 10)
#define LAST_WORD_MS     1000 /* for a reader, once the run is to end */
#define NEVER            UINT64_MAX

/* When what is due next: CLOCK_MONOTONIC. */
struct schedule {
	uint64_t collect_ns, window_ns, interval_ns, end_ns, alive_ns;
};

struct loop {
	struct session *session;
	const struct loop_options *options;
	struct own_cost *cost;
	struct schedule due;
	uint64_t interval_ns;
	int signal_fd, epoll_fd;
	bool stopping;
	bool window_is_open;
	uint64_t period_ns; /* begin of the next one */
	enum loop_end end;  /* if something fails */
};

bool loop_is_interrupted(int signal_fd)
{
	struct pollfd fd = {.fd = signal_fd, .events = POLLIN};

	return poll(&fd, 1, 0) > 0;
}

bool loop_is_to_end(void)
{
	sigset_t set;

	return !sigpending(&set) &&
	       (sigismember(&set, SIGINT) == 1 || sigismember(&set, SIGTERM) == 1);
}

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

static int open_cost(struct loop *l, struct reason *why)
{
	int programs[OWN_COST_MAX], maps[OWN_COST_MAX];

	return own_cost__new(
		programs, session_program_fds(l->session, programs, OWN_COST_MAX), maps,
		session_map_fds(l->session, maps, OWN_COST_MAX), &l->cost, why);
}

/* Charge by the programs and maps that the session has now. */
static void change_cost(struct loop *l)
{
	int programs[OWN_COST_MAX], maps[OWN_COST_MAX];

	own_cost_charge(l->cost, programs,
			session_program_fds(l->session, programs, OWN_COST_MAX), maps,
			session_map_fds(l->session, maps, OWN_COST_MAX));
}

static uint64_t min_ns(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* Close the window that is open, or open one; and say when the next of these is due. */
static void turn_window(struct loop *l)
{
	uint64_t period = own_cost_period_ns(l->interval_ns);
	uint64_t length = own_cost_window_ns(l->interval_ns);
	uint64_t now = time_ns(CLOCK_MONOTONIC);

	if (l->window_is_open) {
		own_cost_window_close(l->cost);
		while (l->period_ns <= now)
			l->period_ns += period;
		l->due.window_ns =
			l->period_ns + (uint64_t)random() % (period - length);
	} else {
		own_cost_window_open(l->cost);
		l->due.window_ns = now + length;
	}
	l->window_is_open = !l->window_is_open;
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
	/* Tells at once if the reader of a pipe goes away; a file has none (EPERM). */
	epoll_ctl(l->epoll_fd, EPOLL_CTL_ADD, l->options->out_fd,
		  &(struct epoll_event){.data.fd = l->options->out_fd});
	if (err)
		return reason_set(why, err, "cannot wait for events: %s",
				  strerror(-err));
	l->due.collect_ns = now + FIRST_COLLECT_NS;
	l->due.interval_ns = now + l->interval_ns;
	l->due.alive_ns = l->options->alive_ns ? now : NEVER;
	l->due.end_ns = l->options->duration_ns ? now + l->options->duration_ns : NEVER;
	l->period_ns = now;
	l->due.window_ns = now;
	return open_cost(l, why);
}

static void close_loop(struct loop *l)
{
	own_cost__free(l->cost);
	if (l->epoll_fd >= 0)
		close(l->epoll_fd);
}

static void hang_up(struct loop *l)
{
	uint64_t interval_ns = l->interval_ns;

	if (l->window_is_open)
		turn_window(l); /* before the programs that it watches are gone */
	if (l->options->hangup(l->options->context, &interval_ns))
		change_cost(l);
	if (interval_ns == l->interval_ns)
		return;
	l->interval_ns = interval_ns;
	l->due.interval_ns = time_ns(CLOCK_MONOTONIC) + interval_ns;
	l->due.window_ns = l->period_ns = time_ns(CLOCK_MONOTONIC);
}

static void take_signals(struct loop *l)
{
	struct signalfd_siginfo info;

	while (read(l->signal_fd, &info, sizeof(info)) == sizeof(info)) {
		if (info.ssi_signo == SIGHUP)
			hang_up(l);
		else
			l->stopping = true;
	}
}

static void say_alive(struct loop *l)
{
	uint64_t now = time_ns(CLOCK_MONOTONIC);

	if (now < l->due.alive_ns)
		return;
	l->options->alive(l->options->context);
	l->due.alive_ns = now + l->options->alive_ns;
}

/* Sleep until something is due or comes in. */
static int wait_for_work(const struct loop *l)
{
	const struct schedule *due = &l->due;
	uint64_t now = time_ns(CLOCK_MONOTONIC), until;
	struct epoll_event event;
	struct timespec timeout;
	int nr;

	until = min_ns(min_ns(due->collect_ns, due->window_ns),
		       min_ns(due->interval_ns, due->end_ns));
	until = min_ns(until, due->alive_ns);
	until = until > now ? until - now : 0;
	timeout.tv_sec = (time_t)(until / NSEC_PER_SEC);
	timeout.tv_nsec = (long)(until % NSEC_PER_SEC);
	nr = epoll_pwait2(l->epoll_fd, &event, 1, &timeout, NULL);
	if (nr < 0 && errno != EINTR)
		return -errno;
	if (nr > 0 && event.data.fd == l->options->out_fd)
		return -EPIPE;
	return 0;
}

/* Until it is time to say that the loop is alive; -1: for ever. */
static int patience_ms(const struct loop *l)
{
	return l->options->alive_ns ? (int)(l->options->alive_ns / NSEC_PER_MSEC) : -1;
}

/*
 * Until some of the output is taken: 0. A pipe that is ready takes PIPE_BUF bytes
 * without blocking. -ECANCELED: the run is to end, and still nothing was taken.
 */
static int wait_for_reader(struct loop *l)
{
	struct pollfd fds[] = {
		{.fd = l->options->out_fd, .events = POLLOUT},
		{.fd = l->signal_fd, .events = POLLIN},
		{.fd = session_fd(l->session), .events = POLLIN},
	};

	for (;;) {
		if (poll(fds, l->stopping ? 1 : 3,
			 l->stopping ? LAST_WORD_MS : patience_ms(l)) < 0 &&
		    errno != EINTR)
			return -errno;
		if (fds[0].revents)
			return 0;
		if (l->stopping)
			return -ECANCELED;
		say_alive(l);
		take_signals(l);
		session_consume(l->session);
	}
}

static int write_out(struct loop *l, const char *text, size_t len)
{
	size_t chunk;
	ssize_t n;
	int err;

	while (len) {
		err = wait_for_reader(l);
		if (err)
			return err;
		chunk = len < PIPE_BUF ? len : PIPE_BUF;
		n = write(l->options->out_fd, text, chunk);
		if (n < 0 && errno != EINTR && errno != EAGAIN)
			return -errno;
		if (n > 0) {
			text += n;
			len -= (size_t)n;
		}
	}
	return 0;
}

static int emit(struct loop *l, bool summary, struct reason *why)
{
	struct snapshot snapshot;
	char *text = NULL;
	size_t len = 0;
	int err;

	if (l->window_is_open)
		turn_window(l);
	err = session_snapshot(l->session, summary, &snapshot, why);
	if (err)
		return err;
	own_cost_read(l->cost, summary, &snapshot.self);
	err = l->options->render(&snapshot, l->options->context, &text, &len);
	snapshot_release(&snapshot);
	if (err)
		return reason_set(why, err, "cannot make a report: %s", strerror(-err));
	err = write_out(l, text, len);
	free(text);
	if (!err)
		return 0;
	l->end = err == -EPIPE ? LOOP_READER_GONE : LOOP_OUTPUT_FAILED;
	return reason_set(why, err, "cannot write the output: %s",
			  err == -ECANCELED ? "nobody reads it" : strerror(-err));
}

static int end_interval(struct loop *l, struct reason *why)
{
	uint64_t length = l->interval_ns, now;
	int err;

	err = emit(l, false, why);
	/* An interval that was slept through (a stopped process, a suspended host) is
	 * skipped. */
	now = time_ns(CLOCK_MONOTONIC);
	while (l->due.interval_ns <= now)
		l->due.interval_ns += length;
	return err;
}

/* Do what is due. */
static int step(struct loop *l, struct reason *why)
{
	uint64_t now;
	int err = 0;

	take_signals(l);
	say_alive(l);
	session_consume(l->session);
	now = time_ns(CLOCK_MONOTONIC);
	if (now >= l->due.end_ns)
		l->stopping = true;
	if (l->stopping)
		return 0;
	if (now >= l->due.window_ns)
		turn_window(l);
	if (now >= l->due.collect_ns) {
		err = session_collect(l->session, why);
		l->due.collect_ns = now + COLLECT_NS;
	}
	if (!err && now >= l->due.interval_ns)
		err = end_interval(l, why);
	return err;
}

enum loop_end loop_run(struct session *s, int signal_fd,
		       const struct loop_options *options, struct reason *why)
{
	struct loop l = {
		.session = s,
		.options = options,
		.interval_ns = options->interval_ns,
		.signal_fd = signal_fd,
		.epoll_fd = -1,
		.end = LOOP_FAILED,
	};
	int err;

	err = open_loop(&l, why);
	while (!err && !l.stopping) {
		err = wait_for_work(&l);
		if (err == -EPIPE)
			l.end = LOOP_READER_GONE;
		else if (err)
			reason_set(why, err, "cannot wait for events: %s",
				   strerror(-err));
		else
			err = step(&l, why);
	}
	if (options->stopping)
		options->stopping(options->context);
	if (!err)
		err = emit(&l, false, why);
	if (!err)
		err = emit(&l, true, why);
	close_loop(&l);
	return err ? l.end : LOOP_DONE;
}
