// SPDX-License-Identifier: BSD-2-Clause
#include <curl/curl.h>
#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/fetch.h"
#include "base/format.h"
#include "base/text.h"
#include "base/time.h"

#define CONNECT_MS  5000
#define EARLY_MS    20
#define MAX_ADDRESS 2048

/* What is used of libcurl. */
struct calls {
	CURLcode (*global_init)(long flags);
	CURL *(*easy_init)(void);
	void (*easy_cleanup)(CURL *);
	__typeof__(curl_easy_setopt) *easy_setopt;
	__typeof__(curl_easy_getinfo) *easy_getinfo;
	CURLcode (*easy_perform)(CURL *);
	char *(*easy_escape)(CURL *, const char *text, int length);
	void (*free)(void *);
	const char *(*easy_strerror)(CURLcode);
};

struct fetch {
	struct calls curl;
	void *library;
	CURL *handle;
	char server[MAX_ADDRESS]; /* with user and password, without "/" at its end */
	char shown[MAX_ADDRESS];
	uint64_t timeout_ns, deadline_ns;
	size_t max_bytes;
	char error[CURL_ERROR_SIZE];
};

/* ---- libcurl -------------------------------------------------------------------- */

/* Both of Debian's have the same functions; elsewhere there is the first. */
static const char *const libraries[] = {"libcurl.so.4", "libcurl-gnutls.so.4"};
#define NR_LIBRARIES (sizeof(libraries) / sizeof(libraries[0]))

static int find_calls(struct fetch *f)
{
	const struct {
		const char *name;
		void *to;
	} calls[] = {
		{"curl_global_init", &f->curl.global_init},
		{"curl_easy_init", &f->curl.easy_init},
		{"curl_easy_cleanup", &f->curl.easy_cleanup},
		{"curl_easy_setopt", &f->curl.easy_setopt},
		{"curl_easy_getinfo", &f->curl.easy_getinfo},
		{"curl_easy_perform", &f->curl.easy_perform},
		{"curl_easy_escape", &f->curl.easy_escape},
		{"curl_free", &f->curl.free},
		{"curl_easy_strerror", &f->curl.easy_strerror},
	};

	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
		void *found = dlsym(f->library, calls[i].name);

		if (!found)
			return -ELIBACC;
		memcpy(calls[i].to, &found, sizeof(found));
	}
	return 0;
}

static int load(struct fetch *f, struct reason *why)
{
	for (size_t i = 0; i < NR_LIBRARIES && !f->library; i++)
		f->library = dlopen(libraries[i], RTLD_NOW | RTLD_LOCAL);
	if (!f->library || find_calls(f))
		return reason_set(why, -ELIBACC,
				  "%s cannot be asked without libcurl, which is not "
				  "here or cannot be used (%s): install it (on Debian "
				  "libcurl4)",
				  f->shown, dlerror());
	f->curl.global_init(CURL_GLOBAL_DEFAULT);
	f->handle = f->curl.easy_init();
	return f->handle ? 0 : reason_set(why, -ENOMEM, "out of memory");
}

/* ---- the server ----------------------------------------------------------------- */

/* Where the name begins, behind http:// or https://; NULL: it is neither. */
static const char *after_scheme(const char *address)
{
	static const char *const schemes[] = {"http://", "https://"};

	for (size_t i = 0; i < 2; i++)
		if (!strncasecmp(address, schemes[i], strlen(schemes[i])))
			return address + strlen(schemes[i]);
	return NULL;
}

/* Without what stands between "//" and the last "@": a password may hold anything. */
static void hide_user(const char *address, char ret[MAX_ADDRESS])
{
	const char *name = strstr(address, "//"), *at;

	name = name ? name + 2 : address;
	at = strrchr(name, '@');
	snprintf(ret, MAX_ADDRESS, "%.*s%s", (int)(name - address), address,
		 at ? at + 1 : name);
	text_make_printable(ret);
}

