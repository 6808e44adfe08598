// SPDX-License-Identifier: BSD-2-Clause
#include <string.h>

#include "record/read.h"

#define MAX_CPUS (1 << 20)

/* An object of names and texts; their number, -1: it is null, or not there. */
static int read_entries(struct fields *f, const json_t *kernel, const char *key,
			struct identity_entry *ret, int max)
{
	json_t *object = (json_t *)field_object(f, kernel, key), *value;
	const char *name;
	int nr = 0;

	if (!object)
		return -1;
	json_object_foreach (object, name, value) {
		if (nr == max) {
			fields_fail(f, "there are more than %d names in \"%s\"", max,
				    key);
			break;
		}
		snprintf(ret[nr].name, sizeof(ret[nr].name), "%.*s",
			 (int)sizeof(ret[nr].name) - 1, fields_intern(f, name));
		field_text(f, object, name, ret[nr].text, sizeof(ret[nr].text));
		nr++;
	}
	return nr;
}

#define TEXT(key, member) field_text(f, kernel, key, ret->member, sizeof(ret->member))

void read_identity(struct fields *f, const json_t *kernel, struct identity *ret)
{
	memset(ret, 0, sizeof(*ret));
	TEXT("release", release);
	TEXT("version", version);
	TEXT("arch", arch);
	TEXT("build_id", build_id);
	TEXT("boot_id", boot_id);
	TEXT("cpu", cpu_model);
	TEXT("microcode", microcode);
	TEXT("clock_source", clock_source);
	TEXT("virtualised", virtualised);
	TEXT("lockdown", lockdown);
	TEXT("config_digest", config_digest);
	ret->nr_cpus_online = field_known(f, kernel, "cpus_online", MAX_CPUS);
	ret->nr_cpus_possible = field_known(f, kernel, "cpus_possible", MAX_CPUS);
	ret->jit_enable = field_known(f, kernel, "jit_enable", 1000);
	ret->jit_harden = field_known(f, kernel, "jit_harden", 1000);
	ret->kptr_restrict = field_known(f, kernel, "kptr_restrict", 1000);
	ret->unprivileged_bpf_disabled =
		field_known(f, kernel, "unprivileged_bpf_disabled", 1000);
	ret->has_btf = field_flag(f, kernel, "btf");
	ret->nr_config =
		read_entries(f, kernel, "config", ret->config, IDENTITY_MAX_CONFIG);
	ret->nr_mitigations = read_entries(f, kernel, "mitigations", ret->mitigations,
					   IDENTITY_MAX_MITIGATIONS);
	if (ret->nr_mitigations < 0)
		ret->nr_mitigations = 0;
}

#undef TEXT

static void read_feature(struct fields *f, const json_t *item, struct feature *ret)
{
	const char *state = field_needed_name(f, item, "state");

	ret->name = field_needed_name(f, item, "name");
	ret->description = field_name(f, item, "description");
	ret->nr_insns = field_known(f, item, "insns", 1 << 20);
	field_text(f, item, "reason", ret->reason, sizeof(ret->reason));
	if (feature_state_parse(state, &ret->state))
		fields_fail(f, "'%.40s' is no state that is known of", state);
}

static void read_features(struct fields *f, const json_t *line,
			  struct recording_head *ret)
{
	const json_t *array = field_array(f, line, "features", RECORDING_MAX_FEATURES);
	size_t i;

	for (i = 0; i < json_array_size(array); i++)
		read_feature(f, fields_item(f, array, i, "features"),
			     &ret->features[ret->nr_features++]);
}

static void read_price(struct fields *f, const json_t *price, struct bench_result *ret)
{
	if (!price)
		return;
	ret->measured = true;
	ret->nr_rounds = field_known(f, price, "rounds", 1 << 30);
	ret->median = field_figure(f, price, "median");
	ret->lo = field_figure(f, price, "lo");
	ret->hi = field_figure(f, price, "hi");
	if (is_absent(ret->median) || is_absent(ret->lo) || is_absent(ret->hi))
		fields_fail(f, "the price of %s lacks a figure", ret->name);
}

static void read_calibration(struct fields *f, const json_t *line,
			     struct calibration *ret)
{
	const json_t *object = field_object(f, line, "calibration");
	struct bench_result *price;
	int i;

	ret->done = object != NULL;
	snprintf(ret->reason, sizeof(ret->reason), "%s",
		 object ? "" : "the recording has no calibration");
	for (i = 0; i < NR_PRICES; i++) {
		price = &ret->prices[i];
		price->name = calibration_price_name(i);
		snprintf(price->reason, sizeof(price->reason), "not in the recording");
		read_price(f, field_object(f, object, price->name), price);
	}
}

void read_head(struct fields *f, const json_t *line, struct recording_head *ret)
{
	const json_t *kernel = field_object(f, line, "kernel");

	field_text(f, line, "command", ret->command, sizeof(ret->command));
	field_text(f, line, "itertrace", ret->itertrace, sizeof(ret->itertrace));
	field_text(f, line, "compiler", ret->compiler, sizeof(ret->compiler));
	field_text(f, line, "sources", ret->sources, sizeof(ret->sources));
	field_text(f, line, "host", ret->host, sizeof(ret->host));
	field_text(f, line, "loops", ret->loops, sizeof(ret->loops));
	ret->time_ns = field_needed_count(f, line, "time_ns");
	ret->interval_ns = field_count(f, line, "interval_ns");
	ret->part = (unsigned int)field_count(f, line, "part");
	if (!kernel)
		fields_fail(f, "\"kernel\" is missing");
	read_identity(f, kernel, &ret->identity);
	read_features(f, line, ret);
	read_calibration(f, line, &ret->calibration);
}
