// SPDX-License-Identifier: BSD-2-Clause
/*
 * To be preloaded: the clocks of a process go ACCELERATE times as fast as they do, and so
 * its waits are over that much sooner. What BPF programs read is as it is, and so is CPU time.
 */
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define NSEC	      1000000000LL
#define NSEC_PER_MSEC 1000000LL

static long long factor;
static long long start[2]; /* of CLOCK_REALTIME, CLOCK_MONOTONIC */

static long long read_clock(clockid_t clock)
{
	struct timespec t = {0, 0};

	syscall(SYS_clock_gettime, clock, &t);
	return t.tv_sec * NSEC + t.tv_nsec;
}

static void set_up(void)
{
	const char *text = getenv("ACCELERATE");

	start[CLOCK_REALTIME] = read_clock(CLOCK_REALTIME);
	start[CLOCK_MONOTONIC] = read_clock(CLOCK_MONOTONIC);
	factor = text ? atoll(text) : 1;
}

int clock_gettime(clockid_t clock, struct timespec *ret)
{
	long long now;

	if (!factor)
		set_up();
	if (clock != CLOCK_MONOTONIC && clock != CLOCK_REALTIME)
		return (int)syscall(SYS_clock_gettime, clock, ret);
	now = start[clock] + (read_clock(clock) - start[clock]) * factor;
	ret->tv_sec = now / NSEC;
	ret->tv_nsec = now % NSEC;
	return 0;
}

static struct timespec shorter(long long ns)
{
	ns = ns ? ns / factor + 1 : 0;
	return (struct timespec){ns / NSEC, ns % NSEC};
}

int epoll_pwait2(int fd, struct epoll_event *events, int nr,
		 const struct timespec *timeout, const sigset_t *mask)
{
	struct timespec t = {0, 0};

	if (timeout)
		t = shorter(timeout->tv_sec * NSEC + timeout->tv_nsec);
	return (int)syscall(SYS_epoll_pwait2, fd, events, nr, timeout ? &t : NULL, mask,
			    _NSIG / 8);
}

int poll(struct pollfd *fds, nfds_t nr, int timeout)
{
	struct timespec t = {0, 0};

	if (timeout > 0)
		t = shorter(timeout * NSEC_PER_MSEC);
	return (int)syscall(SYS_ppoll, fds, nr, timeout < 0 ? NULL : &t, NULL, 0);
}
