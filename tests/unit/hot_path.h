/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * For tests of functions as the kernel's JIT makes them, assembled by hand, and what an
 * iteration of their loops executes, counted by hand. Targets of jumps and calls are
 * offsets.
 */
#ifndef ITERTRACE_TESTS_HOT_PATH_H
#define ITERTRACE_TESTS_HOT_PATH_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "insn/hot_path.h"

#define ADDR 0xffffffffc0001000

struct want {
	size_t head, nr_insns, nr_calls, nr_loads, nr_stores, nr_taken;
};

static inline void assert_path(const struct hot_path *path, const struct want *want)
{
	assert_int_equal(path->start - ADDR, want->head);
	assert_int_equal(path->nr_insns, want->nr_insns);
	assert_int_equal(path->nr_calls, want->nr_calls);
	assert_int_equal(path->nr_loads, want->nr_loads);
	assert_int_equal(path->nr_stores, want->nr_stores);
	assert_int_equal(path->nr_taken, want->nr_taken);
}

/* The function has one loop, and this is its hot path; f is the caller's to release. */
static inline void read_loop(struct hot_func *f, enum jited_arch arch, const void *code,
			     size_t len, const struct want *want)
{
	assert_int_equal(hot_func_init(f, arch, code, len, ADDR), 0);
	assert_int_equal(f->nr_loops, 1);
	assert_ptr_equal(hot_func_innermost(f), &f->loops[0]);
	assert_int_equal(f->loops[0].depth, 1);
	assert_path(&f->loops[0].path, want);
}

static inline void assert_loop(enum jited_arch arch, const void *code, size_t len,
			       const struct want *want)
{
	struct hot_func f;

	read_loop(&f, arch, code, len, want);
	hot_func_release(&f);
}

#endif
