// SPDX-License-Identifier: BSD-2-Clause
#include "export/calibration.h"
#include "export/members.h"

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
	fputs("\ncalibration: ns a trip of an empty body [95%]", out);
	if (cal->took_ms > 0)
		fprintf(out, ", %.0f ms", cal->took_ms);
	fputc('\n', out);
	for (i = 0; i < NR_PRICES; i++) {
		const struct bench_result *r = &cal->prices[i];

		if (r->measured)
			fprintf(out, "  %-10s %6.2f [%.2f, %.2f]  %s\n", r->name,
				r->median, r->lo, r->hi, what[i]);
		else
			fprintf(out, "  %-10s      -  %s\n", r->name, r->reason);
	}
}

static json_t *price_to_json(const struct bench_result *r)
{
	json_t *object;

	if (!r->measured)
		return json_null();
	object = json_object();
	member_figure(object, "median", r->median);
	member_figure(object, "lo", r->lo);
	member_figure(object, "hi", r->hi);
	member_count(object, "rounds", (uint64_t)r->nr_rounds);
	return object;
}

json_t *calibration_to_json(const struct calibration *cal)
{
	json_t *object;
	size_t i;

	if (!cal || !cal->done)
		return json_null();
	object = json_object();
	for (i = 0; i < NR_PRICES; i++)
		json_object_set_new(object, calibration_price_name(i),
				    price_to_json(&cal->prices[i]));
	return object;
}
