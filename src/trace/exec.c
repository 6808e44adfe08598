// SPDX-License-Identifier: BSD-2-Clause
/*
 * User space's half of bpf/exec.bpf.c.
 *
 * A process is remembered from its exec to its exit, so that both can be told
 * as one; and listed in the interval in which it ended, or in which it started
 * if it still runs then. What is remembered and what is listed is bounded; what
 * does not fit is counted.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <uthash.h>

#include "base/text.h"
#include "bpf/exec.h"
#include "exec.skel.h"
#include "model/sections.h"
#include "trace/cgroup_path.h"
#include "trace/tracer.h"

/* What is kept for the report: of processes that run, and of those that ended. */
#define REMEMBERED_BYTES (2U << 20)
#define ENDED_BYTES      (2U << 20)
#define LISTED_MAX       256

/*
 * Threads of a process that end in the same moment may each find that no other
 * is left, and send its exit each: within microseconds, so that a short memory
 * tells them.
 */
#define SEEN_EXITS 256

_Static_assert(TRACE_ARGV_LIMIT == EXEC_ARGV_MAX, "what can be asked for is what fits");

struct process {
	uint32_t pid;
	bool started_now; /* in this interval */
	enum process_state { PROCESS_RUNS, PROCESS_ENDED, PROCESS_REPLACED } state;
	struct exec_exit
		end; /* of one that ended; the time alone, if it was replaced */
	size_t bytes;
	struct process *next_ended;
	UT_hash_handle hh;
	struct exec_event event; /* with its argv */
};

struct exec_tracer {
	struct exec_bpf *skel;
	struct ring_buffer *ring;
	struct process *running; /* by pid, oldest exec first */
	size_t remembered_bytes;
	struct process *ended, **ended_tail; /* of the interval */
	size_t nr_ended, ended_bytes;
	struct exit_id {
		uint32_t pid;
		uint64_t born_ns;
	} seen[SEEN_EXITS]; /* a ring */
	size_t next_seen;
	uint64_t last_started, last_ended;
	struct exec_counts {
		uint64_t execs, exits, duplicates, failed, unlisted, forgotten;
	} interval, run;
};

static const struct tracer_program programs[] = {
	{.name = "exec_start", .attach = true},
	{.name = "exec_end", .attach = true, .without = "exit codes and lifetimes"},
};

static const char *const site_names[NR_EXEC_SITES] = {
	[SITE_EXEC_ARGV] = "exec.argv",
	[SITE_EXEC_PARENTS] = "exec.parents",
	[SITE_EXEC_CGROUP] = "exec.cgroup",
};

static const char *const lost_causes[NR_EXEC_LOST] = {
	[EXEC_LOST_RING_FULL] = "ring_full",
	[EXEC_LOST_READ_FAULT] = "read_fault",
};

static void forget_ended(struct exec_tracer *e)
{
	struct process *p;

	while (e->ended) {
		p = e->ended;
		e->ended = p->next_ended;
		free(p);
	}
	e->ended_tail = &e->ended;
	e->nr_ended = 0;
	e->ended_bytes = 0;
}

static void stop_remembering(struct exec_tracer *e, struct process *p)
{
	HASH_DEL(e->running, p);
	e->remembered_bytes -= p->bytes;
}

static void exec_close(struct tracer *t)
{
	struct exec_tracer *e = t->state;
	struct process *p, *next;

	if (!e)
		return;
	HASH_ITER (hh, e->running, p, next) {
		stop_remembering(e, p);
		free(p);
	}
	forget_ended(e);
	ring_buffer__free(e->ring);
	exec_bpf__destroy(e->skel);
	free(e);
	t->state = NULL;
}

static int exec_open(struct tracer *t, const struct trace_options *options,
		     struct reason *why)
{
	struct exec_tracer *e;

	e = calloc(1, sizeof(*e));
	if (!e)
		return reason_set(why, -ENOMEM, "out of memory");
	t->state = e;
	e->ended_tail = &e->ended;
	e->skel = exec_bpf__open();
	if (!e->skel)
		return reason_set(why, -ENOMEM,
				  "cannot open the exec tracer's programs");
	e->skel->rodata->argv_max = options->argv_max;
	t->shared = (struct tracer_shared){
		.skeleton = e->skel->skeleton,
		.loops_backend = (uint32_t *)&e->skel->rodata->loops_backend,
	};
	return 0;
}

/* The oldest exec makes room; its exit will be counted, but not listed with an argv. */
static void make_room(struct exec_tracer *e, size_t bytes)
{
	struct process *p, *next;

	HASH_ITER (hh, e->running, p, next) {
		if (e->remembered_bytes + bytes <= REMEMBERED_BYTES)
			break;
		stop_remembering(e, p);
		e->interval.forgotten++;
		e->interval.unlisted += p->started_now;
		free(p);
	}
}

