// SPDX-License-Identifier: BSD-2-Clause
#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/append.h"
#include "base/file.h"
#include "kernel/caps.h"
#include "kernel/doctor_checks.h"
#include "kernel/draft.h"
#include "kernel/interpreter.h"
#include "kernel/ksyms.h"
#include "kernel/refusal.h"

#define STATISTICS   "/proc/sys/kernel/bpf_stats_enabled"
#define ENABLE_JIT   "as root: `sysctl -w net.core.bpf_jit_enable=1`"
#define SHOWN_NAMES  4
#define NAMES_LENGTH (SHOWN_NAMES * (BPF_OBJ_NAME_LEN + 2))

void check_btf(struct doctor *d, struct check *c)
{
	if (d->id.has_btf) {
		check_found(c, "/sys/kernel/btf/vmlinux");
		return;
	}
	check_follows(
		c, CHECK_FAIL,
		"no tracer can run, and bench cannot measure: libbpf fits programs "
		"to a kernel by its BTF");
	if (access("/sys/kernel", F_OK)) {
		check_found(c, "none: sysfs is not mounted");
		check_remedy(c, "as root: `mount -t sysfs sysfs /sys`");
	} else {
		check_found(c, "none: there is no /sys/kernel/btf/vmlinux");
		check_remedy(c, "boot a kernel built with CONFIG_DEBUG_INFO_BTF=y");
	}
}

/* The state of the numeric iterator; false: it cannot be told. */
static bool read_iterator(struct doctor *d, struct feature *ret)
{
	return d->may_load && !probe_feature(d->probe, "bpf_iter_num_next", ret);
}

static bool is_there(enum feature_state state)
{
	return state != FEATURE_UNSUPPORTED && state != FEATURE_REFUSED;
}

void check_jit_enable(struct doctor *d, struct check *c)
{
	struct feature f = {.state = FEATURE_UNSUPPORTED};
	bool takes_kfuncs = read_iterator(d, &f) && is_there(f.state);
	int value = d->id.jit_enable;

	if (value < 0 && takes_kfuncs) {
		check_found(c, "on: programs that call kfuncs load");
		return;
	}
	if (value < 0) {
		check_unknown(c,
			      "/proc/sys/net/core/bpf_jit_enable is not there, as in "
			      "a network namespace");
		return;
	}
	check_found(c, "%d%s", value, value ? "" : ": programs are interpreted");
	if (value == 1)
		return;
	check_remedy(c, ENABLE_JIT);
	if (value == 2)
		check_follows(c, CHECK_WARN,
			      "the code of every program that is loaded goes to the "
			      "kernel's log");
	else if (interpreter_check_on(d->id.arch, value, takes_kfuncs, NULL))
		check_follows(
			c, CHECK_FAIL,
			"an arm64 kernel may crash on programs that call helpers, "
			"so run and bench load none");
	else
		check_follows(
			c, CHECK_WARN,
			"there are no kfuncs, so loops run on bounded loops; and a "
			"trip costs what the interpreter does");
}

void check_jit_harden(struct doctor *d, struct check *c)
{
	int value = d->id.jit_harden;

	if (value < 0) {
		check_unknown(c, "/proc/sys/net/core/bpf_jit_harden is root's to read");
		return;
	}
	check_found(c, "%d%s", value,
		    value == 2   ? ": constants are blinded in every program"
		    : value == 1 ? ": constants are blinded in programs of users "
				   "without CAP_BPF"
				 : "");
	if (value < 2)
		return;
	check_follows(
		c, CHECK_WARN,
		"loops take more instructions, and figures are of the longer code; "
		"probe undoes the blinding, unless the kernel hides its addresses");
	check_remedy(
		c, "as root: `sysctl -w net.core.bpf_jit_harden=1`; it is for programs "
		   "loaded after it");
}

void check_kptr_restrict(struct doctor *d, struct check *c)
{
	int value = d->id.kptr_restrict;

	check_found(c, value < 0 ? "not readable" : "%d", value);
	if (value < 2)
		return;
	check_follows(
		c, CHECK_WARN,
		"the kernel's addresses are hidden from root too: probe does not name "
		"what a program calls, and shows no JITed code");
	check_remedy(c, "as root: `sysctl -w kernel.kptr_restrict=1`");
}

void check_kallsyms(struct doctor *d, struct check *c)
{
	struct ksyms *k = NULL;
	struct reason why;
	int err = ksyms__new(&k, &why);

	ksyms__free(k);
	if (!err) {
		check_found(c, "the kernel's symbols can be read");
		return;
	}
	check_found(c, "%s", why.text);
	check_follows(
		c, CHECK_WARN,
		"probe does not name what a program calls: such states are unknown");
	if (err == -ENOENT)
		check_remedy(c,
			     "boot a kernel built with CONFIG_KALLSYMS=y; in a systemd "
			     "unit do not set ProcSubset=pid");
	else if (d->id.kptr_restrict == 2)
		check_remedy(c, "see kptr_restrict");
	else if (!caps_has(CAP_SYSLOG))
		check_remedy(c, "see cap_syslog; in a systemd unit do not set "
				"ProtectKernelLogs=yes");
}

