// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * What the series in packaging/kernel makes of it: the state is addressed through
 * the frame pointer, the comparison leads to the hot path, the NULL check and the
 * load are part of it, and the number is handed over in a register. What becomes of
 * an exhausted iterator costs a trip nothing.
 */
#include "shape.bpf.h"

SHAPE(shape_itertrace, "w2 = *(u32 *)(r10 - 8);"
		       "w2 += 1;"
		       "w3 = *(u32 *)(r10 - 16);"
		       "if w2 s< w3 goto hot_%=;" ZERO_AT_R10 "r0 = 0;"
		       "goto out_%=;"
		       "hot_%=:"
		       "*(u32 *)(r10 - 8) = w2;"
		       "w4 = w2;")
