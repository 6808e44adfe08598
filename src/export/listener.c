// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <microhttpd.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/thread.h"
#include "base/time.h"
#include "export/http.h"
#include "export/listener.h"
#include "export/live.h"

#define STACK_BYTES  (256U << 10)
#define SEND_BYTES   (128 << 10) /* that the kernel holds for a connection */
#define NICE         10
#define TURN_MS      1000
#define SILENT_S     5U /* neither bytes in nor out */
#define HEALTH_LEN   256
#define TEXT_TYPE    "text/plain; charset=utf-8"
#define METRICS_TYPE "text/plain; version=0.0.4; charset=utf-8"
#define OPEN_TYPE    "application/openmetrics-text; version=1.0.0; charset=utf-8"

/* The pages of an interval, and the responses that use them. */
struct edition {
	struct listener_pages pages;
	unsigned int nr_users; /* the listener itself is one, of the current edition */
	struct listener *listener;
};

struct client {
	int fd; /* -1: a free place */
	bool has_asked;
	uint64_t since_ns; /* CLOCK_MONOTONIC */
};

struct listener {
	struct MHD_Daemon *daemon;
	pthread_t thread;
	int stop_fd;
	bool checks_host;
	char *kernel;

	/* Of both threads, all atomic. */
	uint64_t interval_ns;
	struct edition *pending;
	uint64_t published_ns; /* CLOCK_MONOTONIC */
	bool is_tracing;

	/* Of the listener's thread. */
	struct edition *current; /* NULL: no interval has ended yet */
	unsigned int nr_editions;
	struct client clients[LISTENER_CONNECTIONS];
};

/* ---- editions ------------------------------------------------------------- */

static void edition__free(struct edition *e)
{
	size_t i;

	for (i = 0; e && i < NR_PAGES; i++)
		free(e->pages.page[i].text);
	free(e);
}

static void drop_edition(void *context)
{
	struct edition *e = context;

	if (--e->nr_users)
		return;
	e->listener->nr_editions--;
	edition__free(e);
}

/*
 * The newest interval becomes the current one, unless too many are still being
 * sent: then it waits until one of them is through, or was given up.
 */
static void take_pending(struct listener *l)
{
	struct edition *e;

	if (l->nr_editions >= LISTENER_INTERVALS)
		return;
	e = __atomic_exchange_n(&l->pending, NULL, __ATOMIC_ACQ_REL);
	if (!e)
		return;
	e->listener = l;
	e->nr_users = 1;
	l->nr_editions++;
	if (l->current)
		drop_edition(l->current);
	l->current = e;
}

int listener_publish(struct listener *l, const struct listener_pages *pages)
{
	struct edition *e = calloc(1, sizeof(*e));
	size_t i;

	if (!e) {
		for (i = 0; i < NR_PAGES; i++)
			free(pages->page[i].text);
		return -ENOMEM;
	}
	e->pages = *pages;
	e = __atomic_exchange_n(&l->pending, e, __ATOMIC_ACQ_REL);
	__atomic_store_n(&l->is_tracing, pages->is_tracing, __ATOMIC_RELAXED);
	__atomic_store_n(&l->published_ns, time_ns(CLOCK_MONOTONIC), __ATOMIC_RELEASE);
	edition__free(e); /* nobody asked for it */
	return 0;
}

void listener_set_interval(struct listener *l, uint64_t interval_ns)
{
	__atomic_store_n(&l->interval_ns, interval_ns, __ATOMIC_RELAXED);
	__atomic_store_n(&l->published_ns, time_ns(CLOCK_MONOTONIC), __ATOMIC_RELEASE);
}

/* ---- answers -------------------------------------------------------------- */

static enum MHD_Result send_response(struct MHD_Connection *connection,
				     unsigned int status, const char *type,
				     struct MHD_Response *response)
{
	static const char *const headers[][2] = {
		{"Connection", "close"},
		{"Cache-Control", "no-store"},
		{"X-Content-Type-Options", "nosniff"},
		{"Cross-Origin-Resource-Policy", "same-origin"},
		{"Referrer-Policy", "no-referrer"},
	};
	enum MHD_Result result;
	size_t i;

	if (!response)
		return MHD_NO;
	for (i = 0; i < sizeof(headers) / sizeof(headers[0]); i++)
		MHD_add_response_header(response, headers[i][0], headers[i][1]);
	MHD_add_response_header(response, "Content-Type", type);
	if (status == MHD_HTTP_METHOD_NOT_ALLOWED)
		MHD_add_response_header(response, "Allow", "GET, HEAD");
	result = MHD_queue_response(connection, status, response);
	MHD_destroy_response(response);
	return result;
}

static enum MHD_Result send_text(struct MHD_Connection *connection, unsigned int status,
				 const char *type, const char *text)
{
	return send_response(connection, status, type,
			     MHD_create_response_from_buffer(strlen(text), (void *)text,
							     MHD_RESPMEM_MUST_COPY));
}

