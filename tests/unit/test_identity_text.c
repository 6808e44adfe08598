// SPDX-License-Identifier: BSD-2-Clause
/* The kernel's files in the forms that other machines have, and as a report. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "export/identity.h"
#include "kernel/identity_text.h"

/* Xen's note in front, as kernels have it; namesz, descsz, type, name, desc. */
static const unsigned char notes[] = {
	4,    0,    0,    0,    5,    0,    0,    0,    6,    0,    0,    0,
	'X',  'e',  'n',  0,    '2',  '.',  '6',  0,    0,    0,    0,    0,
	4,    0,    0,    0,    20,   0,    0,    0,    3,    0,    0,    0,
	'G',  'N',  'U',  0,    0x4a, 0x5a, 0x9b, 0x0a, 0xff, 0xb6, 0x6c, 0x43,
	0x7a, 0xbc, 0xd4, 0x55, 0xd2, 0x73, 0x8a, 0xf8, 0x79, 0x98, 0x5f, 0xa9,
};

static void build_id_is_found_behind_other_notes(void **state)
{
	char text[BUILD_ID_TEXT_LEN];

	(void)state;
	identity_build_id(notes, sizeof(notes), text);
	assert_string_equal(text, "4a5a9b0affb66c437abcd455d2738af879985fa9");
}

static void broken_notes_have_no_build_id(void **state)
{
	unsigned char huge[sizeof(notes)], *cut;
	char text[BUILD_ID_TEXT_LEN];

	(void)state;
	for (size_t len = 0; len < sizeof(notes); len++) {
		cut = malloc(len + 1); /* of this very length, for the sanitizer */
		assert_non_null(cut);
		memcpy(cut, notes, len);
		identity_build_id(cut, len, text);
		assert_string_equal(text, "");
		free(cut);
	}
	memcpy(huge, notes, sizeof(notes));
	memset(huge + 4, 0xff, 4);
	identity_build_id(huge, sizeof(huge), text);
	assert_string_equal(text, "");
}

static void a_long_build_id_is_cut(void **state)
{
	unsigned char note[12 + 4 + 32] = {4, 0, 0, 0, 32,  0,   0,  0,
					   3, 0, 0, 0, 'G', 'N', 'U'};
	char text[BUILD_ID_TEXT_LEN];

	(void)state;
	identity_build_id(note, sizeof(note), text);
	assert_int_equal(strlen(text), 40);
}

static void check_model(const char *cpuinfo, const char *expected)
{
	char text[64];

	identity_cpu_model(cpuinfo, text, sizeof(text));
	assert_string_equal(text, expected);
}

static void cpu_models_of_both_architectures(void **state)
{
	(void)state;
	check_model("processor\t: 0\nvendor_id\t: GenuineIntel\nmodel\t\t: 207\n"
		    "model name\t: Intel(R) Xeon(R) Processor\nstepping\t: 2\n",
		    "Intel(R) Xeon(R) Processor");
	check_model("processor\t: 0\nBogoMIPS\t: 50.00\nCPU implementer\t: 0x41\n"
		    "CPU architecture: 8\nCPU variant\t: 0x3\nCPU part\t: 0xd0c\n",
		    "Arm Neoverse-N1");
	check_model("CPU implementer\t: 0x41\nCPU part\t: 0xfff\n", "Arm part 0xfff");
	check_model("CPU implementer\t: 0x99\nCPU part\t: 0x12\n",
		    "implementer 0x99 part 0x012");
	check_model("CPU part\t: 0xd0c\n", "");
	check_model("", "");
	check_model("model name", "");
	check_model("model name\t:\n", "");
}

static void lockdown_is_the_word_in_brackets(void **state)
{
	char text[32];

	(void)state;
	identity_lockdown("none [integrity] confidentiality", text, sizeof(text));
	assert_string_equal(text, "integrity");
	identity_lockdown("[none] integrity confidentiality", text, sizeof(text));
	assert_string_equal(text, "none");
	identity_lockdown("none [integrity", text, sizeof(text));
	assert_string_equal(text, "");
	identity_lockdown("", text, sizeof(text));
	assert_string_equal(text, "");
}

static void cpu_lists_are_counted(void **state)
{
	(void)state;
	assert_int_equal(identity_count_cpus("0"), 1);
	assert_int_equal(identity_count_cpus("0-3"), 4);
	assert_int_equal(identity_count_cpus("0-3,8,10-11\n"), 7);
	assert_int_equal(identity_count_cpus(""), -1);
	assert_int_equal(identity_count_cpus("\n"), -1);
	assert_int_equal(identity_count_cpus("3-1"), -1);
	assert_int_equal(identity_count_cpus("0-"), -1);
	assert_int_equal(identity_count_cpus("0;3"), -1);
	assert_int_equal(identity_count_cpus("-1"), -1);
	assert_int_equal(identity_count_cpus("0-99999999999999999999"), -1);
}

