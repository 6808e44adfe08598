// SPDX-License-Identifier: BSD-2-Clause
/* itertrace compare: the verdict on two kernel builds. */
#include <argp.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "base/terminal.h"
#include "cmd/cmd.h"
#include "cmd/page.h"
#include "cmd/prometheus.h"
#include "compare/compare.h"
#include "compare/warnings.h"
#include "export/compare.h"
#include "export/html_compare.h"

#define DEFAULT_THRESHOLD 5.0
#define MIN_THRESHOLD     0.01
#define MAX_THRESHOLD     100.0
#define DEFAULT_WIDTH     160

struct options {
	double threshold_percent;
	bool is_forced, is_json, is_help;
	const char *html; /* NULL: none */
	char **paths;     /* base's, then the new side's */
	size_t nr_base, nr_new;
	struct prometheus_options prometheus;
};

enum { KEY_HTML = 0x100 };

static const struct argp_option argp_options[] = {
	{"threshold", 't', "PERCENT", 0,
	 "The least difference that matters (default: 5%)", 0},
	{"force", 'f', NULL, 0, "Compare also what is not comparable, and say so", 0},
	{"json", 'j', NULL, 0, "Print one JSON document", 0},
	{"html", KEY_HTML, "FILE", 0, "Write a page of HTML to FILE, too", 0},
	PROMETHEUS_OPTIONS,
	CMD_HELP_OPTIONS,
	{0},
};

static const char doc[] =
	"Compare recordings of two kernel builds, as 'itertrace run' and 'itertrace "
	"bench' "
	"make them: one or several a side, best of several boots each. Two files need "
	"no --. Or, with --prometheus, the hosts that a Prometheus scrapes.\v"
	"Exit status: 0 faster, or no difference that matters; 1 slower; 2 usage, or a "
	"recording or a server that cannot be read; 3 not comparable, or too little "
	"data for a verdict.";

static int parse_threshold(const char *text, double *ret)
{
	char *end;
	double percent = strtod(text, &end);

	if (*end == '%')
		end++;
	if (end != text && !*end && percent >= MIN_THRESHOLD &&
	    percent <= MAX_THRESHOLD) {
		*ret = percent;
		return 0;
	}
	log_error("--threshold takes percent from %g to %g, such as 5%%, not '%s'",
		  MIN_THRESHOLD, MAX_THRESHOLD, text);
	return EINVAL;
}

static error_t parse_prometheus(struct options *o, int key, char *arg)
{
	struct reason why;
	int err = prometheus_take_option(&o->prometheus, key, arg, &why);

	return cmd_option_result(err, &why);
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct options *o = state->input;

	if (cmd_answer_help(key, state, &o->is_help))
		return 0;
	switch (key) {
	case 't':
		return parse_threshold(arg, &o->threshold_percent);
	case 'f':
		o->is_forced = true;
		return 0;
	case 'j':
		o->is_json = true;
		return 0;
	case KEY_HTML:
		o->html = arg;
		return 0;
	case ARGP_KEY_ARG:
		o->paths[o->nr_base++] = arg;
		return 0;
	}
	return parse_prometheus(o, key, arg);
}

/* The first "--"; argc: there is none. What follows are files, whatever their names. */
static int find_separator(int argc, char **argv)
{
	int i = 1;

	while (i < argc && strcmp(argv[i], "--"))
		i++;
	return i;
}

/* Recordings on both sides, or a server. */
static int check_sides(const struct options *o)
{
	size_t nr = o->nr_base + o->nr_new;
	struct reason why;

	if (prometheus_check(&o->prometheus, &why)) {
		log_error("%s", why.text);
		return -EINVAL;
	}
	if (o->prometheus.server ? !nr : o->nr_base && o->nr_new)
		return 0;
	if (o->prometheus.server)
		log_error("--prometheus compares hosts, and no recordings: leave '%s' "
			  "out",
			  o->paths[0]);
	else
		log_error("compare takes two recordings, or BASE... -- NEW... with one "
			  "or more on each side, or --prometheus");
	return -EINVAL;
}

static int parse_sides(int argc, char **argv, struct options *o)
{
	static const struct argp argp = {.options = argp_options,
					 .parser = parse_option,
					 .args_doc = "BASE... -- NEW...",
					 .doc = doc};
	int separator = find_separator(argc, argv);
	char name[] = "itertrace compare";

	argv[0] = name;
	if (argp_parse(&argp, separator, argv, ARGP_NO_EXIT | ARGP_NO_HELP, NULL, o))
		return -EINVAL;
	for (int i = separator + 1; i < argc; i++)
		o->paths[o->nr_base + o->nr_new++] = argv[i];
	if (separator == argc && o->nr_base == 2) {
		o->nr_base--;
		o->nr_new++;
	}
	return o->is_help ? 0 : check_sides(o);
}

