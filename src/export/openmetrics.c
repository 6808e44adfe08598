// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/time.h"
#include "export/exposition.h"
#include "export/openmetrics.h"
#include "export/totals.h"

#define NAME_LEN 96
#define HELP_LEN 192

/* What a site takes at most: a histogram, two counts, its gauges, its fit's states. */
#define SERIES_PER_SITE (TRIP_BOUNDS + 3 + 2 + NR_SITE_GAUGES + NR_SITE_FITS)
/* And all else, but a series for each construct. */
#define SERIES_BESIDE                                                                \
	(20 +                                                                        \
	 SNAPSHOT_MAX_TRACERS *                                                      \
		 (2 + TRACER_MAX_LOST + SECTION_MAX_TOTALS + DURATION_CLASSES + 2) + \
	 3 * NR_PRICES)

struct metrics {
	struct identity identity;
	struct feature *features;
	size_t nr_features;
	uint64_t started_ns;
	size_t max_series;
	struct totals totals;
};

static const struct {
	struct family family;
	size_t offset; /* of ns in struct site_figures */
} site_gauges[] = {
#define SITE_GAUGE(name, help, member)                                              \
	{                                                                           \
		{"itertrace_loop_" name "_seconds", FAMILY_GAUGE, "seconds", help}, \
			offsetof(struct site_figures, member)                       \
	}
	SITE_GAUGE("trip",
		   "Cost of a trip, fitted to the timed entries of the last interval.",
		   ns_per_trip),
	SITE_GAUGE("trip_lo", "Lower end of the 95% interval of the cost of a trip.",
		   ns_per_trip_lo),
	SITE_GAUGE("trip_hi", "Upper end of the 95% interval of the cost of a trip.",
		   ns_per_trip_hi),
	SITE_GAUGE("entry", "Cost of a loop beside its trips, fitted likewise.",
		   ns_per_loop),
	SITE_GAUGE("entry_lo", "Lower end of the 95% interval of the cost of a loop.",
		   ns_per_loop_lo),
	SITE_GAUGE("entry_hi", "Upper end of the 95% interval of the cost of a loop.",
		   ns_per_loop_hi),
	SITE_GAUGE("mean", "Mean duration of a timed entry, its trips included.",
		   mean_ns),
	SITE_GAUGE("iterator",
		   "The loop construct's own part of a trip, as calibrated.",
		   iterator_ns),
	SITE_GAUGE("inlined_saves",
		   "What a trip would cost less if this kernel inlined the iterator.",
		   inlined_saves_ns),
#undef SITE_GAUGE
};
#define NR_SITE_GAUGES (sizeof(site_gauges) / sizeof(site_gauges[0]))

int metrics__new(const struct identity *identity, const struct feature *features,
		 size_t nr_features, uint64_t started_ns, size_t max_series,
		 struct metrics **ret)
{
	size_t beside = SERIES_BESIDE + nr_features + SERIES_PER_SITE;
	struct metrics *m;

	m = calloc(1, sizeof(*m));
	if (!m)
		return -ENOMEM;
	m->identity = *identity;
	m->started_ns = started_ns;
	m->max_series = max_series;
	totals_init(&m->totals,
		    max_series < beside ? 0 : (max_series - beside) / SERIES_PER_SITE);
	m->features = calloc(nr_features + 1, sizeof(*features));
	if (!m->features) {
		free(m);
		return -ENOMEM;
	}
	m->nr_features = nr_features;
	if (nr_features)
		memcpy(m->features, features, nr_features * sizeof(*features));
	*ret = m;
	return 0;
}

void metrics__free(struct metrics *m)
{
	if (!m)
		return;
	free(m->features);
	free(m);
}

/* ---- writing -------------------------------------------------------------- */

#define FAMILY(...) (&(const struct family){__VA_ARGS__})
#define LABELS(...) ((const struct label[]){__VA_ARGS__, {NULL, NULL}})

static double seconds_of(double ns)
{
	return ns / NSEC_PER_SEC;
}

