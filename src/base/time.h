/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ITERTRACE_BASE_TIME_H
#define ITERTRACE_BASE_TIME_H

#include <stdint.h>
#include <time.h>

#define NSEC_PER_SEC  1000000000ULL
#define NSEC_PER_MSEC 1000000ULL
#define NSEC_PER_USEC 1000ULL

/* clock: CLOCK_MONOTONIC (what bpf_ktime_get_ns() reads), CLOCK_REALTIME, … */
static inline uint64_t time_ns(clockid_t clock)
{
	struct timespec ts;

	clock_gettime(clock, &ts);
	return (uint64_t)ts.tv_sec * NSEC_PER_SEC + (uint64_t)ts.tv_nsec;
}

#endif