void check_bpf_for(struct doctor *d, struct check *c)
{
	struct feature f;

	if (!read_iterator(d, &f)) {
		check_unknown(c, "programs cannot be loaded");
		return;
	}
	check_found(c, "%s%s%s", feature_state_name(f.state), f.reason[0] ? ": " : "",
		    f.reason);
	if (f.state == FEATURE_CALL)
		check_follows(
			c, CHECK_OK,
			"a trip of bpf_for() costs a call; bench tells what it would "
			"without");
	if (is_there(f.state))
		return;
	if (f.state == FEATURE_REFUSED) {
		check_follows(c, CHECK_WARN,
			      "no program may be loaded, of whatever loops");
		check_remedy(c, "see bpf_syscall, cap_bpf and lockdown");
		return;
	}
	check_follows(
		c, CHECK_WARN,
		"the tracers' loops run on bounded loops: same results, and their "
		"cost is that of bounded loops");
	if (d->id.jit_enable == 0)
		check_remedy(c, "see bpf_jit_enable");
	else
		check_remedy(
			c, "boot a kernel that has the numeric iterator: Linux 6.4 or "
			   "later");
}

/* Attaches, too: some kernels refuse only then. Nothing calls the function. */
static int try_trampoline(struct doctor *d, struct reason *why)
{
	enum feature_state state;
	struct draft draft;
	int fd, link = 0;

	draft_init(&draft, BPF_PROG_TYPE_TRACING, &d->vmlinux);
	draft_set_function(&draft, "bpf_fentry_test1");
	draft_add_begin(&draft);
	draft_add(&draft, INSN_MOV_IMM(BPF_REG_0, 0));
	draft_add_end(&draft);
	draft_add_return(&draft);
	fd = draft_load(&draft, &state, why);
	draft_release(&draft);
	if (fd < 0)
		return fd;
	link = bpf_raw_tracepoint_open(NULL, fd);
	if (link < 0)
		link = reason_set(why, -errno, "the program cannot be attached: %s",
				  strerrorname_np(errno) ?: "it is not supported");
	else
		close(link);
	close(fd);
	return link < 0 ? link : 0;
}

void check_trampolines(struct doctor *d, struct check *c)
{
	struct reason why;

	if (!d->may_load) {
		check_unknown(c, "programs cannot be loaded");
		return;
	}
	if (try_trampoline(d, &why))
		check_found(c, "fentry is refused: %s", why.text);
	else
		check_found(c, "fentry loads and attaches");
	check_follows(c, CHECK_OK, "none: no tracer needs fentry");
}

void check_statistics(struct doctor *d, struct check *c)
{
	char text[16] = "";
	int fd;

	(void)d;
	file_read_line(AT_FDCWD, STATISTICS, text, sizeof(text));
	if (!strcmp(text, "1")) {
		check_found(c, "on for all, by kernel.bpf_stats_enabled=1");
		check_follows(
			c, CHECK_WARN,
			"every run of every program on this host pays for two more "
			"readings of the clock (see clock_source); itertrace switches "
			"them on by itself, for a tenth of the time");
		check_remedy(c, "as root: `sysctl -w kernel.bpf_stats_enabled=0`");
		return;
	}
	fd = bpf_enable_stats(BPF_STATS_RUN_TIME);
	if (fd >= 0) {
		close(fd);
		check_found(c, "off; can be switched on for a while");
		return;
	}
	check_found(c, "off, and cannot be switched on: %s", strerrorname_np(errno));
	check_follows(c, CHECK_WARN,
		      "run does not tell what BPF programs cost, its own too");
	if (!caps_has(CAP_SYS_ADMIN))
		check_remedy(c, "see cap_sys_admin");
	else
		check_remedy(
			c,
			"let bpf(BPF_ENABLE_STATS) through the filter of system calls");
}

static void add_name(char names[NAMES_LENGTH], __u32 id)
{
	struct bpf_prog_info info = {0};
	__u32 len = sizeof(info);
	int fd = bpf_prog_get_fd_by_id(id);

	if (fd < 0)
		return;
	if (!bpf_obj_get_info_by_fd(fd, &info, &len) && info.name[0])
		append_listed(names, NAMES_LENGTH, ", ", "%.*s", BPF_OBJ_NAME_LEN,
			      info.name);
	close(fd);
}

void check_programs(struct doctor *d, struct check *c)
{
	char names[NAMES_LENGTH] = "";
	__u32 id = 0;
	size_t nr = 0;

	(void)d;
	while (!bpf_prog_get_next_id(id, &id))
		if (nr++ < SHOWN_NAMES)
			add_name(names, id);
	if (errno != ENOENT) {
		check_found(c, "programs of others cannot be listed: %s",
			    strerrorname_np(errno));
		check_follows(c, CHECK_WARN,
			      "the cost of all BPF programs on the host is not told");
		check_remedy(c, "see cap_sys_admin");
		return;
	}
	check_found(c, "%zu of others are loaded%s%s%s", nr, names[0] ? ": " : "",
		    names, nr > SHOWN_NAMES ? ", …" : "");
}