static void write_identity(struct exposition *e, const struct metrics *m,
			   const struct snapshot *s)
{
	const struct identity *id = &m->identity;

	exposition_family(
		e, FAMILY("itertrace_build", FAMILY_INFO, NULL,
			  "Which itertrace this is, and what its loops run on."));
	exposition_count(e, LABELS({"version", ITERTRACE_VERSION}, {"loops", s->loops}),
			 1);
	exposition_family(
		e, FAMILY("itertrace_kernel", FAMILY_INFO, NULL,
			  "The kernel and the machine; group hosts by build_id."));
	exposition_count(e,
			 LABELS({"release", id->release}, {"version", id->version},
				{"build_id", id->build_id}, {"arch", id->arch},
				{"cpu", id->cpu_model},
				{"clock_source", id->clock_source},
				{"virtualised", id->virtualised}),
			 1);
}

static void write_run(struct exposition *e, const struct metrics *m,
		      const struct snapshot *s)
{
	exposition_family(e, FAMILY("itertrace_start_time_seconds", FAMILY_GAUGE,
				    "seconds", "When the run began, since 1970."));
	exposition_value(e, NULL, seconds_of((double)m->started_ns));
	exposition_family(e, FAMILY("itertrace_intervals", FAMILY_COUNTER, NULL,
				    "Intervals that these figures are made of."));
	exposition_count(e, NULL, m->totals.nr_intervals);
	exposition_family(e, FAMILY("itertrace_interval_seconds", FAMILY_GAUGE,
				    "seconds", "Length of the last interval."));
	exposition_value(e, NULL, seconds_of((double)s->interval_ns));
	exposition_family(e, FAMILY("itertrace_interval_end_time_seconds", FAMILY_GAUGE,
				    "seconds",
				    "When the last interval ended, since 1970."));
	exposition_value(e, NULL, seconds_of((double)s->time_ns));
}

static void write_seconds(struct exposition *e, const struct seconds *s)
{
	if (s->known)
		exposition_value(e, NULL, s->sum);
}

static void write_cost(struct exposition *e, const struct metrics *m,
		       const struct self_figures *self)
{
	exposition_family(e, FAMILY("itertrace_self_cpu_seconds", FAMILY_COUNTER,
				    "seconds", "CPU time of the process itertrace."));
	write_seconds(e, &m->totals.cpu);
	exposition_family(e, FAMILY("itertrace_self_bpf_cpu_seconds", FAMILY_COUNTER,
				    "seconds",
				    "Run time of itertrace's BPF programs, estimated "
				    "from samples of a tenth of the time."));
	write_seconds(e, &m->totals.bpf_cpu);
	exposition_family(e, FAMILY("itertrace_host_bpf_cpu_seconds", FAMILY_COUNTER,
				    "seconds",
				    "Run time of all BPF programs on the host, "
				    "itertrace's too, estimated likewise."));
	write_seconds(e, &m->totals.host_bpf_cpu);
	exposition_family(e, FAMILY("itertrace_self_resident_bytes", FAMILY_GAUGE,
				    "bytes", "Memory of the process itertrace."));
	exposition_value(e, NULL, self->rss_bytes);
	exposition_family(e, FAMILY("itertrace_self_map_bytes", FAMILY_GAUGE, "bytes",
				    "Memory of itertrace's BPF maps."));
	exposition_value(e, NULL, self->map_bytes);
}

static void write_tracers(struct exposition *e, const struct metrics *m,
			  const struct snapshot *s)
{
	const struct tracer_totals *t;
	size_t i;

	exposition_family(
		e, FAMILY("itertrace_tracer_on", FAMILY_GAUGE, NULL,
			  "1: the tracer runs; 0: it was asked for and does not."));
	for (i = 0; i < s->nr_tracers; i++)
		if (s->tracers[i].wanted || s->tracers[i].on)
			exposition_count(e, LABELS({"tracer", s->tracers[i].name}),
					 s->tracers[i].on);
	exposition_family(e, FAMILY("itertrace_events", FAMILY_COUNTER, NULL,
				    "Events that a tracer saw."));
	for (t = m->totals.tracers; t < m->totals.tracers + SNAPSHOT_MAX_TRACERS; t++)
		if (t->was_on)
			exposition_count(e, LABELS({"tracer", t->name}), t->events);
	exposition_family(e, FAMILY("itertrace_lost_events", FAMILY_COUNTER, NULL,
				    "Events that a tracer lost, by cause."));
	for (t = m->totals.tracers; t < m->totals.tracers + SNAPSHOT_MAX_TRACERS; t++)
		for (i = 0; i < t->nr_lost; i++)
			exposition_count(e,
					 LABELS({"tracer", t->name},
						{"cause", t->lost[i].cause}),
					 t->lost[i].nr);
}

