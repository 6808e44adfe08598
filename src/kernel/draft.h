/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A small program written by hand, in the making: its instructions, the maps and
 * kfuncs that they use, its callbacks, and the markers around the construct under
 * examination. It is loaded and read back, never attached, never run.
 *
 * The first failure sticks: what is added after it does nothing, and
 * draft_load() reports it. So a builder is a straight list of calls.
 *
 * r8 and r9 belong to the markers and hold the context.
 */
#ifndef ITERTRACE_KERNEL_DRAFT_H
#define ITERTRACE_KERNEL_DRAFT_H

#include <linux/bpf.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/reason.h"
#include "insn/asm.h"
#include "kernel/vmlinux_btf.h"
#include "model/feature.h"

#define DRAFT_MAX_INSNS 64
#define DRAFT_MAX_FUNCS 3
#define DRAFT_MAX_MAPS  2

struct draft {
	struct vmlinux_btf *vmlinux;
	enum bpf_prog_type type;
	enum bpf_attach_type attach_type;
	int attach_btf_id;
	bool is_roundabout; /* see draft_set_roundabout() */

	struct bpf_insn insns[DRAFT_MAX_INSNS];
	size_t nr_insns;
	size_t funcs[DRAFT_MAX_FUNCS]; /* the first slot of each */
	size_t nr_funcs;
	int maps[DRAFT_MAX_MAPS];
	size_t nr_maps;
	size_t begin, end; /* the construct's slots */
	struct btf *btf;   /* of functions and lines, made by draft_load() */
	struct bpf_func_info func_infos[DRAFT_MAX_FUNCS];
	struct bpf_line_info line_infos[DRAFT_MAX_FUNCS + 2];
	size_t nr_line_infos;

	enum feature_state failed; /* valid if failed_err */
	int failed_err;
	struct reason why;
};

/* Lines that the program pretends to have been compiled from: they lead to the
 * construct in JITed code, which has no trace of the markers. */
enum draft_line {
	DRAFT_LINE_BEFORE = 1,
	DRAFT_LINE_CONSTRUCT,
	DRAFT_LINE_AFTER,
	DRAFT_LINE_CALLBACK,
};

/* The program begins with the context in r1, r8 and r9. */
void draft_init(struct draft *d, enum bpf_prog_type type, struct vmlinux_btf *vmlinux);
void draft_release(struct draft *d);

/* BPF_PROG_TYPE_TRACING on that raw tracepoint, with typed arguments. */
void draft_set_tracepoint(struct draft *d, const char *name);

/* BPF_PROG_TYPE_TRACING at the entry of that function of the kernel. */
void draft_set_function(struct draft *d, const char *name);

/*
 * The construct needs others around it. If they are missing, nothing is known of
 * the construct: the state is unknown, not unsupported.
 */
void draft_set_roundabout(struct draft *d);

void draft_add(struct draft *d, struct bpf_insn insn);
void draft_add_begin(struct draft *d);  /* the construct follows */
void draft_add_end(struct draft *d);    /* it stood before */
void draft_add_return(struct draft *d); /* r0 = 0; exit */
void draft_add_stack_addr(struct draft *d, unsigned int reg, int offset);

/* call of a kfunc by its name */
void draft_add_kfunc(struct draft *d, const char *name);

/* reg = id of that struct in the kernel's BTF */
void draft_add_struct_id(struct draft *d, unsigned int reg, const char *name);

/* What a map's values contain, where the verifier must know it. */
enum draft_value {
	DRAFT_VALUE_U64,   /* 8 bytes without BTF */
	DRAFT_VALUE_TIMER, /* a struct bpf_timer */
	DRAFT_VALUE_KPTR,  /* a struct task_struct __kptr * */
};

/* reg = a new map of one entry, keys of key_size bytes */
void draft_add_map(struct draft *d, unsigned int reg, enum bpf_map_type type,
		   uint32_t key_size, enum draft_value value);

/* reg = callback nr (from 1), which a later draft_add_func() begins */
void draft_add_callback(struct draft *d, unsigned int reg, size_t nr);
void draft_add_func(struct draft *d);

/*
 * Load it. The file descriptor, or -errno with the state and why. Maps stay with
 * the draft.
 */
int draft_load(struct draft *d, enum feature_state *ret_state, struct reason *why);

#endif
