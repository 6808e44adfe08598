// SPDX-License-Identifier: BSD-2-Clause
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/parse.h"
#include "export/listen_socket.h"

#define BACKLOG        64
#define UNIX_PREFIX    "unix:"
#define UNIX_MODE      0660
#define FIRST_PASSED   3 /* SD_LISTEN_FDS_START */
#define HOST_LEN       64
#define PRIVILEGED_END 1024

/* ---- addresses ------------------------------------------------------------ */

static int parse_unix(const char *path, struct listen_address *ret, struct reason *why)
{
	struct sockaddr_un *un = (struct sockaddr_un *)&ret->address;

	if (path[0] != '/')
		return reason_set(why, -EINVAL,
				  "--listen unix:PATH takes a path from /, not '%s'",
				  path);
	if (strlen(path) >= sizeof(un->sun_path))
		return reason_set(why, -EINVAL,
				  "--listen: the path of a Unix socket has at most %zu "
				  "bytes, '%s' has more",
				  sizeof(un->sun_path) - 1, path);
	*ret = (struct listen_address){.len = sizeof(*un)};
	un->sun_family = AF_UNIX;
	memcpy(un->sun_path, path, strlen(path) + 1);
	return 0;
}

/* The host as typed, without brackets; "" is the loopback. */
static int parse_host(const char *host, uint16_t port, struct listen_address *ret)
{
	struct sockaddr_in6 in6 = {.sin6_family = AF_INET6, .sin6_port = htons(port)};
	struct sockaddr_in in = {.sin_family = AF_INET, .sin_port = htons(port)};
	size_t len = strlen(host);
	char inside[HOST_LEN];

	*ret = (struct listen_address){.len = sizeof(in)};
	if (!len || !strcmp(host, "localhost"))
		host = "127.0.0.1";
	if (inet_pton(AF_INET, host, &in.sin_addr) == 1) {
		memcpy(&ret->address, &in, sizeof(in));
		return 0;
	}
	if (len < 2 || host[0] != '[' || host[len - 1] != ']')
		return -EINVAL;
	snprintf(inside, sizeof(inside), "%.*s", (int)len - 2, host + 1);
	if (inet_pton(AF_INET6, inside, &in6.sin6_addr) != 1)
		return -EINVAL;
	ret->len = sizeof(in6);
	memcpy(&ret->address, &in6, sizeof(in6));
	return 0;
}

int listen_address_parse(const char *text, struct listen_address *ret,
			 struct reason *why)
{
	const char *colon = strrchr(text, ':');
	const char *port = colon ? colon + 1 : text;
	struct listen_address address;
	char host[HOST_LEN];
	uint64_t number;
	int err;

	if (!strncmp(text, UNIX_PREFIX, strlen(UNIX_PREFIX)))
		return parse_unix(text + strlen(UNIX_PREFIX), ret, why);
	if (port - text > (long)sizeof(host))
		return reason_set(why, -EINVAL, "--listen: '%s' is no address", text);
	snprintf(host, sizeof(host), "%.*s", colon ? (int)(colon - text) : 0, text);
	if (port[strspn(port, "0123456789")] || !port[0])
		return reason_set(why, -EINVAL,
				  "--listen takes ADDRESS:PORT, PORT or unix:PATH, "
				  "not '%s'",
				  text);
	err = parse_uint("--listen", port, 0, UINT16_MAX, &number, why);
	if (err)
		return err;
	if (parse_host(host, (uint16_t)number, &address))
		return reason_set(why, -EINVAL,
				  "--listen: '%s' is no address; write 127.0.0.1:%s, "
				  "[::1]:%s, or 0.0.0.0:%s for all addresses",
				  host, port, port, port);
	*ret = address;
	return 0;
}

static bool is_loopback(const struct sockaddr_storage *address)
{
	const struct in6_addr *in6 = &((const struct sockaddr_in6 *)address)->sin6_addr;

	if (address->ss_family == AF_UNIX)
		return true;
	if (address->ss_family == AF_INET) {
		const struct sockaddr_in *in = (const struct sockaddr_in *)address;

		return ntohl(in->sin_addr.s_addr) >> 24 == IN_LOOPBACKNET;
	}
	return IN6_IS_ADDR_LOOPBACK(in6) ||
	       (IN6_IS_ADDR_V4MAPPED(in6) && in6->s6_addr[12] == IN_LOOPBACKNET);
}

static void show(const struct sockaddr_storage *address, char text[LISTEN_TEXT_LEN])
{
	char host[INET6_ADDRSTRLEN] = "";

	if (address->ss_family == AF_UNIX) {
		snprintf(text, LISTEN_TEXT_LEN, UNIX_PREFIX "%s",
			 ((const struct sockaddr_un *)address)->sun_path);
	} else if (address->ss_family == AF_INET) {
		const struct sockaddr_in *in = (const struct sockaddr_in *)address;

		inet_ntop(AF_INET, &in->sin_addr, host, sizeof(host));
		snprintf(text, LISTEN_TEXT_LEN, "%s:%u", host, ntohs(in->sin_port));
	} else {
		const struct sockaddr_in6 *in6 = (const struct sockaddr_in6 *)address;

		inet_ntop(AF_INET6, &in6->sin6_addr, host, sizeof(host));
		snprintf(text, LISTEN_TEXT_LEN, "[%s]:%u", host, ntohs(in6->sin6_port));
	}
}

static uint16_t port_of(const struct sockaddr_storage *address)
{
	/* sin_port and sin6_port lie at the same place. */
	return ntohs(((const struct sockaddr_in *)address)->sin_port);
}