static void hypervisors_are_named(void **state)
{
	uint32_t vendor[3];
	char text[32];

	(void)state;
	memcpy(vendor, "KVMKVMKVM\0\0\0", 12);
	identity_hypervisor(vendor, text, sizeof(text));
	assert_string_equal(text, "kvm");
	memcpy(vendor, "bhyve bhyve ", 12);
	identity_hypervisor(vendor, text, sizeof(text));
	assert_string_equal(text, "bhyve");
	memcpy(vendor, "New\033[31mHyper", 12);
	identity_hypervisor(vendor, text, sizeof(text));
	assert_string_equal(text, "New?[31mHype");
	memset(vendor, 0, 12);
	identity_hypervisor(vendor, text, sizeof(text));
	assert_string_equal(text, "unnamed");
}

/* ---- report --------------------------------------------------------------- */

static const struct identity known = {
	.release = "6.12.48+deb13-amd64",
	.version = "#1 SMP PREEMPT_DYNAMIC Debian",
	.arch = "x86_64",
	.build_id = "4a5a9b0affb66c437abcd455d2738af879985fa9",
	.boot_id = "6715b9e0-b807-4d64-a3fb-59bc7e322c8e",
	.cpu_model = "Some CPU",
	.microcode = "0x2b000603",
	.clock_source = "tsc",
	.virtualised = "kvm",
	.lockdown = "none",
	.nr_cpus_online = 2,
	.nr_cpus_possible = 4,
	.jit_enable = 1,
	.jit_harden = 0,
	.kptr_restrict = 2,
	.unprivileged_bpf_disabled = 2,
	.has_btf = 1,
	.nr_mitigations = 4,
	.mitigations = {{"l1tf", "Not affected"},
			{"retbleed", "Vulnerable"},
			{"spectre_v1", "Mitigation: barriers"},
			{"spectre_v2", "Mitigation: Retpolines"}},
	.config_digest = "crc32:01234567",
	.nr_config = 1,
	.config = {{"CONFIG_HZ", "250"}},
};

static const struct identity unknown = {
	.release = "6.12",
	.arch = "aarch64",
	.nr_cpus_online = -1,
	.nr_cpus_possible = -1,
	.jit_enable = -1,
	.jit_harden = -1,
	.kptr_restrict = -1,
	.unprivileged_bpf_disabled = -1,
	.nr_config = -1,
};

static void check_print(const struct identity *id, const char *expected)
{
	char *text;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	assert_non_null(out);
	identity_print(out, id);
	fclose(out);
	assert_string_equal(text, expected);
	free(text);
}

static void the_header_over_reports(void **state)
{
	(void)state;
	check_print(&known, "kernel       6.12.48+deb13-amd64 x86_64, build id "
			    "4a5a9b0affb6, #1 SMP PREEMPT_DYNAMIC Debian\n"
			    "cpu          Some CPU, 2 of 4 CPUs online, clock tsc, "
			    "virtualised by kvm\n"
			    "bpf          JIT on, hardening off, BTF, unprivileged "
			    "off, kptr_restrict 2, lockdown none\n"
			    "mitigations  not needed: 1; on: spectre_v1 spectre_v2\n"
			    "vulnerable   retbleed\n");
	check_print(&unknown, "kernel       6.12 aarch64\n"
			      "bpf          no BTF\n");
}

static void no_line_is_longer_than_100_columns(void **state)
{
	struct identity id = known;
	char *text, *line, *rest;
	size_t len;
	FILE *out = open_memstream(&text, &len);
	int nr = 0;

	(void)state;
	assert_non_null(out);
	memset(id.version, 'v', sizeof(id.version) - 1);
	memset(id.cpu_model, 'c', sizeof(id.cpu_model) - 1);
	id.nr_mitigations = IDENTITY_MAX_MITIGATIONS;
	for (int i = 0; i < IDENTITY_MAX_MITIGATIONS; i++)
		id.mitigations[i] = known.mitigations[i % 4];
	identity_print(out, &id);
	fclose(out);
	for (rest = text; (line = strsep(&rest, "\n")) && rest; nr++)
		assert_true(strlen(line) <= 100);
	assert_int_equal(nr, 5);
	free(text);
}