static enum MHD_Result send_page(struct listener *l, struct MHD_Connection *connection,
				 enum listener_page page, const char *type)
{
	struct MHD_Response *response;
	struct edition *e;

	take_pending(l);
	e = l->current;
	if (!e || !e->pages.page[page].text)
		return send_text(connection, MHD_HTTP_SERVICE_UNAVAILABLE, TEXT_TYPE,
				 e ? "this page could not be made: out of memory\n"
				   : "the first interval has not ended yet\n");
	response = MHD_create_response_from_buffer_with_free_callback_cls(
		e->pages.page[page].len, e->pages.page[page].text, drop_edition, e);
	e->nr_users += !!response;
	return send_response(connection, MHD_HTTP_OK, type, response);
}

static enum MHD_Result answer_metrics(struct listener *l,
				      struct MHD_Connection *connection)
{
	const char *accept = MHD_lookup_connection_value(connection, MHD_HEADER_KIND,
							 MHD_HTTP_HEADER_ACCEPT);

	if (http_wants_openmetrics(accept))
		return send_page(l, connection, PAGE_OPENMETRICS, OPEN_TYPE);
	return send_page(l, connection, PAGE_TEXT, METRICS_TYPE);
}

static enum MHD_Result answer_snapshot(struct listener *l,
				       struct MHD_Connection *connection)
{
	return send_page(l, connection, PAGE_SNAPSHOT, "application/json");
}

static enum MHD_Result answer_identity(struct listener *l,
				       struct MHD_Connection *connection)
{
	return send_text(connection, MHD_HTTP_OK, "application/json", l->kernel);
}

static enum MHD_Result answer_health(struct listener *l,
				     struct MHD_Connection *connection)
{
	struct http_health health = {
		.published_ns = __atomic_load_n(&l->published_ns, __ATOMIC_ACQUIRE),
		.interval_ns = __atomic_load_n(&l->interval_ns, __ATOMIC_RELAXED),
		.is_tracing = __atomic_load_n(&l->is_tracing, __ATOMIC_RELAXED),
	};
	char text[HEALTH_LEN];
	unsigned int status;

	health.now_ns = time_ns(CLOCK_MONOTONIC);
	status = http_health(&health, text, sizeof(text));
	return send_text(connection, status, TEXT_TYPE, text);
}

static enum MHD_Result answer_live(struct listener *l,
				   struct MHD_Connection *connection)
{
	struct MHD_Response *response = MHD_create_response_from_buffer(
		sizeof(LIVE_HTML) - 1, (void *)LIVE_HTML, MHD_RESPMEM_PERSISTENT);

	(void)l;
	if (response)
		MHD_add_response_header(response, "Content-Security-Policy", LIVE_CSP);
	return send_response(connection, MHD_HTTP_OK, "text/html; charset=utf-8",
			     response);
}

static const struct {
	const char *path;
	enum MHD_Result (*answer)(struct listener *l,
				  struct MHD_Connection *connection);
} paths[] = {
	{"/", answer_live},
	{"/metrics", answer_metrics},
	{"/healthz", answer_health},
	{"/snapshot", answer_snapshot},
	{"/identity", answer_identity},
};

static void note_request(struct MHD_Connection *connection)
{
	const union MHD_ConnectionInfo *info =
		MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
	struct client *client = info ? info->socket_context : NULL;

	if (client)
		client->has_asked = true;
}

/* The whole header is there, and nothing of a body, which nobody needs to send. */
static enum MHD_Result answer(void *context, struct MHD_Connection *connection,
			      const char *url, const char *method, const char *version,
			      const char *upload, size_t *upload_size, void **request)
{
	const char *host = MHD_lookup_connection_value(connection, MHD_HEADER_KIND,
						       MHD_HTTP_HEADER_HOST);
	struct listener *l = context;
	size_t i;

	(void)version, (void)upload, (void)upload_size, (void)request;
	note_request(connection);
	if (strcmp(method, "GET") && strcmp(method, "HEAD"))
		return send_text(connection, MHD_HTTP_METHOD_NOT_ALLOWED, TEXT_TYPE,
				 "only GET and HEAD are answered\n");
	if (l->checks_host && !http_host_is_address(host))
		return send_text(connection, MHD_HTTP_MISDIRECTED_REQUEST, TEXT_TYPE,
				 "ask for an IP address or localhost: itertrace "
				 "listens on this host alone, and answers no name that "
				 "may be a web site's\n");
	for (i = 0; i < sizeof(paths) / sizeof(paths[0]); i++)
		if (!strcmp(url, paths[i].path))
			return paths[i].answer(l, connection);
	return send_text(connection, MHD_HTTP_NOT_FOUND, TEXT_TYPE,
			 "there are /, /metrics, /healthz, /snapshot and /identity\n");
}

/* ---- connections ---------------------------------------------------------- */

static void note_connection(void *context, struct MHD_Connection *connection,
			    void **socket_context,
			    enum MHD_ConnectionNotificationCode code)
{
	struct client *client = *socket_context;
	const union MHD_ConnectionInfo *info;
	struct listener *l = context;

