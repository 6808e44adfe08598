/* SPDX-License-Identifier: BSD-2-Clause */
/* may_goto instructions in programs for kernels that cannot decode them. */
#ifndef ITERTRACE_KERNEL_MAY_GOTO_H
#define ITERTRACE_KERNEL_MAY_GOTO_H

struct bpf_object;

/*
 * Turn every may_goto of the object's programs into a no-op, between open and
 * load. A verifier before 6.9 rejects the opcode even in dead code, and dead
 * code is what it is there: the can_loop backend is not chosen.
 */
int may_goto_remove(struct bpf_object *object);

#endif