/* ---- opening -------------------------------------------------------------- */

static int explain(const struct listen_address *a, int err, struct reason *why)
{
	bool is_unix = a->address.ss_family == AF_UNIX;
	const char *advice = "";
	char text[LISTEN_TEXT_LEN];

	show(&a->address, text);
	if (err == EADDRINUSE && is_unix)
		advice = "; another program listens there, or it is no socket: choose "
			 "another path";
	else if (err == EADDRINUSE)
		advice = "; another program listens there ('ss -ltnp' names it): stop "
			 "it "
			 "or choose another port";
	else if (err == EADDRNOTAVAIL)
		advice = "; 'ip address' lists the addresses of this host";
	else if (err == EACCES && is_unix)
		advice = "; choose a directory that this user may write";
	else if (err == EACCES && port_of(&a->address) < PRIVILEGED_END)
		advice = "; ports below 1024 need CAP_NET_BIND_SERVICE: choose another";
	else if (err == ENOENT)
		advice = "; make its directory first";
	return reason_set(why, -err, "cannot listen on %s: %s%s", text, strerror(err),
			  advice);
}

/* A socket whose process is gone; nothing else is touched. */
static bool remove_stale(const struct listen_address *a)
{
	const char *path = ((const struct sockaddr_un *)&a->address)->sun_path;
	struct stat st;
	bool is_stale;
	int fd;

	if (a->address.ss_family != AF_UNIX || lstat(path, &st) ||
	    !S_ISSOCK(st.st_mode))
		return false;
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0)
		return false;
	is_stale = connect(fd, (const struct sockaddr *)&a->address, a->len) &&
		   errno == ECONNREFUSED;
	close(fd);
	return is_stale && !unlink(path);
}

static int bind_socket(int fd, const struct listen_address *a)
{
	const struct sockaddr *address = (const struct sockaddr *)&a->address;
	int one = 1;

	if (a->address.ss_family == AF_UNIX)
		fchmod(fd, UNIX_MODE); /* before bind(2): then the file has it */
	else
		setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	if (!bind(fd, address, a->len))
		return 0;
	if (errno != EADDRINUSE || !remove_stale(a))
		return -errno;
	return bind(fd, address, a->len) ? -errno : 0;
}

int listen_socket_open(const struct listen_address *a, struct listen_socket *ret,
		       struct reason *why)
{
	struct sockaddr_storage bound = {0};
	socklen_t len = sizeof(bound);
	int fd, err;

	fd = socket(a->address.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK,
		    0);
	if (fd < 0)
		return explain(a, errno, why);
	err = bind_socket(fd, a);
	if (!err &&
	    (listen(fd, BACKLOG) || getsockname(fd, (struct sockaddr *)&bound, &len)))
		err = -errno;
	if (err) {
		close(fd);
		return explain(a, -err, why);
	}
	*ret = (struct listen_socket){.fd = fd, .is_loopback = is_loopback(&bound)};
	show(&bound, ret->text);
	if (bound.ss_family == AF_UNIX)
		snprintf(ret->path, sizeof(ret->path), "%s",
			 ((const struct sockaddr_un *)&a->address)->sun_path);
	return 0;
}

static bool is_listening_stream(int fd, struct sockaddr_storage *address)
{
	socklen_t len = sizeof(*address), int_len = sizeof(int);
	int listens = 0, type = 0;

	*address = (struct sockaddr_storage){0};
	if (getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &listens, &int_len) || !listens)
		return false;
	int_len = sizeof(int);
	if (getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &int_len) ||
	    type != SOCK_STREAM || getsockname(fd, (struct sockaddr *)address, &len))
		return false;
	return address->ss_family == AF_INET || address->ss_family == AF_INET6 ||
	       address->ss_family == AF_UNIX;
}

int listen_socket_inherit(struct listen_socket *ret, struct reason *why)
{
	const char *pid = getenv("LISTEN_PID"), *fds = getenv("LISTEN_FDS");
	struct sockaddr_storage address;
	struct reason ignored;
	uint64_t number;

	if (!pid || !fds ||
	    parse_uint("LISTEN_PID", pid, 1, INT32_MAX, &number, &ignored) ||
	    (pid_t)number != getpid())
		return reason_set(why, -ENOENT, "systemd passed no socket");
	if (parse_uint("LISTEN_FDS", fds, 1, 1, &number, &ignored))
		return reason_set(why, -EINVAL,
				  "systemd passed %s sockets, but one is served: leave "
				  "one ListenStream= in the .socket unit",
				  fds);
	if (!is_listening_stream(FIRST_PASSED, &address))
		return reason_set(why, -EINVAL,
				  "what systemd passed is no listening stream socket: "
				  "the .socket unit needs ListenStream= and Accept=no");
	unsetenv("LISTEN_PID");
	unsetenv("LISTEN_FDS");
	unsetenv("LISTEN_FDNAMES");
	fcntl(FIRST_PASSED, F_SETFD, FD_CLOEXEC);
	fcntl(FIRST_PASSED, F_SETFL, O_NONBLOCK);
	*ret = (struct listen_socket){.fd = FIRST_PASSED,
				      .is_loopback = is_loopback(&address)};
	show(&address, ret->text);
	return 0;
}

void listen_socket_close(struct listen_socket *s)
{
	if (s->fd >= 0)
		close(s->fd);
	if (s->path[0])
		unlink(s->path);
	*s = (struct listen_socket){.fd = -1};
}
