// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "base/time.h"
#include "bpf/wire.h"
#include "stat/line.h"
#include "trace/sites.h"

/* Timed entries wanted of each CPU a collection: half of what its ring holds. */
#define WANTED_PER_COLLECTION (SITE_RING / 2)

#define INTERVAL_SAMPLE  2048
#define TOO_NOISY_FACTOR 3
#define ENOUGH_TIMED     16
#define RUN_SAMPLE       4096

struct sample {
	struct line_pair *pairs;
	size_t nr, max;
	uint64_t seen;
	double sum_ns;
};

struct counters {
	uint64_t entries, trips;
	uint64_t classes[SITE_FIGURES_CLASSES];
};

_Static_assert(SITE_FIGURES_CLASSES <= SITE_NR_CLASSES,
	       "classes that programs fill in");

struct site {
	struct counters now, before; /* before: at the start of the interval */
	uint64_t max_trips;
	uint64_t *entries_of_cpu; /* at the last collection */
	uint64_t *timed_of_cpu;
	struct sample interval, run;
};

struct sites {
	int map_fd;
	size_t nr;
	size_t nr_cpus;
	const char *const *names;
	uint32_t *thresholds;
	struct site_stat *percpu; /* one site's values */
	struct line_pair *scratch;
	uint64_t random;
	struct site *sites;
};

static int sample_init(struct sample *s, size_t max)
{
	s->pairs = calloc(max, sizeof(*s->pairs));
	s->max = max;
	return s->pairs ? 0 : -ENOMEM;
}

static void sample_clear(struct sample *s)
{
	s->nr = 0;
	s->seen = 0;
	s->sum_ns = 0;
}

static void sample_add(struct sample *s, struct line_pair pair, uint64_t random)
{
	uint64_t place;

	s->seen++;
	s->sum_ns += (double)pair.ns;
	if (s->nr < s->max) {
		s->pairs[s->nr++] = pair;
		return;
	}
	place = random % s->seen;
	if (place < s->max)
		s->pairs[place] = pair;
}

/* xorshift64* (Vigna 2016): fast, and good enough to pick a sample. */
static uint64_t next_random(struct sites *s)
{
	s->random ^= s->random >> 12;
	s->random ^= s->random << 25;
	s->random ^= s->random >> 27;
	return s->random * 2685821657736338717ULL;
}

static int site_init(struct site *site, size_t nr_cpus)
{
	site->entries_of_cpu = calloc(nr_cpus, sizeof(*site->entries_of_cpu));
	site->timed_of_cpu = calloc(nr_cpus, sizeof(*site->timed_of_cpu));
	if (!site->entries_of_cpu || !site->timed_of_cpu ||
	    sample_init(&site->interval, INTERVAL_SAMPLE) ||
	    sample_init(&site->run, RUN_SAMPLE))
		return -ENOMEM;
	return 0;
}

int sites__new(int map_fd, const char *const *names, size_t nr, uint32_t *thresholds,
	       struct sites **ret, struct reason *why)
{
	int nr_cpus = libbpf_num_possible_cpus();
	struct sites *s;
	size_t i;

	if (nr_cpus < 0)
		return reason_set(why, nr_cpus, "cannot tell the number of CPUs: %s",
				  strerror(-nr_cpus));
	s = calloc(1, sizeof(*s));
	if (!s)
		goto no_memory;
	s->map_fd = map_fd;
	s->names = names;
	s->nr = nr;
	s->nr_cpus = (size_t)nr_cpus;
	s->thresholds = thresholds;
	s->random = time_ns(CLOCK_MONOTONIC) | 1;
	s->percpu = calloc(s->nr_cpus, sizeof(*s->percpu));
	s->scratch = calloc(RUN_SAMPLE, sizeof(*s->scratch));
	s->sites = calloc(nr, sizeof(*s->sites));
	if (!s->percpu || !s->scratch || !s->sites)
		goto no_memory;
	for (i = 0; i < nr; i++) {
		if (site_init(&s->sites[i], s->nr_cpus))
			goto no_memory;
		/* All of them, until the first collection tells how busy the site is.
		 */
		thresholds[i] = SITE_THRESHOLD(0);
	}
	*ret = s;
	return 0;

no_memory:
	sites__free(s);
	return reason_set(why, -ENOMEM, "out of memory for %zu loop sites", nr);
}

void sites__free(struct sites *s)
{
	size_t i;

	if (!s)
		return;
	for (i = 0; s->sites && i < s->nr; i++) {
		free(s->sites[i].entries_of_cpu);
		free(s->sites[i].timed_of_cpu);
		free(s->sites[i].interval.pairs);
		free(s->sites[i].run.pairs);
	}
	free(s->sites);
	free(s->scratch);
	free(s->percpu);
	free(s);
}

/* The timed entries of one CPU that came since *timed; the oldest may be overwritten.
 */
