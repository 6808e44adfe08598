// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* bpf_iter_num_next() as Linux 7.3 inlines it, 9 instructions, and the NULL check. */
#include "shape.bpf.h"

SHAPE(shape_7_3, "w0 = *(u32 *)(r1 + " CUR ");"
		 "w0 += 1;"
		 "w2 = *(u32 *)(r1 + " END ");"
		 "if w0 s>= w2 goto exhausted_%=;"
		 "*(u32 *)(r1 + " CUR ") = w0;"
		 "r0 = r1;"
		 "goto next_%=;"
		 "exhausted_%=:" ZERO_STATE "r0 = 0;"
		 "next_%=:"
		 "if r0 == 0 goto out_%=;")
