// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compare/guards.h"
#include "compare/warnings.h"

#define TEXT_LEN COMPARISON_TEXT_LEN

/* "" is not known. */
struct attribute {
	const char *what;
	enum difference_weight weight;
	void (*show)(const struct recording_head *h, char text[TEXT_LEN]);
};

static void show_text(char text[TEXT_LEN], const char *value)
{
	snprintf(text, TEXT_LEN, "%s", value);
}

static void show_number(char text[TEXT_LEN], int value)
{
	if (value < 0)
		text[0] = '\0';
	else
		snprintf(text, TEXT_LEN, "%d", value);
}

#define SHOW_TEXT(name, field)                                                       \
	static void show_##name(const struct recording_head *h, char text[TEXT_LEN]) \
	{                                                                            \
		show_text(text, h->field);                                           \
	}
#define SHOW_NUMBER(name, field)                                                     \
	static void show_##name(const struct recording_head *h, char text[TEXT_LEN]) \
	{                                                                            \
		show_number(text, h->field);                                         \
	}

SHOW_TEXT(cpu_model, identity.cpu_model)
SHOW_TEXT(arch, identity.arch)
SHOW_TEXT(clock_source, identity.clock_source)
SHOW_TEXT(itertrace, itertrace)
SHOW_TEXT(lockdown, identity.lockdown)
SHOW_TEXT(release, identity.release)
SHOW_TEXT(version, identity.version)
SHOW_TEXT(build_id, identity.build_id)
SHOW_TEXT(config_digest, identity.config_digest)
SHOW_TEXT(host, host)
SHOW_TEXT(virtualised, identity.virtualised)
SHOW_TEXT(microcode, identity.microcode)
SHOW_TEXT(compiler, compiler)
SHOW_NUMBER(jit_enable, identity.jit_enable)
SHOW_NUMBER(jit_harden, identity.jit_harden)
SHOW_NUMBER(kptr_restrict, identity.kptr_restrict)
SHOW_NUMBER(unprivileged, identity.unprivileged_bpf_disabled)
SHOW_NUMBER(nr_cpus, identity.nr_cpus_online)
SHOW_NUMBER(nr_possible, identity.nr_cpus_possible)

static const struct attribute attributes[] = {
	{"bpf_jit_enable", DIFFERENCE_CAUSE, show_jit_enable},
	{"bpf_jit_harden", DIFFERENCE_CAUSE, show_jit_harden},
	{"kptr_restrict", DIFFERENCE_CAUSE, show_kptr_restrict},
	{"unprivileged_bpf_disabled", DIFFERENCE_CAUSE, show_unprivileged},
	{"lockdown", DIFFERENCE_CAUSE, show_lockdown},
	{"kernel release", DIFFERENCE_SUBJECT, show_release},
	{"kernel version", DIFFERENCE_SUBJECT, show_version},
	{"kernel build id", DIFFERENCE_SUBJECT, show_build_id},
	{"kernel configuration as a whole", DIFFERENCE_SUBJECT, show_config_digest},
	{"host", DIFFERENCE_WARNING, show_host},
	{"virtualised by", DIFFERENCE_WARNING, show_virtualised},
	{"microcode", DIFFERENCE_WARNING, show_microcode},
	{"compiler of the programs", DIFFERENCE_WARNING, show_compiler},
	{"CPUs online", DIFFERENCE_WARNING, show_nr_cpus},
	{"CPUs possible", DIFFERENCE_WARNING, show_nr_possible},
	{"CPU model", DIFFERENCE_REFUSAL, show_cpu_model},
	{"architecture", DIFFERENCE_REFUSAL, show_arch},
	{"clock source", DIFFERENCE_REFUSAL, show_clock_source},
	{"itertrace version", DIFFERENCE_REFUSAL, show_itertrace},
};
#define NR_ATTRIBUTES (sizeof(attributes) / sizeof(attributes[0]))

/* Two runs that are compared: the sides' first, or two of one side. */
struct pair {
	struct comparison *c;
	const struct comparison_run *base, *fresh;
	int err;
};

static bool is_within_side(const struct pair *p)
{
	return p->base->is_new == p->fresh->is_new;
}

