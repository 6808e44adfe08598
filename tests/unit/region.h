/* SPDX-License-Identifier: BSD-2-Clause */
/* Programs written by hand, with a construct between markers, and its shape. */
#ifndef ITERTRACE_TESTS_REGION_H
#define ITERTRACE_TESTS_REGION_H

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "insn/asm.h"
#include "insn/region.h"

#define NR(array) (sizeof(array) / sizeof((array)[0]))
#define BEGIN     INSN_MOV_REG(9, 9), INSN_MOV_REG(8, 8)
#define END       INSN_MOV_REG(8, 8), INSN_MOV_REG(9, 9), INSN_EXIT()
#define NO_HELPER 0

static struct insn_shape shape_of(const struct bpf_insn *insns, size_t nr, int helper)
{
	struct insn_region region;
	struct insn_shape shape;

	assert_int_equal(insn_region_find(insns, nr, &region), 0);
	assert_int_equal(insn_region_shape(insns, nr, &region, helper, &shape), 0);
	return shape;
}

static void assert_state(const struct insn_shape *shape, enum feature_state expected)
{
	assert_string_equal(feature_state_name(insn_shape_state(shape)),
			    feature_state_name(expected));
}

#endif