static void show_progress(size_t at, size_t nr)
{
	if (nr > 2 && isatty(STDERR_FILENO))
		fprintf(stderr, "\rreading recording %zu of %zu%s", at, nr,
			at == nr ? "\n" : "");
}

static int read_all(const struct options *o, struct digest **digests,
		    struct reason *why)
{
	size_t i, nr = o->nr_base + o->nr_new;
	int err = 0;

	for (i = 0; i < nr && !err; i++) {
		show_progress(i + 1, nr);
		err = digest__read(o->paths[i], &digests[i], why);
	}
	return err;
}

static int status_of(enum verdict verdict)
{
	switch (verdict) {
	case VERDICT_FASTER:
	case VERDICT_NO_DIFFERENCE:
		break;
	case VERDICT_SLOWER:
		return EXIT_NO;
	case VERDICT_TOO_LITTLE_DATA:
	case VERDICT_NOT_COMPARABLE:
		return EXIT_NOT_COMPARABLE;
	}
	return EXIT_FINE;
}

static int print_html(FILE *out, const void *comparison)
{
	return html_compare(out, comparison);
}

static int show(const struct comparison *c, const struct options *o)
{
	struct reason why;

	if (o->html && page_write(o->html, print_html, c, &why)) {
		log_error("%s", why.text);
		return EXIT_USAGE;
	}
	if (o->is_json && cmd_print_json(compare_to_json(c))) {
		log_error("cannot print the comparison: %s", strerror(ENOMEM));
		return EXIT_USAGE;
	}
	if (!o->is_json)
		compare_print(stdout, c, terminal_width(STDOUT_FILENO, DEFAULT_WIDTH),
			      terminal_has_colour(STDOUT_FILENO));
	return status_of(c->verdict);
}

/* What is said of digests, which are the caller's; an exit status. */
static int judge(const struct options *o, struct digest **digests, size_t nr_base,
		 size_t nr_new, const struct prometheus_sides *hosts)
{
	struct compare_options options = {
		.threshold_percent = o->threshold_percent,
		.is_forced = o->is_forced,
		.unit_is_host = hosts != NULL,
	};
	struct comparison c;
	struct reason why;
	int status, err = 0;

	if (compare_digests(digests, nr_base, nr_new, &options, &c, &why)) {
		log_error("%s", why.text);
		return EXIT_USAGE;
	}
	for (size_t i = 0; hosts && i < hosts->nr_warnings && !err; i++)
		err = warnings_add(&c, "%s", hosts->warnings[i]);
	if (err)
		log_error("cannot compare: %s", strerror(-err));
	status = err ? EXIT_USAGE : show(&c, o);
	comparison_release(&c);
	return status;
}

static int run_prometheus(const struct options *o)
{
	struct prometheus_sides hosts;
	struct reason why;
	int err, status;

	err = prometheus_ask(&o->prometheus, &hosts, &why);
	if (err) {
		log_error("%s", why.text);
		status = err == -ENODATA ? EXIT_NOT_COMPARABLE : EXIT_USAGE;
	} else {
		status = judge(o, hosts.digests, hosts.nr_base, hosts.nr_new, &hosts);
	}
	prometheus_release(&hosts);
	return status;
}

static int run_recordings(const struct options *o)
{
	size_t nr = o->nr_base + o->nr_new;
	struct digest **digests = calloc(nr, sizeof(*digests));
	int err, status = EXIT_USAGE;
	struct reason why;

	if (digests)
		err = read_all(o, digests, &why);
	else
		err = reason_set(&why, -ENOMEM, "cannot compare: out of memory");
	if (err)
		log_error("%s", why.text);
	else
		status = judge(o, digests, o->nr_base, o->nr_new, NULL);
	for (size_t i = 0; digests && i < nr; i++)
		digest__free(digests[i]);
	free(digests);
	return status;
}

int cmd_compare(int argc, char **argv)
{
	struct options o = {.threshold_percent = DEFAULT_THRESHOLD};
	int status = EXIT_USAGE;

	o.paths = calloc((size_t)argc + 1, sizeof(*o.paths));
	if (!o.paths)
		log_error("cannot compare: out of memory");
	else if (!parse_sides(argc, argv, &o))
		status = o.is_help             ? EXIT_FINE
			 : o.prometheus.server ? run_prometheus(&o)
					       : run_recordings(&o);
	free(o.paths);
	return cmd_finish_output(status);
}
