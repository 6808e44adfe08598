// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/time.h"
#include "compare/fleet.h"

#define NAME_LEN sizeof(((struct digest_item *)NULL)->name)

#define FEATURE_NAME_LEN 64

/* No count that is served is larger. */
#define MAX_COUNT 1e15

struct site {
	char name[NAME_LEN];
	double values[NR_QUERIES]; /* seconds and counts; ABSENT: none */
};

struct host {
	struct recording_head *head;
	struct {
		char name[FEATURE_NAME_LEN];
		double nr_steps;
	} features[RECORDING_MAX_FEATURES]; /* as in head */
	struct site sites[SNAPSHOT_MAX_SITES];
	size_t nr_sites;
	double values[NR_QUERIES]; /* of those that are of no site */
};

struct fleet {
	json_t *places; /* of hosts, by their labels */
	struct host *hosts;
	size_t nr;
	double end_s;
	struct query_range range;
	uint64_t nr_strays;
};

struct fleet *fleet__new(double end_s, struct query_range range)
{
	struct fleet *f = calloc(1, sizeof(*f));

	if (!f)
		return NULL;
	f->end_s = end_s;
	f->range = range;
	f->places = json_object();
	if (f->places)
		return f;
	free(f);
	return NULL;
}

void fleet__free(struct fleet *f)
{
	if (!f)
		return;
	for (size_t i = 0; i < f->nr; i++)
		free(f->hosts[i].head);
	free(f->hosts);
	json_decref(f->places);
	free(f);
}

size_t fleet_size(const struct fleet *f)
{
	return f->nr;
}

uint64_t fleet_strays(const struct fleet *f)
{
	return f->nr_strays;
}

/* ---- hosts ---------------------------------------------------------------------- */

/* A host by all of its labels, from malloc; NULL: out of memory. */
static char *key_of(const json_t *labels)
{
	static const char *const of_series[] = {"__name__", "site", "construct",
						"state"};
	json_t *of_host = json_copy((json_t *)labels);
	char *key;

	for (size_t i = 0; of_host && i < sizeof(of_series) / sizeof(of_series[0]); i++)
		json_object_del(of_host, of_series[i]);
	key = of_host ? json_dumps(of_host, JSON_SORT_KEYS | JSON_COMPACT) : NULL;
	json_decref(of_host);
	return key;
}

/* NULL: it is none of those that were selected. */
static struct host *find_host(struct fleet *f, const char *key)
{
	const json_t *place = json_object_get(f->places, key);

	return place ? &f->hosts[json_integer_value(place)] : NULL;
}

static void copy_label(const json_t *labels, const char *name, char *ret, size_t size)
{
	snprintf(ret, size, "%s", answer_label(labels, name));
	text_make_printable(ret);
}

#define COPY_LABEL(labels, name, ret) copy_label(labels, name, ret, sizeof(ret))

/* What is not served is not known. */
static void fill_head(const struct fleet *f, const json_t *labels,
		      struct recording_head *h)
{
	struct identity *id = &h->identity;
	double start_s = f->end_s - (double)f->range.since_s;

	COPY_LABEL(labels, "instance", h->path);
	COPY_LABEL(labels, "instance", h->host);
	COPY_LABEL(labels, "itertrace", h->itertrace);
	COPY_LABEL(labels, "loops", h->loops);
	COPY_LABEL(labels, "release", id->release);
	COPY_LABEL(labels, "version", id->version);
	COPY_LABEL(labels, "build_id", id->build_id);
	COPY_LABEL(labels, "arch", id->arch);
	COPY_LABEL(labels, "cpu", id->cpu_model);
	COPY_LABEL(labels, "clock_source", id->clock_source);
	COPY_LABEL(labels, "virtualised", id->virtualised);
	snprintf(h->command, sizeof(h->command), "run");
	h->time_ns = start_s > 0 ? (uint64_t)(start_s * NSEC_PER_SEC) : 0;
	h->interval_ns = f->range.step_s * NSEC_PER_SEC;
	id->nr_cpus_online = id->nr_cpus_possible = -1;
	id->jit_enable = id->jit_harden = id->kptr_restrict = -1;
	id->unprivileged_bpf_disabled = id->has_btf = id->nr_config = -1;
	h->calibration.done = true;
	for (int i = 0; i < NR_PRICES; i++)
		h->calibration.prices[i].name = calibration_price_name(i);
}

static void forget(double values[NR_QUERIES])
{
	for (int i = 0; i < NR_QUERIES; i++)
		values[i] = ABSENT;
}

static int add_host(struct fleet *f, const char *key, const json_t *labels,
		    struct host **ret, struct reason *why)
{
	struct host *host;

