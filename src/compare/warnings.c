// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compare/row.h"
#include "compare/warnings.h"
#include "stat/quantile.h"

int warnings_add(struct comparison *c, const char *fmt, ...)
{
	char(*all)[COMPARISON_TEXT_LEN];
	va_list args;

	all = reallocarray(c->warnings, c->nr_warnings + 1, sizeof(*all));
	if (!all)
		return -ENOMEM;
	c->warnings = all;
	va_start(args, fmt);
	vsnprintf(all[c->nr_warnings++], sizeof(*all), fmt, args);
	va_end(args);
	return 0;
}

static int warn_of_boots(struct comparison *c, const struct side *s, const char *which)
{
	int err = 0;

	if (s->is_boot_unknown && s->nr > 1)
		err = warnings_add(
			c,
			"%s: recordings that do not name their boot are taken "
			"for those of one",
			which);
	if (!err && s->nr_boots < s->nr && s->has_hosts)
		err = warnings_add(c,
				   "%s: %zu hosts by all labels are %zu by instance, "
				   "each of which counts once",
				   which, s->nr, s->nr_boots);
	else if (!err && s->nr_boots < s->nr)
		err = warnings_add(c,
				   "%s: %zu recordings are of %zu boot%s, each of "
				   "which counts once",
				   which, s->nr, s->nr_boots,
				   s->nr_boots == 1 ? "" : "s");
	return err;
}

static int warn_of_units(struct comparison *c, const struct side *base,
			 const struct side *fresh)
{
	size_t fewer =
		base->nr_boots < fresh->nr_boots ? base->nr_boots : fresh->nr_boots;

	if (!c->unit_is_run)
		return warnings_add(
			c,
			"one boot proves little: boots of one kernel differ by "
			"more than the intervals of a run do; record two and "
			"more boots a side, better %d",
			COMPARE_FEW);
	if (fewer < COMPARE_FEW)
		return warnings_add(c, "%zu %s%s against %zu: %d a side are better",
				    base->nr_boots, comparison_unit_name(c),
				    base->nr_boots == 1 ? "" : "s", fresh->nr_boots,
				    COMPARE_FEW);
	return 0;
}

static int warn_of_few_values(struct comparison *c)
{
	size_t nr = 0;

	for (size_t i = 0; i < c->nr_rows; i++)
		nr += c->rows[i].base.nr < COMPARE_FEW ||
		      c->rows[i].fresh.nr < COMPARE_FEW;
	if (!nr || c->unit_is_run)
		return 0;
	return warnings_add(c, "%zu of %zu rows have fewer than %d values on a side",
			    nr, c->nr_rows, COMPARE_FEW);
}

static bool is_same_kernel(const struct identity *a, const struct identity *b)
{
	if (a->build_id[0] || b->build_id[0])
		return !strcmp(a->build_id, b->build_id);
	return a->release[0] && !strcmp(a->release, b->release) &&
	       !strcmp(a->version, b->version);
}

static int warn_of_copies(struct comparison *c)
{
	for (size_t i = 0; i < c->nr_runs && !c->unit_is_host; i++)
		for (size_t j = 0; j < i; j++)
			if (side_is_same_recording(c->runs[i].head, c->runs[j].head))
				return warnings_add(c,
						    "%.110s and %.110s are the same "
						    "recording",
						    c->runs[j].head->path,
						    c->runs[i].head->path);
	return 0;
}

/* Median over the benches; ABSENT: none tells. */
static double pace_of(const struct side *s)
{
	double paces[SIDE_MAX_RUNS];
	size_t nr = 0;

	for (size_t i = 0; i < s->nr; i++)
		if (isfinite(s->digests[i]->pace_ns) && s->digests[i]->pace_ns > 0)
			paces[nr++] = s->digests[i]->pace_ns;
	if (!nr)
		return ABSENT;
	stat_sort(paces, nr);
	return stat_median(paces, nr);
}

