// SPDX-License-Identifier: BSD-2-Clause
#include "export/calibration.h"

static const char *const what[NR_PRICES] = {
	[PRICE_BPF_FOR] = "the numeric iterator as this kernel runs it",
	[PRICE_BPF_LOOP] = "the bpf_loop helper",
	[PRICE_CAN_LOOP] = "may_goto",
	[PRICE_FLOOR] = "a register and a branch: no loop costs less",
	[PRICE_SHAPE_7_3] = "bpf_for as Linux 7.3 inlines it, written by hand",
	[PRICE_CLOCK] = "one reading of the clock; a timed loop pays for two",
};

void calibration_print(FILE *out, const struct calibration *cal)
{
	int i;

	if (!cal->done) {
		fprintf(out, "not calibrated: %s\n", cal->reason);
		return;
	}
	fprintf(out, "\ncalibration: ns a trip of an empty body [95%%], %.0f ms\n",
		cal->took_ms);
	for (i = 0; i < NR_PRICES; i++) {
		const struct bench_result *r = &cal->prices[i];

		if (r->measured)
			fprintf(out, "  %-10s %6.2f [%.2f, %.2f]  %s\n", r->name,
				r->median, r->lo, r->hi, what[i]);
		else
			fprintf(out, "  %-10s      -  %s\n", r->name, r->reason);
	}
}
