// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fetch.h"
#include "base/file.h"
#include "base/format.h"
#include "base/parse.h"
#include "base/text.h"
#include "cmd/prometheus.h"
#include "compare/fleet.h"

#define DEFAULT_SINCE_NS   (3600 * NSEC_PER_SEC)
#define MIN_SINCE_NS       (60 * NSEC_PER_SEC)
#define MAX_SINCE_NS       (366 * 86400 * NSEC_PER_SEC)
#define DEFAULT_TIMEOUT_NS (30 * NSEC_PER_SEC)
#define MIN_TIMEOUT_NS     (100 * NSEC_PER_MSEC)
#define MAX_TIMEOUT_NS     (3600 * NSEC_PER_SEC)

#define MAX_TOKEN 16384

/* Of a list of kernels: bytes of an entry, and of how many more there are. */
#define ENTRY_LEN 120
#define MORE_LEN  40

/* Seconds since 1970 that no server's clock shows. */
#define MAX_TIME_S 1e10

/* ---- options -------------------------------------------------------------------- */

int prometheus_take_option(struct prometheus_options *o, int key, char *value,
			   struct reason *why)
{
	switch (key) {
	case KEY_PROMETHEUS:
		o->server = value;
		return 0;
	case KEY_BASE:
		o->base = value;
		return query_check_selector("--base", value, why);
	case KEY_NEW:
		o->fresh = value;
		return query_check_selector("--new", value, why);
	case KEY_SINCE:
		return parse_duration_ns("--since", value, MIN_SINCE_NS, MAX_SINCE_NS,
					 &o->since_ns, why);
	case KEY_TIMEOUT:
		return parse_duration_ns("--timeout", value, MIN_TIMEOUT_NS,
					 MAX_TIMEOUT_NS, &o->timeout_ns, why);
	case KEY_TOKEN:
		o->token_file = value;
		return 0;
	}
	return -ENOENT;
}

int prometheus_check(const struct prometheus_options *o, struct reason *why)
{
	if (o->server && (!o->base || !o->fresh))
		return reason_set(why, -EINVAL,
				  "--prometheus needs both --base and --new, which "
				  "select the hosts");
	if (!o->server &&
	    (o->base || o->fresh || o->token_file || o->since_ns || o->timeout_ns))
		return reason_set(why, -EINVAL,
				  "--base, --new, --since, --timeout and --token-file "
				  "are of hosts that a server knows of: "
				  "--prometheus names it");
	return 0;
}

/* ---- asking --------------------------------------------------------------------- */

struct asking {
	struct prometheus_sides *sides;
	struct fetch *fetch;
	char time[40]; /* the same for all queries; "": not known yet */
	double time_s;
	struct query_range range;
	unsigned int nr_asked;
};

static void show_progress(struct asking *a)
{
	a->nr_asked++;
	if (isatty(STDERR_FILENO))
		fprintf(stderr, "\rquery %u of %u", a->nr_asked, 2 * NR_QUERIES + 1);
}

/* Of more than there is room for the last says so. */
static void add_warning(struct prometheus_sides *s, const char *who, const char *text)
{
	char warning[sizeof(s->warnings[0])];

	snprintf(warning, sizeof(warning), "%s%s", who, text);
	text_make_printable(warning);
	for (size_t i = 0; i < s->nr_warnings; i++)
		if (!strcmp(s->warnings[i], warning))
			return;
	if (s->nr_warnings < PROMETHEUS_MAX_WARNINGS)
		snprintf(s->warnings[s->nr_warnings++], sizeof(warning), "%s", warning);
	else
		snprintf(s->warnings[PROMETHEUS_MAX_WARNINGS - 1], sizeof(warning),
			 "there are more warnings than are shown");
}

/* query is freed; NULL: out of memory. */
static int ask(struct asking *a, char *query, struct answer *ret, struct reason *why)
{
	const struct fetch_parameter parameters[] = {
		{"query", query}, {a->time[0] ? "time" : NULL, a->time}, {NULL, NULL}};
	struct fetched fetched = {0};
	const char *warning;
	int err;

	if (!query)
		return reason_set(why, -ENOMEM, "out of memory");
	show_progress(a);
	err = fetch_get(a->fetch, "api/v1/query", parameters, &fetched, why);
	free(query);
	if (!err)
		err = answer_read(fetch_server(a->fetch), fetched.status, fetched.text,
				  fetched.len, ret, why);
	free(fetched.text);
	for (size_t i = 0; !err && (warning = answer_warning(ret, i)); i++)
		add_warning(a->sides, "the server warns: ", warning);
	return err;
}

/* All queries are of one time, by the server's clock. */
static int ask_time(struct asking *a, struct reason *why)
{
	struct answer answer;
	double time_s;
	int err;

	err = ask(a, strdup("time()"), &answer, why);
	if (err)
		return err;
	err = answer.scalar ? answer_scalar(&answer, &time_s) : -EPROTO;
	answer_release(&answer);
	if (err || !(time_s > 0 && time_s < MAX_TIME_S))
		return reason_set(why, -EPROTO,
				  "%.200s does not tell its time: is it a Prometheus?",
				  fetch_server(a->fetch));
	a->time_s = time_s;
	snprintf(a->time, sizeof(a->time), "%.3f", time_s);
	return 0;
}

