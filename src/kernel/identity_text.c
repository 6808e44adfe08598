// SPDX-License-Identifier: BSD-2-Clause
#include <ctype.h>
#include <elf.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/identity_text.h"

#define MAX_CPU 65536

struct part_name {
	unsigned int implementer, part;
	const char *name;
};

/* MIDR_EL1, as arch/arm64/include/asm/cputype.h and util-linux' lscpu have it. */
static const struct part_name part_names[] = {
	{0x41, 0xd03, "Arm Cortex-A53"},
	{0x41, 0xd04, "Arm Cortex-A35"},
	{0x41, 0xd05, "Arm Cortex-A55"},
	{0x41, 0xd07, "Arm Cortex-A57"},
	{0x41, 0xd08, "Arm Cortex-A72"},
	{0x41, 0xd09, "Arm Cortex-A73"},
	{0x41, 0xd0a, "Arm Cortex-A75"},
	{0x41, 0xd0b, "Arm Cortex-A76"},
	{0x41, 0xd0c, "Arm Neoverse-N1"},
	{0x41, 0xd0d, "Arm Cortex-A77"},
	{0x41, 0xd40, "Arm Neoverse-V1"},
	{0x41, 0xd41, "Arm Cortex-A78"},
	{0x41, 0xd49, "Arm Neoverse-N2"},
	{0x41, 0xd4a, "Arm Neoverse-E1"},
	{0x41, 0xd4f, "Arm Neoverse-V2"},
	{0x43, 0x0a1, "Cavium ThunderX"},
	{0x43, 0x0af, "Cavium ThunderX2"},
	{0x46, 0x001, "Fujitsu A64FX"},
	{0x48, 0xd01, "HiSilicon Kunpeng-920"},
	{0x50, 0x000, "APM X-Gene"},
	{0xc0, 0xac3, "Ampere-1"},
	{0xc0, 0xac4, "Ampere-1A"},
};

static const struct {
	const char *vendor; /* as CPUID has it */
	const char *name;
} hypervisors[] = {
	{"KVMKVMKVM", "kvm"},           {"Linux KVM Hv", "kvm"},
	{"Microsoft Hv", "hyperv"},     {"VMwareVMware", "vmware"},
	{"XenVMMXenVMM", "xen"},        {"TCGTCGTCGTCG", "qemu"},
	{"VBoxVBoxVBox", "virtualbox"}, {"bhyve bhyve ", "bhyve"},
	{"ACRNACRNACRN", "acrn"},       {"SRESRESRESRE", "lmhs"},
};

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

static size_t note_align(size_t len)
{
	return (len + 3) & ~(size_t)3;
}

static void to_hex(const unsigned char *bytes, size_t len, char ret[BUILD_ID_TEXT_LEN])
{
	size_t i;

	for (i = 0; i < len && 2 * i + 2 < BUILD_ID_TEXT_LEN; i++)
		snprintf(ret + 2 * i, 3, "%02x", bytes[i]);
}

void identity_build_id(const void *notes, size_t len, char ret[BUILD_ID_TEXT_LEN])
{
	const unsigned char *at = notes;
	size_t name_len, desc_len;
	Elf64_Nhdr note;

	ret[0] = '\0';
	while (len >= sizeof(note)) {
		memcpy(&note, at, sizeof(note));
		at += sizeof(note);
		len -= sizeof(note);
		name_len = note_align(note.n_namesz);
		desc_len = note_align(note.n_descsz);
		if (name_len > len || desc_len > len - name_len)
			return;
		if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
		    !memcmp(at, "GNU", 4)) {
			to_hex(at + name_len, note.n_descsz, ret);
			return;
		}
		at += name_len + desc_len;
		len -= name_len + desc_len;
	}
}

