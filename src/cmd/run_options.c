// SPDX-License-Identifier: BSD-2-Clause
#include <argp.h>
#include <errno.h>
#include <string.h>

#include "base/config.h"
#include "base/log.h"
#include "base/parse.h"
#include "base/time.h"
#include "cmd/cmd.h"
#include "cmd/run_options.h"
#include "trace/loops.h"

#define DEFAULT_INTERVAL_NS (10 * NSEC_PER_SEC)
#define MIN_TIME_NS         (NSEC_PER_SEC / 10)
#define MAX_INTERVAL_NS     (86400 * NSEC_PER_SEC)
#define MAX_DURATION_NS     (365 * 86400 * NSEC_PER_SEC)
#define DEFAULT_ARGV_MAX    4096

enum {
	KEY_NO_CALIBRATE = 0x100,
	KEY_ARGV_MAX,
	KEY_LIST_TRACERS,
	KEY_LOOPS,
	KEY_CHECK_CONFIG,
	KEY_LISTEN
};

static const struct argp_option argp_options[] = {
	{"duration", 'd', "TIME", 0,
	 "Stop after TIME, such as 30s or 5m (default: when interrupted)", 0},
	{"interval", 'i', "TIME", 0, "Report every TIME (default: 10s)", 0},
	{"json", 'j', NULL, 0,
	 "Print one JSON object a line: one each interval, and a summary", 0},
	{"loops", KEY_LOOPS, "BACKEND", 0,
	 "Run the tracers' loops on auto (default), bpf_for, bpf_loop, can_loop or "
	 "bounded",
	 0},
	{"argv-max", KEY_ARGV_MAX, "BYTES", 0,
	 "Keep at most BYTES of an argv, up to 16k (default: 4096)", 0},
	{"no-calibrate", KEY_NO_CALIBRATE, NULL, 0,
	 "Do not measure what loops cost here; starts up to half a second earlier", 0},
	{"listen", KEY_LISTEN, "ADDRESS", 0,
	 "Serve metrics and a live page over HTTP on ADDRESS: 127.0.0.1:9464, a PORT, "
	 "or "
	 "unix:PATH",
	 0},
	RECORD_FILE_OPTIONS(
		"Write a recording to FILE; or to a new file in it, if it is a "
		"directory or ends in '/'"),
	{"record-max", KEY_RECORD_MAX, "SIZE", 0,
	 "Let the recording, or all of this host in the directory, take at most SIZE "
	 "(default: 256M)",
	 0},
	{"record-age", KEY_RECORD_AGE, "TIME", 0,
	 "Begin another file in the directory every TIME (default: 1d)", 0},
	{"config", 'c', "FILE", 0,
	 "Read FILE first; options given here replace what it says", 0},
	{"check-config", KEY_CHECK_CONFIG, NULL, 0,
	 "Only look whether the configuration and the options are right", 0},
	{"list-tracers", KEY_LIST_TRACERS, NULL, 0, "List the tracers and exit", 0},
	{"verbose", 'v', NULL, 0, "Show libbpf's and the verifier's messages too", 0},
	CMD_HELP_OPTIONS,
	{0},
};

static const char doc[] =
	"Trace this host, all that its kernel allows or the TRACERs named: exec, runq, "
	"syscall. "
	"Reports every interval what they saw, and what each of their loops cost.\v"
	"SIGINT and SIGTERM end the run with a summary; SIGHUP has the configuration "
	"read again.\n"
	"Exit status: 0 fine; 2 usage, or the output cannot be written; 4 the kernel "
	"or the "
	"permissions do not allow it.";

static int take_tracer(struct run_options *o, const char *name, struct reason *why)
{
	size_t row;

	if (tracer_find(name, &row))
		return reason_set(why, -EINVAL,
				  "there is no tracer '%s'; 'itertrace run "
				  "--list-tracers' lists them",
				  name);
	o->trace.tracers |= 1U << row;
	return 0;
}

/* Options with a value, from either source. -ENOENT: it is none of them. */
static int take_value(struct run_options *o, int key, const char *value,
		      struct reason *why)
{
	uint64_t bytes;
	int err;

