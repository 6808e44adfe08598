// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* bpf_iter_num_next() as Linux 7.3 inlines it, and the NULL check. */
#include "shape.bpf.h"

SHAPE(shape_7_3, TRIP_7_3)
