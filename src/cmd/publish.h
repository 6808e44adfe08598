/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What "itertrace run --listen" adds to a run: binds, starts the listener, and hands
 * each interval to it as metrics and JSON. Logs where it listens. Called by the tracing
 * thread alone.
 *
 *	bind -> start -> interval, ... -> free	(bind as root; start without privileges)
 */
#ifndef ITERTRACE_CMD_PUBLISH_H
#define ITERTRACE_CMD_PUBLISH_H

#include "base/reason.h"
#include "export/listen_socket.h"
#include "kernel/probe.h"
#include "model/snapshot.h"

struct publisher;

/*
 * Bind address, or take the socket that systemd passed. *ret is NULL if there is
 * neither (address NULL), and untouched on failure. -EINVAL: both, or what systemd
 * passed cannot be used.
 */
int publisher__new(const struct listen_address *address, struct publisher **ret,
		   struct reason *why);
void publisher__free(struct publisher *p); /* NULL is fine */

/* Take down what the kernel makes of each construct: the probe is not kept. */
int publisher_describe(struct publisher *p, struct probe *probe, struct reason *why);

/* From here on a second thread answers. After publisher_describe(). */
int publisher_start(struct publisher *p, uint64_t interval_ns, struct reason *why);

/*
 * An interval ended; json is that snapshot as a line. What cannot be made for want of
 * memory is left out: the run goes on.
 */
void publisher_add(struct publisher *p, const struct snapshot *s, const char *json,
		   size_t json_len);

/* A reload: intervals have another length from now on. */
void publisher_set_interval(struct publisher *p, uint64_t interval_ns);

#endif