	switch (key) {
	case 'd':
		return parse_duration_ns("--duration", value, MIN_TIME_NS,
					 MAX_DURATION_NS, &o->duration_ns, why);
	case 'i':
		return parse_duration_ns("--interval", value, MIN_TIME_NS,
					 MAX_INTERVAL_NS, &o->trace.interval_ns, why);
	case KEY_ARGV_MAX:
		err = parse_bytes("--argv-max", value, 1, TRACE_ARGV_LIMIT, &bytes,
				  why);
		if (!err)
			o->trace.argv_max = (uint32_t)bytes;
		return err;
	case KEY_LOOPS:
		if (!loops_parse(value, &o->trace.loops))
			return 0;
		return reason_set(why, -EINVAL,
				  "--loops takes auto, bpf_for, bpf_loop, can_loop or "
				  "bounded, not '%s'",
				  value);
	case KEY_LISTEN:
		o->listens = true;
		return listen_address_parse(value, &o->listen, why);
	}
	return record_take_option(&o->record, key, value, why);
}

/* The flag that an option sets; NULL: it is no flag. */
static bool *flag_of(struct run_options *o, int key)
{
	switch (key) {
	case 'j':
		return &o->json;
	case 'v':
		return &o->verbose;
	case KEY_NO_CALIBRATE:
		return &o->no_calibrate;
	case KEY_LIST_TRACERS:
		return &o->list_tracers;
	case KEY_CHECK_CONFIG:
		return &o->check_config;
	case KEY_FORCE:
		return &o->record.force;
	}
	return NULL;
}

/* ---- the configuration --------------------------------------------------------- */

static int take_tracers(struct run_options *o, const char *names, struct reason *why)
{
	char text[CONFIG_MAX_LINE + 2], *name, *rest = NULL;
	int err = 0;

	snprintf(text, sizeof(text), "%s", names);
	for (name = strtok_r(text, " \t,", &rest); name && !err;
	     name = strtok_r(NULL, " \t,", &rest))
		err = take_tracer(o, name, why);
	o->tracers_are_configured = true;
	return err;
}

/* What only the command line says: it is for one start. */
static bool is_for_the_command_line(int key)
{
	return key == 'c' || key == KEY_CHECK_CONFIG || key == KEY_LIST_TRACERS;
}

static int take_setting(void *context, const char *name, const char *value,
			struct reason *why)
{
	const struct argp_option *option;
	struct run_options *o = context;
	bool *flag;

	if (!strcmp(name, "tracers"))
		return take_tracers(o, value, why);
	for (option = argp_options; option->name; option++)
		if (!strcmp(option->name, name))
			break;
	if (!option->name || is_for_the_command_line(option->key))
		return -ENOENT;
	flag = flag_of(o, option->key);
	if (!flag)
		return take_value(o, option->key, value, why);
	if (!config_parse_flag(value, flag))
		return 0;
	return reason_set(why, -EINVAL, "%s takes yes or no, not '%s'", name, value);
}

/* ---- the command line ---------------------------------------------------------- */

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct run_options *o = state->input;
	struct reason why;
	bool *flag;
	int err;

	if (cmd_answer_help(key, state, &o->help))
		return 0;
	flag = flag_of(o, key);
	if (flag) {
		*flag = true;
		return 0;
	}
	if (key == 'c') {
		o->config = arg;
		return 0;
	}
	if (key == ARGP_KEY_ARG) {
		if (o->tracers_are_configured)
			o->trace.tracers = 0;
		o->tracers_are_configured = false;
		err = take_tracer(o, arg, &why);
	} else {
		err = take_value(o, key, arg, &why);
	}
	return cmd_option_result(err, &why);
}

int run_options_parse(int argc, char **argv, struct run_options *ret)
{
	static const struct argp argp = {argp_options, parse_option, "[TRACER...]", doc,
					 NULL,         NULL,         NULL};
	const struct run_options defaults = {
		.record = RECORD_DEFAULTS,
		.trace =
			{
				.loops = LOOPS_AUTO,
				.argv_max = DEFAULT_ARGV_MAX,
				.interval_ns = DEFAULT_INTERVAL_NS,
			},
	};
	struct run_options told = defaults, o = defaults;
	const unsigned int flags = ARGP_NO_EXIT | ARGP_NO_HELP;
	struct reason why;

	/* To find the file, and for the errors in what was typed. */
	if (argp_parse(&argp, argc, argv, flags, NULL, &told))
		return -EINVAL;
	if (told.config && !told.help) {
		if (config_read(told.config, "run", take_setting, &o, &why)) {
			log_error("%s", why.text);
			return -EINVAL;
		}
		argp_parse(&argp, argc, argv, flags, NULL, &o);
	} else {
		o = told;
	}
	if (!o.trace.tracers)
		o.trace.tracers = (1U << tracers_count()) - 1;
	*ret = o;
	return 0;
}
