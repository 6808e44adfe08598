/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The socket that the listener serves: what --listen means, and opening it, or
 * taking it from systemd. Knows no HTTP. Does not log.
 */
#ifndef ITERTRACE_EXPORT_LISTEN_SOCKET_H
#define ITERTRACE_EXPORT_LISTEN_SOCKET_H

#include <stdbool.h>
#include <sys/socket.h>

#include "base/reason.h"

#define LISTEN_TEXT_LEN 128

struct listen_address {
	struct sockaddr_storage address;
	socklen_t len;
};

struct listen_socket {
	int fd;                     /* nonblocking, listens; -1: none */
	bool is_loopback;           /* or a Unix socket: nobody comes from elsewhere */
	char text[LISTEN_TEXT_LEN]; /* "127.0.0.1:9464", "unix:/run/itertrace.sock" */
	char path[LISTEN_TEXT_LEN]; /* to remove at the end; "" */
};

/*
 * "ADDR:PORT", "[ADDR]:PORT", "PORT" or ":PORT" (127.0.0.1), "localhost:PORT" (the
 * same), "unix:/PATH". Names are not looked up. -EINVAL.
 */
int listen_address_parse(const char *text, struct listen_address *ret,
			 struct reason *why);

/*
 * Open it. Port 0 is any free one; text has it. A Unix socket that a process left
 * behind is replaced; it has mode 660. -EACCES, -EADDRINUSE, -EADDRNOTAVAIL, …
 */
int listen_socket_open(const struct listen_address *a, struct listen_socket *ret,
		       struct reason *why);

/*
 * The one that systemd passed (sd_listen_fds(3)), if this process is meant; then
 * its environment no longer says so. -ENOENT: none was passed. -EINVAL: not one
 * listening stream socket.
 */
int listen_socket_inherit(struct listen_socket *ret, struct reason *why);

/* Also one with fd -1. */
void listen_socket_close(struct listen_socket *s);

#endif
