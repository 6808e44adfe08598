// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "stat/line.h"
#include "stat/quantile.h"

#define MAX_GROUPS     32
#define MIN_ENTRIES    8
#define MAX_CLOCK_STEP 1000 /* ns; what is further apart is not the clock's doing */
#define MAX_ROUNDS     16   /* two or three, as a rule */

/* Neighbouring trip counts that make one point of the line. */
struct group {
	size_t first, nr; /* its entries */
	bool same_trips;
	double trips;  /* median */
	double ns;     /* median at these trips */
	double own_se; /* standard error of ns from its own entries */
	double se;     /* the same, smoothed */
	double df;     /* degrees of freedom of se */
};

struct fit {
	struct line_pair *pairs; /* sorted by trips, then ns */
	size_t nr_pairs;
	double *ns;     /* of the pairs, one for one reading of the clock */
	double *offset; /* of each entry in its reading, in steps, -1/2 … 1/2 */
	double *moved;  /* ns at the group's trips, sorted in each group */
	double step;    /* of the clock, in ns */
	struct group groups[MAX_GROUPS];
	size_t nr_groups;
};

/* A coefficient of the line: value = sum of weight * group's ns. */
struct coefficient {
	double value;
	double var;
	double df_var; /* sum of var^2 / df over the groups */
};

static int compare_pairs(const void *a, const void *b)
{
	const struct line_pair *x = a, *y = b;

	if (x->trips != y->trips)
		return x->trips < y->trips ? -1 : 1;
	return (x->ns > y->ns) - (x->ns < y->ns);
}

/* The end of the run of entries with the trip count of the first. */
static size_t same_trips_end(const struct fit *f, size_t first)
{
	size_t end = first + 1;

	while (end < f->nr_pairs && f->pairs[end].trips == f->pairs[first].trips)
		end++;
	return end;
}

static void close_group(struct fit *f, size_t first, size_t end)
{
	struct group *g = &f->groups[f->nr_groups++];
	size_t upper = first + (end - first) / 2, lower = first + (end - first - 1) / 2;

	g->first = first;
	g->nr = end - first;
	g->trips = ((double)f->pairs[lower].trips + (double)f->pairs[upper].trips) / 2;
	g->same_trips = f->pairs[first].trips == f->pairs[end - 1].trips;
}

/*
 * A group takes whole trip counts until it has MIN_ENTRIES and the next one
 * would carry it to the target. So two neighbours together reach the target,
 * which bounds the number of groups, and a frequent trip count does not
 * swallow the rare ones before it. Too small a rest joins the last group.
 */
static void form_groups(struct fit *f)
{
	size_t target = 2 * f->nr_pairs / (MAX_GROUPS - 2) + 1;
	size_t first = 0, end, next;

	for (end = same_trips_end(f, 0); end < f->nr_pairs; end = next) {
		next = same_trips_end(f, end);
		if (end - first < MIN_ENTRIES || next - first < target)
			continue;
		close_group(f, first, end);
		first = end;
	}
	if (f->nr_pairs - first < MIN_ENTRIES && f->nr_groups > 0)
		first = f->groups[--f->nr_groups].first;
	close_group(f, first, f->nr_pairs);
}

/*
 * The end of the run of entries with the trip count of the first, and its ns or
 * at most tie more.
 */
static size_t reading_end(const struct fit *f, size_t first, uint64_t tie)
{
	size_t end = first + 1;

	while (end < f->nr_pairs && f->pairs[end].trips == f->pairs[first].trips &&
	       f->pairs[end].ns - f->pairs[first].ns <= tie)
		end++;
	return end;
}

/*
 * The smallest distance between frequent readings of one trip count. Adds to
 * nr_frequent the entries that are such readings.
 */
static double reading_distance(const struct fit *f, size_t first, size_t trips_end,
			       size_t *nr_frequent)
{
	double distance = INFINITY, last = -INFINITY, ns;
	size_t end, nr = trips_end - first;

	for (; first < trips_end; first = end) {
		end = reading_end(f, first, 1);
		if (end - first < 2 || (end - first) * 10 < nr)
			continue;
		*nr_frequent += end - first;
		ns = ((double)f->pairs[first].ns + (double)f->pairs[end - 1].ns) / 2;
		distance = fmin(distance, ns - last);
		last = ns;
	}
	return distance;
}

/*
 * The step of a coarse clock, seen where entries of one trip count gather in
 * a few readings: a counter of 24 MHz gives 41 or 42, 83, 125 ns and nothing
 * between. 1 where nothing speaks for a coarse clock.
 */
static double clock_step(const struct fit *f)
{
	size_t end, nr = 0, nr_frequent = 0;
	double step = INFINITY;

	for (size_t first = 0; first < f->nr_pairs; first = end) {
		end = same_trips_end(f, first);
		if (end - first < MIN_ENTRIES / 2)
			continue;
		nr += end - first;
		step = fmin(step, reading_distance(f, first, end, &nr_frequent));
	}
	if (nr_frequent * 4 < nr * 3 || step < 4 || step > MAX_CLOCK_STEP)
		return 1;
	return step;
}

static void spread_readings(struct fit *f)
{
	double ns, nr;
	size_t end;

	for (size_t first = 0; first < f->nr_pairs; first = end) {
		end = reading_end(f, first, f->step > 1);
		ns = ((double)f->pairs[first].ns + (double)f->pairs[end - 1].ns) / 2;
		nr = (double)(end - first);
		for (size_t i = first; i < end; i++) {
			f->ns[i] = ns;
			f->offset[i] = ((double)(i - first) + 0.5) / nr - 0.5;
		}
	}
}

