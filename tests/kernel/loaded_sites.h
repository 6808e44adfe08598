/* SPDX-License-Identifier: BSD-2-Clause */
/* The programs of sites.bpf.c, loaded for a backend; a run is an entry of a site. */
#ifndef ITERTRACE_TESTS_LOADED_SITES_H
#define ITERTRACE_TESTS_LOADED_SITES_H

#include "host.h"

#include <bpf/bpf.h>

#include "base/time.h"
#include "bpf/wire.h"
#include "kernel/dead_code.h"
#include "kernel/libbpf_log.h"
#include "sites.h"
#include "sites.skel.h"
#include "trace/loops.h"
#include "trace/sites.h"

/* Backends as bits. A body that is no function cannot be run by bpf_loop(). */
#define FOR     (1U << LOOPS_BPF_FOR)
#define LOOP    (1U << LOOPS_BPF_LOOP)
#define CAN     (1U << LOOPS_CAN_LOOP)
#define BOUNDED (1U << LOOPS_BOUNDED)

static const struct program {
	const char *name;
	unsigned int backends;
} programs[] = {
	{"sites_count", FOR | CAN | BOUNDED},
	{"sites_break", FOR | CAN | BOUNDED},
	{"sites_continue", FOR | CAN | BOUNDED},
	{"sites_return", FOR | CAN | BOUNDED},
	{"sites_nested", FOR | CAN | BOUNDED},
	{"sites_function", FOR | LOOP | CAN | BOUNDED},
	{"sites_function_nested", FOR | LOOP | CAN | BOUNDED},
	{"sites_long", FOR | CAN},
	{"sites_long_function", FOR | LOOP | CAN},
	{"sites_plain_work", FOR},
	{"sites_work", FOR},
};
#define NR_PROGRAMS (sizeof(programs) / sizeof(programs[0]))

static const char *const site_names[NR_TEST_SITES] = {
	[SITE_COUNT] = "count",
	[SITE_BREAK] = "break",
	[SITE_CONTINUE] = "continue",
	[SITE_RETURN] = "return",
	[SITE_OUTER] = "outer",
	[SITE_INNER] = "inner",
	[SITE_FUNCTION] = "function",
	[SITE_FUNCTION_OUTER] = "function_outer",
	[SITE_FUNCTION_INNER] = "function_inner",
	[SITE_LONG] = "long",
	[SITE_LONG_FUNCTION] = "long_function",
	[SITE_WORK] = "work",
};

struct loaded {
	struct sites_bpf *skel;
	struct sites *sites;
	enum loops_backend backend;
	cpu_set_t affinity;
};

static inline void skip_unless_there(enum loops_backend backend, struct loops *ret)
{
	struct probe *probe = NULL;
	struct reason why;
	int err;

	skip_unless_root();
	assert_int_equal(probe__new(&probe, &why), 0);
	err = loops_choose(probe, (int)backend, ret, &why);
	probe__free(probe);
	if (!err)
		return;
	print_message("%s\n", why.text);
	skip();
}

static inline void open_sites(struct loaded *l, enum loops_backend backend,
			      bool enabled)
{
	struct loops loops;
	struct reason why;
	size_t i;

	skip_unless_there(backend, &loops);
	sched_getaffinity(0, sizeof(l->affinity), &l->affinity);
	l->backend = backend;
	l->skel = sites_bpf__open();
	assert_non_null(l->skel);
	l->skel->rodata->loops_backend = backend;
	l->skel->rodata->sites_enabled = enabled;
	for (i = 0; i < NR_PROGRAMS; i++)
		bpf_program__set_autoload(bpf_object__find_program_by_name(
						  l->skel->obj, programs[i].name),
					  programs[i].backends & 1U << backend);
	assert_int_equal(dead_code_remove(l->skel->obj, loops.dead), 0);
	libbpf_log_clear();
	if (sites_bpf__load(l->skel))
		fail_msg("cannot load: %s", libbpf_log_text());
	assert_int_equal(sites__new(bpf_map__fd(l->skel->maps.site_stats), site_names,
				    NR_TEST_SITES, l->skel->bss->site_threshold,
				    &l->sites, &why),
			 0);
}

static inline void close_sites(struct loaded *l)
{
	sites__free(l->sites);
	sites_bpf__destroy(l->skel);
	sched_setaffinity(0, sizeof(l->affinity), &l->affinity);
}

static inline bool has_program(const struct loaded *l, const char *name)
{
	return bpf_program__autoload(
		bpf_object__find_program_by_name(l->skel->obj, name));
}

static inline int program_fd(const struct loaded *l, const char *name)
{
	return bpf_program__fd(bpf_object__find_program_by_name(l->skel->obj, name));
}

/* What the program returned. */
static inline unsigned int enter(int fd, struct sites_run *run)
{
	LIBBPF_OPTS(bpf_test_run_opts, opts, .ctx_in = run,
		    .ctx_size_in = sizeof(*run));

	assert_int_equal(bpf_prog_test_run_opts(fd, &opts), 0);
	return opts.retval;
}

/* So often, the body seeing that sum each time. */
static inline void enter_often(const struct loaded *l, const char *name, int times,
			       struct sites_run run, uint64_t sum)
{
	int fd = program_fd(l, name);

	while (times-- > 0) {
		run.sum = ~sum;
		enter(fd, &run);
		assert_int_equal(run.sum, sum);
	}
}

static inline void read_percpu(const struct loaded *l, uint32_t site,
			       struct site_stat *percpu)
{
	assert_int_equal(bpf_map_lookup_elem(bpf_map__fd(l->skel->maps.site_stats),
					     &site, percpu),
			 0);
}

static inline void figures_of(const struct loaded *l, bool summary,
			      struct site_figures *ret)
{
	struct reason why;

	assert_int_equal(sites_collect(l->sites, NSEC_PER_SEC, &why), 0);
	sites_figures(l->sites, summary, ret);
}

#endif
