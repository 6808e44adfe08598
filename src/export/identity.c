// SPDX-License-Identifier: BSD-2-Clause
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>

#include "export/identity.h"
#include "export/members.h"

#define LINE_COLUMNS  100
#define LABEL_COLUMNS 13

/* ---- JSON ---------------------------------------------------------------- */

/* nr -1: not known. */
static json_t *entries_to_json(const struct identity_entry *entries, int nr)
{
	json_t *object = nr >= 0 ? json_object() : json_null();

	for (int i = 0; i < nr; i++)
		member_text(object, entries[i].name, entries[i].text);
	return object;
}

json_t *identity_to_json(const struct identity *id)
{
	json_t *object = json_object();

	member_text(object, "release", id->release);
	member_text(object, "version", id->version);
	member_text(object, "arch", id->arch);
	member_text(object, "build_id", id->build_id);
	member_text(object, "boot_id", id->boot_id);
	member_text(object, "cpu", id->cpu_model);
	member_text(object, "microcode", id->microcode);
	member_known(object, "cpus_online", id->nr_cpus_online);
	member_known(object, "cpus_possible", id->nr_cpus_possible);
	member_text(object, "clock_source", id->clock_source);
	member_text(object, "virtualised", id->virtualised);
	member_text(object, "lockdown", id->lockdown);
	member_known(object, "jit_enable", id->jit_enable);
	member_known(object, "jit_harden", id->jit_harden);
	member_known(object, "kptr_restrict", id->kptr_restrict);
	member_known(object, "unprivileged_bpf_disabled",
		     id->unprivileged_bpf_disabled);
	json_object_set_new(object, "btf", json_boolean(id->has_btf));
	json_object_set_new(object, "mitigations",
			    entries_to_json(id->mitigations, id->nr_mitigations));
	member_text(object, "config_digest", id->config_digest);
	json_object_set_new(object, "config",
			    entries_to_json(id->config, id->nr_config));
	return object;
}

/* ---- text ---------------------------------------------------------------- */

/* One line under construction; what does not fit is cut with an ellipsis. */
struct line {
	char text[LINE_COLUMNS + 1];
	size_t len;
	bool is_cut;
};

__attribute__((format(printf, 2, 3))) static void add(struct line *line,
						      const char *fmt, ...)
{
	size_t room = sizeof(line->text) - line->len;
	va_list args;
	int len;

	if (line->is_cut)
		return;
	va_start(args, fmt);
	len = vsnprintf(line->text + line->len, room, fmt, args);
	va_end(args);
	if (len < 0)
		return;
	if ((size_t)len >= room) {
		line->is_cut = true;
		len = (int)room - 1;
	}
	line->len += (size_t)len;
}

static void print_line(FILE *out, const struct line *line)
{
	if (line->len <= LABEL_COLUMNS)
		return;
	if (line->is_cut)
		fprintf(out, "%.*s...\n", LINE_COLUMNS - 3, line->text);
	else
		fprintf(out, "%s\n", line->text);
}

static struct line start_line(const char *label)
{
	struct line line = {0};

	add(&line, "%-*s", LABEL_COLUMNS, label);
	return line;
}

/* The separator, unless the line has only its label. */
static const char *comma(const struct line *line)
{
	return line->len > LABEL_COLUMNS ? ", " : "";
}

static void print_kernel(FILE *out, const struct identity *id)
{
	struct line line = start_line("kernel");

	add(&line, "%s %s", id->release, id->arch);
	if (id->build_id[0])
		add(&line, ", build id %.12s", id->build_id);
	if (id->version[0])
		add(&line, ", %s", id->version);
	print_line(out, &line);
}

static void print_cpu(FILE *out, const struct identity *id)
{
	struct line line = start_line("cpu");

	if (id->cpu_model[0])
		add(&line, "%s", id->cpu_model);
	if (id->nr_cpus_online >= 0 && id->nr_cpus_possible >= 0)
		add(&line, "%s%d of %d CPUs online", comma(&line), id->nr_cpus_online,
		    id->nr_cpus_possible);
	if (id->clock_source[0])
		add(&line, "%sclock %s", comma(&line), id->clock_source);
	if (!strcmp(id->virtualised, "none"))
		add(&line, "%snot virtualised", comma(&line));
	else if (id->virtualised[0])
		add(&line, "%svirtualised by %s", comma(&line), id->virtualised);
	print_line(out, &line);
}

static void add_state(struct line *line, const char *what, int value,
		      const char *const *names, int nr_names)
{
	if (value >= 0 && value < nr_names)
		add(line, "%s%s %s", comma(line), what, names[value]);
	else if (value >= 0)
		add(line, "%s%s %d", comma(line), what, value);
}

static void print_bpf(FILE *out, const struct identity *id)
{
	static const char *const jit[] = {"off", "on", "on with debugging"};
	static const char *const harden[] = {"off", "for unprivileged users", "on"};
	static const char *const unprivileged[] = {"allowed", "off", "off"};
	struct line line = start_line("bpf");

	add_state(&line, "JIT", id->jit_enable, jit, 3);
	add_state(&line, "hardening", id->jit_harden, harden, 3);
	add(&line, "%s%s", comma(&line), id->has_btf ? "BTF" : "no BTF");
	add_state(&line, "unprivileged", id->unprivileged_bpf_disabled, unprivileged,
		  3);
	add_state(&line, "kptr_restrict", id->kptr_restrict, NULL, 0);
	if (id->lockdown[0])
		add(&line, "%slockdown %s", comma(&line), id->lockdown);
	print_line(out, &line);
}

static bool starts_with(const char *text, const char *prefix)
{
	return !strncmp(text, prefix, strlen(prefix));
}

/* " name name": those whose state starts so; the number of them. */
static int add_names(struct line *line, const struct identity *id, const char *prefix)
{
	int nr = 0;

	for (int i = 0; i < id->nr_mitigations; i++) {
		if (!starts_with(id->mitigations[i].text, prefix))
			continue;
		add(line, "%s%s", line->len > LABEL_COLUMNS ? " " : "",
		    id->mitigations[i].name);
		nr++;
	}
	return nr;
}

static void print_mitigations(FILE *out, const struct identity *id)
{
	struct line on = start_line("mitigations");
	struct line vulnerable = start_line("vulnerable");
	int nr_unaffected = 0;

	for (int i = 0; i < id->nr_mitigations; i++)
		nr_unaffected += starts_with(id->mitigations[i].text, "Not affected");
	if (nr_unaffected)
		add(&on, "not needed: %d; on:", nr_unaffected);
	if (!add_names(&on, id, "Mitigation") && nr_unaffected)
		add(&on, " none");
	add_names(&vulnerable, id, "Vulnerable");
	print_line(out, &on);
	print_line(out, &vulnerable);
}

void identity_print(FILE *out, const struct identity *id)
{
	print_kernel(out, id);
	print_cpu(out, id);
	print_bpf(out, id);
	print_mitigations(out, id);
}
