// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * "bpf: Inline the numeric open-coded iterator kfuncs", version 3: on the hot
 * path the same as what 7.3 took.
 */
#include "shape.bpf.h"

SHAPE(shape_v3, "w0 = *(u32 *)(r1 + " CUR ");"
		"w0 += 1;"
		"w2 = *(u32 *)(r1 + " END ");"
		"if w0 s>= w2 goto exhausted_%=;"
		"*(u32 *)(r1 + " CUR ") = w0;"
		"r0 = r1;"
		"goto next_%=;"
		"exhausted_%=:" ZERO_STATE "r0 = 0;"
		"next_%=:"
		"if r0 == 0 goto out_%=;")
