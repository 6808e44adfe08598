/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Answers of a web server over http and https, bounded in size and time. Knows
 * nothing of what they hold.
 *
 * libcurl is loaded when it is first needed, rather than linked: with what it needs
 * itself it is two dozen libraries, which the daemon shall neither start nor live with.
 *
 * Nothing is followed elsewhere: a server that redirects is an error, and its
 * credentials stay with it. They appear in no sentence.
 */
#ifndef ITERTRACE_BASE_FETCH_H
#define ITERTRACE_BASE_FETCH_H

#include <stddef.h>
#include <stdint.h>

#include "base/reason.h"

struct fetch;

struct fetch_options {
	const char *server;  /* "https://name:9090/path"; user:password@ before name */
	const char *token;   /* sent as a bearer's; NULL: none */
	uint64_t timeout_ns; /* for all answers together */
	size_t max_bytes;    /* of an answer */
};

struct fetched {
	long status; /* of HTTP; never one that redirects */
	char *text;  /* with a NUL behind it; the caller's to free */
	size_t len;
};

/*
 * Asks for nothing yet. -EINVAL: server is no such address; -ELIBACC: there is no
 * libcurl; -ENOMEM. On failure *ret is untouched, why a sentence.
 */
int fetch__new(const struct fetch_options *options, struct fetch **ret,
	       struct reason *why);
void fetch__free(struct fetch *f); /* NULL is fine */

/* Its address, without user and password: for sentences. */
const char *fetch_server(const struct fetch *f);

struct fetch_parameter {
	const char *name, *value; /* not escaped */
};

/*
 * GET server/path?name=value&…; parameters end with a name of NULL. -ETIMEDOUT; -EFBIG:
 * longer than max_bytes; -EREMCHG: redirected; -EIO: anything else; -ENOMEM; with a
 * sentence. On failure *ret is untouched.
 */
int fetch_get(struct fetch *f, const char *path,
	      const struct fetch_parameter *parameters, struct fetched *ret,
	      struct reason *why);

#endif