static void json_has_null_for_what_is_unknown(void **state)
{
	json_t *json = identity_to_json(&unknown);

	(void)state;
	assert_non_null(json);
	assert_string_equal(json_string_value(json_object_get(json, "release")),
			    "6.12");
	assert_true(json_is_null(json_object_get(json, "build_id")));
	assert_true(json_is_null(json_object_get(json, "jit_harden")));
	assert_true(json_is_null(json_object_get(json, "lockdown")));
	assert_true(json_is_null(json_object_get(json, "microcode")));
	assert_true(json_is_null(json_object_get(json, "config")));
	assert_true(json_is_false(json_object_get(json, "btf")));
	assert_int_equal(json_object_size(json_object_get(json, "mitigations")), 0);
	json_decref(json);
}

static void json_has_every_key(void **state)
{
	static const char *const keys[] = {
		"release",       "version",
		"arch",          "build_id",
		"cpu",           "cpus_online",
		"cpus_possible", "clock_source",
		"virtualised",   "lockdown",
		"jit_enable",    "jit_harden",
		"kptr_restrict", "unprivileged_bpf_disabled",
		"btf",           "mitigations",
		"boot_id",       "microcode",
		"config_digest", "config",
	};
	json_t *json = identity_to_json(&known), *mitigations;

	(void)state;
	assert_int_equal(json_object_size(json), sizeof(keys) / sizeof(keys[0]));
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		assert_non_null(json_object_get(json, keys[i]));
		assert_false(json_is_null(json_object_get(json, keys[i])));
	}
	assert_int_equal(json_integer_value(json_object_get(json, "cpus_possible")), 4);
	mitigations = json_object_get(json, "mitigations");
	assert_string_equal(json_string_value(json_object_get(mitigations, "retbleed")),
			    "Vulnerable");
	mitigations = json_object_get(json, "config");
	assert_string_equal(
		json_string_value(json_object_get(mitigations, "CONFIG_HZ")), "250");
	json_decref(json);
}

static void microcode_is_the_first_cpus(void **state)
{
	char text[32];

	(void)state;
	identity_microcode("processor\t: 0\nmicrocode\t: 0x2b\n\nprocessor\t: 1\n"
			   "microcode\t: 0x2c\n",
			   text, sizeof(text));
	assert_string_equal(text, "0x2b");
	identity_microcode("processor\t: 0\n", text, sizeof(text));
	assert_string_equal(text, "");
}

static const char *option(const struct identity_entry *config, int nr, const char *name)
{
	const char *text = identity_find(config, nr, name);

	return text ? text : "not of the table";
}

static void config_has_values_and_n_for_the_rest(void **state)
{
	static const char text[] = "# CONFIG_KASAN is not set\n"
				   "CONFIG_HZ=1000\n"
				   "CONFIG_HZ_1000=y\n"
				   "CONFIG_BPF_JIT=y\n"
				   "CONFIG_NR_CPUS=\"64\"\n"
				   "CONFIG_PREEMPT_DYNAMIC=m";
	struct identity_entry config[IDENTITY_MAX_CONFIG];
	int nr = identity_config(text, config);

	(void)state;
	assert_in_range(nr, 30, IDENTITY_MAX_CONFIG);
	assert_string_equal(option(config, nr, "CONFIG_HZ"), "1000");
	assert_string_equal(option(config, nr, "CONFIG_BPF_JIT"), "y");
	assert_string_equal(option(config, nr, "CONFIG_NR_CPUS"), "64");
	assert_string_equal(option(config, nr, "CONFIG_PREEMPT_DYNAMIC"), "m");
	assert_string_equal(option(config, nr, "CONFIG_KASAN"), "n");
	assert_string_equal(option(config, nr, "CONFIG_BPF_JIT_ALWAYS_ON"), "n");
	assert_string_equal(option(config, nr, "CONFIG_HZ_1000"), "not of the table");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(build_id_is_found_behind_other_notes),
		cmocka_unit_test(broken_notes_have_no_build_id),
		cmocka_unit_test(a_long_build_id_is_cut),
		cmocka_unit_test(cpu_models_of_both_architectures),
		cmocka_unit_test(lockdown_is_the_word_in_brackets),
		cmocka_unit_test(cpu_lists_are_counted),
		cmocka_unit_test(hypervisors_are_named),
		cmocka_unit_test(the_header_over_reports),
		cmocka_unit_test(no_line_is_longer_than_100_columns),
		cmocka_unit_test(json_has_null_for_what_is_unknown),
		cmocka_unit_test(json_has_every_key),
		cmocka_unit_test(microcode_is_the_first_cpus),
		cmocka_unit_test(config_has_values_and_n_for_the_rest),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
