/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Instructions that a verifier rejects even in dead code, taken out of programs
 * whose rodata makes them dead: the loops' backends that were not chosen.
 */
#ifndef ITERTRACE_KERNEL_DEAD_CODE_H
#define ITERTRACE_KERNEL_DEAD_CODE_H

#include <stdbool.h>
#include <stddef.h>

struct bpf_insn;
struct bpf_object;

enum dead_code {
	/* The opcode, before Linux 6.9. */
	DEAD_MAY_GOTO = 1 << 0,
	/* Any, where programs are not JITed (net.core.bpf_jit_enable = 0). */
	DEAD_KFUNC_CALLS = 1 << 1,
};

/*
 * Replace those of the kinds given, bits of enum dead_code, in a program as
 * libbpf opens it; how many there were. Pure. A call of a subprogram that begins
 * its section looks like one of a kfunc there: programs must have none.
 */
size_t dead_code_replace(struct bpf_insn *insns, size_t nr, unsigned int kinds);

/*
 * In every program of the object, between open and load. What was not dead after
 * all makes the load fail, and then dead_code_was_alive(). -ENOMEM, or libbpf's.
 */
int dead_code_remove(struct bpf_object *object, unsigned int kinds);

/*
 * Let kfuncs that the kernel lacks be unresolved, between open and load: libbpf looks
 * for them in modules too, and 1.1 fails where it may not (without CAP_SYS_ADMIN).
 * Part of dead_code_remove().
 */
void dead_code_expect_no_kfuncs(struct bpf_object *object);

/* The verifier's log blames what a kfunc call was replaced by. */
bool dead_code_was_alive(const char *log);

#endif
