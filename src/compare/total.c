// SPDX-License-Identifier: BSD-2-Clause
#include "compare/total.h"

/*
 * At the new side's rate: percent of a CPU for each ns a trip. 0: no site, or one
 * whose shift has no interval of its own to add.
 */
static double weight_of(const struct comparison *c, const struct comparison_row *row)
{
	double rate = row->fresh.trips_per_s;

	if (row->kind == COMPARISON_CONSTRUCT || is_absent(rate))
		return 0;
	if (!c->unit_is_run && is_absent(row->shift_lo))
		return 0;
	return rate * TOTAL_PERCENT_PER_NS;
}

/* 0 - x, as -x may be a negative 0. */
static void compute_savings(struct comparison_row *row, double weight)
{
	row->saves_cpu_percent = 0 - weight * row->shift;
	row->saves_lo = 0 - weight * row->shift_hi;
	row->saves_hi = 0 - weight * row->shift_lo;
}

/* Every boot's sum of rate times cost. */
static void sum_boots(const struct comparison *c, const struct side *s, bool is_new,
		      struct units *ret)
{
	struct units units;
	size_t i, j;

	ret->nr = s->nr_boots;
	for (i = 0; i < ret->nr; i++)
		ret->values[i] = 0;
	for (j = 0; j < c->nr_rows; j++) {
		const struct comparison_row *row = &c->rows[j];
		double weight = weight_of(c, row);
		double median = is_new ? row->fresh.median : row->base.median;

		if (weight <= 0)
			continue;
		side_units(s, (struct subject){row->kind, row->name}, row->measure,
			   true, &units);
		for (i = 0; i < ret->nr; i++)
			ret->values[i] += weight * median;
		for (i = 0; i < units.nr; i++)
			ret->values[units.boots[i]] +=
				weight * (units.values[i] - median);
	}
}

static int interval_by_runs(struct comparison *c, const struct side *base,
			    const struct side *fresh)
{
	struct comparison_total *t = &c->total;
	struct units of_base, of_fresh;
	struct hodges_lehmann hl;
	int err;

	sum_boots(c, base, false, &of_base);
	sum_boots(c, fresh, true, &of_fresh);
	err = stat_hodges_lehmann(of_base.values, of_base.nr, of_fresh.values,
				  of_fresh.nr, &hl);
	if (err)
		return err;
	t->saves_lo = t->saves_cpu_percent - (hl.hi - hl.shift);
	t->saves_hi = t->saves_cpu_percent + (hl.shift - hl.lo);
	return 0;
}

static void interval_by_sums(struct comparison *c)
{
	struct comparison_total *t = &c->total;
	double below = 0, above = 0;

	for (size_t i = 0; i < c->nr_rows; i++) {
		const struct comparison_row *row = &c->rows[i];

		if (is_absent(row->saves_cpu_percent))
			continue;
		below += row->saves_cpu_percent - row->saves_lo;
		above += row->saves_hi - row->saves_cpu_percent;
	}
	t->saves_lo = t->saves_cpu_percent - below;
	t->saves_hi = t->saves_cpu_percent + above;
}

static void sum_rows(struct comparison *c)
{
	struct comparison_total *t = &c->total;

	*t = (struct comparison_total){0};
	for (size_t i = 0; i < c->nr_rows; i++) {
		struct comparison_row *row = &c->rows[i];
		double weight = weight_of(c, row);

		if (weight <= 0)
			continue;
		compute_savings(row, weight);
		t->nr_rows++;
		t->base_cpu_percent += weight * row->base.median;
		t->new_cpu_percent += weight * row->fresh.median;
		t->saves_cpu_percent += row->saves_cpu_percent;
	}
}

void total_init(struct comparison_total *t)
{
	*t = (struct comparison_total){
		.base_cpu_percent = ABSENT,
		.new_cpu_percent = ABSENT,
		.saves_cpu_percent = ABSENT,
		.saves_lo = ABSENT,
		.saves_hi = ABSENT,
		.shift_percent = ABSENT,
		.lo = ABSENT,
		.hi = ABSENT,
	};
}

int total_compute(struct comparison *c, const struct side *base,
		  const struct side *fresh)
{
	struct comparison_total *t = &c->total;
	int err = 0;

	sum_rows(c);
	if (!t->nr_rows) {
		total_init(t);
		return 0;
	}
	if (c->unit_is_run)
		err = interval_by_runs(c, base, fresh);
	else
		interval_by_sums(c);
	t->shift_percent = 0 - 100 * t->saves_cpu_percent / t->base_cpu_percent;
	t->lo = 0 - 100 * t->saves_hi / t->base_cpu_percent;
	t->hi = 0 - 100 * t->saves_lo / t->base_cpu_percent;
	return err;
}
