// SPDX-License-Identifier: BSD-2-Clause
#include <bpf/bpf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/file.h"
#include "base/time.h"
#include "trace/own_cost.h"

#define MAX_PERIOD_NS     NSEC_PER_SEC
#define WINDOWS_SHARE     10 /* of a period: one in this */
#define STATISTICS_SYSCTL "/proc/sys/kernel/bpf_stats_enabled"

/* A program's counters, which the kernel only ever adds to. */
struct program_runs {
	uint32_t id;
	uint64_t ns, runs;
};

/* Of every program on the host; ascending by id, as the kernel lists them. */
struct program_list {
	struct program_runs *runs;
	size_t nr, nr_allocated;
};

/* Counters at one moment. */
struct reading {
	uint64_t time_ns; /* CLOCK_MONOTONIC */
	struct program_runs own;
	struct program_list host;
	int own_err, host_err; /* why own, host are not to be used */
};

struct mark {
	uint64_t time_ns, cpu_ns;
};

struct own_cost {
	int program_fds[OWN_COST_MAX], map_fds[OWN_COST_MAX];
	size_t nr_programs, nr_maps;
	struct mark start, last; /* of the run, of the interval */
	int statistics_fd;       /* -1: not ours */
	bool is_open;
	struct reading before;
	struct own_cost_window window; /* the interval's, all summed */
	struct own_cost_window total;  /* of the intervals before */
	bool has_host_total;
	char why_not[256]; /* why the window is empty or not whole */
};

static uint64_t cpu_time_ns(void)
{
	struct rusage use;

	if (getrusage(RUSAGE_SELF, &use))
		return 0;
	return (uint64_t)(use.ru_utime.tv_sec + use.ru_stime.tv_sec) * NSEC_PER_SEC +
	       (uint64_t)(use.ru_utime.tv_usec + use.ru_stime.tv_usec) * NSEC_PER_USEC;
}

static struct mark mark_now(void)
{
	return (struct mark){time_ns(CLOCK_MONOTONIC), cpu_time_ns()};
}

static size_t copy_fds(int *to, const int *fds, size_t nr)
{
	if (nr > OWN_COST_MAX)
		nr = OWN_COST_MAX;
	if (nr)
		memcpy(to, fds, nr * sizeof(*to));
	return nr;
}

void own_cost_charge(struct own_cost *c, const int *program_fds, size_t nr_programs,
		     const int *map_fds, size_t nr_maps)
{
	c->nr_programs = copy_fds(c->program_fds, program_fds, nr_programs);
	c->nr_maps = copy_fds(c->map_fds, map_fds, nr_maps);
}

int own_cost__new(const int *program_fds, size_t nr_programs, const int *map_fds,
		  size_t nr_maps, struct own_cost **ret, struct reason *why)
{
	struct own_cost *c = calloc(1, sizeof(*c));

	if (!c)
		return reason_set(why, -ENOMEM,
				  "cannot account for itertrace's own cost: %s",
				  strerror(ENOMEM));
	c->statistics_fd = -1;
	own_cost_charge(c, program_fds, nr_programs, map_fds, nr_maps);
	c->has_host_total = true;
	c->start = c->last = mark_now();
	*ret = c;
	return 0;
}

void own_cost__free(struct own_cost *c)
{
	if (!c)
		return;
	if (c->statistics_fd >= 0)
		close(c->statistics_fd);
	free(c->before.host.runs);
	free(c);
}

uint64_t own_cost_period_ns(uint64_t interval_ns)
{
	return interval_ns < MAX_PERIOD_NS ? interval_ns : MAX_PERIOD_NS;
}

uint64_t own_cost_window_ns(uint64_t interval_ns)
{
	uint64_t period = own_cost_period_ns(interval_ns);

	return period / WINDOWS_SHARE;
}

/* ---- counters ------------------------------------------------------------ */

static int read_program(int fd, struct program_runs *ret)
{
	struct bpf_prog_info info = {0};
	__u32 len = sizeof(info);

	if (bpf_obj_get_info_by_fd(fd, &info, &len))
		return -errno;
	*ret = (struct program_runs){info.id, info.run_time_ns, info.run_cnt};
	return 0;
}

static int read_own(const struct own_cost *c, struct program_runs *sum)
{
	struct program_runs one;
	int err;

	*sum = (struct program_runs){0};
	for (size_t i = 0; i < c->nr_programs; i++) {
		err = read_program(c->program_fds[i], &one);
		if (err)
			return err;
		sum->ns += one.ns;
		sum->runs += one.runs;
	}
	return 0;
}

