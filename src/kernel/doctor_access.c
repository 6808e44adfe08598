// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/file.h"
#include "base/format.h"
#include "base/limit.h"
#include "kernel/caps.h"
#include "kernel/doctor_checks.h"

#define STATUS_LIMIT       (1U << 16)
#define ENOUGH_DESCRIPTORS 128

/* By the system call itself: libbpf would raise limits first. 0 or -errno. */
static int try_map(void)
{
	union bpf_attr attr = {.map_type = BPF_MAP_TYPE_ARRAY,
			       .key_size = 4,
			       .value_size = 8,
			       .max_entries = 1};
	long fd = syscall(SYS_bpf, BPF_MAP_CREATE, &attr, sizeof(attr));

	if (fd < 0)
		return -errno;
	close((int)fd);
	return 0;
}

static bool is_filtered(void)
{
	char *text, *line;
	bool is;

	if (file_read(AT_FDCWD, "/proc/self/status", STATUS_LIMIT, &text, NULL))
		return false;
	line = strstr(text, "\nSeccomp:");
	is = line && strtol(line + strlen("\nSeccomp:"), NULL, 10) == 2;
	free(text);
	return is;
}

/* A user namespace's capabilities are worth nothing to bpf(2). */
static bool is_in_user_namespace(void)
{
	unsigned long inside, outside, nr;
	char line[128];

	return !file_read_line(AT_FDCWD, "/proc/self/uid_map", line, sizeof(line)) &&
	       sscanf(line, "%lu %lu %lu", &inside, &outside, &nr) == 3 &&
	       (inside || outside || nr != 4294967295UL);
}

void check_bpf_syscall(struct doctor *d, struct check *c)
{
	int err = try_map();

	if (!err) {
		check_found(c, "bpf(2) makes a map");
		return;
	}
	if (err == -EPERM && !d->may_load && !is_in_user_namespace()) {
		check_unknown(c, "this process lacks the capabilities to try");
		return;
	}
	check_found(c, "bpf(2) is refused: %s%s%s", strerrorname_np(-err),
		    is_filtered() ? ", under a seccomp filter" : "",
		    is_in_user_namespace() ? ", in a user namespace" : "");
	check_follows(c, CHECK_FAIL, "no program can be loaded, so no tracer can run");
	if (is_in_user_namespace())
		check_remedy(c, "run it on the host, or in a container without a user "
				"namespace of its own (docker run --userns=host)");
	else if (is_filtered())
		check_remedy(c,
			     "let bpf and perf_event_open through: docker run "
			     "--security-opt seccomp=unconfined; in a systemd unit, "
			     "SystemCallFilter= must have both among what it allows");
	else if (err == -ENOSYS)
		check_remedy(c, "boot a kernel built with CONFIG_BPF_SYSCALL=y");
	else
		check_remedy(c, "see whether a security module forbids it (dmesg, "
				"ausearch -m avc), and allow it bpf(2)");
}

/* --- capabilities ---------------------------------------------------------------- */

struct capability {
	unsigned int number;
	const char *what_for;
	enum check_status lack;
	const char *lost;
	const char *set; /* what setcap is to give: it takes the whole */
};

static void check_capability(const struct capability *cap, struct check *c)
{
	bool by_admin = cap->number != CAP_SYSLOG && caps_has(CAP_SYS_ADMIN);
	char self[256] = "/usr/sbin/itertrace";
	ssize_t len;

	if (caps_has(cap->number) || by_admin) {
		check_found(c, "in effect%s: %s",
			    caps_has(cap->number) ? "" : ", by CAP_SYS_ADMIN",
			    cap->what_for);
		return;
	}
	len = readlink("/proc/self/exe", self, sizeof(self) - 1);
	if (len > 0)
		self[len] = '\0';
	check_found(c, "missing: %s", cap->what_for);
	check_follows(c, cap->lack, "%s", cap->lost);
	check_remedy(
		c,
		"run it as root, or give it to the program, as root: `setcap %s=ep %s`",
		cap->set, self);
}

void check_cap_bpf(struct doctor *d, struct check *c)
{
	static const struct capability cap = {
		CAP_BPF, "loads programs and makes maps", CHECK_FAIL,
		"no program can be loaded, so no tracer can run",
		"cap_bpf,cap_perfmon"};

	(void)d;
	check_capability(&cap, c);
}

