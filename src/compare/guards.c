// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compare/guards.h"
#include "compare/warnings.h"

#define TEXT_LEN COMPARISON_TEXT_LEN

/* What is asked of every run. */
struct question {
	const char *what;
	enum difference_weight weight;
	/* Its answer; "" is not known. */
	void (*show)(const struct recording_head *h, const char *name,
		     char text[TEXT_LEN]);
	const char *name;                                 /* for show */
	bool (*concerns)(const struct recording_head *h); /* NULL: all */
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

#define SHOW_TEXT(name, field)                                                      \
	static void show_##name(const struct recording_head *h, const char *unused, \
				char text[TEXT_LEN])                                \
	{                                                                           \
		(void)unused;                                                       \
		show_text(text, h->field);                                          \
	}
#define SHOW_NUMBER(name, field)                                                    \
	static void show_##name(const struct recording_head *h, const char *unused, \
				char text[TEXT_LEN])                                \
	{                                                                           \
		(void)unused;                                                       \
		show_number(text, h->field);                                        \
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
SHOW_TEXT(loops, loops)
SHOW_TEXT(virtualised, identity.virtualised)
SHOW_TEXT(microcode, identity.microcode)
SHOW_TEXT(compiler, compiler)
SHOW_TEXT(sources, sources)
SHOW_NUMBER(jit_enable, identity.jit_enable)
SHOW_NUMBER(jit_harden, identity.jit_harden)
SHOW_NUMBER(kptr_restrict, identity.kptr_restrict)
SHOW_NUMBER(unprivileged, identity.unprivileged_bpf_disabled)
SHOW_NUMBER(nr_cpus, identity.nr_cpus_online)
SHOW_NUMBER(nr_possible, identity.nr_cpus_possible)

/* bench has no backend. */
static bool has_loops(const struct recording_head *h)
{
	return h->loops[0];
}

#define ATTRIBUTE(text, importance, field)                                             \
	{                                                                              \
		.what = text, .weight = DIFFERENCE_##importance, .show = show_##field, \
	}

static const struct question attributes[] = {
	ATTRIBUTE("bpf_jit_enable", CAUSE, jit_enable),
	ATTRIBUTE("bpf_jit_harden", CAUSE, jit_harden),
	ATTRIBUTE("kptr_restrict", CAUSE, kptr_restrict),
	ATTRIBUTE("unprivileged_bpf_disabled", CAUSE, unprivileged),
	ATTRIBUTE("lockdown", CAUSE, lockdown),
	ATTRIBUTE("kernel release", SUBJECT, release),
	ATTRIBUTE("kernel version", SUBJECT, version),
	ATTRIBUTE("kernel build id", SUBJECT, build_id),
	ATTRIBUTE("kernel configuration as a whole", SUBJECT, config_digest),
	ATTRIBUTE("host", WARNING, host),
	ATTRIBUTE("virtualised by", WARNING, virtualised),
	ATTRIBUTE("microcode", WARNING, microcode),
	ATTRIBUTE("compiler of the programs", WARNING, compiler),
	ATTRIBUTE("sources of the programs", WARNING, sources),
	ATTRIBUTE("CPUs online", WARNING, nr_cpus),
	ATTRIBUTE("CPUs possible", WARNING, nr_possible),
	ATTRIBUTE("CPU model", REFUSAL, cpu_model),
	ATTRIBUTE("architecture", REFUSAL, arch),
	ATTRIBUTE("clock source", REFUSAL, clock_source),
	ATTRIBUTE("itertrace version", REFUSAL, itertrace),
	{.what = "loop backend",
	 .weight = DIFFERENCE_REFUSAL,
	 .show = show_loops,
	 .concerns = has_loops},
};
#define NR_ATTRIBUTES (sizeof(attributes) / sizeof(attributes[0]))

/* Two runs that are compared: of both sides, or of one. */
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
			if (weight == DIFFERENCE_REFUSAL &&
			    c->differences[i].weight != DIFFERENCE_REFUSAL)
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

/*
 * Within each side the runs are compared with the first that knows the answer, and so
 * are the sides with each other.
 */
static int ask(struct comparison *c, const struct question *q)
{
	const struct comparison_run *known[2] = {NULL, NULL};
	char texts[2][TEXT_LEN] = {"", ""}, text[TEXT_LEN];
	struct pair p = {.c = c};

	for (size_t i = 0; i < c->nr_runs; i++) {
		const struct comparison_run *run = &c->runs[i];

		if (texts[run->is_new][0] || (q->concerns && !q->concerns(run->head)))
			continue;
		q->show(run->head, q->name, texts[run->is_new]);
		if (!known[run->is_new] || texts[run->is_new][0])
			known[run->is_new] = run;
	}
	for (size_t i = 0; i < c->nr_runs; i++) {
		const struct comparison_run *run = &c->runs[i];

		if (run == known[run->is_new] ||
		    (q->concerns && !q->concerns(run->head)))
			continue;
		q->show(run->head, q->name, text);
		p.base = known[run->is_new];
		p.fresh = run;
		compare_texts(&p, q->weight, q->what, texts[run->is_new], text);
	}
	p.base = known[0];
	p.fresh = known[1];
	if (p.base && p.fresh)
		compare_texts(&p, q->weight, q->what, texts[0], texts[1]);
	return p.err;
}

/* A refusal for which no run has an answer cannot be checked. */
static int ask_attribute(struct comparison *c, const struct question *q)
{
	char text[TEXT_LEN] = "";

	for (size_t i = 0; i < c->nr_runs && !text[0]; i++)
		q->show(c->runs[i].head, q->name, text);
	if (!text[0] && q->weight == DIFFERENCE_REFUSAL && !q->concerns)
		return warnings_add(c,
				    "the %s is not known of either side: they may not "
				    "be comparable",
				    q->what);
	return ask(c, q);
}

/* ---- lists ------------------------------------------------------------------- */

static bool knows_config(const struct recording_head *h)
{
	return h->identity.nr_config > 0;
}

static bool knows_mitigations(const struct recording_head *h)
{
	return h->identity.nr_mitigations > 0;
}

static bool knows_features(const struct recording_head *h)
{
	return h->nr_features;
}

static void show_config(const struct recording_head *h, const char *name,
			char text[TEXT_LEN])
{
	const struct identity *id = &h->identity;
	const char *value = identity_find(id->config, id->nr_config, name);

	show_text(text, value ? value : "n");
}

static void show_mitigation(const struct recording_head *h, const char *name,
			    char text[TEXT_LEN])
{
	const struct identity *id = &h->identity;
	const char *value = identity_find(id->mitigations, id->nr_mitigations, name);

	show_text(text, value ? value : "not listed");
}

static void show_feature(const struct recording_head *h, const char *name,
			 char text[TEXT_LEN])
{
	text[0] = '\0';
	for (size_t i = 0; i < h->nr_features; i++)
		if (!strcmp(h->features[i].name, name))
			show_text(text, feature_state_name(h->features[i].state));
}

/* The names in the list of one run; NULL: there are no more. */
static const char *config_name(const struct recording_head *h, size_t i)
{
	return (int)i < h->identity.nr_config ? h->identity.config[i].name : NULL;
}

static const char *mitigation_name(const struct recording_head *h, size_t i)
{
	return (int)i < h->identity.nr_mitigations ? h->identity.mitigations[i].name
						   : NULL;
}

static const char *feature_name(const struct recording_head *h, size_t i)
{
	return i < h->nr_features ? h->features[i].name : NULL;
}

/* A list that a head has: a question for each name in it. */
static const struct list {
	const char *what, *prefix;
	const char *(*name)(const struct recording_head *h, size_t i);
	struct question question;
} lists[] = {
	{"kernel configuration",
	 "",
	 config_name,
	 {NULL, DIFFERENCE_CAUSE, show_config, NULL, knows_config}},
	{"list of mitigations",
	 "mitigation ",
	 mitigation_name,
	 {NULL, DIFFERENCE_CAUSE, show_mitigation, NULL, knows_mitigations}},
	/* what the kernels make of each construct: the subject itself */
	{"list of what the kernel inlines",
	 "probe: ",
	 feature_name,
	 {NULL, DIFFERENCE_SUBJECT, show_feature, NULL, knows_features}},
};

/* Does a run before that one list the name? */
static bool was_listed(const struct comparison *c, const struct list *list, size_t run,
		       const char *name)
{
	const char *other;

	for (size_t i = 0; i < run; i++)
		for (size_t j = 0; (other = list->name(c->runs[i].head, j)); j++)
			if (!strcmp(other, name))
				return true;
	return false;
}

static int ask_list(struct comparison *c, const struct list *list)
{
	struct question q = list->question;
	size_t nr_silent = 0, i, j;
	char what[64];
	int err = 0;

	q.what = what;
	for (i = 0; i < c->nr_runs && !err; i++) {
		nr_silent += !q.concerns(c->runs[i].head);
		for (j = 0; !err && (q.name = list->name(c->runs[i].head, j)); j++) {
			if (was_listed(c, list, i, q.name))
				continue;
			snprintf(what, sizeof(what), "%s%s", list->prefix, q.name);
			err = ask(c, &q);
		}
	}
	/* No host tells a server any. */
	if (err || !nr_silent || c->unit_is_host)
		return err;
	return warnings_add(c,
			    "%zu of %zu recordings have no %s: what differs there is "
			    "not seen",
			    nr_silent, c->nr_runs, list->what);
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

int guards_compare(struct comparison *c)
{
	int err = 0;

	for (size_t i = 0; i < NR_ATTRIBUTES && !err; i++)
		/* That hosts are not the same one goes without saying. */
		if (!c->unit_is_host || attributes[i].show != show_host)
			err = ask_attribute(c, &attributes[i]);
	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]) && !err; i++)
		err = ask_list(c, &lists[i]);
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
