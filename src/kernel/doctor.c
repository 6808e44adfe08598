// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <string.h>

#include "kernel/caps.h"
#include "kernel/doctor_checks.h"
#include "kernel/identity.h"

static const struct {
	const char *name;
	doctor_check_fn *check;
} checks[] = {
	{"kernel", check_kernel},
	{"bpf_syscall", check_bpf_syscall},
	{"cap_bpf", check_cap_bpf},
	{"cap_perfmon", check_cap_perfmon},
	{"cap_syslog", check_cap_syslog},
	{"cap_sys_admin", check_cap_sys_admin},
	{"unprivileged_bpf_disabled", check_unprivileged},
	{"lockdown", check_lockdown},
	{"btf", check_btf},
	{"bpf_jit_enable", check_jit_enable},
	{"bpf_jit_harden", check_jit_harden},
	{"bpf_for", check_bpf_for},
	{"trampolines", check_trampolines},
	{"kptr_restrict", check_kptr_restrict},
	{"kallsyms", check_kallsyms},
	{"bpf_statistics", check_statistics},
	{"bpf_programs", check_programs},
	{"descriptors", check_descriptors},
	{"memlock", check_memlock},
	{"tracefs", check_tracefs},
	{"bpffs", check_bpffs},
	{"debug_options", check_debug_options},
	{"clock_source", check_clock_source},
	{"cpus", check_cpus},
	{"hypervisor", check_hypervisor},
	{"cpufreq", check_cpufreq},
};
#define NR_CHECKS (sizeof(checks) / sizeof(checks[0]))

int doctor_init(struct doctor *d, struct reason *why)
{
	int err;

	memset(d, 0, sizeof(*d));
	err = identity_read(&d->id);
	if (err)
		return reason_set(why, err, "cannot tell which kernel this is: %s",
				  strerror(-err));
	d->may_load = !caps_require_bpf(&d->why_not_load);
	return probe__new(&d->probe, why);
}

void doctor_release(struct doctor *d)
{
	probe__free(d->probe);
	vmlinux_btf_release(&d->vmlinux);
}

size_t doctor_nr(void)
{
	return NR_CHECKS;
}

const char *doctor_name(size_t row)
{
	return row < NR_CHECKS ? checks[row].name : NULL;
}

void doctor_check(struct doctor *d, size_t row, struct check *ret)
{
	*ret = (struct check){.name = checks[row].name};
	checks[row].check(d, ret);
}
