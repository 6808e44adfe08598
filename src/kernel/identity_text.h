/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the kernel's files say, decoded. Pure, so that each architecture's
 * forms can be tested on any. Whatever cannot be understood gives "" or -1.
 */
#ifndef ITERTRACE_KERNEL_IDENTITY_TEXT_H
#define ITERTRACE_KERNEL_IDENTITY_TEXT_H

#include <stddef.h>
#include <stdint.h>

#include "model/identity.h"

#define BUILD_ID_TEXT_LEN 41

/* ELF notes, as in /sys/kernel/notes: the description of "GNU", type 3, in hex. */
void identity_build_id(const void *notes, size_t len, char ret[BUILD_ID_TEXT_LEN]);

/* /proc/cpuinfo: the model of the first CPU that has one. */
void identity_cpu_model(const char *cpuinfo, char *ret, size_t size);

/* /proc/cpuinfo: the first "microcode". */
void identity_microcode(const char *cpuinfo, char *ret, size_t size);

/*
 * A kernel's configuration: the values of a table of options that change what BPF
 * programs, calls and branches cost, "n" if not set. Returns their number.
 */
int identity_config(const char *text, struct identity_entry ret[IDENTITY_MAX_CONFIG]);

/* "none [integrity] confidentiality": the word in brackets. */
void identity_lockdown(const char *text, char *ret, size_t size);

/* How many CPUs "0-3,8,10-11" names. */
int identity_count_cpus(const char *list);

/* The vendor words of CPUID leaf 0x40000000: "kvm"; the words themselves if unknown. */
void identity_hypervisor(const uint32_t vendor[3], char *ret, size_t size);

#endif