	if (code == MHD_CONNECTION_NOTIFY_CLOSED) {
		if (client)
			client->fd = -1;
		return;
	}
	info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
	for (client = l->clients; client < l->clients + LISTENER_CONNECTIONS;
	     client++) {
		if (client->fd >= 0)
			continue;
		*client = (struct client){.fd = info->connect_fd,
					  .since_ns = time_ns(CLOCK_MONOTONIC)};
		*socket_context = client;
		return;
	}
}

/* A client that sends or takes a byte now and then is never silent. */
static void end_slow_clients(struct listener *l)
{
	uint64_t now = time_ns(CLOCK_MONOTONIC), limit;
	struct client *client;

	for (client = l->clients; client < l->clients + LISTENER_CONNECTIONS;
	     client++) {
		limit = client->has_asked ? LISTENER_SECONDS : LISTENER_REQUEST_SECONDS;
		if (client->fd >= 0 && now - client->since_ns > limit * NSEC_PER_SEC)
			shutdown(client->fd, SHUT_RDWR);
	}
}

static int turn_timeout(struct MHD_Daemon *daemon)
{
	MHD_UNSIGNED_LONG_LONG ms;

	return MHD_get_timeout(daemon, &ms) == MHD_YES && ms < TURN_MS ? (int)ms
								       : TURN_MS;
}

/* Serving takes no capability, and waits where tracing has work. */
static void become_less(void)
{
	thread_confine("itertrace-http");
	setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), NICE);
}

static void *serve(void *context)
{
	struct listener *l = context;
	struct pollfd fds[] = {
		{.fd = MHD_get_daemon_info(l->daemon, MHD_DAEMON_INFO_EPOLL_FD)
			       ->epoll_fd,
		 .events = POLLIN},
		{.fd = l->stop_fd, .events = POLLIN},
	};

	become_less();
	while (!fds[1].revents) {
		poll(fds, 2, turn_timeout(l->daemon));
		MHD_run(l->daemon);
		end_slow_clients(l);
	}
	MHD_stop_daemon(l->daemon);
	return NULL;
}

/* ---- start and end -------------------------------------------------------- */

int listener_check(struct reason *why)
{
	(void)why;
	return 0;
}

static struct MHD_Daemon *start_daemon(struct listener *l, int fd)
{
	int bytes = SEND_BYTES;

	/* What is accepted inherits it. */
	setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &bytes, sizeof(bytes));
	return MHD_start_daemon(
		MHD_USE_EPOLL, 0, NULL, NULL, answer, l, MHD_OPTION_LISTEN_SOCKET, fd,
		MHD_OPTION_CONNECTION_LIMIT, (unsigned int)LISTENER_CONNECTIONS,
		MHD_OPTION_PER_IP_CONNECTION_LIMIT, (unsigned int)LISTENER_PER_ADDRESS,
		MHD_OPTION_CONNECTION_TIMEOUT, SILENT_S,
		MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)LISTENER_REQUEST_BYTES,
		MHD_OPTION_NOTIFY_CONNECTION, note_connection, l,
		MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_END);
}

static int start_thread(struct listener *l)
{
	pthread_attr_t attributes;
	int err;

	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, STACK_BYTES);
	err = pthread_create(&l->thread, &attributes, serve, l);
	pthread_attr_destroy(&attributes);
	return -err;
}

static void listener_release(struct listener *l)
{
	edition__free(l->pending);
	edition__free(l->current);
	if (l->stop_fd >= 0)
		close(l->stop_fd);
	free(l->kernel);
	free(l);
}

int listener__new(const struct listener_options *options, struct listener **ret,
		  struct reason *why)
{
	struct listener *l = calloc(1, sizeof(*l));
	int err = -ENOMEM;
	size_t i;

	if (!l) {
		close(options->fd);
		return reason_set(why, -ENOMEM, "out of memory");
	}
	for (i = 0; i < LISTENER_CONNECTIONS; i++)
		l->clients[i].fd = -1;
	l->checks_host = options->checks_host;
	l->interval_ns = options->interval_ns;
	l->published_ns = time_ns(CLOCK_MONOTONIC);
	l->is_tracing = true;
	l->kernel = strdup(options->kernel);
	l->stop_fd = eventfd(0, EFD_CLOEXEC);
	if (l->kernel && l->stop_fd >= 0)
		l->daemon = start_daemon(l, options->fd);
	if (!l->daemon) {
		reason_set(why, err, "cannot serve HTTP: out of memory or descriptors");
		goto out;
	}
	err = start_thread(l);
	if (!err) {
		*ret = l;
		return 0;
	}
	MHD_stop_daemon(l->daemon);
	reason_set(why, err, "cannot start the listener's thread: %s", strerror(-err));
out:
	listener_release(l);
	return err;
}

void listener__free(struct listener *l)
{
	uint64_t one = 1;

	if (!l)
		return;
	if (write(l->stop_fd, &one, sizeof(one)) == sizeof(one))
		pthread_join(l->thread, NULL);
	listener_release(l);
}
