// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "base/time.h"
#include "cmd/publish.h"
#include "export/identity.h"
#include "export/listener.h"
#include "export/openmetrics.h"
#include "kernel/identity.h"

struct publisher {
	struct listen_socket socket;
	struct metrics *metrics;
	struct listener *listener;
	char *kernel; /* JSON */
};

int publisher__new(const struct listen_address *address, struct publisher **ret,
		   struct reason *why)
{
	struct listen_socket socket = {.fd = -1};
	struct publisher *p;
	int err;

	err = address ? listener_check(why) : 0;
	if (err)
		return err;
	err = listen_socket_inherit(&socket, why);
	if (!err && address) {
		listen_socket_close(&socket);
		return reason_set(
			why, -EINVAL,
			"systemd passed a socket, and --listen names another: "
			"leave one of them out");
	}
	if (err == -ENOENT && !address) {
		*ret = NULL;
		return 0;
	}
	if (err == -ENOENT)
		err = listen_socket_open(address, &socket, why);
	if (err)
		return err;
	p = calloc(1, sizeof(*p));
	if (!p) {
		listen_socket_close(&socket);
		return reason_set(why, -ENOMEM, "out of memory");
	}
	p->socket = socket;
	*ret = p;
	return 0;
}

void publisher__free(struct publisher *p)
{
	if (!p)
		return;
	listener__free(p->listener);
	listen_socket_close(&p->socket);
	metrics__free(p->metrics);
	free(p->kernel);
	free(p);
}

int publisher_describe(struct publisher *p, struct probe *probe, struct reason *why)
{
	struct feature *features = calloc(probe_nr() + 1, sizeof(*features));
	struct identity identity;
	json_t *json = NULL;
	int err = -ENOMEM;
	size_t i;

	if (!features)
		goto out;
	for (i = 0; i < probe_nr(); i++) {
		features[i].name = probe_name(i);
		err = probe_state(probe, features[i].name, &features[i].state);
		if (err)
			goto out;
	}
	identity_read(&identity);
	json = identity_to_json(&identity);
	p->kernel = json ? json_dumps(json, JSON_COMPACT) : NULL;
	err = p->kernel ? metrics__new(&identity, features, probe_nr(),
				       time_ns(CLOCK_REALTIME), METRICS_MAX_SERIES,
				       &p->metrics)
			: -ENOMEM;
out:
	json_decref(json);
	free(features);
	return err ? reason_set(why, err, "cannot prepare the metrics: %s",
				strerror(-err))
		   : 0;
}

int publisher_start(struct publisher *p, uint64_t interval_ns, struct reason *why)
{
	struct listener_options options = {
		.fd = p->socket.fd,
		.checks_host = p->socket.is_loopback &&
			       strncmp(p->socket.text, "unix:", strlen("unix:")),
		.kernel = p->kernel,
		.interval_ns = interval_ns,
	};
	int err;

	p->socket.fd = -1; /* the listener's */
	err = listener__new(&options, &p->listener, why);
	if (err)
		return err;
	log_info("listening on %s: /metrics, /healthz, and a live page at /",
		 p->socket.text);
	if (!p->socket.is_loopback)
		log_warn("%s is not loopback: whoever reaches it sees this host's "
			 "command "
			 "lines, and there is neither encryption nor a password",
			 p->socket.text);
	return 0;
}

static bool is_tracing(const struct snapshot *s)
{
	size_t i;

	for (i = 0; i < s->nr_tracers; i++)
		if (s->tracers[i].on)
			return true;
	return false;
}

void publisher_add(struct publisher *p, const struct snapshot *s, const char *json,
		   size_t json_len)
{
	struct listener_pages pages = {.is_tracing = is_tracing(s)};
	struct metrics_text text;

	if (!metrics_add(p->metrics, s, &text)) {
		pages.page[PAGE_OPENMETRICS].text = text.openmetrics;
		pages.page[PAGE_OPENMETRICS].len = text.openmetrics_len;
		pages.page[PAGE_TEXT].text = text.text;
		pages.page[PAGE_TEXT].len = text.text_len;
	}
	pages.page[PAGE_SNAPSHOT].text = malloc(json_len + 1);
	if (pages.page[PAGE_SNAPSHOT].text) {
		memcpy(pages.page[PAGE_SNAPSHOT].text, json, json_len);
		pages.page[PAGE_SNAPSHOT].len = json_len;
	}
	listener_publish(p->listener, &pages);
}

void publisher_set_interval(struct publisher *p, uint64_t interval_ns)
{
	listener_set_interval(p->listener, interval_ns);
}