static int list_append(struct program_list *list, const struct program_runs *runs)
{
	size_t nr = list->nr_allocated ? 2 * list->nr_allocated : 64;
	struct program_runs *grown;

	if (list->nr == list->nr_allocated) {
		grown = realloc(list->runs, nr * sizeof(*grown));
		if (!grown)
			return -ENOMEM;
		list->runs = grown;
		list->nr_allocated = nr;
	}
	list->runs[list->nr++] = *runs;
	return 0;
}

/* A program that goes between being listed and being read is left out. */
static int read_host(struct program_list *list)
{
	struct program_runs runs;
	__u32 id = 0;
	int fd, err;

	list->nr = 0;
	while (!bpf_prog_get_next_id(id, &id)) {
		fd = bpf_prog_get_fd_by_id(id);
		if (fd < 0 && errno == ENOENT)
			continue;
		if (fd < 0)
			return -errno;
		err = read_program(fd, &runs);
		close(fd);
		if (!err)
			err = list_append(list, &runs);
		if (err)
			return err;
	}
	return errno == ENOENT ? 0 : -errno;
}

static void read_counters(const struct own_cost *c, struct reading *ret)
{
	ret->host_err = read_host(&ret->host);
	ret->own_err = read_own(c, &ret->own);
	ret->time_ns = time_ns(CLOCK_MONOTONIC);
}

/*
 * Both lists ascend by id, and the kernel hands ids out in a circle, so an id
 * that was not there before is a new program, all of whose runs fall into the
 * window.
 */
static void add_host(struct own_cost_window *w, const struct program_list *before,
		     const struct program_list *after)
{
	static const struct program_runs none;
	const struct program_runs *old, *now = after->runs, *base;
	const struct program_runs *now_end = now + after->nr;
	const struct program_runs *old_end;

	old = before->runs;
	old_end = old + before->nr;
	w->nr_programs = (unsigned int)after->nr;
	for (; now < now_end; now++) {
		for (; old < old_end && old->id < now->id; old++)
			w->nr_gone++;
		base = &none;
		if (old < old_end && old->id == now->id)
			base = old++;
		else
			w->nr_appeared++;
		w->host_ns += now->ns - base->ns;
		w->host_runs += now->runs - base->runs;
	}
	w->nr_gone += (unsigned int)(old_end - old);
}

/* ---- the window ---------------------------------------------------------- */

__attribute__((format(printf, 2, 3))) static void say(struct own_cost *c,
						      const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vsnprintf(c->why_not, sizeof(c->why_not), fmt, args);
	va_end(args);
}

static bool statistics_are_on(void)
{
	char line[16];

	return !file_read_line(AT_FDCWD, STATISTICS_SYSCTL, line, sizeof(line)) &&
	       !strcmp(line, "1");
}

static void say_refused(struct own_cost *c, int err)
{
	if (err == -EPERM)
		say(c, "the run time of BPF programs is not counted: BPF statistics "
		       "need CAP_SYS_ADMIN");
	else
		say(c,
		    "the run time of BPF programs is not counted: the kernel refuses "
		    "BPF statistics: %s",
		    strerror(-err));
}

void own_cost_window_open(struct own_cost *c)
{
	int fd;

	if (c->is_open)
		return;
	fd = bpf_enable_stats(BPF_STATS_RUN_TIME);
	if (fd < 0 && !statistics_are_on()) {
		say_refused(c, fd);
		return;
	}
	c->statistics_fd = fd;
	c->is_open = true;
	read_counters(c, &c->before);
}

static void close_statistics(struct own_cost *c)
{
	if (c->statistics_fd >= 0)
		close(c->statistics_fd);
	c->statistics_fd = -1;
}

static void say_host_unknown(struct own_cost *c, int err)
{
	if (err == -EPERM)
		say(c, "other BPF programs cannot be listed without CAP_SYS_ADMIN");
	else
		say(c, "cannot list the BPF programs of this host: %s", strerror(-err));
}

static void sum_windows(struct own_cost_window *to, const struct own_cost_window *from)
{
	to->length_ns += from->length_ns;
	to->own_ns += from->own_ns;
	to->own_runs += from->own_runs;
	to->host_ns += from->host_ns;
	to->host_runs += from->host_runs;
	to->nr_programs = from->nr_programs;
	to->nr_appeared += from->nr_appeared;
	to->nr_gone += from->nr_gone;
}

