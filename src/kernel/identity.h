/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Reads which kernel this is, on which machine, in which state. Changes
 * nothing: securityfs, where it is not mounted, is looked into through a
 * detached mount that nobody sees and that goes with its descriptor.
 */
#ifndef ITERTRACE_KERNEL_IDENTITY_H
#define ITERTRACE_KERNEL_IDENTITY_H

#include <stddef.h>

#include "model/identity.h"

/*
 * Where each field comes from, and what it takes:
 *
 *	release, version, arch	uname(2)
 *	build_id		the GNU note in /sys/kernel/notes
 *	boot_id			/proc/sys/kernel/random/boot_id
 *	microcode		/proc/cpuinfo: "microcode"; not on arm64
 *	config, config_digest	/proc/config.gz or /boot/config-RELEASE
 *	cpu_model		/proc/cpuinfo: "model name"; on arm64 implementer
 *				and part, by name where the table knows them
 *	clock_source		sysfs, clocksource0
 *	virtualised		x86: CPUID; arm64: device tree and DMI
 *	lockdown		securityfs; mounting takes CAP_SYS_ADMIN
 *	nr_cpus_*		sysfs, cpu/online and cpu/possible
 *	jit_enable, jit_harden	/proc/sys/net/core; of the initial network
 *				namespace, others do not have the files
 *	mitigations		sysfs, cpu/vulnerabilities, in order of their names
 *
 * What cannot be read is "" or -1. Only uname() failing is an error.
 */
int identity_read(struct identity *id);

/* These fields alone. */
void identity_read_lockdown(char *ret, size_t size);
int identity_read_jit_enable(void);

#endif
