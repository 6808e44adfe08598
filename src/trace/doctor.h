/* SPDX-License-Identifier: BSD-2-Clause */
/* Checks beside those of kernel/doctor.h: of what only tracers know. */
#ifndef ITERTRACE_TRACE_DOCTOR_H
#define ITERTRACE_TRACE_DOCTOR_H

#include "kernel/doctor.h"

/* Are there cgroups of version 2? */
void doctor_check_cgroups(struct check *ret);

/* Every tracer is loaded and attached as run does it, and dropped at once. */
void doctor_check_tracers(const struct doctor *d, struct check *ret);

#endif