/* Keep a process for the interval's list, if there is room; it is forgotten if not. */
static void keep_ended(struct exec_tracer *e, struct process *p)
{
	if (e->nr_ended >= LISTED_MAX || e->ended_bytes + p->bytes > ENDED_BYTES) {
		e->interval.unlisted++;
		free(p);
		return;
	}
	*e->ended_tail = p;
	e->ended_tail = &p->next_ended;
	e->nr_ended++;
	e->ended_bytes += p->bytes;
}

static void take_exec(struct exec_tracer *e, const struct exec_event *event)
{
	size_t bytes = sizeof(struct process) + event->argv_len + 1;
	struct process *p, *old;

	HASH_FIND(hh, e->running, &event->head.pid, sizeof(event->head.pid), old);
	if (old) {
		/* The same process runs another program now. */
		stop_remembering(e, old);
		old->state = PROCESS_REPLACED;
		old->end.time_ns = event->head.time_ns;
		old->end.born_ns = event->head.born_ns;
		keep_ended(e, old);
	}
	make_room(e, bytes);
	p = calloc(1, bytes);
	if (!p) {
		e->interval.forgotten++;
		e->interval.unlisted++;
		return;
	}
	memcpy(&p->event, event, sizeof(*event) + event->argv_len);
	p->pid = event->head.pid;
	p->bytes = bytes;
	p->started_now = true;
	HASH_ADD(hh, e->running, pid, sizeof(p->pid), p);
	e->remembered_bytes += bytes;
}

/* How far a counter of the programs has come since the last call. */
static uint64_t advance(const uint64_t *counter, uint64_t *last)
{
	uint64_t now = __atomic_load_n(counter, __ATOMIC_RELAXED), nr = now - *last;

	*last = now;
	return nr;
}

static bool was_seen(struct exec_tracer *e, const struct exec_exit *end)
{
	size_t i;

	for (i = 0; i < SEEN_EXITS; i++)
		if (e->seen[i].pid == end->pid && e->seen[i].born_ns == end->born_ns)
			return true;
	e->seen[e->next_seen++ % SEEN_EXITS] = (struct exit_id){end->pid, end->born_ns};
	return false;
}

static void take_exit(struct exec_tracer *e, const struct exec_exit *end)
{
	struct process *p;

	if (was_seen(e, end)) {
		e->interval.duplicates++;
		return;
	}
	if (end->exit_code)
		e->interval.failed++;
	HASH_FIND(hh, e->running, &end->pid, sizeof(end->pid), p);
	if (!p)
		return;
	stop_remembering(e, p);
	p->state = PROCESS_ENDED;
	p->end = *end;
	keep_ended(e, p);
}

static int take_event(void *context, void *data, size_t size)
{
	const struct exec_event *event = data;

	if (size >= sizeof(*event) && event->head.type == EXEC_EVENT_EXEC &&
	    event->argv_len <= size - sizeof(*event))
		take_exec(context, event);
	else if (size >= sizeof(event->head) && event->head.type == EXEC_EVENT_EXIT)
		take_exit(context, &event->head);
	return 0;
}

static int exec_ready(struct tracer *t, struct reason *why)
{
	struct exec_tracer *e = t->state;

	t->shared.site_threshold = e->skel->bss->site_threshold;
	t->shared.lost = (uint64_t *)e->skel->bss->lost;
	e->ring = ring_buffer__new(bpf_map__fd(e->skel->maps.events), take_event, e,
				   NULL);
	if (!e->ring)
		return reason_set(why, -errno, "cannot map the ring buffer: %s",
				  strerror(errno));
	return 0;
}

static int exec_consume(struct tracer *t)
{
	struct exec_tracer *e = t->state;

	return ring_buffer__consume(e->ring);
}

static int exec_event_fd(const struct tracer *t)
{
	struct exec_tracer *e = t->state;

	return ring_buffer__epoll_fd(e->ring);
}

/* NUL-separated arguments as a list; the last may be cut and have no NUL. */
static char **argv_list(const char *bytes, size_t len)
{
	size_t nr = 1, i, at, n;
	char **list;

	for (i = 0; i < len; i++)
		nr += bytes[i] == '\0';
	list = calloc(nr + 1, sizeof(*list));
	for (i = 0, at = 0; list && at < len; at += n + 1) {
		n = strnlen(bytes + at, len - at);
		list[i] = text_printable(bytes + at, n);
		if (!list[i++])
			break;
	}
	return list;
}

/* "bash(812)", parent first. */
static char **ancestry_list(const struct exec_event *event)
{
	size_t i, nr = event->nr_parents;
	char **list, *comm;

	if (nr > EXEC_MAX_PARENTS)
		nr = EXEC_MAX_PARENTS;
	list = calloc(nr + 1, sizeof(*list));
	for (i = 0; list && i < nr; i++) {
		const struct exec_parent *parent = &event->parents[i];

		comm = text_printable(parent->comm,
				      strnlen(parent->comm, EXEC_COMM_LEN));
		if (!comm || asprintf(&list[i], "%s(%u)", comm, parent->pid) < 0)
			list[i] = NULL;
		free(comm);
		if (!list[i])
			break;
	}
	return list;
}