static void take_timed(struct sites *s, struct site *site, const struct site_stat *stat,
		       uint64_t *timed)
{
	uint64_t at = *timed;

	if (stat->timed - at > SITE_RING)
		at = stat->timed - SITE_RING;
	for (; at < stat->timed; at++) {
		uint64_t entry = stat->ring[at % SITE_RING];
		struct line_pair pair = {
			.trips = entry & SITE_TRIPS_MASK,
			.ns = entry >> SITE_TRIPS_BITS,
		};

		sample_add(&site->interval, pair, next_random(s));
		sample_add(&site->run, pair, next_random(s));
	}
	*timed = stat->timed;
}

/* The smallest k with rate / 2^k at most what is wanted. */
static uint32_t threshold_for(uint64_t entries)
{
	unsigned int k = 0;

	while (k < SITE_SHIFT_MAX && entries >> k > WANTED_PER_COLLECTION)
		k++;
	return SITE_THRESHOLD(k);
}

static int collect_site(struct sites *s, uint32_t id, uint64_t elapsed_ns)
{
	struct site *site = &s->sites[id];
	uint64_t entries, busiest = 0;
	size_t cpu, c;
	int err;

	err = bpf_map_lookup_elem(s->map_fd, &id, s->percpu);
	if (err)
		return err;
	site->now = (struct counters){0};
	for (cpu = 0; cpu < s->nr_cpus; cpu++) {
		const struct site_stat *stat = &s->percpu[cpu];

		site->now.entries += stat->entries;
		site->now.trips += stat->trips;
		for (c = 0; c < SITE_FIGURES_CLASSES; c++)
			site->now.classes[c] += stat->classes[c];
		if (stat->max_trips > site->max_trips)
			site->max_trips = stat->max_trips;
		entries = stat->entries - site->entries_of_cpu[cpu];
		site->entries_of_cpu[cpu] = stat->entries;
		if (entries > busiest)
			busiest = entries;
		take_timed(s, site, stat, &site->timed_of_cpu[cpu]);
	}
	/* Collections are a second apart; the first, and the last, come earlier. */
	if (elapsed_ns && elapsed_ns < NSEC_PER_SEC)
		busiest = busiest * NSEC_PER_SEC / elapsed_ns;
	s->thresholds[id] = threshold_for(busiest);
	return 0;
}

int sites_collect(struct sites *s, uint64_t elapsed_ns, struct reason *why)
{
	uint32_t id;
	int err;

	for (id = 0; id < s->nr; id++) {
		err = collect_site(s, id, elapsed_ns);
		if (err)
			return reason_set(why, err, "cannot read loop site %s: %s",
					  s->names[id], strerror(-err));
	}
	return 0;
}

static void fit_site(struct sites *s, const struct sample *sample,
		     struct site_figures *f)
{
	struct line line;

	f->timed = sample->seen;
	f->mean_ns = sample->seen ? sample->sum_ns / (double)sample->seen : ABSENT;
	memcpy(s->scratch, sample->pairs, sample->nr * sizeof(*sample->pairs));
	if (line_fit(s->scratch, sample->nr, &line))
		return; /* out of memory: no figures */
	/* With that many entries it is their trips that are too much alike. */
	if (line.status != LINE_OK && sample->nr >= ENOUGH_TIMED)
		f->fit = SITE_FIT_TRIPS_CONSTANT;
	if (line.status != LINE_OK)
		return;
	/* A cost that may as well be three times as high says nothing. */
	if (line.b <= 0 || line.b_hi > TOO_NOISY_FACTOR * line.b) {
		f->fit = SITE_FIT_TOO_NOISY;
		return;
	}
	f->ns_per_trip = line.b;
	f->ns_per_trip_lo = line.b_lo > 0 ? line.b_lo : 0; /* no trip costs less */
	f->ns_per_trip_hi = line.b_hi;
	/* No loop costs less than nothing: later trips cost more than early ones. */
	if (line.a_hi < 0) {
		f->fit = SITE_FIT_NOT_LINEAR;
		return;
	}
	f->fit = SITE_FIT_OK;
	if (line.a < 0)
		return; /* not told from 0 */
	f->ns_per_loop = line.a;
	f->ns_per_loop_lo = line.a_lo > 0 ? line.a_lo : 0;
	f->ns_per_loop_hi = line.a_hi;
}

void sites_figures(struct sites *s, bool summary, struct site_figures *ret)
{
	size_t i, c;

	for (i = 0; i < s->nr; i++) {
		struct site *site = &s->sites[i];
		struct site_figures *f = &ret[i];

		*f = site_figures_none;
		f->name = s->names[i];
		f->entries = site->now.entries;
		f->trips = site->now.trips;
		f->max_trips = site->max_trips;
		memcpy(f->classes, site->now.classes, sizeof(f->classes));
		fit_site(s, summary ? &site->run : &site->interval, f);
		if (summary)
			continue;
		f->entries -= site->before.entries;
		f->trips -= site->before.trips;
		for (c = 0; c < SITE_FIGURES_CLASSES; c++)
			f->classes[c] -= site->before.classes[c];
		site->before = site->now;
		sample_clear(&site->interval);
	}
}
