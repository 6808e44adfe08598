/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The table of what is probed: for each construct a program in which it stands
 * between markers. A new construct is one builder and one row.
 */
#ifndef ITERTRACE_KERNEL_CONSTRUCTS_H
#define ITERTRACE_KERNEL_CONSTRUCTS_H

#include <stddef.h>

#include "kernel/draft.h"

struct construct {
	const char *name;
	const char *description;
	enum bpf_prog_type type;
	void (*build)(struct draft *d);
	int helper;         /* id of the helper that it calls; 0: none */
	const char *kfunc;  /* that it calls, or NULL */
	const char *bounds; /* the same with variable bounds, to tell folding */
	const char *needs;  /* capabilities beyond CAP_BPF and CAP_PERFMON, or NULL */
	const char *seldom; /* when a call beside the way through is made */
};

/* Ends with a row without a name. */
extern const struct construct constructs[];

/* Builders of constructs_map.c. */
void build_array_lookup(struct draft *d);
void build_hash_lookup(struct draft *d);
void build_percpu_array_lookup(struct draft *d);
void build_percpu_hash_lookup(struct draft *d);
void build_lru_hash_lookup(struct draft *d);
void build_lru_percpu_hash_lookup(struct draft *d);
void build_map_update(struct draft *d);
void build_map_delete(struct draft *d);
void build_map_push(struct draft *d);
void build_map_pop(struct draft *d);
void build_for_each_map_elem(struct draft *d);
void build_redirect_map(struct draft *d);
void build_kptr_xchg(struct draft *d);
void build_timer_set_callback(struct draft *d);

#endif
