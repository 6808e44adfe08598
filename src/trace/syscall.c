// SPDX-License-Identifier: BSD-2-Clause
/* User space's half of bpf/syscall.bpf.c. */
#include <errno.h>
#include <seccomp.h>
#include <stdlib.h>
#include <string.h>
#include <bpf/bpf.h>

#include "base/text.h"
#include "bpf/syscall.h"
#include "model/sections.h"
#include "syscall.skel.h"
#include "trace/tracer.h"

struct syscall_tracer {
	struct syscall_bpf *skel;
	size_t nr_cpus;
	struct syscall_stat *percpu;                 /* one row's values */
	struct syscall_top *tops;                    /* one turn's */
	struct syscall_stat before[SYSCALL_NR_ROWS]; /* sums at the interval's start */
	struct syscall_stat now[SYSCALL_NR_ROWS];
};

static const struct tracer_program programs[] = {
	{.name = "syscall_enter", .attach = true},
	{.name = "syscall_exit", .attach = true},
	{.name = "syscall_self"},
};

static const char *const site_names[NR_SYSCALL_SITES] = {
	[SITE_SYSCALL_TOP] = "syscall.top",
};

static const char *const lost_causes[NR_SYSCALL_LOST] = {
	[SYSCALL_LOST_STORAGE] = "no_storage",
};

static void syscall_close(struct tracer *t)
{
	struct syscall_tracer *s = t->state;

	if (!s)
		return;
	syscall_bpf__destroy(s->skel);
	free(s->percpu);
	free(s->tops);
	free(s);
	t->state = NULL;
}

static int syscall_open(struct tracer *t, const struct trace_options *options,
			struct reason *why)
{
	struct syscall_tracer *s;
	int nr_cpus;

	(void)options;
	s = calloc(1, sizeof(*s));
	if (!s)
		return reason_set(why, -ENOMEM, "out of memory");
	t->state = s;
	nr_cpus = libbpf_num_possible_cpus();
	if (nr_cpus < 0)
		return reason_set(why, nr_cpus, "cannot tell the number of CPUs: %s",
				  strerror(-nr_cpus));
	s->nr_cpus = (size_t)nr_cpus;
	s->percpu = calloc(s->nr_cpus, sizeof(*s->percpu));
	s->tops = calloc(s->nr_cpus, sizeof(*s->tops));
	s->skel = syscall_bpf__open();
	if (!s->percpu || !s->tops || !s->skel)
		return reason_set(why, -ENOMEM,
				  "cannot open the syscall tracer's programs");
	t->shared = (struct tracer_shared){
		.skeleton = s->skel->skeleton,
		.loops_backend = (uint32_t *)&s->skel->rodata->loops_backend,
	};
	return 0;
}

static int syscall_ready(struct tracer *t, struct reason *why)
{
	struct syscall_tracer *s = t->state;

	LIBBPF_OPTS(bpf_test_run_opts, opts);
	int err;

	t->shared.site_threshold = s->skel->bss->site_threshold;
	t->shared.lost = (uint64_t *)s->skel->bss->lost;
	/* 0 is what an untouched list says: begin above it. */
	s->skel->bss->interval = 1;
	err = bpf_prog_test_run_opts(bpf_program__fd(s->skel->progs.syscall_self),
				     &opts);
	if (err)
		return reason_set(why, err, "cannot run syscall_self: %s",
				  strerror(-err));
	return 0;
}

/* The name in the native table, or the number; the caller's to free. */
static char *syscall_name(uint32_t nr)
{
	char *name = NULL;

	if (nr == SYSCALL_OTHER)
		return strdup("(32-bit or unknown)");
	name = seccomp_syscall_resolve_num_arch(seccomp_arch_native(), (int)nr);
	if (!name && asprintf(&name, "syscall_%u", nr) < 0)
		return NULL;
	return name;
}

static int sum_rows(struct syscall_tracer *s, struct reason *why)
{
	int fd = bpf_map__fd(s->skel->maps.calls), err;
	uint32_t row;
	size_t cpu;

	memset(s->now, 0, sizeof(s->now));
	for (row = 0; row < SYSCALL_NR_ROWS; row++) {
		err = bpf_map_lookup_elem(fd, &row, s->percpu);
		if (err)
			return reason_set(why, err, "cannot read system call %u: %s",
					  row, strerror(-err));
		for (cpu = 0; cpu < s->nr_cpus; cpu++) {
			const struct syscall_stat *from = &s->percpu[cpu];
			struct syscall_stat *to = &s->now[row];

			to->count += from->count;
			to->errors += from->errors;
			to->total_ns += from->total_ns;
			if (from->max_ns > to->max_ns)
				to->max_ns = from->max_ns;
		}
	}
	return 0;
}

struct call {
	uint32_t nr;
	struct syscall_stat stat;
};

