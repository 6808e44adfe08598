// SPDX-License-Identifier: BSD-2-Clause
/* itertrace report: what a recording says. */
#include <argp.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/log.h"
#include "base/terminal.h"
#include "cmd/cmd.h"
#include "cmd/page.h"
#include "export/html_report.h"
#include "export/report.h"
#include "record/report.h"

#define DEFAULT_WIDTH 120

struct options {
	const char *path;
	const char *html; /* NULL: none */
	bool json, help;
};

enum { KEY_HTML = 0x100 };

static const struct argp_option argp_options[] = {
	{"json", 'j', NULL, 0, "Print one JSON document", 0},
	{"html", KEY_HTML, "FILE", 0,
	 "Write a page of HTML to FILE instead of the text", 0},
	CMD_HELP_OPTIONS,
	{0},
};

static const char doc[] =
	"Show a recording that 'itertrace run' or 'itertrace bench' made: kernel and "
	"machine, what is inlined, calibration, and the run's summary; of "
	"a recording that was cut off, what its intervals add up to."
	"\vExit status: 0 fine; 2 usage, or the file cannot be read, or the page "
	"not be written.";

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct options *o = state->input;

	if (cmd_answer_help(key, state, &o->help))
		return 0;
	switch (key) {
	case 'j':
		o->json = true;
		return 0;
	case KEY_HTML:
		o->html = arg;
		return 0;
	case ARGP_KEY_ARG:
		if (o->path) {
			log_error("report takes one FILE, but was given '%s' too; "
				  "'itertrace compare' takes several",
				  arg);
			return EINVAL;
		}
		o->path = arg;
		return 0;
	}
	return ARGP_ERR_UNKNOWN;
}

static int print_html(FILE *out, const void *report)
{
	return html_report(out, report);
}

static int print(const struct options *o, const struct report *r, struct reason *why)
{
	int err = o->html ? page_write(o->html, print_html, r, why) : 0;

	if (err || (o->html && !o->json))
		return err;
	if (o->json)
		return cmd_print_json(report_to_json(r))
			       ? reason_set(why, -ENOMEM, "out of memory")
			       : 0;
	report_print(stdout, r, terminal_width(STDOUT_FILENO, DEFAULT_WIDTH));
	return 0;
}

static int show(const struct options *o, struct reason *why)
{
	struct recording *recording = NULL;
	struct report *r = calloc(1, sizeof(*r));
	int err;

	if (!r)
		return reason_set(why, -ENOMEM, "out of memory");
	err = recording__open(o->path, &recording, why);
	if (err)
		goto out;
	recording_want_sections(recording, false, true);
	err = report_read(recording, r, why);
	if (err)
		goto out;
	err = print(o, r, why);
	report_release(r);
out:
	recording__close(recording);
	free(r);
	return err;
}

int cmd_report(int argc, char **argv)
{
	static const struct argp argp = {.options = argp_options,
					 .parser = parse_option,
					 .args_doc = "FILE",
					 .doc = doc};
	char name[] = "itertrace report";
	struct options o = {0};
	struct reason why;

	argv[0] = name;
	if (argp_parse(&argp, argc, argv, ARGP_NO_EXIT | ARGP_NO_HELP, NULL, &o))
		return EXIT_USAGE;
	if (o.help)
		return cmd_finish_output(EXIT_FINE);
	if (!o.path) {
		log_error(
			"report takes a FILE that 'itertrace run --record FILE' wrote");
		return EXIT_USAGE;
	}
	if (show(&o, &why)) {
		log_error("%s", why.text);
		return EXIT_USAGE;
	}
	return cmd_finish_output(EXIT_FINE);
}
