/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The kernel's loop constructs, for compilers and libbpf headers that do not
 * have them: the numeric iterator's kfuncs and can_loop. All weak: an object
 * that holds them loads on a kernel without, as long as user space makes the
 * code that uses them dead (loops_backend in rodata), and turns may_goto
 * instructions, which an older verifier does not decode, into no-ops.
 */
#ifndef ITERTRACE_LOOP_BPF_H
#define ITERTRACE_LOOP_BPF_H

#include "vmlinux.h"
#include <bpf/bpf_helpers.h>

/*
 * bpf_ktime_get_ns() reads the fast clock, which may step back by a little when
 * the kernel adjusts it (kernel/time/timekeeping.c).
 */
static __always_inline __u64 elapsed_ns(__u64 now, __u64 since)
{
	return now > since ? now - since : 0;
}

/* Linux 6.4, 6018e1f407cc */
extern int bpf_iter_num_new(struct bpf_iter_num *it, int start, int end) __ksym __weak;
extern int *bpf_iter_num_next(struct bpf_iter_num *it) __ksym __weak;
extern void bpf_iter_num_destroy(struct bpf_iter_num *it) __ksym __weak;

/*
 * for (i = start; i < end; i++), end not included, at most 2^23 trips; break,
 * continue and return work. Inside, 0 <= i < end is known to the verifier by
 * one unsigned compare, so start must not be negative. (clang describes a
 * function in BTF only if an expression names it: hence the void.)
 */
#ifndef bpf_for
#define bpf_for(i, start, end)                                                     \
	for (struct bpf_iter_num ___it                                             \
	     __attribute__((aligned(8), cleanup(bpf_iter_num_destroy))),           \
	     *___once = (bpf_iter_num_new(&___it, (start), (end)),                 \
			 (void)bpf_iter_num_destroy, (struct bpf_iter_num *)NULL); \
	     (void)___once, ({                                                     \
		     int *___next = bpf_iter_num_next(&___it);                     \
		     ___next && ((i) = *___next, (__u32)(i) < (__u32)(end));       \
	     });)
#endif

/* nr trips without a loop variable. */
#ifndef bpf_repeat
#define bpf_repeat(nr)                                                             \
	for (struct bpf_iter_num ___it                                             \
	     __attribute__((aligned(8), cleanup(bpf_iter_num_destroy))),           \
	     *___once = (bpf_iter_num_new(&___it, 0, (nr)),                        \
			 (void)bpf_iter_num_destroy, (struct bpf_iter_num *)NULL); \
	     (void)___once, bpf_iter_num_next(&___it);)
#endif

/*
 * may_goto, Linux 6.9, 011832b97b31: false when the kernel's budget of trips
 * has run out. Written as bytes because clang before 19 does not know it; the
 * kernel's offset is in units of instructions, counted from the next one.
 */
#ifndef can_loop
#define can_loop                                                                       \
	({                                                                             \
		__label__ out_of_budget, go_on;                                        \
		bool ___go = true;                                                     \
		asm volatile goto("1: .byte 0xe5; .byte 0;"                            \
				  ".long ((%l[out_of_budget] - 1b - 8) / 8) & 0xffff;" \
				  ".short 0" :: ::out_of_budget);                      \
		goto go_on;                                                            \
	out_of_budget:                                                                 \
		___go = false;                                                         \
	go_on:                                                                         \
		___go;                                                                 \
	})
#endif

#endif
