/* SPDX-License-Identifier: BSD-2-Clause */
/* What doctor found, as a list for people and as JSON. */
#ifndef ITERTRACE_EXPORT_DOCTOR_H
#define ITERTRACE_EXPORT_DOCTOR_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "model/doctor.h"

#define DOCTOR_SCHEMA "itertrace.doctor/1"

/*
 * What fails first, then warnings, then what is well; else in the order given:
 *
 *   warn  kptr_restrict  2
 *                        the kernel's addresses are hidden from root too: …
 *                        remedy: as root: `sysctl -w kernel.kptr_restrict=1`
 *   ok    btf            /sys/kernel/btf/vmlinux
 */
void doctor_print(FILE *out, const struct check *checks, size_t nr, bool is_coloured,
		  int width);

/* Schema DOCTOR_SCHEMA; NULL: out of memory. The caller's to json_decref(). */
json_t *doctor_to_json(const struct check *checks, size_t nr);

#endif