static void set_status(struct cell *row, const struct process *p)
{
	int code = p->end.exit_code;
	const char *name;
	char *text = NULL;

	if (p->state == PROCESS_RUNS) {
		cell_set_text(&row[PROC_STATUS], strdup("running"));
		return;
	}
	cell_set_number(&row[PROC_LIFETIME], p->end.time_ns - p->end.born_ns);
	if (p->state == PROCESS_REPLACED) {
		cell_set_text(&row[PROC_STATUS], strdup("replaced"));
		return;
	}
	if (WIFSIGNALED(code)) {
		cell_set_number(&row[PROC_SIGNAL], (uint64_t)WTERMSIG(code));
		name = sigabbrev_np(WTERMSIG(code));
		if ((name ? asprintf(&text, "SIG%s", name)
			  : asprintf(&text, "signal %d", WTERMSIG(code))) < 0)
			text = NULL;
	} else {
		cell_set_number(&row[PROC_EXIT], (uint64_t)WEXITSTATUS(code));
		if (asprintf(&text, "exit %d", WEXITSTATUS(code)) < 0)
			text = NULL;
	}
	cell_set_text(&row[PROC_STATUS], text);
}

static void list_process(struct table *table, const struct process *p)
{
	const struct exec_event *event = &p->event;
	struct cell *row = table_add_row(table);

	if (!row)
		return;
	cell_set_number(&row[PROC_PID], p->pid);
	if (event->nr_parents)
		cell_set_number(&row[PROC_PPID], event->parents[0].pid);
	cell_set_number(&row[PROC_UID], event->uid);
	cell_set_text(&row[PROC_COMM],
		      text_printable(event->head.comm,
				     strnlen(event->head.comm, EXEC_COMM_LEN)));
	set_status(row, p);
	cell_set_text(&row[PROC_CGROUP], cgroup_path(&event->cgroup));
	cell_set_list(&row[PROC_ANCESTRY], ancestry_list(event));
	cell_set_number(&row[PROC_ANCESTRY_CUT], event->parents_cut);
	cell_set_list(&row[PROC_ARGV], argv_list(event->argv, event->argv_len));
	cell_set_number(&row[PROC_ARGV_BYTES], event->argv_total);
	cell_set_number(&row[PROC_ARGV_CUT], event->argv_len < event->argv_total);
	cell_set_number(&row[PROC_TIME], event->head.time_ns);
}

static void list_interval(struct exec_tracer *e, struct section *section)
{
	struct process *p, *next;
	struct table *table;

	table = section_add_known_table(section, "processes");
	for (p = e->ended; p; p = p->next_ended)
		list_process(table, p);
	HASH_ITER (hh, e->running, p, next) {
		if (!p->started_now)
			continue;
		p->started_now = false;
		if (table->nr_rows < LISTED_MAX)
			list_process(table, p);
		else
			e->interval.unlisted++;
	}
	table->nr_unlisted += e->interval.unlisted;
}

/* The interval's counts, into those of the run. */
static void close_interval(struct exec_tracer *e)
{
	struct exec_counts *c = &e->interval;

	e->run.execs += c->execs;
	e->run.exits += c->exits;
	e->run.failed += c->failed;
	e->run.forgotten += c->forgotten;
	e->run.unlisted += c->unlisted;
	*c = (struct exec_counts){0};
	forget_ended(e);
}

static int exec_read(struct tracer *t, bool summary, struct section *section,
		     uint64_t *events, struct reason *why)
{
	struct exec_tracer *e = t->state;
	struct exec_counts *c = summary ? &e->run : &e->interval;

	(void)why;
	if (!summary) {
		c->execs =
			advance((uint64_t *)&e->skel->bss->started, &e->last_started);
		c->exits = advance((uint64_t *)&e->skel->bss->ended, &e->last_ended);
		c->exits -= c->duplicates < c->exits ? c->duplicates : c->exits;
		list_interval(e, section);
	}
	section_add_known_total(section, "execs", c->execs);
	section_add_known_total(section, "exits", c->exits);
	section_add_known_total(section, "failed", c->failed);
	section_add_known_total(section, "forgotten", c->forgotten);
	section_add_known_total(section, "argv_max_bytes", e->skel->rodata->argv_max);
	section->nr_unlisted = c->unlisted;
	*events = c->execs + c->exits;
	if (!summary)
		close_interval(e);
	return 0;
}

const struct tracer_type exec_tracer = {
	.name = "exec",
	.summary = "processes: argv, ancestry, cgroup, exit code, lifetime",
	.programs = programs,
	.nr_programs = sizeof(programs) / sizeof(programs[0]),
	.sites = site_names,
	.nr_sites = NR_EXEC_SITES,
	.lost = lost_causes,
	.nr_lost = NR_EXEC_LOST,
	.shows_cgroups = true,
	.cuts_argv = true,
	.open = exec_open,
	.ready = exec_ready,
	.consume = exec_consume,
	.event_fd = exec_event_fd,
	.read = exec_read,
	.close = exec_close,
};
