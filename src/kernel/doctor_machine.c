// SPDX-License-Identifier: BSD-2-Clause
#include <bpf/btf.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <mntent.h>
#include <stdio.h>
#include <string.h>

#include "base/append.h"
#include "base/file.h"
#include "base/time.h"
#include "kernel/cpu_ticks.h"
#include "kernel/doctor_checks.h"

#define CLOCK_SOURCES  "/sys/devices/system/clocksource/clocksource0/"
#define POLICIES       "/sys/devices/system/cpu/cpufreq/policy*/scaling_governor"
#define FIRST_MAJOR    6
#define FIRST_MINOR    1
#define STEAL_PERCENT  1.0
#define CLOCK_ROUNDS   64
#define CLOCK_READINGS 64

void check_kernel(struct doctor *d, struct check *c)
{
	int major = 0, minor = 0;

	check_found(c, "Linux %s, %s", d->id.release, d->id.arch);
	sscanf(d->id.release, "%d.%d", &major, &minor);
	if (major > FIRST_MAJOR || (major == FIRST_MAJOR && minor >= FIRST_MINOR))
		return;
	check_follows(c, CHECK_WARN, "itertrace was never tried on so old a kernel");
	check_remedy(c, "boot Linux %d.%d or later", FIRST_MAJOR, FIRST_MINOR);
}

/* What a kernel has a function of only if it is built with the option. */
static const struct {
	const char *option, *function;
} debug_options[] = {
	{"KASAN", "kasan_report"},
	{"KMSAN", "kmsan_report"},
	{"KCSAN", "__kcsan_check_access"},
	{"LOCKDEP", "lock_acquire"},
	{"DEBUG_ATOMIC_SLEEP", "__might_sleep"},
	{"DEBUG_PREEMPT", "debug_smp_processor_id"},
	{"DEBUG_OBJECTS", "debug_object_activate"},
	{"KCOV", "__sanitizer_cov_trace_pc"},
	{"GCOV_KERNEL", "__gcov_init"},
};
#define NR_DEBUG_OPTIONS (sizeof(debug_options) / sizeof(debug_options[0]))

void check_debug_options(struct doctor *d, struct check *c)
{
	char names[256] = "";
	size_t i;
	int id;

	for (i = 0; i < NR_DEBUG_OPTIONS; i++) {
		id = vmlinux_btf_find(&d->vmlinux, debug_options[i].function,
				      BTF_KIND_FUNC, NULL);
		if (id < 0 && id != -ENOENT) {
			check_unknown(c, "the kernel's BTF cannot be read");
			return;
		}
		if (id > 0)
			append_listed(names, sizeof(names), ", ", "CONFIG_%s",
				      debug_options[i].option);
	}
	check_found(c, "%s", names[0] ? names : "none");
	if (!names[0])
		return;
	check_follows(c, CHECK_WARN,
		      "figures are those of a kernel under test: everything costs more "
		      "than in production, and not by the same factor");
	check_remedy(c, "measure on a kernel built without them");
}

/* ns a reading of CLOCK_MONOTONIC, which bpf_ktime_get_ns() reads; of the best round. */
static uint64_t clock_cost_ns(void)
{
	uint64_t best = UINT64_MAX, begin, now;
	int round, i;

	for (round = 0; round < CLOCK_ROUNDS; round++) {
		begin = now = time_ns(CLOCK_MONOTONIC);
		for (i = 0; i < CLOCK_READINGS; i++)
			now = time_ns(CLOCK_MONOTONIC);
		if (now - begin < best)
			best = now - begin;
	}
	return best / CLOCK_READINGS;
}

