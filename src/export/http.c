// SPDX-License-Identifier: BSD-2-Clause
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/format.h"
#include "export/http.h"

#define MAX_INTERVALS 3 /* without one that ends */
#define HOST_LEN      64

/* ---- Accept --------------------------------------------------------------- */

/* RFC 9110, 12.4.2: the weight among a range's parameters; 1 if there is none. */
static double weight(const char *range, size_t len)
{
	const char *end = range + len, *at = range;

	while ((at = memchr(at, ';', (size_t)(end - at)))) {
		at++;
		while (at < end && (*at == ' ' || *at == '\t'))
			at++;
		if (end - at > 2 && (*at == 'q' || *at == 'Q') && at[1] == '=')
			return strtod(at + 2, NULL);
	}
	return 1;
}

static bool is_type(const char *range, size_t len, const char *type)
{
	size_t n = strcspn(range, "; \t,");

	if (n > len)
		n = len;
	return n == strlen(type) && !strncasecmp(range, type, n);
}

bool http_wants_openmetrics(const char *accept)
{
	double open = 0, plain = -1, any_text = -1, any = -1, q;
	size_t len;

	for (; accept && *accept; accept += len + (accept[len] == ',')) {
		accept += strspn(accept, " \t");
		len = strcspn(accept, ",");
		q = weight(accept, len);
		if (is_type(accept, len, "application/openmetrics-text") && q > open)
			open = q;
		else if (is_type(accept, len, "text/plain") && q > plain)
			plain = q;
		else if (is_type(accept, len, "text/*"))
			any_text = q;
		else if (is_type(accept, len, "*/*"))
			any = q;
	}
	/* What is said of the type itself counts. */
	if (plain < 0)
		plain = any_text >= 0 ? any_text : any;
	return open > 0 && open >= plain;
}

/* ---- Host ----------------------------------------------------------------- */

bool http_host_is_address(const char *host)
{
	struct in6_addr address;
	char name[HOST_LEN];
	size_t len;

	if (!host)
		return true;
	if (host[0] == '[') {
		len = strcspn(++host, "]");
		if (!host[len] || (host[len + 1] && host[len + 1] != ':') ||
		    len >= sizeof(name))
			return false;
		snprintf(name, sizeof(name), "%.*s", (int)len, host);
		return inet_pton(AF_INET6, name, &address) == 1;
	}
	len = strcspn(host, ":");
	if (len >= sizeof(name))
		return false;
	snprintf(name, sizeof(name), "%.*s", (int)len, host);
	return !strcasecmp(name, "localhost") ||
	       inet_pton(AF_INET, name, &address) == 1;
}

/* ---- health --------------------------------------------------------------- */

unsigned int http_health(const struct http_health *h, char *ret, size_t size)
{
	uint64_t age_ns = h->now_ns > h->published_ns ? h->now_ns - h->published_ns : 0;
	char age[FORMAT_LEN], interval[FORMAT_LEN];

	if (age_ns > MAX_INTERVALS * h->interval_ns) {
		snprintf(ret, size,
			 "no interval has ended for %s, though each takes %s: "
			 "itertrace hangs, or nobody reads its output\n",
			 format_ns(age, age_ns), format_ns(interval, h->interval_ns));
		return 503;
	}
	if (!h->is_tracing) {
		snprintf(ret, size,
			 "all tracers are off: the log and /snapshot say why\n");
		return 503;
	}
	snprintf(ret, size, "ok\n");
	return 200;
}
