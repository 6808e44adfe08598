/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Capabilities: asks for what loading BPF programs takes, and gives the rest
 * up once everything is attached. Per thread, as capabilities are: call both
 * before a second thread starts. Does not log.
 */
#ifndef ITERTRACE_KERNEL_CAPS_H
#define ITERTRACE_KERNEL_CAPS_H

#include <stdbool.h>

#include <linux/capability.h>

#include "base/reason.h"

/* Linux 5.8; the numbers for older headers. */
#ifndef CAP_PERFMON
#define CAP_PERFMON 38
#define CAP_BPF     39
#endif

/* Is it in effect? false too if that cannot be read. */
bool caps_has(unsigned int capability);

/*
 * 0 if CAP_BPF and CAP_PERFMON are in effect, or CAP_SYS_ADMIN, which stands
 * for both. -EPERM: names what is missing and the remedy.
 */
int caps_require_bpf(struct reason *why);

/*
 * Keep CAP_BPF and CAP_PERFMON, and with keep_sys_admin CAP_SYS_ADMIN, which
 * BPF statistics and listing the host's programs need; where CAP_BPF or
 * CAP_PERFMON is not there, CAP_SYS_ADMIN stays anyway, since it stands for
 * them. All others go from the permitted and effective sets, everything from
 * the inheritable, ambient and bounding sets, and no_new_privs is set: what the
 * process executes from now on has no capabilities at all, as root or not.
 *
 * Maps, attached programs and open descriptors go on working. What no longer
 * works: kernel addresses (CAP_SYSLOG), files that root may not read by their
 * mode (CAP_DAC_OVERRIDE), other users' /proc/PID/exe (CAP_SYS_PTRACE).
 *
 * On failure some may be gone already; what was kept is still in effect.
 */
int caps_drop(bool keep_sys_admin, struct reason *why);

#endif
