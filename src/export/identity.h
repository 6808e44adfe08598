/* SPDX-License-Identifier: BSD-2-Clause */
/* An identity as JSON, and as the header over a text report. */
#ifndef ITERTRACE_EXPORT_IDENTITY_H
#define ITERTRACE_EXPORT_IDENTITY_H

#include <jansson.h>
#include <stdio.h>

#include "model/identity.h"

/*
 * The object under "kernel": release, version, arch, build_id, boot_id, cpu,
 * microcode, cpus_online, cpus_possible, clock_source, virtualised, lockdown,
 * jit_enable, jit_harden, kptr_restrict, unprivileged_bpf_disabled, btf (true or
 * false), mitigations {name: state}, config_digest, config {name: value}. Unknown is
 * null. NULL: out of memory.
 */
json_t *identity_to_json(const struct identity *id);

/*
 * Up to 5 lines of at most 100 columns; what is unknown is left out:
 *
 *   kernel       6.12.48+deb13-amd64 x86_64, build id 4a5a9b0affb6, #1 SMP
 * PREEMPT_DYNAMIC cpu          Intel(R) Xeon(R) Processor, 2 of 2 CPUs online, clock
 * tsc, virtualised by kvm bpf          JIT on, hardening off, BTF, unprivileged off,
 * kptr_restrict 0, lockdown none mitigations  not needed: 15; on: spectre_v1 spectre_v2
 *   vulnerable   retbleed spec_store_bypass
 */
void identity_print(FILE *out, const struct identity *id);

#endif
