/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* x86-64: see ../common.h for where these types come from. */
#ifndef VMLINUX_X86_64_H
#define VMLINUX_X86_64_H

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct thread_info {
	unsigned int status;
};

#pragma clang attribute pop

#define TS_COMPAT 0x0002	/* arch/x86/include/asm/thread_info.h: a 32-bit system call */

#include "common.h"

/* Is this task inside a system call of the 32-bit table? */
#define task_in_compat_syscall(task) \
	(BPF_CORE_READ(task, thread_info.status) & TS_COMPAT)

#endif