static void set_difference(struct comparison_difference *d,
			   enum difference_weight weight, const char *what,
			   const char *base, const char *fresh)
{
	d->weight = weight;
	show_text(d->base, base);
	show_text(d->fresh, fresh);
	snprintf(d->what, sizeof(d->what), "%s", what);
}

static void add_difference(struct pair *p, enum difference_weight weight,
			   const char *what, const char *base, const char *fresh)
{
	struct comparison *c = p->c;
	struct comparison_difference *all;

	for (size_t i = 0; i < c->nr_differences; i++)
		if (!strcmp(c->differences[i].what, what)) {
			/* the first of it is shown, but none hides a refusal */
			if (weight == DIFFERENCE_REFUSAL)
				set_difference(&c->differences[i], weight, what, base,
					       fresh);
			return;
		}
	all = reallocarray(c->differences, c->nr_differences + 1, sizeof(*all));
	if (!all) {
		p->err = -ENOMEM;
		return;
	}
	c->differences = all;
	all += c->nr_differences++;
	set_difference(all, weight, what, base, fresh);
}

/* Two runs of one side: another kernel is another subject. */
static void add_within(struct pair *p, enum difference_weight weight, const char *what,
		       const char *base, const char *fresh)
{
	char a[TEXT_LEN], b[TEXT_LEN], within[64];

	snprintf(within, sizeof(within), "%s, within the %s side", what,
		 p->base->is_new ? "new" : "base");
	snprintf(a, sizeof(a), "%.100s (%.140s)", base, p->base->head->path);
	snprintf(b, sizeof(b), "%.100s (%.140s)", fresh, p->fresh->head->path);
	if (weight == DIFFERENCE_SUBJECT)
		weight = DIFFERENCE_REFUSAL;
	else if (weight == DIFFERENCE_CAUSE)
		weight = DIFFERENCE_WARNING;
	add_difference(p, weight, within, a, b);
}

/* What only one of the two knows is no more than a warning. */
static void compare_texts(struct pair *p, enum difference_weight weight,
			  const char *what, const char *base, const char *fresh)
{
	bool is_half_known = !base[0] != !fresh[0];

	if (!strcmp(base, fresh))
		return;
	if (is_half_known && weight == DIFFERENCE_SUBJECT)
		return;
	if (is_half_known)
		weight = DIFFERENCE_WARNING;
	base = base[0] ? base : "not known";
	fresh = fresh[0] ? fresh : "not known";
	if (is_within_side(p))
		add_within(p, weight, what, base, fresh);
	else
		add_difference(p, weight, what, base, fresh);
}

static void compare_attributes(struct pair *p)
{
	char base[TEXT_LEN], fresh[TEXT_LEN];

	for (size_t i = 0; i < NR_ATTRIBUTES; i++) {
		attributes[i].show(p->base->head, base);
		attributes[i].show(p->fresh->head, fresh);
		compare_texts(p, attributes[i].weight, attributes[i].what, base, fresh);
	}
}

struct entries {
	const struct identity_entry *of;
	int nr;
};

static const char *entry_text(struct entries e, const char *name, const char *unlisted)
{
	const char *text = identity_find(e.of, e.nr, name);

	return text ? text : unlisted;
}

/* All that either side lists, if both are known to. */
static void compare_entries(struct pair *p, struct entries base, struct entries fresh,
			    const char *prefix, const char *unlisted)
{
	const struct entries both[] = {base, fresh};
	char what[64];

	if (base.nr <= 0 || fresh.nr <= 0)
		return;
	for (size_t i = 0; i < 2; i++) {
		for (int j = 0; j < both[i].nr; j++) {
			const char *name = both[i].of[j].name;

			snprintf(what, sizeof(what), "%s%s", prefix, name);
			compare_texts(p, DIFFERENCE_CAUSE, what,
				      entry_text(base, name, unlisted),
				      entry_text(fresh, name, unlisted));
		}
	}
}

static void compare_lists(struct pair *p)
{
	const struct identity *base = &p->base->head->identity;
	const struct identity *fresh = &p->fresh->head->identity;

	compare_entries(p, (struct entries){base->config, base->nr_config},
			(struct entries){fresh->config, fresh->nr_config}, "", "n");
	compare_entries(p, (struct entries){base->mitigations, base->nr_mitigations},
			(struct entries){fresh->mitigations, fresh->nr_mitigations},
			"mitigation ", "not listed");
}