static void write_durations(struct exposition *e, const struct tracer_totals *t)
{
	double bounds[DURATION_CLASSES - 1];
	char name[NAME_LEN], help[HELP_LEN];
	size_t i;

	if (!t->durations.key)
		return;
	for (i = 0; i < DURATION_CLASSES - 1; i++)
		bounds[i] = seconds_of((double)(1ULL << (DURATION_FIRST_LOG2 + i)));
	snprintf(name, sizeof(name), "itertrace_%s_%s_seconds", t->name,
		 t->durations.key);
	snprintf(help, sizeof(help), "Tracer %s: %s.", t->name, t->durations.title);
	exposition_family(e, FAMILY(name, FAMILY_HISTOGRAM, "seconds", help));
	exposition_histogram(e, NULL, bounds, t->durations.classes,
			     DURATION_CLASSES - 1,
			     seconds_of((double)t->durations.sum_ns));
}

/* What each tracer counts, by the names that it has in JSON. */
static void write_totals(struct exposition *e, const struct metrics *m)
{
	const struct tracer_totals *t;
	char name[NAME_LEN], help[HELP_LEN];
	size_t i;

	for (t = m->totals.tracers; t < m->totals.tracers + SNAPSHOT_MAX_TRACERS; t++) {
		for (i = 0; i < t->nr_totals; i++) {
			snprintf(name, sizeof(name), "itertrace_%s_%s", t->name,
				 t->totals[i].key);
			snprintf(help, sizeof(help), "Tracer %s: %s.", t->name,
				 t->totals[i].title);
			exposition_family(e, FAMILY(name, FAMILY_COUNTER, NULL, help));
			exposition_count(e, NULL, t->totals[i].value);
		}
		write_durations(e, t);
	}
}

static void write_states(struct exposition *e, const struct metrics *m)
{
	size_t i;

	exposition_family(e, FAMILY("itertrace_construct_state", FAMILY_GAUGE, NULL,
				    "1 with the state that this kernel gives a "
				    "construct: inlined, a call, ..."));
	for (i = 0; i < m->nr_features; i++)
		exposition_count(
			e,
			LABELS({"construct", m->features[i].name},
			       {"state", feature_state_name(m->features[i].state)}),
			1);
}

static void write_price(struct exposition *e, const struct calibration *cal,
			const struct family *family, size_t offset)
{
	size_t i;

	exposition_family(e, family);
	for (i = 0; cal && cal->done && i < NR_PRICES; i++) {
		const struct bench_result *r = &cal->prices[i];

		if (r->measured)
			exposition_value(e, LABELS({"construct", r->name}),
					 seconds_of(*(const double *)((const char *)r +
								      offset)));
	}
}

static void write_calibration(struct exposition *e, const struct calibration *cal)
{
	write_price(
		e, cal,
		FAMILY("itertrace_construct_trip_seconds", FAMILY_GAUGE, "seconds",
		       "Cost of a trip with an empty body, calibrated at the start; "
		       "of the clock: of a reading."),
		offsetof(struct bench_result, median));
	write_price(e, cal,
		    FAMILY("itertrace_construct_trip_lo_seconds", FAMILY_GAUGE,
			   "seconds", "Lower end of its 95% interval."),
		    offsetof(struct bench_result, lo));
	write_price(e, cal,
		    FAMILY("itertrace_construct_trip_hi_seconds", FAMILY_GAUGE,
			   "seconds", "Upper end of its 95% interval."),
		    offsetof(struct bench_result, hi));
}

static void write_trips(struct exposition *e, const struct site_totals *t)
{
	double bounds[TRIP_BOUNDS];
	size_t i;

	for (i = 0; i < TRIP_BOUNDS; i++)
		bounds[i] = (double)((1ULL << i) - 1);
	exposition_histogram(e, LABELS({"site", t->name}), bounds, t->classes,
			     TRIP_BOUNDS, (double)t->trips);
}

/* m->totals.sites, then those that had no place. */
static const struct site_totals *site_at(const struct metrics *m, size_t i)
{
	return i < m->totals.nr_sites                            ? &m->totals.sites[i]
	       : i == m->totals.nr_sites && m->totals.other.name ? &m->totals.other
								 : NULL;
}