static int set_server(struct fetch *f, const char *server, struct reason *why)
{
	size_t len = strlen(server);
	const char *name;

	snprintf(f->server, sizeof(f->server), "%s", server);
	for (size_t i = strlen(f->server); i && f->server[i - 1] == '/'; i--)
		f->server[i - 1] = '\0';
	hide_user(f->server, f->shown);
	name = after_scheme(f->server);
	if (len >= sizeof(f->server) || !name || !name[0] ||
	    strpbrk(f->server, "?# \t\n"))
		return reason_set(why, -EINVAL,
				  "'%.200s' is no address of a server: it is to be "
				  "such as http://name:9090, of http or https",
				  f->shown);
	return 0;
}

static void set_options(struct fetch *f, const struct fetch_options *options)
{
	f->curl.easy_setopt(f->handle, CURLOPT_NOSIGNAL, 1L);
	f->curl.easy_setopt(f->handle, CURLOPT_FOLLOWLOCATION, 0L);
	f->curl.easy_setopt(f->handle, CURLOPT_CONNECTTIMEOUT_MS, (long)CONNECT_MS);
	f->curl.easy_setopt(f->handle, CURLOPT_ERRORBUFFER, f->error);
	f->curl.easy_setopt(f->handle, CURLOPT_USERAGENT,
			    "itertrace/" ITERTRACE_VERSION);
	f->curl.easy_setopt(f->handle, CURLOPT_ACCEPT_ENCODING, "gzip");
	if (!options->token)
		return;
	f->curl.easy_setopt(f->handle, CURLOPT_HTTPAUTH, (long)CURLAUTH_BEARER);
	f->curl.easy_setopt(f->handle, CURLOPT_XOAUTH2_BEARER, options->token);
}

int fetch__new(const struct fetch_options *options, struct fetch **ret,
	       struct reason *why)
{
	struct fetch *f = calloc(1, sizeof(*f));
	int err;

	if (!f)
		return reason_set(why, -ENOMEM, "out of memory");
	f->timeout_ns = options->timeout_ns;
	f->deadline_ns = time_ns(CLOCK_MONOTONIC) + f->timeout_ns;
	f->max_bytes = options->max_bytes;
	err = set_server(f, options->server, why);
	if (!err)
		err = load(f, why);
	if (err) {
		fetch__free(f);
		return err;
	}
	set_options(f, options);
	*ret = f;
	return 0;
}

/* libcurl stays loaded: its libraries do not all stand being unloaded. */
void fetch__free(struct fetch *f)
{
	if (f && f->handle)
		f->curl.easy_cleanup(f->handle);
	free(f);
}

const char *fetch_server(const struct fetch *f)
{
	return f->shown;
}

/* ---- an answer ------------------------------------------------------------------ */

struct body {
	FILE *out;
	size_t len, max;
};

static size_t take(char *bytes, size_t size, size_t nr, void *context)
{
	struct body *body = context;

	body->len += size * nr;
	if (body->len > body->max)
		return 0;
	return fwrite(bytes, size, nr, body->out);
}

/* server/path?name=value&…, from malloc; NULL: out of memory. */
static char *address_of(struct fetch *f, const char *path,
			const struct fetch_parameter *parameters)
{
	char *address = NULL, *value;
	size_t len;
	FILE *out = open_memstream(&address, &len);

	if (!out)
		return NULL;
	fprintf(out, "%s/%s", f->server, path);
	for (size_t i = 0; parameters[i].name; i++) {
		value = f->curl.easy_escape(f->handle, parameters[i].value, 0);
		fprintf(out, "%c%s=%s", i ? '&' : '?', parameters[i].name,
			value ? value : "");
		f->curl.free(value);
	}
	if (!fclose(out))
		return address;
	free(address);
	return NULL;
}

/*
 * Of the two limits, connecting's or the whole's: libcurl does not tell. By its own
 * clock, which counts in milliseconds and may be a little early by ours.
 */
