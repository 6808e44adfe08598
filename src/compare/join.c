// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compare/join.h"
#include "compare/warnings.h"

/*
 * Means over other numbers of trips hold other shares of what a loop costs once: up to
 * as much of a shift as the trips are apart. So much of the threshold may be of that.
 */
#define TRIPS_SHARE 0.2

static bool is_known(const struct subject *subjects, size_t nr,
		     const struct digest_item *item)
{
	for (size_t i = 0; i < nr; i++)
		if (subjects[i].kind == item->kind &&
		    !strcmp(subjects[i].name, item->name))
			return true;
	return false;
}

/* Those of a side that are not there yet; the names are the digests'. */
static void list_subjects(const struct side *s, struct subject *subjects, size_t *nr,
			  size_t *nr_left_out)
{
	for (size_t i = 0; i < s->nr; i++) {
		const struct digest *d = s->digests[i];

		for (size_t j = 0; j < d->nr_items; j++) {
			const struct digest_item *item = &d->items[j];

			if (is_known(subjects, *nr, item))
				continue;
			if (*nr == JOIN_MAX_SUBJECTS)
				++*nr_left_out;
			else
				subjects[(*nr)++] =
					(struct subject){item->kind, item->name};
		}
	}
}

static int add_only(struct comparison_only **list, size_t *nr, struct subject subject,
		    const char *reason)
{
	struct comparison_only *all = reallocarray(*list, *nr + 1, sizeof(*all));

	if (!all)
		return -ENOMEM;
	*list = all;
	all += (*nr)++;
	all->kind = subject.kind;
	snprintf(all->name, sizeof(all->name), "%s", subject.name);
	snprintf(all->reason, sizeof(all->reason), "%s", reason);
	return 0;
}

static int add_row(struct comparison *c, struct subject subject,
		   enum comparison_measure measure)
{
	struct comparison_row *rows;

	rows = reallocarray(c->rows, c->nr_rows + 1, sizeof(*rows));
	if (!rows)
		return -ENOMEM;
	c->rows = rows;
	rows += c->nr_rows++;
	*rows = (struct comparison_row){.kind = subject.kind, .measure = measure};
	snprintf(rows->name, sizeof(rows->name), "%s", subject.name);
	return 0;
}

static int add_incomparable(struct comparison *c, struct subject subject,
			    const char *reason)
{
	return add_only(&c->incomparable, &c->nr_incomparable, subject, reason);
}

static bool has_values(const struct presence *p)
{
	for (size_t m = 0; m < NR_MEASURES; m++)
		if (p->nr_values[m])
			return true;
	return false;
}

/* Most intervals have a line, so that those that have one are no choice of its. */
static bool has_slope(const struct presence *p)
{
	return p->nr_values[MEASURE_SLOPE] && 2 * p->nr_fits >= p->nr_means;
}

/* Why there is no figure, if there is none. */
static const char *state_of(const struct presence *p)
{
	if (p->reason[0])
		return p->reason;
	if (has_values(p))
		return "has a figure";
	if (!p->is_listed)
		return "not there";
	return p->entries > 0 ? "too few loops timed" : "never entered";
}

static int add_without_figures(struct comparison *c, struct subject subject,
			       const struct presence *base,
			       const struct presence *fresh)
{
	char reason[COMPARISON_TEXT_LEN];

	snprintf(reason, sizeof(reason), "base: %.110s; new: %.110s", state_of(base),
		 state_of(fresh));
	return add_incomparable(c, subject, reason);
}

static bool both_have(const struct presence *a, const struct presence *b,
		      enum comparison_measure m)
{
	return a->nr_values[m] && b->nr_values[m];
}

static int join_construct(struct comparison *c, struct subject subject,
			  const struct presence *base, const struct presence *fresh)
{
	if (both_have(base, fresh, MEASURE_BENCH))
		return add_row(c, subject, MEASURE_BENCH);
	if (both_have(base, fresh, MEASURE_CALIBRATION))
		return add_row(c, subject, MEASURE_CALIBRATION);
	return add_incomparable(c, subject,
				"measured by bench on one side, by a run's calibration "
				"on the other");
}

