// SPDX-License-Identifier: BSD-2-Clause
#include "model/bench.h"

static const char *const price_names[NR_PRICES] = {
	[PRICE_BPF_FOR] = "bpf_for",     [PRICE_BPF_LOOP] = "bpf_loop",
	[PRICE_CAN_LOOP] = "can_loop",   [PRICE_FLOOR] = "floor",
	[PRICE_SHAPE_7_3] = "shape_7.3", [PRICE_CLOCK] = "clock",
};

const char *calibration_price_name(enum calibration_price price)
{
	return price_names[price];
}
