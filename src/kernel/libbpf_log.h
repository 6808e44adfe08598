/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What libbpf prints, taken off stderr: it goes to log_debug() (-v), and the end
 * of it is kept for each thread, so that whoever called libbpf and failed can
 * quote it. libbpf's hook takes no context, hence the one piece of state here.
 */
#ifndef ITERTRACE_KERNEL_LIBBPF_LOG_H
#define ITERTRACE_KERNEL_LIBBPF_LOG_H

#include <stddef.h>

/* Call before any other use of libbpf, once or often. */
void libbpf_log_init(void);

/* Forget what this thread's calls have printed. Call before what may fail. */
void libbpf_log_clear(void);

/*
 * What libbpf has printed in this thread since, its last 8 KiB if it is longer.
 * Valid until the next call of libbpf. Quote it with verifier_line() or
 * refusal_describe(), see refusal.h.
 */
const char *libbpf_log_text(void);

/* A verifier log that was asked for, which libbpf then does not print: for -v. */
void libbpf_log_verifier(const char *log);

#endif