/* The value of the first "key : value" line; false: there is none. */
static bool find_value(const char *text, const char *key, char *ret, size_t size)
{
	size_t key_len = strlen(key);
	const char *line, *value;

	for (line = text; line && *line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (strncmp(line, key, key_len))
			continue;
		value = line + key_len;
		value += strspn(value, " \t");
		if (*value != ':')
			continue;
		value++;
		value += strspn(value, " \t");
		snprintf(ret, size, "%.*s", (int)strcspn(value, "\n"), value);
		return ret[0] != '\0';
	}
	return false;
}

static const char *implementer_name(unsigned long implementer)
{
	switch (implementer) {
	case 0x41:
		return "Arm";
	case 0x43:
		return "Cavium";
	case 0x46:
		return "Fujitsu";
	case 0x48:
		return "HiSilicon";
	case 0x4e:
		return "NVIDIA";
	case 0x50:
		return "APM";
	case 0x51:
		return "Qualcomm";
	case 0x61:
		return "Apple";
	case 0x6d:
		return "Microsoft";
	case 0xc0:
		return "Ampere";
	}
	return NULL;
}

static void part_model(unsigned long implementer, unsigned long part, char *ret,
		       size_t size)
{
	const char *name = implementer_name(implementer);
	size_t i;

	for (i = 0; i < ARRAY_SIZE(part_names); i++) {
		if (part_names[i].implementer == implementer &&
		    part_names[i].part == part) {
			snprintf(ret, size, "%s", part_names[i].name);
			return;
		}
	}
	if (name)
		snprintf(ret, size, "%s part 0x%03lx", name, part);
	else
		snprintf(ret, size, "implementer 0x%02lx part 0x%03lx", implementer,
			 part);
}

void identity_cpu_model(const char *cpuinfo, char *ret, size_t size)
{
	char implementer[32], part[32];

	ret[0] = '\0';
	if (find_value(cpuinfo, "model name", ret, size))
		return;
	if (find_value(cpuinfo, "CPU implementer", implementer, sizeof(implementer)) &&
	    find_value(cpuinfo, "CPU part", part, sizeof(part)))
		part_model(strtoul(implementer, NULL, 0), strtoul(part, NULL, 0), ret,
			   size);
}

void identity_microcode(const char *cpuinfo, char *ret, size_t size)
{
	if (!find_value(cpuinfo, "microcode", ret, size))
		ret[0] = '\0';
}

void identity_lockdown(const char *text, char *ret, size_t size)
{
	const char *word = strchr(text, '[');
	size_t len;

	ret[0] = '\0';
	if (!word)
		return;
	len = strcspn(++word, "]");
	if (word[len] == ']')
		snprintf(ret, size, "%.*s", (int)len, word);
}

/* A number that ends at *text afterwards; -1: none there. */
static long take_number(const char **text)
{
	char *end;
	long n;

	if (!isdigit((unsigned char)**text))
		return -1;
	n = strtol(*text, &end, 10);
	*text = end;
	return n > MAX_CPU ? -1 : n;
}

int identity_count_cpus(const char *list)
{
	long first, last, nr = 0;

	while (*list && *list != '\n') {
		first = last = take_number(&list);
		if (*list == '-') {
			list++;
			last = take_number(&list);
		}
		if (first < 0 || last < first)
			return -1;
		nr += last - first + 1;
		if (*list == ',')
			list++;
		else if (*list && *list != '\n')
			return -1;
	}
	return nr > 0 && nr <= MAX_CPU ? (int)nr : -1;
}

void identity_hypervisor(const uint32_t vendor[3], char *ret, size_t size)
{
	char text[13] = "";
	size_t i;

	memcpy(text, vendor, 12);
	for (i = 0; i < ARRAY_SIZE(hypervisors); i++) {
		if (!strcmp(text, hypervisors[i].vendor)) {
			snprintf(ret, size, "%s", hypervisors[i].name);
			return;
		}
	}
	for (i = 0; text[i]; i++) {
		if (!isprint((unsigned char)text[i]))
			text[i] = '?';
	}
	snprintf(ret, size, "%s", text[0] ? text : "unnamed");
}
