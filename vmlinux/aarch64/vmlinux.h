/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* arm64: see ../common.h for where these types come from. */
#ifndef VMLINUX_AARCH64_H
#define VMLINUX_AARCH64_H

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct thread_info {
	unsigned long flags;
};

#pragma clang attribute pop

#define TIF_32BIT 22	/* arch/arm64/include/asm/thread_info.h: an AArch32 task */

#include "common.h"

/* Is this task inside a system call of the 32-bit table? */
#define task_in_compat_syscall(task) \
	(BPF_CORE_READ(task, thread_info.flags) & (1UL << TIF_32BIT))

#endif