/* "; it knows of 7.2.1 (build id 0123…, hosts: 6), …": what could be selected. */
static void list_kernels(struct asking *a, char *to, size_t size)
{
	struct answer answer;
	const json_t *labels;
	size_t at = 0, i;
	double nr;

	to[0] = '\0';
	if (ask(a, query_kernels(a->range), &answer, NULL))
		return;
	if (!answer_size(&answer))
		snprintf(to, size,
			 "nor of any other: does it scrape hosts that run "
			 "'itertrace run --listen'?");
	for (i = 0; i < answer_size(&answer) && at + ENTRY_LEN + MORE_LEN < size; i++)
		if (!answer_sample(&answer, i, &labels, &nr))
			at += (size_t)snprintf(to + at, ENTRY_LEN,
					       "%s%.40s (build id %.12s, hosts: %.0f)",
					       i ? ", " : "it knows of ",
					       answer_label(labels, "release"),
					       answer_label(labels, "build_id"), nr);
	if (i < answer_size(&answer))
		snprintf(to + at, MORE_LEN, ", and %zu more", answer_size(&answer) - i);
	text_make_printable(to);
	answer_release(&answer);
}

static int say_no_hosts(struct asking *a, const char *option, const char *selector,
			struct reason *why)
{
	char since[FORMAT_LEN], kernels[400];

	list_kernels(a, kernels, sizeof(kernels));
	return reason_set(
		why, -ENODATA,
		"%.60s has no host that %s %.120s selects, within the last %s%s%s",
		fetch_server(a->fetch), option, selector,
		format_ns(since, a->range.since_s * NSEC_PER_SEC),
		kernels[0] ? "; " : "", kernels);
}

static int ask_all(struct asking *a, const char *option, const char *selector,
		   struct fleet *fleet, struct reason *why)
{
	struct answer answer;
	int err = 0;

	for (int query = 0; query < NR_QUERIES && !err; query++) {
		err = ask(a, query_text(query, selector, a->range), &answer, why);
		if (err)
			break;
		err = fleet_add(fleet, query, &answer, why);
		answer_release(&answer);
		if (!err && !fleet_size(fleet))
			err = say_no_hosts(a, option, selector, why);
	}
	return err;
}

static int take_digests(struct asking *a, const struct fleet *fleet, size_t *ret_nr)
{
	struct prometheus_sides *s = a->sides;
	size_t nr = s->nr_base + s->nr_new;
	struct digest **all;

	all = reallocarray(s->digests, nr + fleet_size(fleet), sizeof(*all));
	if (!all)
		return -ENOMEM;
	s->digests = all;
	for (size_t i = 0; i < fleet_size(fleet); i++) {
		if (fleet_digest(fleet, i, &all[nr + i]))
			return -ENOMEM;
		++*ret_nr;
	}
	return 0;
}

static int ask_side(struct asking *a, const char *option, const char *selector,
		    size_t *ret_nr, struct reason *why)
{
	struct fleet *fleet = fleet__new(a->time_s, a->range);
	char text[80];
	int err;

	if (!fleet)
		return reason_set(why, -ENOMEM, "out of memory");
	err = ask_all(a, option, selector, fleet, why);
	if (!err && take_digests(a, fleet, ret_nr))
		err = reason_set(why, -ENOMEM, "out of memory");
	if (!err && fleet_strays(fleet)) {
		snprintf(text, sizeof(text),
			 "%llu series are of no host that %s selects",
			 (unsigned long long)fleet_strays(fleet), option);
		add_warning(a->sides, "", text);
	}
	fleet__free(fleet);
	return err;
}

/* ---- the token ------------------------------------------------------------------ */

/* *ret is NULL if there is none. */
static int read_token(const char *path, char **ret, struct reason *why)
{
	size_t len, i;
	int err;

	*ret = NULL;
	if (!path)
		return 0;
	err = file_read(AT_FDCWD, path, MAX_TOKEN, ret, &len);
	if (err)
		return reason_set(why, err, "--token-file: cannot read %.200s: %s",
				  path, strerror(-err));
	while (len && ((*ret)[len - 1] == '\n' || (*ret)[len - 1] == '\r'))
		(*ret)[--len] = '\0';
	for (i = 0; i < len && (*ret)[i] > ' ' && (*ret)[i] < 0x7F; i++)
		;
	if (len && i == len)
		return 0;
	free(*ret);
	*ret = NULL;
	return reason_set(why, -EINVAL,
			  "--token-file: %.200s does not hold a token: one line of "
			  "letters, digits and signs",
			  path);
}

int prometheus_ask(const struct prometheus_options *o, struct prometheus_sides *ret,
		   struct reason *why)
{
	struct asking a = {.sides = ret};
	struct fetch_options options = {
		.server = o->server,
		.timeout_ns = o->timeout_ns ? o->timeout_ns : DEFAULT_TIMEOUT_NS,
		.max_bytes = ANSWER_MAX_BYTES,
	};
	char *token;
	int err;

	*ret = (struct prometheus_sides){0};
	a.range = query_range_of((o->since_ns ? o->since_ns : DEFAULT_SINCE_NS) /
				 NSEC_PER_SEC);
	err = read_token(o->token_file, &token, why);
	options.token = token;
	if (!err)
		err = fetch__new(&options, &a.fetch, why);
	if (!err)
		err = ask_time(&a, why);
	if (!err)
		err = ask_side(&a, "--base", o->base, &ret->nr_base, why);
	if (!err)
		err = ask_side(&a, "--new", o->fresh, &ret->nr_new, why);
	if (a.nr_asked && isatty(STDERR_FILENO))
		fputc('\n', stderr);
	fetch__free(a.fetch);
	free(token);
	return err;
}

void prometheus_release(struct prometheus_sides *s)
{
	for (size_t i = 0; i < s->nr_base + s->nr_new; i++)
		digest__free(s->digests[i]);
	free(s->digests);
	*s = (struct prometheus_sides){0};
}
