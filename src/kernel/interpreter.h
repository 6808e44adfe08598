/* SPDX-License-Identifier: BSD-2-Clause */
/* Running BPF programs where the kernel does not JIT them. */
#ifndef ITERTRACE_KERNEL_INTERPRETER_H
#define ITERTRACE_KERNEL_INTERPRETER_H

#include <stdbool.h>

#include "base/reason.h"

/*
 * May programs that call helpers be run? On arm64 kernels leave calls that the JIT
 * puts code in place of (bpf_get_smp_processor_id, bpf_get_current_task) as they
 * are, also without a JIT; the interpreter then jumps to a wrong address, and the
 * kernel dies (seen on 6.12). takes_kfuncs: it loads programs that call kfuncs, so it
 * has a JIT; asked where bpf_jit_enable cannot be read. -ENOTSUP with a sentence.
 */
int interpreter_check(bool takes_kfuncs, struct reason *why);

/* The same, of a machine as uname -m gives it and bpf_jit_enable, -1: not readable. */
int interpreter_check_on(const char *machine, int jit_enable, bool takes_kfuncs,
			 struct reason *why);

#endif
