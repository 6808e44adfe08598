/* SPDX-License-Identifier: BSD-2-Clause */
/* The functions behind the table in doctor.c, by the file that they are in. */
#ifndef ITERTRACE_KERNEL_DOCTOR_CHECKS_H
#define ITERTRACE_KERNEL_DOCTOR_CHECKS_H

#include "kernel/doctor.h"

typedef void doctor_check_fn(struct doctor *d, struct check *c);

/* doctor_access.c: what this process may */
doctor_check_fn check_bpf_syscall, check_cap_bpf, check_cap_perfmon, check_cap_syslog,
	check_cap_sys_admin, check_lockdown, check_unprivileged, check_memlock,
	check_descriptors;

/* doctor_bpf.c: what the kernel does with programs */
doctor_check_fn check_btf, check_jit_enable, check_jit_harden, check_kptr_restrict,
	check_kallsyms, check_bpf_for, check_trampolines, check_statistics,
	check_programs;

/* doctor_machine.c: what figures depend on */
doctor_check_fn check_kernel, check_debug_options, check_clock_source, check_cpus,
	check_hypervisor, check_cpufreq, check_tracefs, check_bpffs;

#endif
