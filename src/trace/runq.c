// SPDX-License-Identifier: BSD-2-Clause
/* User space's half of bpf/runq.bpf.c. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <bpf/bpf.h>
#include <uthash.h>

#include "base/file.h"
#include "bpf/runq.h"
#include "model/sections.h"
#include "runq.skel.h"
#include "stat/hist.h"
#include "trace/cgroup_path.h"
#include "trace/tracer.h"

/* Bounds of the per-CPU histograms: memory, and cgroups whatever the memory. */
#define CGROUPS_BYTES (8U << 20)
#define CGROUPS_MIN   64U
#define CGROUPS_MAX   1024U

/* Bounds of the map of threads, at about 90 bytes each. */
#define TASKS_MIN 16384U
#define TASKS_MAX 262144U

/* In a map that is half full, a cgroup that was idle for so long makes room. */
#define IDLE_INTERVALS_MAX 3

struct cgroup {
	uint64_t id;
	char *path;
	struct runq_merged before; /* at the start of the interval */
	struct hist interval, run;
	uint64_t wait_ns, off_cpu_ns; /* of the interval */
	uint64_t run_wait_ns, run_off_cpu_ns;
	unsigned int idle; /* intervals */
	UT_hash_handle hh;
};

struct runq_tracer {
	struct runq_bpf *skel;
	uint32_t nr_cpus, max_cgroups;
	struct cgroup *cgroups; /* by id */
	/* Of all cgroups, those that went away too. */
	struct durations interval, run;
};

static const struct tracer_program programs[] = {
	{.name = "runq_wakeup", .attach = true},
	{.name = "runq_wakeup_new", .attach = true},
	{.name = "runq_switch", .attach = true},
	{.name = "runq_merge"},
};

static const char *const site_names[NR_RUNQ_SITES] = {
	[SITE_RUNQ_CGROUP] = "runq.cgroup",
	[SITE_RUNQ_CPUS] = "runq.merge_cpus",
	[SITE_RUNQ_SLOTS] = "runq.merge_slots",
};

static const char *const lost_causes[NR_RUNQ_LOST] = {
	[RUNQ_LOST_TASKS_FULL] = "tasks_full",
	[RUNQ_LOST_MAP_BUSY] = "map_busy",
	[RUNQ_LOST_CGROUPS_FULL] = "cgroups_full",
};

static void forget(struct runq_tracer *r, struct cgroup *c)
{
	HASH_DEL(r->cgroups, c);
	free(c->path);
	free(c);
}

static void runq_close(struct tracer *t)
{
	struct runq_tracer *r = t->state;
	struct cgroup *c, *next;

	if (!r)
		return;
	HASH_ITER (hh, r->cgroups, c, next)
		forget(r, c);
	runq_bpf__destroy(r->skel);
	free(r);
	t->state = NULL;
}

/* Room for twice the threads that there are now. */
static uint32_t choose_max_tasks(void)
{
	char line[128], *slash;
	unsigned long nr = 0;

	/* "0.20 0.18 0.12 1/380 11206": the fourth is running/existing. */
	if (!file_read_line(AT_FDCWD, "/proc/loadavg", line, sizeof(line))) {
		slash = strchr(line, '/');
		nr = slash ? 2 * strtoul(slash + 1, NULL, 10) : 0;
	}
	return nr < TASKS_MIN ? TASKS_MIN : nr > TASKS_MAX ? TASKS_MAX : (uint32_t)nr;
}

static int runq_open(struct tracer *t, const struct trace_options *options,
		     struct reason *why)
{
	struct runq_tracer *r;
	uint32_t max;
	int nr_cpus;

	(void)options;
	r = calloc(1, sizeof(*r));
	if (!r)
		return reason_set(why, -ENOMEM, "out of memory");
	t->state = r;
	nr_cpus = libbpf_num_possible_cpus();
	if (nr_cpus < 0)
		return reason_set(why, nr_cpus, "cannot tell the number of CPUs: %s",
				  strerror(-nr_cpus));
	r->nr_cpus = (uint32_t)nr_cpus;
	r->skel = runq_bpf__open();
	if (!r->skel)
		return reason_set(why, -ENOMEM,
				  "cannot open the runq tracer's programs");
	max = CGROUPS_BYTES / (r->nr_cpus * (uint32_t)sizeof(struct runq_stat));
	max = max < CGROUPS_MIN ? CGROUPS_MIN : max > CGROUPS_MAX ? CGROUPS_MAX : max;
	r->max_cgroups = max;
	bpf_map__set_max_entries(r->skel->maps.cgroups, max);
	bpf_map__set_max_entries(r->skel->maps.paths, max);
	bpf_map__set_max_entries(r->skel->maps.tasks, choose_max_tasks());
	t->shared = (struct tracer_shared){
		.skeleton = r->skel->skeleton,
		.loops_backend = (uint32_t *)&r->skel->rodata->loops_backend,
	};
	return 0;
}

