/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ITERTRACE_BASE_LIMIT_H
#define ITERTRACE_BASE_LIMIT_H

#include <stdint.h>

/* Programs and maps take some sixty; a shell's limit may be lower. */
#define LIMIT_WANTED_DESCRIPTORS 1024

/* Raise this process's limit of open files to that, as far as it may be; what it is
 * then. */
uint64_t limit_raise_descriptors(void);

#endif