void check_cap_perfmon(struct doctor *d, struct check *c)
{
	static const struct capability cap = {
		CAP_PERFMON, "lets programs read the kernel's memory and be attached",
		CHECK_FAIL, "no tracing program can be loaded, so no tracer can run",
		"cap_bpf,cap_perfmon"};

	(void)d;
	check_capability(&cap, c);
}

void check_cap_syslog(struct doctor *d, struct check *c)
{
	static const struct capability cap = {
		CAP_SYSLOG, "shows the kernel's addresses", CHECK_WARN,
		"probe does not name what a program calls: such states are unknown",
		"cap_bpf,cap_perfmon,cap_syslog"};

	(void)d;
	check_capability(&cap, c);
}

void check_cap_sys_admin(struct doctor *d, struct check *c)
{
	static const struct capability cap = {
		CAP_SYS_ADMIN,
		"switches BPF statistics on, and lists programs of others", CHECK_WARN,
		"run does not tell what BPF programs cost, its own too",
		"cap_bpf,cap_perfmon,cap_syslog,cap_sys_admin"};

	(void)d;
	check_capability(&cap, c);
}

/* --- settings --------------------------------------------------------------------- */

void check_lockdown(struct doctor *d, struct check *c)
{
	const char *lockdown = d->id.lockdown;

	if (!lockdown[0]) {
		check_unknown(c, "securityfs is not mounted");
		return;
	}
	check_found(c, "%s", lockdown);
	if (!strcmp(lockdown, "confidentiality")) {
		check_follows(c, CHECK_FAIL,
			      "no program may read the kernel's memory, so no tracer "
			      "can run; a running kernel does not take it back");
		check_remedy(c,
			     "boot with lockdown=integrity, or none, on the kernel's "
			     "command line");
	} else if (strcmp(lockdown, "none") != 0) {
		check_follows(c, CHECK_OK, "none: it forbids nothing that is used");
	}
}

void check_unprivileged(struct doctor *d, struct check *c)
{
	int value = d->id.unprivileged_bpf_disabled;

	if (value < 0)
		check_found(c, "not readable");
	else if (value)
		check_found(c, "%d: bpf(2) takes CAP_BPF", value);
	else
		check_found(c, "0: any user may load some kinds of programs");
	check_follows(c, CHECK_OK,
		      "none: tracing takes CAP_BPF and CAP_PERFMON anyway");
}

void check_memlock(struct doctor *d, struct check *c)
{
	char text[FORMAT_LEN] = "unlimited";
	struct rlimit limit, none;
	int err;

	if (getrlimit(RLIMIT_MEMLOCK, &limit)) {
		check_found(c, "not readable: %s", strerror(errno));
		return;
	}
	if (limit.rlim_cur != RLIM_INFINITY)
		format_bytes(text, limit.rlim_cur);
	if (!d->may_load || try_map()) {
		check_found(c, "%s; whether it matters cannot be tried here", text);
		return;
	}
	none = limit;
	none.rlim_cur = 0;
	setrlimit(RLIMIT_MEMLOCK, &none);
	err = try_map();
	setrlimit(RLIMIT_MEMLOCK, &limit);
	check_found(c, "%s%s", text,
		    err ? "" : "; maps are charged to the cgroup's memory, not to it");
	if (!err || limit.rlim_cur == RLIM_INFINITY)
		return;
	check_follows(c, CHECK_WARN, "maps may not fit, and then tracers are off");
	check_remedy(c,
		     "`ulimit -l unlimited` in the shell that starts it; in a systemd "
		     "unit LimitMEMLOCK=infinity");
}

void check_descriptors(struct doctor *d, struct check *c)
{
	unsigned long long limit = limit_raise_descriptors();

	(void)d;
	check_found(c, "%llu open files", limit);
	if (limit >= ENOUGH_DESCRIPTORS)
		return;
	check_follows(c, CHECK_WARN,
		      "programs and maps of all tracers may not fit; some may be off");
	check_remedy(c,
		     "as root, in the shell that starts it: `ulimit -n %d`; in a "
		     "systemd unit LimitNOFILE=%d",
		     LIMIT_WANTED_DESCRIPTORS, LIMIT_WANTED_DESCRIPTORS);
}