static void write_site_counts(struct exposition *e, const struct metrics *m)
{
	const struct site_totals *t;
	size_t i;

	exposition_family(e, FAMILY("itertrace_loop_trips", FAMILY_HISTOGRAM, NULL,
				    "Trips of an entry of the loop; _sum: all trips, "
				    "_count: all entries."));
	for (i = 0; (t = site_at(m, i)); i++)
		write_trips(e, t);
	exposition_family(e, FAMILY("itertrace_loop_max_trips", FAMILY_GAUGE, NULL,
				    "The most trips of one entry since the start."));
	for (i = 0; (t = site_at(m, i)); i++)
		exposition_count(e, LABELS({"site", t->name}), t->max_trips);
	exposition_family(e, FAMILY("itertrace_loop_timed_entries", FAMILY_COUNTER,
				    NULL, "Entries of the loop that were timed."));
	for (i = 0; (t = site_at(m, i)); i++)
		exposition_count(e, LABELS({"site", t->name}), t->timed);
}

static void write_site_gauges(struct exposition *e, const struct metrics *m,
			      const struct snapshot *s)
{
	const struct site_figures *f;
	const char *at;
	size_t i, j;

	for (j = 0; j < NR_SITE_GAUGES; j++) {
		exposition_family(e, &site_gauges[j].family);
		for (f = s->sites; f < s->sites + s->nr_sites; f++) {
			if (totals_site(&m->totals, f->name) == &m->totals.other)
				continue;
			at = (const char *)f + site_gauges[j].offset;
			exposition_value(e, LABELS({"site", f->name}),
					 seconds_of(*(const double *)at));
		}
	}
	exposition_family(e, FAMILY("itertrace_loop_fit", FAMILY_GAUGE, NULL,
				    "1 with the state of the last interval's fit: ok, "
				    "or why there is no cost of a trip or a loop."));
	for (f = s->sites; f < s->sites + s->nr_sites; f++)
		for (i = 0; i < NR_SITE_FITS &&
			    totals_site(&m->totals, f->name) != &m->totals.other;
		     i++)
			exposition_count(
				e,
				LABELS({"site", f->name}, {"state", site_fit_name(i)}),
				f->fit == i);
}

/* Always there, the cap or not: it tells of the cap. */
static void write_overflow(struct exposition *e, struct metrics *m)
{
	/* The other format leaves the same out. */
	if (e->format == EXPOSITION_OPENMETRICS)
		m->totals.nr_overflow += e->nr_left_out;
	e->max_series = e->nr_series + 1;
	exposition_family(e, FAMILY("itertrace_series_overflow", FAMILY_COUNTER, NULL,
				    "Loop sites and series beyond the limit of series, "
				    "added up over the intervals."));
	exposition_count(e, NULL, m->totals.nr_overflow);
}

static int write_all(struct metrics *m, const struct snapshot *s,
		     enum exposition_format format, char **ret, size_t *ret_len)
{
	struct exposition e = {.format = format, .max_series = m->max_series - 1};

	e.out = open_memstream(ret, ret_len);
	if (!e.out)
		return -ENOMEM;
	write_identity(&e, m, s);
	write_run(&e, m, s);
	write_cost(&e, m, &s->self);
	write_tracers(&e, m, s);
	write_totals(&e, m);
	write_states(&e, m);
	write_calibration(&e, s->calibration);
	write_site_counts(&e, m);
	write_site_gauges(&e, m, s);
	write_overflow(&e, m);
	exposition_end(&e);
	if (!fclose(e.out))
		return 0;
	free(*ret);
	*ret = NULL;
	return -ENOMEM;
}

int metrics_add(struct metrics *m, const struct snapshot *s, struct metrics_text *ret)
{
	int err;

	*ret = (struct metrics_text){0};
	totals_add(&m->totals, s);
	err = write_all(m, s, EXPOSITION_OPENMETRICS, &ret->openmetrics,
			&ret->openmetrics_len);
	if (!err)
		err = write_all(m, s, EXPOSITION_TEXT, &ret->text, &ret->text_len);
	if (err)
		metrics_text_release(ret);
	return err;
}

void metrics_text_release(struct metrics_text *t)
{
	free(t->openmetrics);
	free(t->text);
	*t = (struct metrics_text){0};
}