	if (!answer_label(labels, "instance")[0])
		return reason_set(why, -EPROTO,
				  "the server gives a host without the label instance, "
				  "by which hosts are told apart");
	if (f->nr == FLEET_MAX_HOSTS)
		return reason_set(why, -E2BIG,
				  "more than %d hosts are selected for one side: "
				  "select fewer",
				  FLEET_MAX_HOSTS);
	host = reallocarray(f->hosts, f->nr + 1, sizeof(*host));
	if (!host)
		return -ENOMEM;
	f->hosts = host;
	host += f->nr;
	*host = (struct host){.head = calloc(1, sizeof(*host->head))};
	if (!host->head ||
	    json_object_set_new(f->places, key, json_integer((json_int_t)f->nr))) {
		free(host->head);
		return -ENOMEM;
	}
	f->nr++;
	fill_head(f, labels, host->head);
	forget(host->values);
	*ret = host;
	return 0;
}

/* ---- what is known of them ------------------------------------------------------ */

static int say_twice(const struct host *host, struct reason *why)
{
	return reason_set(why, -EPROTO,
			  "the server gives the same series of %.150s twice",
			  host->head->path);
}

static int say_too_many(const struct host *host, const char *what, int max,
			struct reason *why)
{
	return reason_set(why, -E2BIG,
			  "%.150s has more than %d %s: no itertrace that this one "
			  "knows of serves so many",
			  host->head->path, max, what);
}

static int set_value(struct host *host, double values[NR_QUERIES], enum query query,
		     double value, struct reason *why)
{
	if (!is_absent(values[query]))
		return say_twice(host, why);
	values[query] = isfinite(value) && value >= 0 ? value : ABSENT;
	return 0;
}

static int add_of_site(struct host *host, enum query query, const json_t *labels,
		       double value, struct reason *why)
{
	char name[NAME_LEN];
	size_t i;

	COPY_LABEL(labels, "site", name);
	if (!name[0])
		return reason_set(why, -EPROTO,
				  "the server gives a loop of %.150s without a name",
				  host->head->path);
	for (i = 0; i < host->nr_sites && strcmp(host->sites[i].name, name); i++)
		;
	if (i == SNAPSHOT_MAX_SITES)
		return say_too_many(host, "loop sites", SNAPSHOT_MAX_SITES, why);
	if (i == host->nr_sites) {
		memcpy(host->sites[i].name, name, sizeof(name));
		forget(host->sites[i].values);
		host->nr_sites++;
	}
	return set_value(host, host->sites[i].values, query, value, why);
}

/*
 * The state that a construct had for longest: where a server missed that a host went,
 * it takes its last samples for true for some minutes more. A state that this
 * itertrace does not know of is left out.
 */
static int add_state(struct host *host, const json_t *labels, double nr_steps,
		     struct reason *why)
{
	struct recording_head *h = host->head;
	char name[FEATURE_NAME_LEN];
	enum feature_state state;
	size_t i;

	COPY_LABEL(labels, "construct", name);
	if (feature_state_parse(answer_label(labels, "state"), &state) || !name[0])
		return 0;
	for (i = 0; i < h->nr_features && strcmp(host->features[i].name, name); i++)
		;
	if (i == RECORDING_MAX_FEATURES)
		return say_too_many(host, "constructs", RECORDING_MAX_FEATURES, why);
	if (i == h->nr_features) {
		memcpy(host->features[i].name, name, sizeof(name));
		h->nr_features++;
	} else if (!(nr_steps > host->features[i].nr_steps)) {
		return 0;
	}
	host->features[i].nr_steps = nr_steps;
	h->features[i] = (struct feature){.state = state, .nr_insns = -1};
	return 0;
}

static int add_price(struct host *host, const json_t *labels, double seconds,
		     struct reason *why)
{
	struct calibration *cal = &host->head->calibration;

	for (int i = 0; i < NR_PRICES; i++) {
		struct bench_result *price = &cal->prices[i];

		if (strcmp(price->name, answer_label(labels, "construct")))
			continue;
		if (price->measured)
			return say_twice(host, why);
		price->measured = isfinite(seconds) && seconds >= 0;
		price->median = seconds * NSEC_PER_SEC;
	}
	return 0;
}

static int add_value(struct host *host, enum query query, const json_t *labels,
		     double value, struct reason *why)
{
	switch (query) {
	case QUERY_STATES:
		return add_state(host, labels, value, why);
	case QUERY_PRICES:
		return add_price(host, labels, value, why);
	case QUERY_HOSTS:
	case QUERY_EVENTS:
	case QUERY_LOST:
		return set_value(host, host->values, query, value, why);
	default:
		return add_of_site(host, query, labels, value, why);
	}
}

