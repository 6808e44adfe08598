// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "base/time.h"
#include "trace/session.h"
#include "trace/tracer.h"

static const struct tracer_type *const types[] = {
	&exec_tracer,
	&runq_tracer,
	&syscall_tracer,
};
#define NR_TRACERS (sizeof(types) / sizeof(types[0]))

struct session {
	tracer_set wanted;
	uint32_t argv_max;
	struct tracer tracers[NR_TRACERS];
	struct loops loops;
	const struct calibration *calibration;
	int epoll_fd;
	uint64_t started_ns, interval_ns, collected_ns; /* CLOCK_MONOTONIC */
};

size_t tracers_count(void)
{
	return NR_TRACERS;
}

const char *tracer_name(size_t row)
{
	return types[row]->name;
}

const char *tracer_summary(size_t row)
{
	return types[row]->summary;
}

int tracer_find(const char *name, size_t *ret_row)
{
	size_t i;

	for (i = 0; i < NR_TRACERS; i++) {
		if (!strcmp(name, types[i]->name)) {
			*ret_row = i;
			return 0;
		}
	}
	return -EINVAL;
}

static int watch_events(struct session *s, struct tracer *t)
{
	struct epoll_event event = {.events = EPOLLIN, .data.ptr = t};

	if (!t->type->consume)
		return 0;
	if (epoll_ctl(s->epoll_fd, EPOLL_CTL_ADD, t->type->event_fd(t), &event))
		return -errno;
	return 0;
}

/* true: it runs. */
static bool start_tracer(struct session *s, size_t row,
			 const struct trace_options *options)
{
	struct tracer *t = &s->tracers[row];

	*t = (struct tracer){.type = types[row]};
	if (tracer_start(t, options, &s->loops))
		return false;
	if (watch_events(s, t)) {
		reason_set(&t->reason, 0, "cannot wait for its events: %s",
			   strerror(errno));
		tracer_stop(t);
	}
	return t->on;
}

/* Start what is wanted; the number of tracers that run. */
static size_t start_tracers(struct session *s, const struct trace_options *options)
{
	size_t i, nr = 0;

	for (i = 0; i < NR_TRACERS; i++)
		if (s->wanted & 1U << i)
			nr += start_tracer(s, i, options);
	return nr;
}

size_t session_change(struct session *s, const struct trace_options *options)
{
	tracer_set before = s->wanted;
	size_t i, nr = 0;

	s->wanted = options->tracers;
	for (i = 0; i < NR_TRACERS; i++) {
		struct tracer *t = &s->tracers[i];
		bool is_wanted = s->wanted & 1U << i, was_wanted = before & 1U << i;
		bool is_other =
			t->on && t->type->cuts_argv && options->argv_max != s->argv_max;

		if (is_wanted == was_wanted && !is_other)
			continue;
		nr++;
		if (t->on)
			tracer_stop(t);
		if (is_wanted)
			start_tracer(s, i, options);
	}
	s->argv_max = options->argv_max;
	return nr;
}

int session__new(const struct trace_options *options, struct probe *probe,
		 struct session **ret, struct reason *why)
{
	struct session *s;
	size_t i;
	int err;

	s = calloc(1, sizeof(*s));
	if (!s)
		return reason_set(why, -ENOMEM, "out of memory");
	for (i = 0; i < NR_TRACERS; i++)
		s->tracers[i].type = types[i];
	s->wanted = options->tracers;
	s->argv_max = options->argv_max;
	s->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	if (s->epoll_fd < 0) {
		err = reason_set(why, -errno, "cannot make an epoll descriptor: %s",
				 strerror(errno));
		goto out;
	}
	err = loops_choose(probe, options->loops, &s->loops, why);
	if (err)
		goto out;
	if (!start_tracers(s, options)) {
		for (i = 0; !(s->wanted & 1U << i); i++)
			;
		err = reason_set(why, -EPERM, "no tracer can run here; %s: %s",
				 types[i]->name, s->tracers[i].reason.text);
		goto out;
	}
	s->started_ns = s->interval_ns = s->collected_ns = time_ns(CLOCK_MONOTONIC);
	*ret = s;
	s = NULL;
out:
	session__free(s);
	return err;
}

void session__free(struct session *s)
{
	size_t i;

	if (!s)
		return;
	for (i = 0; i < NR_TRACERS; i++)
		tracer_stop(&s->tracers[i]);
	if (s->epoll_fd >= 0)
		close(s->epoll_fd);
	free(s);
}

const struct loops *session_loops(const struct session *s)
{
	return &s->loops;
}

void session_status(const struct session *s, size_t row, struct tracer_status *ret)
{
	const struct tracer *t = &s->tracers[row];

	*ret = (struct tracer_status){
		.name = t->type->name,
		.wanted = s->wanted & 1U << row,
		.on = t->on,
	};
	if (ret->wanted)
		snprintf(ret->reason, sizeof(ret->reason), "%s", t->reason.text);
	else
		snprintf(ret->reason, sizeof(ret->reason), "not asked for");
}