void check_clock_source(struct doctor *d, struct check *c)
{
	const char *source = d->id.clock_source;
	char available[256] = "";

	if (!source[0]) {
		check_unknown(c, "sysfs does not tell");
		return;
	}
	check_found(c, "%s; a reading takes %llu ns", source,
		    (unsigned long long)clock_cost_ns());
	if (!strcmp(d->id.arch, "aarch64") || !strncmp(source, "tsc", 3))
		return;
	check_follows(
		c, CHECK_WARN,
		"a timed loop pays for two readings of a clock that costs more than "
		"the processor's own, so less of them are timed");
	file_read_line(AT_FDCWD, CLOCK_SOURCES "available_clocksource", available,
		       sizeof(available));
	if (strstr(available, "tsc"))
		check_remedy(c, "as root: `echo tsc >" CLOCK_SOURCES
				"current_clocksource`");
	else
		check_remedy(
			c,
			"the kernel does not trust the TSC (dmesg says why); where it "
			"is invariant, boot with tsc=reliable");
}

void check_cpus(struct doctor *d, struct check *c)
{
	int online = d->id.nr_cpus_online, possible = d->id.nr_cpus_possible;

	if (online < 0) {
		check_unknown(c, "sysfs does not tell");
		return;
	}
	check_found(c, "%d online, %d possible", online, possible);
	if (online > 1)
		return;
	check_follows(
		c, CHECK_WARN,
		"what is traced and itertrace share one CPU, and bench --threads has "
		"none to set side by side");
	if (possible > 1)
		check_remedy(c,
			     "as root: `echo 1 >/sys/devices/system/cpu/cpu1/online`");
	else
		check_remedy(c, "give the machine more CPUs");
}

void check_hypervisor(struct doctor *d, struct check *c)
{
	const char *name = d->id.virtualised;
	unsigned long long all, steal;
	double percent;

	cpu_ticks_read(-1, &all, &steal);
	percent = all ? 100.0 * (double)steal / (double)all : 0;
	check_found(c, "%s; %.1f%% of the CPUs' time since boot was stolen",
		    name[0] ? name : "not known", percent);
	if (percent < STEAL_PERCENT)
		return;
	check_follows(
		c, CHECK_WARN,
		"times contain those in which other machines had the CPU; medians "
		"stand it, means do not");
	check_remedy(
		c,
		"CPUs of its own for this machine, from whoever runs the hypervisor");
}

void check_cpufreq(struct doctor *d, struct check *c)
{
	char governor[32], seen[128] = "";
	bool varies = false;
	glob_t policies;
	size_t i;

	(void)d;
	if (glob(POLICIES, 0, NULL, &policies)) {
		check_found(c, "no governor: the kernel does not choose the frequency");
		return;
	}
	for (i = 0; i < policies.gl_pathc; i++) {
		if (file_read_line(AT_FDCWD, policies.gl_pathv[i], governor,
				   sizeof(governor)))
			continue;
		varies |= strcmp(governor, "performance") != 0;
		if (!strstr(seen, governor))
			append_listed(seen, sizeof(seen), ", ", "%s", governor);
	}
	globfree(&policies);
	check_found(c, "%s", seen[0] ? seen : "not readable");
	if (!varies)
		return;
	check_follows(
		c, CHECK_WARN,
		"a CPU's frequency follows its load, and ns a trip with it: compare "
		"runs under equal load only");
	check_remedy(c,
		     "while measuring, as root: `echo performance | tee " POLICIES "`");
}

/* Where a file system of that type is mounted; "": nowhere. */
static void find_mount(const char *type, char *ret, size_t size)
{
	FILE *mounts = setmntent("/proc/self/mounts", "re");
	struct mntent *m;

	ret[0] = '\0';
	while (mounts && !ret[0] && (m = getmntent(mounts)))
		if (!strcmp(m->mnt_type, type))
			snprintf(ret, size, "%s", m->mnt_dir);
	if (mounts)
		endmntent(mounts);
}

static void check_mount(struct check *c, const char *type, const char *consequence)
{
	char where[128];

	find_mount(type, where, sizeof(where));
	check_found(c, "%s%s", where[0] ? "mounted at " : "not mounted", where);
	if (!where[0])
		check_follows(c, CHECK_OK, "%s", consequence);
}

void check_tracefs(struct doctor *d, struct check *c)
{
	(void)d;
	check_mount(c, "tracefs", "none: the tracers' hooks do not need it");
}

void check_bpffs(struct doctor *d, struct check *c)
{
	(void)d;
	check_mount(c, "bpf", "none: nothing is pinned");
}