static int add_sample(struct fleet *f, enum query query, const json_t *labels,
		      double value, struct reason *why)
{
	char *key = key_of(labels);
	struct host *host;
	int err = key ? 0 : -ENOMEM;

	host = key ? find_host(f, key) : NULL;
	if (!err && !host && query == QUERY_HOSTS)
		err = add_host(f, key, labels, &host, why);
	if (!err && !host)
		f->nr_strays++;
	else if (!err)
		err = add_value(host, query, labels, value, why);
	free(key);
	return err;
}

int fleet_add(struct fleet *f, enum query query, const struct answer *a,
	      struct reason *why)
{
	const json_t *labels;
	double value;
	int err = 0;

	for (size_t i = 0; i < answer_size(a) && !err; i++) {
		err = answer_sample(a, i, &labels, &value);
		if (err)
			reason_set(why, err,
				   "the server gives a sample that is none: is it a "
				   "Prometheus?");
		else
			err = add_sample(f, query, labels, value, why);
	}
	return err == -ENOMEM ? reason_set(why, err, "out of memory") : err;
}

/* ---- digests -------------------------------------------------------------------- */

static uint64_t count_of(double value)
{
	return is_absent(value) ? 0 : (uint64_t)llround(fmin(value, MAX_COUNT));
}

/*
 * A line, where one fitted in most intervals, so that those in which it did are no
 * choice of the host's.
 */
static void fill_figures(const struct site *site, struct site_figures *ret)
{
	const double *values = site->values;
	bool has_line = !is_absent(values[QUERY_SLOPES]) &&
			!(2 * values[QUERY_FITS] < values[QUERY_NR_MEANS]);

	*ret = site_figures_none;
	ret->name = site->name;
	ret->entries = count_of(values[QUERY_ENTRIES]);
	ret->trips = count_of(values[QUERY_TRIPS]);
	ret->timed = count_of(values[QUERY_NR_MEANS]);
	if (has_line)
		ret->fit = SITE_FIT_OK;
	ret->ns_per_trip = values[QUERY_SLOPES] * NSEC_PER_SEC;
	ret->ns_per_loop = values[QUERY_PER_LOOP] * NSEC_PER_SEC;
	ret->mean_ns = values[QUERY_MEANS] * NSEC_PER_SEC;
}

/* Of those that were asked of, in how many it was there: both ends may be. */
static uint64_t nr_steps(const struct fleet *f, const struct host *host)
{
	uint64_t nr = count_of(host->values[QUERY_HOSTS]);
	uint64_t most = f->range.since_s / f->range.step_s + 1;

	return nr < most ? nr : most;
}

static bool has_rate(const struct site *site)
{
	return !is_absent(site->values[QUERY_ENTRIES]) &&
	       !is_absent(site->values[QUERY_TRIPS]);
}

/*
 * As an interval: of the sites whose rates are known, with its length; or of the others,
 * which were watched for no time that is known of.
 */
static int add_interval(const struct fleet *f, const struct host *host, bool with_rates,
			struct digest *d)
{
	struct snapshot *s = calloc(1, sizeof(*s));
	int err;

	if (!s)
		return -ENOMEM;
	s->time_ns = (uint64_t)(f->end_s * NSEC_PER_SEC);
	if (with_rates)
		s->interval_ns = nr_steps(f, host) * f->range.step_s * NSEC_PER_SEC;
	for (size_t i = 0; i < host->nr_sites; i++)
		if (has_rate(&host->sites[i]) == with_rates)
			fill_figures(&host->sites[i], &s->sites[s->nr_sites++]);
	err = digest_add_snapshot(d, s);
	free(s);
	return err;
}

int fleet_digest(const struct fleet *f, size_t i, struct digest **ret)
{
	const struct host *host = &f->hosts[i];
	struct recording_end end = {.is_whole = true};
	struct digest *d;
	int err;

	for (size_t j = 0; j < host->head->nr_features; j++)
		host->head->features[j].name = host->features[j].name;
	end.nr_intervals = nr_steps(f, host);
	d = digest__new(host->head);
	if (!d)
		return -ENOMEM;
	d->nr_events = count_of(host->values[QUERY_EVENTS]);
	d->nr_lost = count_of(host->values[QUERY_LOST]);
	err = add_interval(f, host, true, d);
	if (!err)
		err = add_interval(f, host, false, d);
	if (!err)
		err = digest_finish(d, &end);
	if (err)
		digest__free(d);
	else
		*ret = d;
	return err;
}
