/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Why the kernel did not load something: from an errno and the verifier's log to
 * a state and a sentence. For programs of ours as much as for those that libbpf
 * loads (give libbpf_log_text() as the log then).
 */
#ifndef ITERTRACE_KERNEL_REFUSAL_H
#define ITERTRACE_KERNEL_REFUSAL_H

#include <stddef.h>

#include "base/reason.h"
#include "model/feature.h"

/*
 * The line of a verifier log, or of what libbpf printed around one, that says
 * what is wrong; "" if none does. Writes buf and returns it. Pure.
 */
const char *verifier_line(const char *log, char *buf, size_t size);

/*
 * what: "the program", "a queue map". err: a negative errno. log: the verifier's,
 * "" if there is none. FEATURE_UNSUPPORTED: the kernel does not know or accept
 * it. FEATURE_REFUSED: it is not allowed here. FEATURE_UNKNOWN: neither can be
 * concluded (out of memory, interrupted). Reads this kernel's lockdown, where that
 * may be the cause.
 */
enum feature_state refusal_describe(const char *what, int err, const char *log,
				    struct reason *why);

/* The same under that lockdown, as struct identity has it. Pure. */
enum feature_state refusal_describe_under(const char *lockdown, const char *what,
					  int err, const char *log, struct reason *why);

#endif
