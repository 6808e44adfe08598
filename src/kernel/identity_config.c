// SPDX-License-Identifier: BSD-2-Clause
#include <stdio.h>
#include <string.h>

#include "kernel/identity_text.h"

/* Names that were changed stand with both: a kernel has one of them. */
static const char *const options[] = {
	/* BPF itself */
	"BPF_JIT",
	"BPF_JIT_ALWAYS_ON",
	"BPF_JIT_DEFAULT_ON",
	"BPF_UNPRIV_DEFAULT_OFF",
	"BPF_LSM",
	/* when a task is interrupted, and what a critical section costs */
	"PREEMPT",
	"PREEMPT_DYNAMIC",
	"PREEMPT_LAZY",
	"PREEMPT_NONE",
	"PREEMPT_RT",
	"PREEMPT_VOLUNTARY",
	"HZ",
	"NO_HZ_FULL",
	"NR_CPUS",
	"VIRT_CPU_ACCOUNTING_GEN",
	/* what a call, an indirect call and a return cost */
	"CPU_MITIGATIONS",
	"SPECULATION_MITIGATIONS",
	"RETPOLINE",
	"MITIGATION_RETPOLINE",
	"RETHUNK",
	"MITIGATION_RETHUNK",
	"CALL_DEPTH_TRACKING",
	"MITIGATION_CALL_DEPTH_TRACKING",
	"MITIGATION_ITS",
	"SLS",
	"MITIGATION_SLS",
	"HARDEN_BRANCH_HISTORY",
	"CALL_PADDING",
	"CFI",
	"CFI_CLANG",
	"FINEIBT",
	"X86_KERNEL_IBT",
	"X86_USER_SHADOW_STACK",
	"ARM64_BTI_KERNEL",
	"ARM64_PTR_AUTH_KERNEL",
	"SHADOW_CALL_STACK",
	"FUNCTION_TRACER",
	"DYNAMIC_FTRACE",
	/* how the kernel was compiled */
	"CC_OPTIMIZE_FOR_SIZE",
	"LTO_CLANG",
	"LTO_CLANG_FULL",
	"LTO_CLANG_THIN",
	"STACKPROTECTOR_STRONG",
	"RANDOMIZE_KSTACK_OFFSET_DEFAULT",
	"RANDOMIZE_BASE",
	"INIT_STACK_ALL_ZERO",
	/* what makes everything slow */
	"DEBUG_ATOMIC_SLEEP",
	"DEBUG_KMEMLEAK",
	"DEBUG_LOCK_ALLOC",
	"DEBUG_PAGEALLOC",
	"DEBUG_PREEMPT",
	"DEBUG_VM",
	"GCOV_KERNEL",
	"KASAN",
	"KCOV",
	"KCSAN",
	"KFENCE",
	"KMSAN",
	"LOCKDEP",
	"PROVE_LOCKING",
	"PROVE_RCU",
	"SLUB_DEBUG_ON",
	"UBSAN",
	"UBSAN_TRAP",
};
#define NR_OPTIONS (sizeof(options) / sizeof(options[0]))
_Static_assert(NR_OPTIONS <= IDENTITY_MAX_CONFIG, "there is room for every option");

/* "CONFIG_HZ=250": takes the value if the option is of the table. */
static void take_line(const char *line, size_t len, struct identity_entry *ret)
{
	const char *equals = memchr(line, '=', len), *value;
	size_t i, name_len, value_len;

	if (len < 7 || memcmp(line, "CONFIG_", 7) || !equals)
		return;
	name_len = (size_t)(equals - line) - 7;
	for (i = 0; i < NR_OPTIONS; i++)
		if (strlen(options[i]) == name_len &&
		    !memcmp(options[i], line + 7, name_len))
			break;
	if (i == NR_OPTIONS)
		return;
	value = equals + 1;
	value_len = len - (size_t)(value - line);
	if (value_len >= 2 && value[0] == '"') {
		value++;
		value_len -= 2;
	}
	snprintf(ret[i].text, sizeof(ret[i].text), "%.*s", (int)value_len, value);
}

int identity_config(const char *text, struct identity_entry ret[IDENTITY_MAX_CONFIG])
{
	size_t i, len;

	for (i = 0; i < NR_OPTIONS; i++) {
		snprintf(ret[i].name, sizeof(ret[i].name), "CONFIG_%s", options[i]);
		snprintf(ret[i].text, sizeof(ret[i].text), "n");
	}
	for (; *text; text += len + (text[len] == '\n')) {
		len = strcspn(text, "\n");
		take_line(text, len, ret);
	}
	return (int)NR_OPTIONS;
}
