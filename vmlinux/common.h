/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The kernel's own types that the tracers read, cut by hand to the fields that
 * they use. Offsets are CO-RE's business, so the order and what is left out do
 * not matter; what is UAPI comes from <linux/bpf.h>. To see the full types of
 * a running kernel, or to check a field before adding it:
 *
 *	bpftool btf dump file /sys/kernel/btf/vmlinux format c
 *
 * A type NAME___SUFFIX is the shape that NAME has on other kernels.
 */
#ifndef VMLINUX_COMMON_H
#define VMLINUX_COMMON_H

#include <stdbool.h>
#include <linux/bpf.h>

typedef __u8 u8;
typedef __s32 s32;
typedef __u16 u16;
typedef __u32 u32;
typedef __s64 s64;
typedef __u64 u64;
typedef int pid_t;

#ifndef NULL
#define NULL ((void *)0)
#endif

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

typedef struct {
	int counter;
} atomic_t;

typedef struct {
	u32 val;
} kuid_t;

struct kernfs_node {
	struct kernfs_node *__parent;	/* since 6.15 (633488947ef6) */
	const char *name;
	u64 id;
};

struct kernfs_node___before_6_15 {
	struct kernfs_node___before_6_15 *parent;
};

struct cgroup {
	int level;
	struct kernfs_node *kn;
};

struct css_set {
	struct cgroup *dfl_cgrp;
};

struct mm_struct {
	unsigned long arg_start;
	unsigned long arg_end;
};

struct signal_struct {
	atomic_t live;
	int group_exit_code;
};

struct cred {
	kuid_t uid;
};

struct task_struct {
	struct thread_info thread_info;
	struct mm_struct *mm;
	unsigned int __state;	/* since 5.14 */
	int exit_code;
	pid_t pid;
	pid_t tgid;
	struct task_struct *real_parent;
	struct task_struct *group_leader;
	u64 start_time;
	const struct cred *real_cred;
	char comm[16];
	struct signal_struct *signal;
	struct css_set *cgroups;
};

struct linux_binprm;
struct pt_regs;

#pragma clang attribute pop

/* The numeric iterator's state: UAPI since 6.4, absent from older headers. */
struct bpf_iter_num {
	__u64 __opaque[1];
} __attribute__((aligned(8)));

#endif