void session_set_calibration(struct session *s, const struct calibration *cal)
{
	s->calibration = cal;
}

size_t session_program_fds(const struct session *s, int *fds, size_t max)
{
	struct bpf_program *program;
	size_t i, nr = 0;

	for (i = 0; i < NR_TRACERS; i++) {
		if (!s->tracers[i].on)
			continue;
		bpf_object__for_each_program (program,
					      *s->tracers[i].shared.skeleton->obj)
			if (bpf_program__fd(program) >= 0 && nr < max)
				fds[nr++] = bpf_program__fd(program);
	}
	return nr;
}

size_t session_map_fds(const struct session *s, int *fds, size_t max)
{
	struct bpf_map *map;
	size_t i, nr = 0;

	for (i = 0; i < NR_TRACERS; i++) {
		if (!s->tracers[i].on)
			continue;
		bpf_object__for_each_map (map, *s->tracers[i].shared.skeleton->obj)
			if (bpf_map__fd(map) >= 0 && nr < max)
				fds[nr++] = bpf_map__fd(map);
	}
	return nr;
}

int session_fd(const struct session *s)
{
	return s->epoll_fd;
}

void session_consume(struct session *s)
{
	size_t i;

	for (i = 0; i < NR_TRACERS; i++)
		if (s->tracers[i].on && s->tracers[i].type->consume)
			s->tracers[i].type->consume(&s->tracers[i]);
}

int session_collect(struct session *s, struct reason *why)
{
	uint64_t now = time_ns(CLOCK_MONOTONIC);
	size_t i;
	int err;

	for (i = 0; i < NR_TRACERS; i++) {
		if (!s->tracers[i].on)
			continue;
		err = sites_collect(s->tracers[i].sites, now - s->collected_ns, why);
		if (err)
			return err;
	}
	s->collected_ns = now;
	return 0;
}

static void read_sites(struct session *s, struct tracer *t, bool summary,
		       struct snapshot *ret)
{
	size_t i, first = ret->nr_sites;

	sites_figures(t->sites, summary, &ret->sites[first]);
	ret->nr_sites += t->type->nr_sites;
	for (i = first; s->calibration && i < ret->nr_sites; i++)
		loops_price(&s->loops, s->calibration, &ret->sites[i]);
}

/* Losses of the interval, read now; or those of the run, up to the last interval's end. */
static void add_lost(struct tracer_status *status, struct tracer *t, const char *cause,
		     uint64_t nr, bool summary)
{
	size_t i = status->nr_lost++;

	status->lost[i] = (struct lost_count){cause, t->lost_before[i]};
	if (summary)
		return;
	status->lost[i].nr = nr - t->lost_before[i];
	t->lost_before[i] = nr;
}

static int read_tracer(struct session *s, size_t row, bool summary,
		       struct snapshot *ret, struct reason *why)
{
	struct tracer_status *status = &ret->tracers[ret->nr_tracers++];
	struct tracer *t = &s->tracers[row];
	struct section *section;
	size_t i;
	int err;

	session_status(s, row, status);
	if (!t->on)
		return 0;
	section = &ret->sections[ret->nr_sections++];
	*section = (struct section){.tracer = t->type->name};
	err = t->type->read(t, summary, section, &status->events, why);
	if (err)
		return err;
	for (i = 0; i < t->type->nr_lost; i++)
		add_lost(status, t, t->type->lost[i],
			 __atomic_load_n(&t->shared.lost[i], __ATOMIC_RELAXED),
			 summary);
	add_lost(status, t, "recursion", tracer_recursion(t), summary);
	return 0;
}

int session_snapshot(struct session *s, bool summary, struct snapshot *ret,
		     struct reason *why)
{
	uint64_t since = summary ? s->started_ns : s->interval_ns;
	size_t i;
	int err = 0;

	/* The summary is of the intervals, the last included: nothing is read anew. */
	if (!summary) {
		session_consume(s);
		s->interval_ns = time_ns(CLOCK_MONOTONIC);
	}
	*ret = (struct snapshot){
		.summary = summary,
		.time_ns = time_ns(CLOCK_REALTIME),
		.interval_ns = s->interval_ns - since,
		.loops = loops_name(s->loops.backend),
		.calibration = s->calibration,
	};
	for (i = 0; !err && i < NR_TRACERS; i++)
		err = read_tracer(s, i, summary, ret, why);
	/* After the tracers, whose reading runs loops of theirs. */
	if (!err && !summary)
		err = session_collect(s, why);
	for (i = 0; !err && i < NR_TRACERS; i++)
		if (s->tracers[i].on)
			read_sites(s, &s->tracers[i], summary, ret);
	if (err)
		snapshot_release(ret);
	return err;
}
