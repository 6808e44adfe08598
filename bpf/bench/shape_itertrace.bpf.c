// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The best shape found so far: the hot path falls through without a taken
 * branch, the exhausted path goes straight to where the NULL check would have
 * gone, and an exhausted iterator keeps its state, which goes on saying so: the
 * number is one below the end, and adding one never wraps, since the end is at
 * most INT_MAX.
 */
#include "shape.bpf.h"

SHAPE(shape_itertrace, "w0 = *(u32 *)(r1 + " CUR ");"
		       "w0 += 1;"
		       "w2 = *(u32 *)(r1 + " END ");"
		       "if w0 s>= w2 goto out_%=;"
		       "*(u32 *)(r1 + " CUR ") = w0;"
		       "r0 = r1;")