/* The place of cgroups that find none of their own is taken before anything runs. */
static int runq_ready(struct tracer *t, struct reason *why)
{
	struct runq_tracer *r = t->state;
	uint64_t other = RUNQ_OTHER_CGROUPS;
	struct runq_stat *zero;
	int err;

	t->shared.site_threshold = r->skel->bss->site_threshold;
	t->shared.lost = (uint64_t *)r->skel->bss->lost;
	zero = calloc(r->nr_cpus, sizeof(*zero));
	if (!zero)
		return reason_set(why, -ENOMEM, "out of memory");
	err = bpf_map_update_elem(bpf_map__fd(r->skel->maps.cgroups), &other, zero,
				  BPF_ANY);
	free(zero);
	if (err)
		return reason_set(why, err, "cannot prepare the cgroup map: %s",
				  strerror(-err));
	return 0;
}

/* Sum one cgroup's histograms over CPUs into *ret, in the kernel. */
static int merge(struct runq_tracer *r, uint64_t id, struct runq_merged *ret)
{
	struct runq_merge args = {.cgroup = id, .nr_cpus = RUNQ_MERGE_CPUS};
	LIBBPF_OPTS(bpf_test_run_opts, opts, .ctx_in = &args,
		    .ctx_size_in = sizeof(args));
	void *merged = &r->skel->bss->merged;
	int err;

	memset(merged, 0, sizeof(*ret));
	for (; args.first_cpu < r->nr_cpus; args.first_cpu += RUNQ_MERGE_CPUS) {
		args.nr_cpus = r->nr_cpus - args.first_cpu;
		err = bpf_prog_test_run_opts(bpf_program__fd(r->skel->progs.runq_merge),
					     &opts);
		if (err)
			return err;
	}
	memcpy(ret, merged, sizeof(*ret));
	return 0;
}

static char *read_path(struct runq_tracer *r, uint64_t id)
{
	struct cgroup_names path;

	if (id == RUNQ_OTHER_CGROUPS)
		return strdup("(other cgroups)");
	if (bpf_map_lookup_elem(bpf_map__fd(r->skel->maps.paths), &id, &path))
		return NULL;
	return cgroup_path(&path);
}

static struct cgroup *find_cgroup(struct runq_tracer *r, uint64_t id)
{
	struct cgroup *c;

	HASH_FIND(hh, r->cgroups, &id, sizeof(id), c);
	if (c && !c->path)
		c->path = read_path(r, id); /* it comes a moment after the cgroup */
	if (c)
		return c;
	c = calloc(1, sizeof(*c));
	if (!c)
		return NULL;
	c->id = id;
	c->path = read_path(r, id);
	HASH_ADD(hh, r->cgroups, id, sizeof(c->id), c);
	return c;
}

/* The class of the values in a slot of a histogram. */
static size_t duration_class(uint32_t slot)
{
	uint64_t low = hist_slot_low(slot) >> DURATION_FIRST_LOG2;
	size_t class = 0;

	for (; low; low >>= 1)
		class ++;
	return class < DURATION_CLASSES ? class : DURATION_CLASSES - 1;
}

/* One cgroup's interval, into those of all. */
static void add_durations(struct durations *d, const struct cgroup *c)
{
	uint32_t slot;

	for (slot = 0; slot < HIST_NR_SLOTS; slot++)
		d->classes[duration_class(slot)] += c->interval.slots[slot];
	d->sum_ns += c->wait_ns;
}

/* What came since the last time, into the figures of the interval. */
static void take_merged(struct cgroup *c, const struct runq_merged *now)
{
	uint64_t nr = 0;
	size_t i;

	for (i = 0; i < HIST_NR_SLOTS; i++) {
		c->interval.slots[i] = (uint32_t)(now->slots[i] - c->before.slots[i]);
		nr += c->interval.slots[i];
	}
	c->interval.max = now->max_ns;
	c->wait_ns = now->wait_ns - c->before.wait_ns;
	c->off_cpu_ns = now->off_cpu_ns - c->before.off_cpu_ns;
	c->before = *now;
	c->idle = nr ? 0 : c->idle + 1;
	hist_merge(&c->run, &c->interval);
	c->run_wait_ns += c->wait_ns;
	c->run_off_cpu_ns += c->off_cpu_ns;
}