/*
 * Loops of which each trip runs another's loop: what such a trip costs is how many
 * trips that one makes, and it has a row of its own.
 */
static const struct {
	const char *outer, *inner;
} nested_sites[] = {
	{"runq.merge_cpus", "runq.merge_slots"},
};

static const char *inner_of(struct subject subject)
{
	for (size_t i = 0; i < sizeof(nested_sites) / sizeof(nested_sites[0]); i++)
		if (!strcmp(nested_sites[i].outer, subject.name))
			return nested_sites[i].inner;
	return NULL;
}

static int join_site(struct comparison *c, struct subject subject,
		     const struct presence *base, const struct presence *fresh)
{
	double base_trips = base->trips / base->entries;
	double fresh_trips = fresh->trips / fresh->entries;
	char reason[COMPARISON_TEXT_LEN];

	if (inner_of(subject)) {
		snprintf(reason, sizeof(reason),
			 "each trip is a loop of %s, which has a row of its own",
			 inner_of(subject));
		return add_incomparable(c, subject, reason);
	}
	if (has_slope(base) && has_slope(fresh))
		return add_row(c, subject, MEASURE_SLOPE);
	if (!both_have(base, fresh, MEASURE_MEAN))
		return add_incomparable(c, subject, "no figure in common");
	if (fabs(fresh_trips / base_trips - 1) <=
	    TRIPS_SHARE * c->threshold_percent / 100)
		return add_row(c, subject, MEASURE_MEAN);
	snprintf(reason, sizeof(reason),
		 "%.1f trips a loop against %.1f, and no line fitted: a trip's cost "
		 "cannot "
		 "be told from the loop's",
		 base_trips, fresh_trips);
	return add_incomparable(c, subject, reason);
}

static int join_lacking(struct comparison *c, struct subject subject,
			const struct presence *base, const struct presence *fresh)
{
	if (has_values(base) && (!fresh->is_listed || fresh->reason[0]))
		return add_only(&c->only_in_base, &c->nr_only_in_base, subject,
				fresh->reason);
	if (has_values(fresh) && (!base->is_listed || base->reason[0]))
		return add_only(&c->only_in_new, &c->nr_only_in_new, subject,
				base->reason);
	return add_without_figures(c, subject, base, fresh);
}

static int join_subject(struct comparison *c, struct subject subject,
			const struct side *base, const struct side *fresh)
{
	struct presence of_base, of_fresh;

	side_presence(base, subject, &of_base);
	side_presence(fresh, subject, &of_fresh);
	if ((of_base.is_too_noisy || of_fresh.is_too_noisy) &&
	    !both_have(&of_base, &of_fresh, MEASURE_BENCH)) {
		c->is_too_noisy = true;
		return add_without_figures(c, subject, &of_base, &of_fresh);
	}
	if (!has_values(&of_base) || !has_values(&of_fresh))
		return join_lacking(c, subject, &of_base, &of_fresh);
	if (subject.kind == COMPARISON_CONSTRUCT)
		return join_construct(c, subject, &of_base, &of_fresh);
	return join_site(c, subject, &of_base, &of_fresh);
}

int join_sides(struct comparison *c, const struct side *base, const struct side *fresh)
{
	struct subject *subjects = calloc(JOIN_MAX_SUBJECTS, sizeof(*subjects));
	size_t nr = 0, nr_left_out = 0;
	int err = 0;

	if (!subjects)
		return -ENOMEM;
	list_subjects(base, subjects, &nr, &nr_left_out);
	list_subjects(fresh, subjects, &nr, &nr_left_out);
	for (size_t i = 0; i < nr && !err; i++)
		err = join_subject(c, subjects[i], base, fresh);
	if (!err && nr_left_out)
		err = warnings_add(c, "%zu rows beyond the first %d are left out",
				   nr_left_out, JOIN_MAX_SUBJECTS);
	free(subjects);
	return err;
}