static int by_total(const void *a, const void *b)
{
	const struct call *x = a, *y = b;

	return x->stat.total_ns < y->stat.total_ns   ? 1
	       : x->stat.total_ns > y->stat.total_ns ? -1
						     : 0;
}

/* Rows that were called, most time first; the number of them. */
static size_t rank_calls(const struct syscall_tracer *s, bool summary,
			 struct call *calls)
{
	size_t nr = 0;
	uint32_t row;

	for (row = 0; row < SYSCALL_NR_ROWS; row++) {
		struct call c = {.nr = row, .stat = s->now[row]};

		if (!summary) {
			c.stat.count -= s->before[row].count;
			c.stat.errors -= s->before[row].errors;
			c.stat.total_ns -= s->before[row].total_ns;
		}
		if (c.stat.count)
			calls[nr++] = c;
	}
	qsort(calls, nr, sizeof(*calls), by_total);
	return nr;
}

static void fill_calls(const struct call *calls, size_t nr, struct table *table)
{
	struct cell *row;
	size_t i;

	for (i = 0; i < nr; i++) {
		const struct syscall_stat *stat = &calls[i].stat;

		row = table_add_row(table);
		if (!row)
			continue;
		cell_set_text(&row[CALL_NAME], syscall_name(calls[i].nr));
		cell_set_number(&row[CALL_COUNT], stat->count);
		cell_set_number(&row[CALL_ERRORS], stat->errors);
		cell_set_number(&row[CALL_TOTAL], stat->total_ns);
		cell_set_number(&row[CALL_MEAN], stat->total_ns / stat->count);
		cell_set_number(&row[CALL_MAX], stat->max_ns);
	}
}

static int slowest_first(const void *a, const void *b)
{
	const struct syscall_slow *x = a, *y = b;

	return x->ns < y->ns ? 1 : x->ns > y->ns ? -1 : 0;
}

/* The lists of all CPUs of the interval that just ended, as one. */
static int read_slowest(struct syscall_tracer *s, struct table *table,
			struct reason *why)
{
	uint64_t interval = s->skel->bss->interval++;
	uint32_t turn = interval & 1;
	struct syscall_slow *all;
	size_t cpu, i, nr = 0;
	struct cell *row;
	int err;

	err = bpf_map_lookup_elem(bpf_map__fd(s->skel->maps.tops), &turn, s->tops);
	if (err)
		return reason_set(why, err, "cannot read the slowest system calls: %s",
				  strerror(-err));
	all = calloc(s->nr_cpus * SYSCALL_NR_TOP, sizeof(*all));
	if (!all)
		return reason_set(why, -ENOMEM, "out of memory");
	for (cpu = 0; cpu < s->nr_cpus; cpu++)
		for (i = 0; s->tops[cpu].interval == interval && i < SYSCALL_NR_TOP;
		     i++)
			if (s->tops[cpu].slow[i].ns)
				all[nr++] = s->tops[cpu].slow[i];
	qsort(all, nr, sizeof(*all), slowest_first);
	for (i = 0; i < nr && i < SYSCALL_NR_TOP; i++) {
		row = table_add_row(table);
		if (!row)
			continue;
		cell_set_number(&row[SLOW_NS], all[i].ns);
		cell_set_text(&row[SLOW_NAME], syscall_name(all[i].nr));
		cell_set_number(&row[SLOW_PID], all[i].pid);
		cell_set_text(&row[SLOW_COMM],
			      text_printable(all[i].comm,
					     strnlen(all[i].comm, SYSCALL_COMM_LEN)));
	}
	free(all);
	return 0;
}

static int syscall_read(struct tracer *t, bool summary, struct section *section,
			uint64_t *events, struct reason *why)
{
	struct syscall_tracer *s = t->state;
	struct call calls[SYSCALL_NR_ROWS];
	uint64_t errors = 0;
	size_t nr, i;
	int err;

	if (!summary) {
		err = sum_rows(s, why);
		if (err)
			return err;
	}
	nr = rank_calls(s, summary, calls);
	*events = 0;
	for (i = 0; i < nr; i++) {
		*events += calls[i].stat.count;
		errors += calls[i].stat.errors;
	}
	section_add_known_total(section, "calls", *events);
	section_add_known_total(section, "errors", errors);
	fill_calls(calls, nr, section_add_known_table(section, "by_total"));
	if (summary)
		return 0;
	memcpy(s->before, s->now, sizeof(s->before));
	return read_slowest(s, section_add_known_table(section, "slowest"), why);
}

const struct tracer_type syscall_tracer = {
	.name = "syscall",
	.summary = "latency and errors of system calls",
	.programs = programs,
	.nr_programs = sizeof(programs) / sizeof(programs[0]),
	.sites = site_names,
	.nr_sites = NR_SYSCALL_SITES,
	.lost = lost_causes,
	.nr_lost = NR_SYSCALL_LOST,
	.open = syscall_open,
	.ready = syscall_ready,
	.read = syscall_read,
	.close = syscall_close,
};