/* Make room: what it had goes to the other cgroups' part of the summary. */
static void evict(struct runq_tracer *r, struct cgroup *c)
{
	struct cgroup *other = find_cgroup(r, RUNQ_OTHER_CGROUPS);

	if (other) {
		hist_merge(&other->run, &c->run);
		other->run_wait_ns += c->run_wait_ns;
		other->run_off_cpu_ns += c->run_off_cpu_ns;
	}
	bpf_map_delete_elem(bpf_map__fd(r->skel->maps.cgroups), &c->id);
	bpf_map_delete_elem(bpf_map__fd(r->skel->maps.paths), &c->id);
	forget(r, c);
}

static int take_interval(struct runq_tracer *r, struct reason *why)
{
	int fd = bpf_map__fd(r->skel->maps.cgroups), err;
	uint64_t key, *prev = NULL;
	struct runq_merged merged;
	struct cgroup *c, *next;
	uint32_t nr = 0;

	r->interval = (struct durations){0};
	while (nr++ < r->max_cgroups && !bpf_map_get_next_key(fd, prev, &key)) {
		prev = &key;
		err = merge(r, key, &merged);
		if (err)
			return reason_set(why, err,
					  "cannot merge a cgroup's histograms: %s",
					  strerror(-err));
		c = find_cgroup(r, key);
		if (!c)
			return reason_set(why, -ENOMEM, "out of memory");
		take_merged(c, &merged);
		add_durations(&r->interval, c);
	}
	durations_add(&r->run, &r->interval);
	HASH_ITER (hh, r->cgroups, c, next)
		if (c->idle > IDLE_INTERVALS_MAX && c->id != RUNQ_OTHER_CGROUPS &&
		    HASH_COUNT(r->cgroups) > r->max_cgroups / 2)
			evict(r, c);
	return 0;
}

static int by_wait(struct cgroup *a, struct cgroup *b)
{
	return a->wait_ns < b->wait_ns ? 1 : a->wait_ns > b->wait_ns ? -1 : 0;
}

static int by_run_wait(struct cgroup *a, struct cgroup *b)
{
	return a->run_wait_ns < b->run_wait_ns   ? 1
	       : a->run_wait_ns > b->run_wait_ns ? -1
						 : 0;
}

static void add_row(struct table *table, const struct cgroup *c, bool summary)
{
	const struct hist *h = summary ? &c->run : &c->interval;
	uint64_t nr = hist_total(h);
	struct cell *row;

	if (!nr)
		return;
	row = table_add_row(table);
	if (!row)
		return;
	cell_set_text(&row[CG_PATH], c->path ? strdup(c->path) : NULL);
	cell_set_number(&row[CG_WAITS], nr);
	cell_set_number(&row[CG_P50], (uint64_t)hist_quantile(h, 0.5));
	cell_set_number(&row[CG_P99], (uint64_t)hist_quantile(h, 0.99));
	cell_set_number(&row[CG_MAX], h->max);
	cell_set_number(&row[CG_WAIT], summary ? c->run_wait_ns : c->wait_ns);
	cell_set_number(&row[CG_OFF], summary ? c->run_off_cpu_ns : c->off_cpu_ns);
	cell_set_number(&row[CG_ID], c->id);
}

static int runq_read(struct tracer *t, bool summary, struct section *section,
		     uint64_t *events, struct reason *why)
{
	struct runq_tracer *r = t->state;
	struct cgroup *c, *next;
	struct table *table;
	int err;

	/* A summary is of the intervals that were taken, the last one included. */
	if (!summary) {
		err = take_interval(r, why);
		if (err)
			return err;
	}
	if (summary)
		HASH_SORT(r->cgroups, by_run_wait);
	else
		HASH_SORT(r->cgroups, by_wait);
	table = section_add_known_table(section, "cgroups");
	*events = 0;
	HASH_ITER (hh, r->cgroups, c, next) {
		*events += hist_total(summary ? &c->run : &c->interval);
		add_row(table, c, summary);
	}
	section_add_known_total(section, "waits", *events);
	section->durations = summary ? r->run : r->interval;
	section->durations.key = "wait";
	section->durations.title = "how long runnable threads waited for a CPU";
	return 0;
}

const struct tracer_type runq_tracer = {
	.name = "runq",
	.summary = "run-queue latency and off-CPU time by cgroup",
	.programs = programs,
	.nr_programs = sizeof(programs) / sizeof(programs[0]),
	.sites = site_names,
	.nr_sites = NR_RUNQ_SITES,
	.lost = lost_causes,
	.nr_lost = NR_RUNQ_LOST,
	.shows_cgroups = true,
	.open = runq_open,
	.ready = runq_ready,
	.read = runq_read,
	.close = runq_close,
};