/* That of a line of additions, which no kernel changes. */
static int warn_of_pace(struct comparison *c, const struct side *base,
			const struct side *fresh)
{
	double was = pace_of(base), is = pace_of(fresh);
	double percent = 100 * (is / was - 1);

	/* not so either if one is ABSENT */
	if (!(fabs(percent) > c->threshold_percent))
		return 0;
	return warnings_add(
		c,
		"the core itself was %s on the new side: its pace was %.1f ns "
		"against %.1f (%+.1f%%); what differs that much need not be "
		"the kernel's",
		percent > 0 ? "slower" : "faster", is, was, percent);
}

/* Where none is shown to be the same, nor to differ, nothing tells of the machine. */
static int warn_without_control(struct comparison *c)
{
	size_t nr = 0, nr_same = 0;

	for (size_t i = 0; i < c->nr_rows; i++) {
		const struct comparison_row *row = &c->rows[i];

		nr += row->measure == MEASURE_BENCH;
		nr_same += row_is_control(row) && row->verdict == VERDICT_NO_DIFFERENCE;
	}
	if (!nr || nr_same || c->has_moved)
		return 0;
	return warnings_add(c, "the machine is not shown to be the same on both sides: "
			       "no control of bench (floor, bounded, the shapes) has "
			       "data enough");
}

int warnings_of_evidence(struct comparison *c, const struct side *base,
			 const struct side *fresh)
{
	int err;

	err = warn_of_units(c, base, fresh);
	if (!err)
		err = warn_of_boots(c, base, "base");
	if (!err)
		err = warn_of_boots(c, fresh, "new");
	if (!err)
		err = warn_of_few_values(c);
	if (!err)
		err = warn_of_pace(c, base, fresh);
	if (!err && c->has_moved)
		err = warnings_add(c,
				   "the machine was not the same on both sides: %s, "
				   "whose instructions are the same on every kernel, "
				   "shifted by %.1f%%",
				   c->control, c->control_percent);
	if (!err)
		err = warn_without_control(c);
	if (!err && c->unit_is_host)
		err = warnings_add(c,
				   "hosts do not tell a server of their "
				   "configuration, hardening, mitigations, "
				   "microcode and numbers of CPUs, nor what compiled "
				   "the programs: these may differ");
	if (!err && is_same_kernel(&base->digests[0]->head->identity,
				   &fresh->digests[0]->head->identity))
		err = warnings_add(c, "both sides ran the same kernel");
	return err ? err : warn_of_copies(c);
}

static int warn_of_losses(struct comparison *c, const struct side *s)
{
	const struct digest *most = s->digests[0];
	size_t nr = 0;

	for (size_t i = 0; i < s->nr; i++) {
		nr += s->digests[i]->nr_lost > 0;
		if (s->digests[i]->nr_lost > most->nr_lost)
			most = s->digests[i];
	}
	if (!nr)
		return 0;
	return warnings_add(c,
			    "%zu of %zu %ss lost events, %.120s most: %llu, of "
			    "%llu that were seen",
			    nr, s->nr, comparison_run_name(c), most->head->path,
			    (unsigned long long)most->nr_lost,
			    (unsigned long long)most->nr_events);
}

static int warn_of_digest(struct comparison *c, const struct digest *d)
{
	const char *path = d->head->path;
	int err = 0;

	if (d->end.loss[0])
		err = warnings_add(c, "%.100s: %s", path, d->end.loss);
	if (!err && d->is_partial)
		err = warnings_add(c, "%.200s: bench was interrupted", path);
	if (!err && d->verdict[0])
		err = warnings_add(c, "%.60s: its figures are left out: %.180s", path,
				   d->verdict);
	if (!err && d->nr_duplicates)
		err = warnings_add(
			c,
			"%.100s: %llu figures of a name that stands twice are "
			"left out",
			path, (unsigned long long)d->nr_duplicates);
	if (!err && d->nr_unlisted)
		err = warnings_add(
			c, "%.100s: of more than %d names the others are left out",
			path, DIGEST_MAX_ITEMS);
	return err;
}

int warnings_of_recordings(struct comparison *c, const struct side *s)
{
	int err;

	err = warn_of_losses(c, s);
	for (size_t i = 0; i < s->nr && !err; i++)
		err = warn_of_digest(c, s->digests[i]);
	return err;
}
