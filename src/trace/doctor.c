// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/append.h"
#include "base/time.h"
#include "trace/cgroup_path.h"
#include "trace/doctor.h"
#include "trace/session.h"

void doctor_check_cgroups(struct check *ret)
{
	char *text = NULL;
	int err;

	*ret = (struct check){.name = "cgroups"};
	err = cgroup_read_own(&text);
	if (!err && cgroup_is_v2(text)) {
		check_found(ret, "of version 2");
		goto out;
	}
	check_follows(ret, CHECK_WARN, "exec and runq show every process in '/'");
	if (err) {
		check_found(ret, "none: /proc/self/cgroup: %s", strerror(-err));
		check_remedy(ret, "boot a kernel built with CONFIG_CGROUPS=y");
	} else if (text[0]) {
		check_found(ret, "of version 1 alone");
		check_remedy(ret, "boot with systemd.unified_cgroup_hierarchy=1 on the "
				  "kernel's command line");
	} else {
		check_found(ret, "none: no hierarchy is mounted");
		check_remedy(ret, "as root: `mount -t cgroup2 cgroup2 /sys/fs/cgroup`");
	}
out:
	free(text);
}

/* The names of those that are on; in reasons why the others are not. */
static size_t list_tracers(const struct session *s, char *on, size_t on_size,
			   char *reasons, size_t reasons_size)
{
	struct tracer_status status;
	size_t row, nr_on = 0;

	for (row = 0; row < tracers_count(); row++) {
		session_status(s, row, &status);
		nr_on += status.on;
		if (status.on)
			append_listed(on, on_size, ", ", "%s", status.name);
		if (status.reason[0])
			append_listed(reasons, reasons_size, "; ", "%s %s %s",
				      status.name,
				      status.on ? "runs" : "is off:", status.reason);
	}
	return nr_on;
}

static void judge_tracers(const struct session *s, struct check *ret)
{
	char on[256] = "", reasons[sizeof(ret->consequence)] = "";
	size_t nr_on = list_tracers(s, on, sizeof(on), reasons, sizeof(reasons));

	check_found(ret, "%zu of %zu can run: %s; loops run on %s", nr_on,
		    tracers_count(), on, loops_name(session_loops(s)->backend));
	if (!reasons[0])
		return;
	check_follows(ret, CHECK_WARN, "%s", reasons);
	check_remedy(ret,
		     "as the checks above say; `itertrace run -v` shows the verifier's "
		     "messages");
}

void doctor_check_tracers(const struct doctor *d, struct check *ret)
{
	const struct trace_options options = {
		.tracers = (1U << tracers_count()) - 1,
		.loops = LOOPS_AUTO,
		.argv_max = TRACE_ARGV_LIMIT,
		.interval_ns = NSEC_PER_SEC,
	};
	struct session *s = NULL;
	struct reason why;

	*ret = (struct check){.name = "tracers"};
	if (!d->may_load) {
		check_unknown(ret, "programs cannot be loaded");
		return;
	}
	if (!session__new(&options, d->probe, &s, &why)) {
		judge_tracers(s, ret);
		session__free(s);
		return;
	}
	check_found(ret, "%s", why.text);
	check_follows(ret, CHECK_FAIL, "run ends with exit status 4");
	check_remedy(ret, "as the checks above say");
}
