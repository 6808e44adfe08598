// SPDX-License-Identifier: BSD-2-Clause
#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "kernel/identity.h"
#include "kernel/refusal.h"
#include "kernel/vmlinux_btf.h"

/* Begins a line that says nothing about why: statistics, state, source, frames. */
static const char *const noise[] = {
	"processed ",
	"verification time ",
	"stack depth ",
	"max_states_per_insn",
	"-- BEGIN PROG LOAD",
	"-- END PROG LOAD",
	"func#",
	"insns processed",
	"mark_precise:",
	"from ",
	"arg#",
	";",
	"libbpf: failed to load object",
	"libbpf: failed to load program",
	"libbpf: failed to load BPF skeleton",
	"libbpf: prog ",
	"libbpf: Error in bpf_object__probe_loading",
	"Live regs before insn",
	"last_idx ",
	"regs=",
};

/* Begins what 7.3's verifier adds to a complaint. */
#define EXPLANATION "Verification failed:"

/* "12: (85) call …", "12: R0=…": an instruction or the registers, not a complaint. */
static bool is_trace(const char *line)
{
	size_t digits = strspn(line, "0123456789");

	return (digits && line[digits] == ':') ||
	       (line[0] == 'R' && isdigit((unsigned char)line[1]) &&
		(line[2] == '=' || line[3] == '=' || line[2] == '_' || line[3] == '_'));
}

static bool is_telling(const char *line)
{
	size_t i;

	if (!line[0] || is_trace(line))
		return false;
	for (i = 0; i < sizeof(noise) / sizeof(noise[0]); i++) {
		if (!strncmp(line, noise[i], strlen(noise[i])))
			return false;
	}
	return true;
}

const char *verifier_line(const char *log, char *buf, size_t size)
{
	char line[256];
	size_t len;

	buf[0] = '\0';
	/*
	 * The last telling line: the verifier stops at its first complaint. From 7.3
	 * on an explanation of it may follow, with source lines and a suggestion.
	 */
	for (; *log; log += len + (log[len] == '\n')) {
		len = strcspn(log, "\n");
		snprintf(line, sizeof(line), "%.*s", (int)(len < 255 ? len : 255), log);
		if (buf[0] && !strncmp(line, EXPLANATION, strlen(EXPLANATION)))
			break;
		if (is_telling(line))
			snprintf(buf, size, "%s", line);
	}
	return buf;
}

/* Not the kernel's judgement of the program: it may be another the next time. */
static bool is_transient(int err)
{
	return err == -ENOMEM || err == -EAGAIN || err == -EINTR || err == -EMFILE ||
	       err == -ENFILE || err == -ENOSPC;
}

/* Helpers that read the kernel's memory are not there in the strictest lockdown. */
static bool lacks_reading(const char *line)
{
	return strstr(line, "cannot use helper bpf_probe_read") ||
	       strstr(line, "unknown func bpf_probe_read");
}

enum feature_state refusal_describe_under(const char *lockdown, const char *what,
					  int err, const char *log, struct reason *why)
{
	char line[256];

	verifier_line(log, line, sizeof(line));
	if (is_transient(err)) {
		reason_set(why, err, "could not load %s: %s", what, strerror(-err));
		return FEATURE_UNKNOWN;
	}
	if (strstr(log, "Error loading vmlinux BTF")) {
		reason_set(why, err, "cannot load %s: " VMLINUX_BTF_LACK, what);
		return FEATURE_UNSUPPORTED;
	}
	if (lacks_reading(line) && !strcmp(lockdown, "confidentiality")) {
		reason_set(why, err,
			   "cannot load %s: this kernel's lockdown, %s, lets no BPF "
			   "program read kernel memory (%s); boot it with "
			   "lockdown=integrity, or none",
			   what, lockdown, line);
		return FEATURE_REFUSED;
	}
	if ((err == -EPERM || err == -EACCES) && !line[0]) {
		reason_set(
			why, err,
			"the kernel does not allow %s here (%s, no verifier message): "
			"capabilities, lockdown or a security module",
			what, strerrorname_np(-err));
		return FEATURE_REFUSED;
	}
	if (line[0])
		reason_set(why, err, "the verifier rejects %s: %s", what, line);
	else
		reason_set(why, err, "the kernel does not know %s: %s", what,
			   strerror(-err));
	return FEATURE_UNSUPPORTED;
}

enum feature_state refusal_describe(const char *what, int err, const char *log,
				    struct reason *why)
{
	char line[256], lockdown[32] = "";

	if (lacks_reading(verifier_line(log, line, sizeof(line))))
		identity_read_lockdown(lockdown, sizeof(lockdown));
	return refusal_describe_under(lockdown, what, err, log, why);
}
