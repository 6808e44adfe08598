/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Serves a run over HTTP: /metrics, /healthz, /snapshot, /identity and the live page
 * at /. Owns the socket and one thread, which sees nothing of the tracing but texts
 * that were finished at the end of an interval.
 *
 *	the tracing thread: listener_publish() puts the pages into one pointer
 *	the listener's thread: takes them out of it before it answers a request
 *
 * Neither ever waits for the other. Whatever clients do, there are at most
 * LISTENER_CONNECTIONS of them at a time, LISTENER_PER_ADDRESS from one address, each
 * for LISTENER_SECONDS, with a header of LISTENER_REQUEST_BYTES; one request each.
 * What clients are slow to take keeps at most LISTENER_INTERVALS intervals in memory.
 * The thread gives up all capabilities and runs at a lower priority. Does not log.
 */
#ifndef ITERTRACE_EXPORT_LISTENER_H
#define ITERTRACE_EXPORT_LISTENER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/reason.h"

#define LISTENER_CONNECTIONS     32
#define LISTENER_PER_ADDRESS     16
#define LISTENER_REQUEST_SECONDS 5
#define LISTENER_SECONDS         20
#define LISTENER_REQUEST_BYTES   16384
#define LISTENER_INTERVALS       4

enum listener_page { PAGE_OPENMETRICS, PAGE_TEXT, PAGE_SNAPSHOT, NR_PAGES };

/* One interval, written down. */
struct listener_pages {
	struct {
		char *text; /* from malloc */
		size_t len;
	} page[NR_PAGES];
	bool is_tracing; /* a tracer is on */
};

struct listener_options {
	int fd;             /* listens; the listener's from then on */
	bool checks_host;   /* refuse requests for a host that is a name */
	const char *kernel; /* JSON, served at /identity; copied */
	uint64_t interval_ns;
};

struct listener;

/* -ENOSYS: this build has no listener. */
int listener_check(struct reason *why);

/*
 * Starts the thread, which inherits the caller's signal mask. On failure *ret is
 * untouched, and the descriptor closed.
 */
int listener__new(const struct listener_options *options, struct listener **ret,
		  struct reason *why);
void listener__free(struct listener *l); /* NULL is fine */

/* Takes the texts over. -ENOMEM: they are freed, and the last ones stay. */
int listener_publish(struct listener *l, const struct listener_pages *pages);

/* They come so often from now on: it is what /healthz goes by. */
void listener_set_interval(struct listener *l, uint64_t interval_ns);

#endif
