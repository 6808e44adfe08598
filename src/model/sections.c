// SPDX-License-Identifier: BSD-2-Clause
#include <string.h>

#include "model/sections.h"

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

static const struct column process_columns[] = {
	[PROC_PID] = {"pid", "pid", COLUMN_NUMBER},
	[PROC_PPID] = {"ppid", "ppid", COLUMN_NUMBER, 3},
	[PROC_UID] = {"uid", NULL, COLUMN_NUMBER},
	[PROC_COMM] = {"comm", NULL, COLUMN_TEXT},
	[PROC_LIFETIME] = {"lifetime_ns", "lifetime", COLUMN_NS, 1},
	[PROC_EXIT] = {"exit_code", NULL, COLUMN_NUMBER},
	[PROC_SIGNAL] = {"signal", NULL, COLUMN_NUMBER},
	[PROC_STATUS] = {"status", "status", COLUMN_TEXT},
	[PROC_CGROUP] = {"cgroup", "cgroup", COLUMN_TEXT, 2},
	[PROC_ANCESTRY] = {"ancestry", "ancestry", COLUMN_LIST, 4},
	[PROC_ANCESTRY_CUT] = {"ancestry_truncated", NULL, COLUMN_FLAG},
	[PROC_ARGV] = {"argv", "argv", COLUMN_LIST},
	[PROC_ARGV_BYTES] = {"argv_bytes", NULL, COLUMN_COUNT},
	[PROC_ARGV_CUT] = {"argv_truncated", NULL, COLUMN_FLAG},
	[PROC_TIME] = {"exec_time_ns", NULL, COLUMN_NUMBER},
};

static const struct table_description exec_tables[] = {
	{"processes", "processes that ended, or started and still run", process_columns,
	 ARRAY_SIZE(process_columns)},
};

static const struct total exec_totals[] = {
	{.key = "execs", .title = "programs started"},
	{.key = "exits", .title = "processes ended"},
	{.key = "failed", .title = "not with exit status 0"},
	{.key = "forgotten",
	 .title = "forgotten before they ended, to bound memory",
	 .visibility = TOTAL_SHOWN_IF_ANY},
	{.key = "argv_max_bytes", .visibility = TOTAL_HIDDEN},
};

static const struct column cgroup_columns[] = {
	[CG_PATH] = {"cgroup", "cgroup", COLUMN_TEXT},
	[CG_WAITS] = {"waits", "waits", COLUMN_COUNT},
	[CG_P50] = {"p50_ns", "p50", COLUMN_NS},
	[CG_P99] = {"p99_ns", "p99", COLUMN_NS},
	[CG_MAX] = {"max_ns", "max", COLUMN_NS},
	[CG_WAIT] = {"wait_ns", "waited", COLUMN_NS, 1},
	[CG_OFF] = {"off_cpu_ns", "off CPU", COLUMN_NS, 2},
	[CG_ID] = {"cgroup_id", NULL, COLUMN_NUMBER},
};

static const struct table_description runq_tables[] = {
	{"cgroups", "run-queue latency by cgroup", cgroup_columns,
	 ARRAY_SIZE(cgroup_columns)},
};

static const struct total runq_totals[] = {
	{.key = "waits", .title = "waits for a CPU"},
};

static const struct column call_columns[] = {
	[CALL_NAME] = {"name", "system call", COLUMN_TEXT},
	[CALL_COUNT] = {"count", "calls", COLUMN_COUNT},
	[CALL_ERRORS] = {"errors", "errors", COLUMN_COUNT},
	[CALL_TOTAL] = {"total_ns", "total", COLUMN_NS},
	[CALL_MEAN] = {"mean_ns", "mean", COLUMN_NS},
	[CALL_MAX] = {"max_since_start_ns", "longest", COLUMN_NS},
};

static const struct column slow_columns[] = {
	[SLOW_NS] = {"ns", "took", COLUMN_NS},
	[SLOW_NAME] = {"name", "system call", COLUMN_TEXT},
	[SLOW_PID] = {"pid", "pid", COLUMN_NUMBER},
	[SLOW_COMM] = {"comm", "process", COLUMN_TEXT},
};

static const struct table_description syscall_tables[] = {
	{"by_total", "system calls by total time", call_columns,
	 ARRAY_SIZE(call_columns)},
	{"slowest", "slowest calls that ended", slow_columns, ARRAY_SIZE(slow_columns)},
};

static const struct total syscall_totals[] = {
	{.key = "calls", .title = "calls"},
	{.key = "errors", .title = "errors"},
};

#define SECTION(name)                                                           \
	{                                                                       \
#name, name##_totals, ARRAY_SIZE(name##_totals), name##_tables, \
			ARRAY_SIZE(name##_tables)                               \
	}

static const struct section_description sections[] = {
	SECTION(exec),
	SECTION(runq),
	SECTION(syscall),
};

const struct section_description *section_describe(const char *tracer)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(sections); i++)
		if (!strcmp(tracer, sections[i].tracer))
			return &sections[i];
	return NULL;
}

struct table *section_add_known_table(struct section *s, const char *key)
{
	const struct section_description *d = section_describe(s->tracer);
	size_t i;

	for (i = 0; d && i < d->nr_tables; i++)
		if (!strcmp(key, d->tables[i].key))
			return section_add_table(s, key, d->tables[i].title,
						 d->tables[i].columns,
						 d->tables[i].nr_columns);
	return NULL;
}

void section_add_known_total(struct section *s, const char *key, uint64_t value)
{
	const struct section_description *d = section_describe(s->tracer);
	size_t i;

	for (i = 0; d && i < d->nr_totals; i++)
		if (!strcmp(key, d->totals[i].key))
			section_add_total(s, key, d->totals[i].title,
					  d->totals[i].visibility, value);
}
