/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What of the kernel and the host stands in itertrace's way, with its consequence
 * and its remedy. Changes nothing that stays: tiny programs and a map are loaded
 * and dropped, the limit of locked memory is lowered and put back.
 *
 * Each check judges by what was tried or read, never by the kernel's version,
 * but for that of kernels on which itertrace was never tried. Not thread-safe.
 */
#ifndef ITERTRACE_KERNEL_DOCTOR_H
#define ITERTRACE_KERNEL_DOCTOR_H

#include <stdbool.h>
#include <stddef.h>

#include "base/reason.h"
#include "kernel/probe.h"
#include "kernel/vmlinux_btf.h"
#include "model/doctor.h"
#include "model/identity.h"

/* What checks share. */
struct doctor {
	struct identity id;
	struct probe *probe;
	struct vmlinux_btf vmlinux;
	bool may_load;              /* programs */
	struct reason why_not_load; /* if not */
};

/* -ENOMEM, or uname(2)'s errno. On failure nothing is to be released. */
int doctor_init(struct doctor *d, struct reason *why);
void doctor_release(struct doctor *d);

/* The checks, in the order of the table; NULL from doctor_nr() on. */
size_t doctor_nr(void);
const char *doctor_name(size_t row);

/* All but the name is filled in anew. */
void doctor_check(struct doctor *d, size_t row, struct check *ret);

#endif