static void fill_window(struct own_cost *c, const struct reading *after)
{
	const struct reading *before = &c->before;
	struct own_cost_window w = {0};

	if (before->own_err || after->own_err) {
		say(c, "cannot read the run time of itertrace's own BPF programs: %s",
		    strerror(after->own_err ? -after->own_err : -before->own_err));
		return;
	}
	w.length_ns = after->time_ns - before->time_ns;
	w.own_ns = after->own.ns - before->own.ns;
	w.own_runs = after->own.runs - before->own.runs;
	w.has_host = !before->host_err && !after->host_err;
	if (w.has_host)
		add_host(&w, &before->host, &after->host);
	else
		say_host_unknown(c,
				 after->host_err ? after->host_err : before->host_err);
	if (c->window.length_ns)
		w.has_host &= c->window.has_host;
	sum_windows(&c->window, &w);
	c->window.has_host = w.has_host;
}

void own_cost_window_close(struct own_cost *c)
{
	struct reading after = {0};

	if (!c->is_open)
		return;
	read_counters(c, &after);
	close_statistics(c);
	c->is_open = false;
	fill_window(c, &after);
	free(after.host.runs);
}

bool own_cost_last_window(const struct own_cost *c, struct own_cost_window *ret)
{
	if (!c->window.length_ns)
		return false;
	*ret = c->window;
	return true;
}

/* ---- figures -------------------------------------------------------------- */

static double resident_bytes(void)
{
	unsigned long long size, resident;
	char line[128];

	if (file_read_line(AT_FDCWD, "/proc/self/statm", line, sizeof(line)) ||
	    sscanf(line, "%llu %llu", &size, &resident) != 2)
		return ABSENT;
	return (double)resident * (double)sysconf(_SC_PAGESIZE);
}

static double map_bytes(int fd)
{
	unsigned long long bytes;
	double ret = ABSENT;
	char path[64], *text, *line;

	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", fd);
	if (file_read(AT_FDCWD, path, 65536, &text, NULL))
		return ABSENT;
	line = strstr(text, "\nmemlock:");
	if (line && sscanf(line, "\nmemlock: %llu", &bytes) == 1)
		ret = (double)bytes;
	free(text);
	return ret;
}

static double all_map_bytes(const struct own_cost *c)
{
	double sum = 0;

	for (size_t i = 0; i < c->nr_maps; i++)
		sum += map_bytes(c->map_fds[i]);
	return sum;
}

static double percent(uint64_t part_ns, uint64_t whole_ns)
{
	return whole_ns ? 100 * (double)part_ns / (double)whole_ns : ABSENT;
}

static void end_interval(struct own_cost *c)
{
	sum_windows(&c->total, &c->window);
	if (c->window.length_ns && !c->window.has_host)
		c->has_host_total = false;
	c->total.has_host = c->has_host_total;
	c->window = (struct own_cost_window){0};
	c->last = mark_now();
}

static void fill_run_time(const struct own_cost_window *w, struct self_figures *f)
{
	f->bpf_window_ns = w->length_ns;
	f->bpf_cpu_percent = percent(w->own_ns, w->length_ns);
	f->host_bpf_cpu_percent =
		w->has_host ? percent(w->host_ns, w->length_ns) : ABSENT;
}

static void fill_reason(const struct own_cost *c, struct self_figures *f)
{
	const char *text = c->why_not;

	if (!is_absent(f->bpf_cpu_percent) && !is_absent(f->host_bpf_cpu_percent))
		text = "";
	else if (!*text)
		text = "the run time of BPF programs is not known: the interval "
		       "ended before it was sampled";
	snprintf(f->reason, sizeof(f->reason), "%s", text);
}

void own_cost_read(struct own_cost *c, bool summary, struct self_figures *ret)
{
	struct mark now = mark_now();
	const struct mark *since = summary ? &c->start : &c->last;

	ret->cpu_percent =
		percent(now.cpu_ns - since->cpu_ns, now.time_ns - since->time_ns);
	ret->rss_bytes = resident_bytes();
	ret->map_bytes = all_map_bytes(c);
	if (summary) {
		end_interval(c);
		fill_run_time(&c->total, ret);
		fill_reason(c, ret);
		return;
	}
	fill_run_time(&c->window, ret);
	fill_reason(c, ret);
	end_interval(c);
}
