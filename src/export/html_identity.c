// SPDX-License-Identifier: BSD-2-Clause
#include <stdbool.h>
#include <string.h>

#include "export/html.h"
#include "export/html_identity.h"

#define TEXT_LEN 256

/* A row of the table: its text, "" if it is not known. */
struct field {
	const char *title;
	void (*show)(char text[TEXT_LEN], const struct recording_head *h);
};

static void show_number(char text[TEXT_LEN], int number, const char *const *names,
			int nr_names)
{
	text[0] = '\0';
	if (number >= 0 && number < nr_names)
		snprintf(text, TEXT_LEN, "%s", names[number]);
	else if (number >= 0)
		snprintf(text, TEXT_LEN, "%d", number);
}

#define SHOW_TEXT(member)                                                              \
	static void show_##member(char text[TEXT_LEN], const struct recording_head *h) \
	{                                                                              \
		snprintf(text, TEXT_LEN, "%s", h->identity.member);                    \
	}

SHOW_TEXT(release)
SHOW_TEXT(version)
SHOW_TEXT(build_id)
SHOW_TEXT(arch)
SHOW_TEXT(cpu_model)
SHOW_TEXT(microcode)
SHOW_TEXT(boot_id)
SHOW_TEXT(config_digest)
SHOW_TEXT(clock_source)
SHOW_TEXT(virtualised)
SHOW_TEXT(lockdown)

static void show_host(char text[TEXT_LEN], const struct recording_head *h)
{
	snprintf(text, TEXT_LEN, "%s", h->host);
}

static void show_itertrace(char text[TEXT_LEN], const struct recording_head *h)
{
	snprintf(text, TEXT_LEN, "%s", h->itertrace);
}

static void show_compiler(char text[TEXT_LEN], const struct recording_head *h)
{
	snprintf(text, TEXT_LEN, "%s", h->compiler);
}

static void show_loops(char text[TEXT_LEN], const struct recording_head *h)
{
	snprintf(text, TEXT_LEN, "%s", h->loops);
}

static void show_cpus(char text[TEXT_LEN], const struct recording_head *h)
{
	const struct identity *id = &h->identity;

	text[0] = '\0';
	if (id->nr_cpus_online >= 0 && id->nr_cpus_possible >= 0)
		snprintf(text, TEXT_LEN, "%d online of %d possible", id->nr_cpus_online,
			 id->nr_cpus_possible);
}

static void show_jit(char text[TEXT_LEN], const struct recording_head *h)
{
	static const char *const names[] = {"off", "on", "on, with debugging"};

	show_number(text, h->identity.jit_enable, names, 3);
}

static void show_harden(char text[TEXT_LEN], const struct recording_head *h)
{
	static const char *const names[] = {"off", "for unprivileged users", "on"};

	show_number(text, h->identity.jit_harden, names, 3);
}

static void show_kptr(char text[TEXT_LEN], const struct recording_head *h)
{
	show_number(text, h->identity.kptr_restrict, NULL, 0);
}

static void show_unprivileged(char text[TEXT_LEN], const struct recording_head *h)
{
	static const char *const names[] = {"allowed", "off", "off"};

	show_number(text, h->identity.unprivileged_bpf_disabled, names, 3);
}

static const struct field fields[] = {
	{"kernel", show_release},
	{"version", show_version},
	{"build id", show_build_id},
	{"configuration", show_config_digest},
	{"boot", show_boot_id},
	{"host", show_host},
	{"architecture", show_arch},
	{"CPU", show_cpu_model},
	{"CPUs", show_cpus},
	{"microcode", show_microcode},
	{"clock source", show_clock_source},
	{"virtualised", show_virtualised},
	{"BPF JIT", show_jit},
	{"JIT hardening", show_harden},
	{"unprivileged BPF", show_unprivileged},
	{"kptr_restrict", show_kptr},
	{"lockdown", show_lockdown},
	{"loops", show_loops},
	{"itertrace", show_itertrace},
	{"compiler of the BPF objects", show_compiler},
};

#define NR_FIELDS (sizeof(fields) / sizeof(fields[0]))

static void put_row(FILE *out, const char *title, const char *const *texts, size_t nr)
{
	bool any = false, differ = false;
	size_t i;

	for (i = 0; i < nr; i++) {
		any |= texts[i][0] != '\0';
		differ |= strcmp(texts[i], texts[0]) != 0;
	}
	if (!any)
		return;
	fprintf(out, "<tr%s>", differ ? " class=\"differs\"" : "");
	fputs("<th scope=\"row\">", out);
	html_text(out, title);
	fputs("</th>", out);
	for (i = 0; i < nr; i++)
		html_cell_text(out, texts[i]);
	fputs("</tr>\n", out);
}

#define MAX_COLUMNS 2

/* What a head lists: entries, and their number. */
struct entries {
	const struct identity_entry *of;
	int nr;
};

/* Rows for all names, of which two heads need not have the same. */
static void put_list(FILE *out, const char *title, const struct entries *columns,
		     const char *const *titles, size_t nr)
{
	const char *texts[MAX_COLUMNS], *name, *text;
	size_t i, j;
	int at, any = 0;

	for (i = 0; i < nr; i++)
		any |= columns[i].nr > 0;
	if (!any)
		return;
	fprintf(out, "<details class=\"numbers\"><summary>%s</summary>\n", title);
	html_table_begin(out, title, titles, nr + 1);
	for (i = 0; i < nr; i++)
		for (at = 0; at < columns[i].nr; at++) {
			name = columns[i].of[at].name;
			if (i && identity_find(columns[0].of, columns[0].nr, name))
				continue;
			for (j = 0; j < nr; j++) {
				text = identity_find(columns[j].of, columns[j].nr,
						     name);
				texts[j] = text ? text : "";
			}
			put_row(out, name, texts, nr);
		}
	html_table_end(out);
	fputs("</details>\n", out);
}

void html_identity(FILE *out, const struct recording_head *const *heads,
		   const char *const *names, size_t nr)
{
	const char *titles[MAX_COLUMNS + 1] = {""}, *texts[MAX_COLUMNS];
	struct entries mitigations[MAX_COLUMNS], config[MAX_COLUMNS];
	char shown[MAX_COLUMNS][TEXT_LEN];
	size_t i, j;

	for (j = 0; j < nr; j++) {
		titles[j + 1] = names[j];
		texts[j] = shown[j];
		mitigations[j] = (struct entries){heads[j]->identity.mitigations,
						  heads[j]->identity.nr_mitigations};
		config[j] = (struct entries){heads[j]->identity.config,
					     heads[j]->identity.nr_config};
	}
	html_table_begin(out, "Kernel and machine", titles, nr + 1);
	for (i = 0; i < NR_FIELDS; i++) {
		for (j = 0; j < nr; j++)
			fields[i].show(shown[j], heads[j]);
		put_row(out, fields[i].title, texts, nr);
	}
	html_table_end(out);
	put_list(out, "Mitigations", mitigations, titles, nr);
	put_list(out, "Kernel configuration", config, titles, nr);
}
