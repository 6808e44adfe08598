/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What stands in the way on a host, one check each. Plain data, and how it is
 * filled in. The texts are sentences without a full stop; a command in a remedy
 * stands in `back quotes`, ready to be run.
 */
#ifndef ITERTRACE_MODEL_DOCTOR_H
#define ITERTRACE_MODEL_DOCTOR_H

#include <stddef.h>

enum check_status {
	CHECK_OK,
	CHECK_WARN, /* something of itertrace is lost, or cannot be told */
	CHECK_FAIL, /* no tracer can run */
};
#define NR_CHECK_STATUSES (CHECK_FAIL + 1)

struct check {
	const char *name; /* static */
	enum check_status status;
	char found[512];
	char consequence[1024]; /* for itertrace; "" if there is none to tell */
	char remedy[512];       /* "" if all is well, or there is none */
};

const char *check_status_name(enum check_status status);

/* The worst of nr; CHECK_OK of none. */
enum check_status checks_worst(const struct check *checks, size_t nr);

/* Each stores a sentence, cut if it is too long. */
void check_found(struct check *c, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
void check_follows(struct check *c, enum check_status status, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
void check_remedy(struct check *c, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* It could not be found out; root could. */
void check_unknown(struct check *c, const char *why);

#endif