static bool out_of_time(const struct fetch *f, CURLcode code, long left_ms)
{
	double took_s = 0;

	f->curl.easy_getinfo(f->handle, CURLINFO_TOTAL_TIME, &took_s);
	return code == CURLE_OPERATION_TIMEDOUT &&
	       (left_ms <= CONNECT_MS || 1000 * took_s >= (double)left_ms - EARLY_MS);
}

static int explain(const struct fetch *f, CURLcode code, const struct body *body,
		   long left_ms, struct reason *why)
{
	char size[FORMAT_LEN], time[FORMAT_LEN];

	if (body->len > body->max)
		return reason_set(why, -EFBIG, "%.200s gives an answer of more than %s",
				  f->shown, format_bytes(size, body->max));
	if (out_of_time(f, code, left_ms))
		return reason_set(why, -ETIMEDOUT, "%.200s has not answered within %s",
				  f->shown, format_ns(time, f->timeout_ns));
	return reason_set(why, code == CURLE_OPERATION_TIMEDOUT ? -ETIMEDOUT : -EIO,
			  "%.200s cannot be asked: %.200s", f->shown,
			  f->error[0] ? f->error : f->curl.easy_strerror(code));
}

static int perform(struct fetch *f, const char *address, struct body *body,
		   struct reason *why)
{
	uint64_t now = time_ns(CLOCK_MONOTONIC);
	/* 0 would be no limit. */
	long left_ms = f->deadline_ns > now
			       ? (long)((f->deadline_ns - now) / NSEC_PER_MSEC) + 1
			       : 1;
	CURLcode code;

	f->error[0] = '\0';
	f->curl.easy_setopt(f->handle, CURLOPT_URL, address);
	f->curl.easy_setopt(f->handle, CURLOPT_TIMEOUT_MS, left_ms);
	f->curl.easy_setopt(f->handle, CURLOPT_WRITEFUNCTION, take);
	f->curl.easy_setopt(f->handle, CURLOPT_WRITEDATA, body);
	code = f->curl.easy_perform(f->handle);
	return code == CURLE_OK ? 0 : explain(f, code, body, left_ms, why);
}

static int refuse_redirect(struct fetch *f, struct reason *why)
{
	char shown[MAX_ADDRESS], *to = NULL;
	long status = 0;

	f->curl.easy_getinfo(f->handle, CURLINFO_RESPONSE_CODE, &status);
	if (status < 300 || status >= 400)
		return 0;
	f->curl.easy_getinfo(f->handle, CURLINFO_REDIRECT_URL, &to);
	hide_user(to ? to : "nowhere", shown);
	shown[strcspn(shown, "?")] = '\0';
	return reason_set(why, -EREMCHG,
			  "%.200s redirects to %.200s (HTTP status %ld), which is not "
			  "followed: give the address of the server itself",
			  f->shown, shown, status);
}

int fetch_get(struct fetch *f, const char *path,
	      const struct fetch_parameter *parameters, struct fetched *ret,
	      struct reason *why)
{
	char *address = address_of(f, path, parameters), *text = NULL;
	struct body body = {.max = f->max_bytes};
	size_t len = 0;
	int err = -ENOMEM;

	body.out = address ? open_memstream(&text, &len) : NULL;
	if (body.out) {
		err = perform(f, address, &body, why);
		if (fclose(body.out) && !err)
			err = -ENOMEM;
	}
	free(address);
	if (err == -ENOMEM)
		reason_set(why, err, "%.200s cannot be asked: out of memory", f->shown);
	if (!err)
		err = refuse_redirect(f, why);
	if (err) {
		free(text);
		return err;
	}
	*ret = (struct fetched){.text = text, .len = len};
	f->curl.easy_getinfo(f->handle, CURLINFO_RESPONSE_CODE, &ret->status);
	return 0;
}
