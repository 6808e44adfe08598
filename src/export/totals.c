// SPDX-License-Identifier: BSD-2-Clause
#include <string.h>

#include "base/time.h"
#include "export/totals.h"

#define OTHER_SITES "other"

/* The tracer's totals, made if there are none; NULL: no place. */
static struct tracer_totals *find_tracer(struct totals *sums, const char *name)
{
	struct tracer_totals *t;

	for (t = sums->tracers; t < sums->tracers + SNAPSHOT_MAX_TRACERS; t++) {
		if (!t->name)
			t->name = name;
		if (!strcmp(t->name, name))
			return t;
	}
	return NULL;
}

static void add_total(struct tracer_totals *t, const struct total *total)
{
	size_t i;

	for (i = 0; i < t->nr_totals && strcmp(t->totals[i].key, total->key); i++)
		;
	if (i == SECTION_MAX_TOTALS || total->visibility == TOTAL_HIDDEN)
		return;
	if (i == t->nr_totals) {
		t->totals[t->nr_totals++] = *total;
		return;
	}
	t->totals[i].value += total->value;
}

static void add_durations(struct durations *to, const struct durations *from)
{
	if (!from->key)
		return;
	to->key = from->key;
	to->title = from->title;
	durations_add(to, from);
}

static void add_tracers(struct totals *sums, const struct snapshot *s)
{
	struct tracer_totals *t;
	size_t i, j;

	for (i = 0; i < s->nr_tracers; i++) {
		t = find_tracer(sums, s->tracers[i].name);
		if (!t || !s->tracers[i].on)
			continue;
		t->was_on = true;
		t->events += s->tracers[i].events;
		for (j = 0; j < s->tracers[i].nr_lost; j++)
			lost_add(t->lost, &t->nr_lost, &s->tracers[i].lost[j]);
	}
	for (i = 0; i < s->nr_sections; i++) {
		t = find_tracer(sums, s->sections[i].tracer);
		if (!t)
			continue;
		for (j = 0; j < s->sections[i].nr_totals; j++)
			add_total(t, &s->sections[i].totals[j]);
		add_durations(&t->durations, &s->sections[i].durations);
	}
}

/* The site's own place, made if there is none and room for it. */
static struct site_totals *find_site(struct totals *sums, const char *name)
{
	size_t i;

	for (i = 0; i < sums->nr_sites; i++)
		if (!strcmp(sums->sites[i].name, name))
			return &sums->sites[i];
	if (sums->nr_sites < sums->max_sites) {
		sums->sites[sums->nr_sites].name = name;
		return &sums->sites[sums->nr_sites++];
	}
	sums->other.name = OTHER_SITES;
	sums->nr_overflow++;
	return &sums->other;
}

const struct site_totals *totals_site(const struct totals *t, const char *name)
{
	size_t i;

	for (i = 0; i < t->nr_sites; i++)
		if (!strcmp(t->sites[i].name, name))
			return &t->sites[i];
	return &t->other;
}

static void add_site(struct totals *sums, const struct site_figures *f)
{
	struct site_totals *t = find_site(sums, f->name);
	size_t i;

	t->entries += f->entries;
	t->trips += f->trips;
	t->timed += f->timed;
	if (f->max_trips > t->max_trips)
		t->max_trips = f->max_trips;
	for (i = 0; i < SITE_FIGURES_CLASSES; i++)
		t->classes[i < TRIP_BOUNDS ? i : TRIP_BOUNDS] += f->classes[i];
}

static void add_seconds(struct seconds *to, double percent, uint64_t interval_ns)
{
	to->known = !is_absent(percent);
	if (to->known)
		to->sum += percent / 100 * (double)interval_ns / NSEC_PER_SEC;
}

void totals_init(struct totals *t, size_t max_sites)
{
	*t = (struct totals){
		.max_sites =
			max_sites < SNAPSHOT_MAX_SITES ? max_sites : SNAPSHOT_MAX_SITES,
	};
}

void totals_add(struct totals *sums, const struct snapshot *s)
{
	size_t i;

	sums->nr_intervals++;
	add_tracers(sums, s);
	for (i = 0; i < s->nr_sites; i++)
		add_site(sums, &s->sites[i]);
	add_seconds(&sums->cpu, s->self.cpu_percent, s->interval_ns);
	add_seconds(&sums->bpf_cpu, s->self.bpf_cpu_percent, s->interval_ns);
	add_seconds(&sums->host_bpf_cpu, s->self.host_bpf_cpu_percent, s->interval_ns);
}
