/* SPDX-License-Identifier: BSD-2-Clause */
/* What the listener decides about a request. Pure: no socket, no HTTP library. */
#ifndef ITERTRACE_EXPORT_HTTP_H
#define ITERTRACE_EXPORT_HTTP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The header Accept (NULL: none) wants OpenMetrics: it names it, and likes nothing
 * that is text/plain better.
 */
bool http_wants_openmetrics(const char *accept);

/*
 * The header Host (NULL: none) is localhost or an IP address, as it is where
 * somebody means this host. A name may be one that a web site made lead here, so
 * that its scripts can read what is served (DNS rebinding).
 */
bool http_host_is_address(const char *host);

struct http_health {
	uint64_t now_ns, published_ns; /* CLOCK_MONOTONIC; the last interval's end */
	uint64_t interval_ns;
	bool is_tracing; /* a tracer is on */
};

/* The status, 200 or 503, and a line that says why. */
unsigned int http_health(const struct http_health *h, char *ret, size_t size);

#endif
