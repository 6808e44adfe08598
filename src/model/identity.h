/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which kernel, on which machine, in which state: what a figure must be
 * quoted with. A field that cannot be read is "" or -1, never a guess.
 */
#ifndef ITERTRACE_MODEL_IDENTITY_H
#define ITERTRACE_MODEL_IDENTITY_H

#define IDENTITY_TEXT_LEN        128
#define IDENTITY_MAX_MITIGATIONS 48
#define IDENTITY_MAX_CONFIG      64

/*
 * Of a list of names with a text each: a mitigation, by its file under
 * cpu/vulnerabilities, and its state; or an option of the kernel's configuration
 * that changes what BPF, or a call, costs, with CONFIG_, and "y", "m", a number, a
 * text, or "n" where it is not set.
 */
struct identity_entry {
	char name[48];
	char text[IDENTITY_TEXT_LEN];
};

struct identity {
	char release[IDENTITY_TEXT_LEN]; /* uname -r */
	char version[IDENTITY_TEXT_LEN]; /* uname -v */
	char arch[16];                   /* x86_64, aarch64 */
	char build_id[41];               /* GNU build id of the kernel, hex */
	char boot_id[37];                /* of this boot: a UUID */
	char cpu_model[IDENTITY_TEXT_LEN];
	char microcode[32]; /* "0x2b000603" */
	char clock_source[32];
	char virtualised[32]; /* hypervisor ("kvm", …), "none", "" unknown */
	char lockdown[32];    /* "none", "integrity", "confidentiality", "" unknown */
	int nr_cpus_online;
	int nr_cpus_possible;
	int jit_enable;                /* bpf_jit_enable: 0, 1, 2; -1 unknown */
	int jit_harden;                /* bpf_jit_harden: 0, 1, 2; -1 unknown */
	int kptr_restrict;             /* 0, 1, 2; -1 unknown */
	int unprivileged_bpf_disabled; /* 0, 1, 2; -1 unknown */
	int has_btf;                   /* 1: /sys/kernel/btf/vmlinux is there */
	int nr_mitigations;
	struct identity_entry mitigations[IDENTITY_MAX_MITIGATIONS];
	char config_digest[24]; /* of the kernel's configuration: "crc32:89abcdef" */
	int nr_config;          /* -1: the configuration cannot be read */
	struct identity_entry config[IDENTITY_MAX_CONFIG];
};

/* The text behind a name, of so many entries; NULL: it is not listed. */
const char *identity_find(const struct identity_entry *entries, int nr,
			  const char *name);

#endif
