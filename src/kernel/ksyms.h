/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The kernel's symbols, from /proc/kallsyms. Addresses in it read 0 without
 * CAP_SYSLOG or with kptr_restrict=2; then nothing can be resolved, and
 * ksyms__new() says so instead of giving a table of zeros.
 *
 * Takes about 40 ms and 5 MB: make one when something is to be resolved. Not
 * changed after that, so that threads may share it.
 */
#ifndef ITERTRACE_KERNEL_KSYMS_H
#define ITERTRACE_KERNEL_KSYMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/reason.h"

struct ksyms;

/* -EACCES: the addresses are hidden. -ENOENT: no kallsyms. -ENOMEM, -EIO. */
int ksyms__new(struct ksyms **ret, struct reason *why);
void ksyms__free(struct ksyms *k); /* NULL is fine */

/*
 * The name of the function or variable that starts at addr, where several do one
 * that is global; NULL: none starts there. Lives as long as k.
 */
const char *ksyms_name_at(const struct ksyms *k, uint64_t addr);

/* The address that calls in translated programs are relative to; 0: not there. */
uint64_t ksyms_call_base(const struct ksyms *k);

#endif