static const char *feature_text(const struct recording_head *h, const char *name)
{
	for (size_t i = 0; i < h->nr_features; i++)
		if (!strcmp(h->features[i].name, name))
			return feature_state_name(h->features[i].state);
	return "";
}

/* What the kernels make of each construct: the subject itself. */
static void compare_features(struct pair *p)
{
	const struct recording_head *base = p->base->head;
	char what[64];

	for (size_t i = 0; i < base->nr_features; i++) {
		const char *name = base->features[i].name;

		snprintf(what, sizeof(what), "probe: %s", name);
		compare_texts(p, DIFFERENCE_SUBJECT, what, feature_text(base, name),
			      feature_text(p->fresh->head, name));
	}
}

/* Refusals that nothing is known about cannot be checked. */
static int warn_of_unknown(struct comparison *c, const struct recording_head *base,
			   const struct recording_head *fresh)
{
	char a[TEXT_LEN], b[TEXT_LEN];
	int err = 0;

	for (size_t i = 0; i < NR_ATTRIBUTES && !err; i++) {
		if (attributes[i].weight != DIFFERENCE_REFUSAL)
			continue;
		attributes[i].show(base, a);
		attributes[i].show(fresh, b);
		if (!a[0] && !b[0])
			err = warnings_add(c,
					   "the %s is not known of either side: they "
					   "may not be comparable",
					   attributes[i].what);
	}
	return err;
}

static int compare_runs(struct comparison *c, const struct comparison_run *base,
			const struct comparison_run *fresh)
{
	struct pair p = {.c = c, .base = base, .fresh = fresh};

	compare_attributes(&p);
	compare_lists(&p);
	compare_features(&p);
	if (p.err || is_within_side(&p))
		return p.err;
	return warn_of_unknown(c, base->head, fresh->head);
}

/* By weight, otherwise in the order in which they are. */
static void sort_differences(struct comparison *c)
{
	for (size_t i = 1; i < c->nr_differences; i++) {
		struct comparison_difference moved = c->differences[i];
		size_t at = i;

		for (; at > 0 && c->differences[at - 1].weight > moved.weight; at--)
			c->differences[at] = c->differences[at - 1];
		c->differences[at] = moved;
	}
}

/* The first runs of both sides, and the others of a side with its first. */
static int
compare_all(struct comparison *c, bool (*takes_part)(const struct recording_head *),
	    int (*compare)(struct comparison *, const struct comparison_run *,
			   const struct comparison_run *))
{
	const struct comparison_run *first[2] = {NULL, NULL};
	int err = 0;

	for (size_t i = 0; i < c->nr_runs && !err; i++) {
		const struct comparison_run **of_side = &first[c->runs[i].is_new];

		if (!takes_part(c->runs[i].head))
			continue;
		if (*of_side)
			err = compare(c, *of_side, &c->runs[i]);
		else
			*of_side = &c->runs[i];
	}
	return !err && first[0] && first[1] ? compare(c, first[0], first[1]) : err;
}

static bool is_any(const struct recording_head *h)
{
	(void)h;
	return true;
}

/* bench has no backend */
static bool has_loops(const struct recording_head *h)
{
	return h->loops[0];
}

static int compare_loops(struct comparison *c, const struct comparison_run *base,
			 const struct comparison_run *fresh)
{
	struct pair p = {.c = c, .base = base, .fresh = fresh};

	compare_texts(&p, DIFFERENCE_REFUSAL, "loop backend", base->head->loops,
		      fresh->head->loops);
	return p.err;
}

int guards_compare(struct comparison *c)
{
	int err;

	err = compare_all(c, is_any, compare_runs);
	if (!err)
		err = compare_all(c, has_loops, compare_loops);
	sort_differences(c);
	return err;
}

bool guards_refuse(const struct comparison *c)
{
	for (size_t i = 0; i < c->nr_differences; i++)
		if (c->differences[i].weight == DIFFERENCE_REFUSAL)
			return true;
	return false;
}
