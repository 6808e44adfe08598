/* SPDX-License-Identifier: BSD-2-Clause */
/* What a kernel does with one BPF construct. Plain data, no behaviour. */
#ifndef ITERTRACE_MODEL_FEATURE_H
#define ITERTRACE_MODEL_FEATURE_H

#include <stddef.h>

/* The same words everywhere; see feature_state_name(). */
enum feature_state {
	FEATURE_INLINED,     /* plain instructions, no call on the way through */
	FEATURE_FOLDED,      /* inlined, and the checks decided at load */
	FEATURE_PARTIAL,     /* some of it inlined around a call */
	FEATURE_CALL,        /* a call, and nothing else */
	FEATURE_UNSUPPORTED, /* the verifier or the BTF does not know it */
	FEATURE_REFUSED,     /* not allowed here: permissions, lockdown */
	FEATURE_UNKNOWN,     /* cannot be told from what the kernel shows */
};
#define NR_FEATURE_STATES (FEATURE_UNKNOWN + 1)

#define FEATURE_REASON_LEN 256

struct feature {
	const char *name;        /* static: a row of the table of constructs */
	const char *description; /* static, for people; NULL: none */
	enum feature_state state;
	int nr_insns;                    /* of the construct in xlated; -1 unknown */
	char reason[FEATURE_REASON_LEN]; /* "" only if inlined, folded or partial */
};

const char *feature_state_name(enum feature_state state);

/* -EINVAL: no such state. */
int feature_state_parse(const char *name, enum feature_state *ret);

#endif
