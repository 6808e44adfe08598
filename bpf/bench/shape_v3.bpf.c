// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * "bpf: Inline the numeric open-coded iterator kfuncs", version 3: on the hot
 * path the same as what 7.3 took.
 */
#include "shape.bpf.h"

SHAPE(shape_v3, TRIP_7_3)