/* The group's values at its trips, each reading spread over width ns. */
static const double *move_to_trips(struct fit *f, const struct group *g, double b,
				   double width)
{
	double *moved = &f->moved[g->first];

	for (size_t i = g->first; i < g->first + g->nr; i++)
		f->moved[i] = f->ns[i] + width * f->offset[i] -
			      b * ((double)f->pairs[i].trips - g->trips);
	stat_sort(moved, g->nr);
	return moved;
}

/*
 * Steps 2 and 3 of the header. Spread over two steps, two neighbouring readings
 * overlap, and the median between them is their mean; the spread that the
 * clock adds to an entry is one step.
 */
static void measure_group(struct fit *f, struct group *g, double b)
{
	double n = (double)g->nr;
	size_t c = (size_t)fmax(1, round((n + 1) / 2 - sqrt(n)));
	double spacings = n - 2 * (double)c + 1;
	const double *y;

	g->ns = stat_median(move_to_trips(f, g, b, 2 * f->step), g->nr);
	y = move_to_trips(f, g, b, f->step);
	g->own_se = fmax(sqrt(n) * (y[g->nr - c] - y[c - 1]) / (2 * spacings),
			 f->step / sqrt(12 * n));
	g->df = spacings;
}

static double median_of_3(double x, double y, double z)
{
	return fmax(fmin(x, y), fmin(fmax(x, y), z));
}

/* The outermost groups keep theirs: what they have is neighbours on one side. */
static void smooth_errors(struct fit *f)
{
	double spread[MAX_GROUPS];

	for (size_t i = 0; i < f->nr_groups; i++) {
		f->groups[i].se = f->groups[i].own_se;
		spread[i] = f->groups[i].own_se * sqrt((double)f->groups[i].nr);
	}
	if (f->nr_groups < 5)
		return;
	for (size_t i = 1; i + 1 < f->nr_groups; i++)
		f->groups[i].se = median_of_3(spread[i - 1], spread[i], spread[i + 1]) /
				  sqrt((double)f->groups[i].nr);
}

static void add_group(struct coefficient *c, const struct group *g, double weight)
{
	double var = weight * weight * g->se * g->se;

	c->value += weight * g->ns;
	c->var += var;
	c->df_var += var * var / g->df;
}

static double weight_of(const struct group *g)
{
	return 1 / (g->se * g->se);
}

/* Weighted least squares. false: the trips are the same in every group. */
static bool solve(const struct fit *f, struct coefficient *a, struct coefficient *b)
{
	const struct group *g, *end = f->groups + f->nr_groups;
	double sum = 0, mean = 0, square = 0, weight;

	*a = *b = (struct coefficient){0};
	for (g = f->groups; g < end; g++) {
		sum += weight_of(g);
		mean += weight_of(g) * g->trips;
	}
	mean /= sum;
	for (g = f->groups; g < end; g++)
		square += weight_of(g) * (g->trips - mean) * (g->trips - mean);
	if (!(square > 0))
		return false;
	for (g = f->groups; g < end; g++) {
		weight = weight_of(g) * (g->trips - mean) / square;
		add_group(b, g, weight);
		add_group(a, g, weight_of(g) / sum - mean * weight);
	}
	return true;
}

/* sqrt(chi^2 / degrees of freedom), at least 1. */
static double birge_ratio(const struct fit *f, double a, double b)
{
	double chi2 = 0, residual;

	if (f->nr_groups <= 2)
		return 1;
	for (size_t i = 0; i < f->nr_groups; i++) {
		residual = f->groups[i].ns - a - b * f->groups[i].trips;
		chi2 += residual * residual * weight_of(&f->groups[i]);
	}
	return fmax(1, sqrt(chi2 / (double)(f->nr_groups - 2)));
}

static void set_interval(const struct coefficient *c, double scale, double *ret,
			 double *ret_lo, double *ret_hi)
{
	double half = stat_t975(c->var * c->var / c->df_var) * scale * sqrt(c->var);

	*ret = c->value;
	*ret_lo = c->value - half;
	*ret_hi = c->value + half;
}

static void fit_groups(struct fit *f, struct line *line)
{
	struct coefficient a, b = {0};
	double scale, last;

	line->status = LINE_TOO_FEW;
	for (int round = 0; round < MAX_ROUNDS; round++) {
		for (size_t i = 0; i < f->nr_groups; i++)
			if (round == 0 || !f->groups[i].same_trips)
				measure_group(f, &f->groups[i], b.value);
		smooth_errors(f);
		last = b.value;
		if (!solve(f, &a, &b))
			return;
		if (fabs(b.value - last) < 0.01 * sqrt(b.var))
			break;
	}
	scale = birge_ratio(f, a.value, b.value);
	set_interval(&a, scale, &line->a, &line->a_lo, &line->a_hi);
	set_interval(&b, scale, &line->b, &line->b_lo, &line->b_hi);
	line->status = LINE_OK;
}

int line_fit(struct line_pair *pairs, size_t nr, struct line *ret)
{
	struct fit f = {.pairs = pairs, .nr_pairs = nr};
	struct line line = {.nr_pairs = nr, .status = LINE_TOO_FEW};

	if (nr == 0)
		goto out;
	qsort(pairs, nr, sizeof(*pairs), compare_pairs);
	form_groups(&f);
	line.nr_groups = f.nr_groups;
	if (pairs[0].trips == pairs[nr - 1].trips)
		line.status = LINE_TRIPS_CONSTANT;
	if (f.nr_groups < 2)
		goto out;
	f.ns = calloc(nr, 3 * sizeof(*f.ns));
	if (!f.ns)
		return -ENOMEM;
	f.offset = f.ns + nr;
	f.moved = f.offset + nr;
	f.step = clock_step(&f);
	spread_readings(&f);
	fit_groups(&f, &line);
	free(f.ns);
out:
	*ret = line;
	return 0;
}
