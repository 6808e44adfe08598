// SPDX-License-Identifier: BSD-2-Clause
/* itertrace probe: what this kernel inlines, with evidence. */
#include <argp.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/terminal.h"
#include "cmd/cmd.h"
#include "export/identity.h"
#include "export/probe.h"
#include "kernel/caps.h"
#include "kernel/explain.h"
#include "kernel/identity.h"
#include "kernel/probe.h"

#define MAX_REQUIREMENTS 64
#define DEFAULT_WIDTH    100

struct requirement {
	const char *name; /* as probe_name() gives it */
	enum feature_state state;
};

struct options {
	bool is_json;
	bool is_verbose;
	bool is_help;
	const char *explain; /* NULL: the whole table */
	struct requirement requirements[MAX_REQUIREMENTS];
	size_t nr_requirements;
};

static const struct argp_option argp_options[] = {
	{"json", 'j', NULL, 0, "Print one JSON document", 0},
	{"explain", 'e', "NAME", 0,
	 "Show one construct's evidence: its program translated and JITed", 0},
	{"require", 'r', "NAME=STATE", 0,
	 "Exit with 1 if NAME is in another state; may be repeated", 0},
	{"verbose", 'v', NULL, 0, "Show libbpf's and the verifier's messages too", 0},
	CMD_HELP_OPTIONS,
	{0},
};

static const char doc[] =
	"Show which BPF constructs this kernel inlines and which it calls, found out "
	"by "
	"loading tiny programs and reading back what the kernel made of them.\v"
	"States: inlined, folded (bounds decided at load), partial, call, unsupported, "
	"refused, unknown.\n"
	"Exit status: 0 fine; 1 a --require is not met; 2 usage; 4 the kernel or the "
	"permissions do not allow it.";

/* The table's own copy of a name, or NULL and a message with the valid ones. */
static const char *parse_name(const char *option, const char *name, size_t len)
{
	char names[2048] = "";
	size_t i, at = 0;

	for (i = 0; i < probe_nr(); i++) {
		if (strlen(probe_name(i)) == len && !strncmp(probe_name(i), name, len))
			return probe_name(i);
		if (at < sizeof(names))
			at += (size_t)snprintf(names + at, sizeof(names) - at, "%s%s",
					       i ? ", " : "", probe_name(i));
	}
	log_error("%s: there is no construct '%.*s'; there are %s", option, (int)len,
		  name, names);
	return NULL;
}

