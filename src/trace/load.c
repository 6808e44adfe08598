// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <bpf/bpf.h>

#include "kernel/dead_code.h"
#include "kernel/libbpf_log.h"
#include "kernel/refusal.h"
#include "trace/cgroup_path.h"
#include "trace/tracer.h"

static struct bpf_object *tracer_object(const struct tracer *t)
{
	return *t->shared.skeleton->obj;
}

static struct bpf_program *find_program(const struct tracer *t, size_t i)
{
	return bpf_object__find_program_by_name(tracer_object(t),
						t->type->programs[i].name);
}

int tracer_map_fd(const struct tracer *t, const char *map)
{
	return bpf_object__find_map_fd_by_name(tracer_object(t), map);
}

/* One attempt at opening and loading, without the programs that are missing. */
static int try_load(struct tracer *t, const struct trace_options *options,
		    const struct loops *loops)
{
	char what[64];
	size_t i;
	int err;

	err = t->type->open(t, options, &t->reason);
	if (err)
		return err;
	*t->shared.loops_backend = loops->backend;
	for (i = 0; i < t->type->nr_programs; i++)
		bpf_program__set_autoload(find_program(t, i), !t->missing[i]);
	err = dead_code_remove(tracer_object(t), loops->dead);
	if (err)
		return reason_set(&t->reason, err, "cannot edit the programs: %s",
				  strerror(-err));
	libbpf_log_clear();
	err = bpf_object__load_skeleton(t->shared.skeleton);
	if (!err)
		return 0;
	if (dead_code_was_alive(libbpf_log_text()))
		return reason_set(&t->reason, err,
				  "the %s tracer calls a kfunc, and this kernel takes "
				  "none: 'itertrace probe' says why at "
				  "bpf_iter_num_next",
				  t->type->name);
	snprintf(what, sizeof(what), "the %s tracer", t->type->name);
	refusal_describe(what, err, libbpf_log_text(), &t->reason);
	return err;
}

/*
 * Load everything; if that fails, once more without what the tracer can do
 * without, so that one program never takes the others down.
 */
static int load(struct tracer *t, const struct trace_options *options,
		const struct loops *loops)
{
	bool optional = false;
	size_t i;
	int err;

	err = try_load(t, options, loops);
	for (i = 0; i < t->type->nr_programs; i++) {
		t->missing[i] = err && t->type->programs[i].without;
		optional |= t->missing[i];
	}
	if (!err || !optional)
		return err;
	t->type->close(t);
	return try_load(t, options, loops);
}

/* An optional program that is not there: the tracer is on, and says what it lacks. */
static void say_missing(struct tracer *t, size_t i, const char *cause)
{
	reason_set(&t->reason, 0, "without %s: %s", t->type->programs[i].without,
		   cause);
}

/* The paths that a tracer shows are of version 2. */
static void say_if_no_cgroups(struct tracer *t)
{
	char *text;

	if (!t->type->shows_cgroups || t->reason.text[0] || cgroup_read_own(&text))
		return;
	if (!cgroup_is_v2(text))
		reason_set(&t->reason, 0,
			   "without cgroups: this host has none of version 2, so every "
			   "process is shown in '/' "
			   "(systemd.unified_cgroup_hierarchy=1 brings them)");
	free(text);
}

static int attach(struct tracer *t)
{
	const struct tracer_program *p;
	struct reason cause;
	char what[64];
	size_t i;
	int err;

	for (i = 0; i < t->type->nr_programs; i++) {
		p = &t->type->programs[i];
		if (t->missing[i] || !p->attach)
			continue;
		libbpf_log_clear();
		t->links[i] = bpf_program__attach(find_program(t, i));
		if (t->links[i])
			continue;
		err = -errno;
		snprintf(what, sizeof(what), "program %s", p->name);
		refusal_describe(what, err, "", &cause);
		if (!p->without)
			return reason_set(&t->reason, err, "%s", cause.text);
		say_missing(t, i, cause.text);
		t->missing[i] = true;
	}
	return 0;
}

int tracer_start(struct tracer *t, const struct trace_options *options,
		 const struct loops *loops)
{
	struct reason cause;
	size_t i;
	int err;

	err = load(t, options, loops);
	if (err)
		goto out;
	cause = t->reason;
	for (i = 0; i < t->type->nr_programs; i++)
		if (t->missing[i])
			say_missing(t, i, cause.text);
	err = t->type->ready(t, &t->reason);
	if (!err)
		err = sites__new(tracer_map_fd(t, "site_stats"), t->type->sites,
				 t->type->nr_sites, t->shared.site_threshold, &t->sites,
				 &t->reason);
	if (!err)
		err = attach(t);
	if (!err)
		say_if_no_cgroups(t);
	t->on = !err;
out:
	if (err)
		tracer_stop(t);
	return err;
}

void tracer_stop(struct tracer *t)
{
	size_t i;

	t->on = false;
	for (i = 0; i < TRACER_MAX_PROGRAMS; i++) {
		bpf_link__destroy(t->links[i]);
		t->links[i] = NULL;
	}
	sites__free(t->sites);
	t->sites = NULL;
	t->type->close(t);
}

uint64_t tracer_recursion(const struct tracer *t)
{
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i < t->type->nr_programs; i++) {
		struct bpf_prog_info info = {0};
		__u32 len = sizeof(info);

		if (t->missing[i] ||
		    bpf_obj_get_info_by_fd(bpf_program__fd(find_program(t, i)), &info,
					   &len))
			continue;
		sum += info.recursion_misses;
	}
	return sum;
}
