// SPDX-License-Identifier: BSD-2-Clause
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>

#include "export/identity.h"

#define LINE_COLUMNS  100
#define LABEL_COLUMNS 13

/* ---- JSON ---------------------------------------------------------------- */

static json_t *text_or_null(const char *text)
{
	json_t *string = text[0] ? json_string(text) : NULL;

	return string ? string : json_null(); /* not UTF-8 is unknown, too */
}

static json_t *number_or_null(int number)
{
	return number >= 0 ? json_integer(number) : json_null();
}

static json_t *mitigations_to_json(const struct identity *id)
{
	json_t *object = json_object();

	for (int i = 0; object && i < id->nr_mitigations; i++) {
		const struct mitigation *m = &id->mitigations[i];

		if (json_object_set_new(object, m->name, text_or_null(m->state))) {
			json_decref(object);
			return NULL;
		}
	}
	return object;
}

json_t *identity_to_json(const struct identity *id)
{
	return json_pack(
		"{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, "
		"s:o, s:b, s:o}",
		"release", text_or_null(id->release), "version",
		text_or_null(id->version), "arch", text_or_null(id->arch), "build_id",
		text_or_null(id->build_id), "cpu", text_or_null(id->cpu_model),
		"cpus_online", number_or_null(id->nr_cpus_online), "cpus_possible",
		number_or_null(id->nr_cpus_possible), "clock_source",
		text_or_null(id->clock_source), "virtualised",
		text_or_null(id->virtualised), "lockdown", text_or_null(id->lockdown),
		"jit_enable", number_or_null(id->jit_enable), "jit_harden",
		number_or_null(id->jit_harden), "kptr_restrict",
		number_or_null(id->kptr_restrict), "unprivileged_bpf_disabled",
		number_or_null(id->unprivileged_bpf_disabled), "btf", id->has_btf,
		"mitigations", mitigations_to_json(id));
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
		if (!starts_with(id->mitigations[i].state, prefix))
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
		nr_unaffected += starts_with(id->mitigations[i].state, "Not affected");
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