static int parse_requirement(struct options *o, const char *text)
{
	const char *equals = strchr(text, '=');
	struct requirement *r;

	if (!equals) {
		log_error("--require takes NAME=STATE, not '%s'", text);
		return EINVAL;
	}
	if (o->nr_requirements == MAX_REQUIREMENTS) {
		log_error("--require can be given at most %d times", MAX_REQUIREMENTS);
		return EINVAL;
	}
	r = &o->requirements[o->nr_requirements];
	r->name = parse_name("--require", text, (size_t)(equals - text));
	if (!r->name)
		return EINVAL;
	if (feature_state_parse(equals + 1, &r->state)) {
		log_error("--require: there is no state '%s'; there are inlined, "
			  "folded, partial, call, unsupported, refused, unknown",
			  equals + 1);
		return EINVAL;
	}
	o->nr_requirements++;
	return 0;
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct options *o = state->input;

	if (cmd_answer_help(key, state, &o->is_help))
		return 0;
	switch (key) {
	case 'j':
		o->is_json = true;
		return 0;
	case 'v':
		o->is_verbose = true;
		return 0;
	case 'e':
		o->explain = parse_name("--explain", arg, strlen(arg));
		return o->explain ? 0 : EINVAL;
	case 'r':
		return parse_requirement(o, arg);
	case ARGP_KEY_ARG:
		log_error("probe takes no argument, but was given '%s'", arg);
		return EINVAL;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static int parse_options(int argc, char **argv, struct options *o)
{
	static const struct argp argp = {
		.options = argp_options, .parser = parse_option, .doc = doc};
	char name[] = "itertrace probe";

	if (argc > 0)
		argv[0] = name;
	if (argp_parse(&argp, argc, argv, ARGP_NO_EXIT | ARGP_NO_HELP, NULL, o))
		return -EINVAL;
	if (o->explain && o->is_json && !o->is_help) {
		log_error("--explain is text for people; it can't be had with --json");
		return -EINVAL;
	}
	return 0;
}

static struct probe_style style_of(FILE *out)
{
	return (struct probe_style){
		.is_coloured = terminal_has_colour(fileno(out)),
		.width = terminal_width(fileno(out), DEFAULT_WIDTH),
	};
}

static int probe_all(struct probe *p, struct feature **ret, size_t *ret_nr)
{
	size_t i, nr = probe_nr();
	struct feature *features;
	int err = 0;

	features = calloc(nr, sizeof(*features));
	if (!features)
		return -ENOMEM;
	for (i = 0; i < nr && !err; i++)
		err = probe_feature(p, probe_name(i), &features[i]);
	if (err) {
		free(features);
		return err;
	}
	*ret = features;
	*ret_nr = nr;
	return 0;
}

/* Nothing at all could be loaded: the answer is about the host, not the kernel. */
static bool is_all_refused(const struct feature *features, size_t nr)
{
	size_t i;

	for (i = 0; i < nr; i++) {
		if (features[i].state != FEATURE_REFUSED)
			return false;
	}
	return true;
}

static int show_all(struct probe *p, const struct options *o, int *status)
{
	struct probe_style style = style_of(stdout);
	struct feature *features = NULL;
	struct identity id;
	size_t nr = 0;
	int err;

	err = identity_read(&id);
	if (!err)
		err = probe_all(p, &features, &nr);
	if (err)
		return err;
	if (o->is_json) {
		err = cmd_print_json(probe_to_json(&id, features, nr));
	} else {
		identity_print(stdout, &id);
		putchar('\n');
		probe_print_table(stdout, features, nr, &style);
	}
	if (is_all_refused(features, nr)) {
		log_error("%s", features[0].reason);
		*status = EXIT_REFUSED;
	}
	free(features);
	return err;
}

static int show_one(struct probe *p, const struct options *o)
{
	struct probe_style style = style_of(stdout);
	struct explanation e;
	char title[64];
	int err;

	err = probe_explain(p, o->explain, &e);
	if (err)
		return err;
	probe_print_feature(stdout, &e.feature, &style);
	if (e.xlated.nr_lines || e.xlated.note[0])
		probe_print_listing(stdout,
				    "The probe program as the kernel translated it; > "
				    "marks the construct:",
				    &e.xlated, false, &style);
	snprintf(title, sizeof(title), "Its JITed code (%s):", e.arch);
	if (e.jited.nr_lines || e.jited.note[0])
		probe_print_listing(stdout, title, &e.jited, true, &style);
	explanation_release(&e);
	return 0;
}

static int check_requirements(struct probe *p, const struct options *o, int *status)
{
	const struct requirement *r;
	struct feature f;
	size_t i;
	int err;

	for (i = 0; i < o->nr_requirements; i++) {
		r = &o->requirements[i];
		err = probe_feature(p, r->name, &f);
		if (err)
			return err;
		if (f.state == r->state)
			continue;
		log_error("%s is %s, not %s as required%s%s", r->name,
			  feature_state_name(f.state), feature_state_name(r->state),
			  f.reason[0] ? ": " : "", f.reason);
		if (*status == EXIT_FINE)
			*status = EXIT_NO;
	}
	return 0;
}

static int run(const struct options *o)
{
	int err, status = EXIT_FINE;
	struct probe *p = NULL;
	struct reason why;

	if (caps_require_bpf(&why)) {
		log_error("%s", why.text);
		return EXIT_REFUSED;
	}
	err = probe__new(&p, NULL);
	if (!err)
		err = o->explain ? show_one(p, o) : show_all(p, o, &status);
	if (!err)
		err = check_requirements(p, o, &status);
	probe__free(p);
	if (err) {
		log_error("cannot probe this kernel: %s", strerror(-err));
		return EXIT_REFUSED;
	}
	return status;
}

int cmd_probe(int argc, char **argv)
{
	struct options o = {0};

	if (parse_options(argc, argv, &o))
		return cmd_finish_output(EXIT_USAGE);
	if (o.is_help)
		return cmd_finish_output(EXIT_FINE);
	if (o.is_verbose)
		log_set_level(LOG_LEVEL_DEBUG);
	return cmd_finish_output(run(&o));
}
