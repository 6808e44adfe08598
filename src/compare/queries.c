// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "compare/queries.h"

#define STEPS        240
#define LEAST_STEP_S 5

#define MAX_SELECTOR 1024

/* Of a host: all that guards look at, and which kernel it is. */
#define OF_KERNEL    "release, version, build_id, arch, cpu, clock_source, virtualised"
#define OF_ITERTRACE "itertrace, loops"

#define SITE "{site!=\"other\"}"
#define FITTED(gauge)                                   \
	"(" gauge SITE " and on (instance, job, site) " \
	"itertrace_loop_fit{state=\"ok\"} == 1)"

static const struct {
	const char *over, *series; /* NULL: the hosts themselves */
} queries[NR_QUERIES] = {
	[QUERY_HOSTS] = {"count_over_time(", NULL},
	[QUERY_STATES] = {"count_over_time(", "itertrace_construct_state"},
	[QUERY_PRICES] = {"quantile_over_time(0.5, ",
			  "itertrace_construct_trip_seconds"},
	[QUERY_EVENTS] = {"increase(",
			  "(sum without (tracer) (itertrace_events_total))"},
	[QUERY_LOST] = {"increase(", "(sum without (tracer, cause) "
				     "(itertrace_lost_events_total))"},
	[QUERY_ENTRIES] = {"increase(", "itertrace_loop_trips_count" SITE},
	[QUERY_TRIPS] = {"increase(", "itertrace_loop_trips_sum" SITE},
	[QUERY_SLOPES] = {"quantile_over_time(0.5, ",
			  FITTED("itertrace_loop_trip_seconds")},
	[QUERY_FITS] = {"count_over_time(", FITTED("itertrace_loop_trip_seconds")},
	[QUERY_PER_LOOP] = {"quantile_over_time(0.5, ",
			    FITTED("itertrace_loop_entry_seconds")},
	[QUERY_MEANS] = {"quantile_over_time(0.5, ",
			 "itertrace_loop_mean_seconds" SITE},
	[QUERY_NR_MEANS] = {"count_over_time(", "itertrace_loop_mean_seconds" SITE},
};

struct query_range query_range_of(uint64_t since_s)
{
	struct query_range range = {since_s, (since_s + STEPS - 1) / STEPS};

	if (range.step_s < LEAST_STEP_S)
		range.step_s = LEAST_STEP_S;
	return range;
}

int query_check_selector(const char *option, const char *selector, struct reason *why)
{
	size_t len = strlen(selector);

	if (len > 1 && len < MAX_SELECTOR && selector[0] == '{' &&
	    selector[len - 1] == '}')
		return 0;
	return reason_set(why, -EINVAL,
			  "%s takes matchers of the labels of itertrace_kernel_info in "
			  "braces, such as '{release=~\"7.3.*\"}', not '%.100s'",
			  option, selector);
}

static void write_hosts(FILE *out, const char *selector)
{
	fprintf(out,
		"itertrace_kernel_info%s * on (instance, job) group_left (" OF_ITERTRACE
		") label_replace(itertrace_build_info, \"itertrace\", \"$1\", "
		"\"version\", \"(.*)\")",
		selector);
}

static char *finish(FILE *out, char **text)
{
	return fclose(out) ? NULL : *text;
}

char *query_text(enum query query, const char *selector, struct query_range range)
{
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	if (!out)
		return NULL;
	fprintf(out, "%s(", queries[query].over);
	if (queries[query].series)
		fprintf(out,
			"%s * on (instance, job) group_left (" OF_KERNEL
			", " OF_ITERTRACE ") (",
			queries[query].series);
	write_hosts(out, selector);
	fprintf(out, "%s)[%llus:%llus])", queries[query].series ? ")" : "",
		(unsigned long long)range.since_s, (unsigned long long)range.step_s);
	return finish(out, &text);
}

char *query_kernels(struct query_range range)
{
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	if (!out)
		return NULL;
	fprintf(out,
		"count by (release, build_id) "
		"(last_over_time(itertrace_kernel_info[%llus]))",
		(unsigned long long)range.since_s);
	return finish(out, &text);
}
