// SPDX-License-Identifier: BSD-2-Clause
/* itertrace run: the daemon. */
#include <argp.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/format.h"
#include "base/limit.h"
#include "base/log.h"
#include "base/parse.h"
#include "base/terminal.h"
#include "base/time.h"
#include "bench/bench.h"
#include "cmd/cmd.h"
#include "export/calibration.h"
#include "export/identity.h"
#include "export/snapshot.h"
#include "kernel/caps.h"
#include "kernel/identity.h"
#include "kernel/probe.h"
#include "trace/loop.h"
#include "trace/session.h"

#define DEFAULT_INTERVAL_NS (10 * NSEC_PER_SEC)
#define MIN_TIME_NS         (NSEC_PER_SEC / 10)
#define MAX_INTERVAL_NS     (86400 * NSEC_PER_SEC)
#define MAX_DURATION_NS     (365 * 86400 * NSEC_PER_SEC)
#define DEFAULT_WIDTH       120
#define DEFAULT_ARGV_MAX    4096
#define CALIBRATION_NS      (NSEC_PER_SEC / 2)

struct options {
	struct trace_options trace;
	uint64_t duration_ns;
	bool json, no_calibrate, list_tracers, verbose, help;
};

enum { KEY_NO_CALIBRATE = 0x100, KEY_ARGV_MAX, KEY_LIST_TRACERS, KEY_LOOPS };

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
	{"list-tracers", KEY_LIST_TRACERS, NULL, 0, "List the tracers and exit", 0},
	{"verbose", 'v', NULL, 0, "Show libbpf's and the verifier's messages too", 0},
	CMD_HELP_OPTIONS,
	{0},
};

static const char doc[] =
	"Trace this host, all that its kernel allows or the TRACERs named: exec, runq, "
	"syscall. "
	"Reports every interval what they saw, and what each of their loops cost.\v"
	"SIGINT and SIGTERM end the run with a summary; SIGHUP does not end it.\n"
	"Exit status: 0 fine; 2 usage, or the output cannot be written; 4 the kernel "
	"or the "
	"permissions do not allow it.";

static int parse_tracer(struct options *o, const char *name)
{
	size_t row;

	if (tracer_find(name, &row)) {
		log_error("there is no tracer '%s'; 'itertrace run --list-tracers' "
			  "lists them",
			  name);
		return EINVAL;
	}
	o->trace.tracers |= 1U << row;
	return 0;
}

static int parse_loops(struct options *o, const char *name)
{
	if (!loops_parse(name, &o->trace.loops))
		return 0;
	log_error(
		"--loops takes auto, bpf_for, bpf_loop, can_loop or bounded, not '%s'",
		name);
	return EINVAL;
}

/* Options with a number in them: 0, or EINVAL and a message. */
static int parse_number(struct options *o, int key, const char *arg)
{
	struct reason why;
	uint64_t bytes;
	int err = 0;

	if (key == 'd')
		err = parse_duration_ns("--duration", arg, MIN_TIME_NS, MAX_DURATION_NS,
					&o->duration_ns, &why);
	else if (key == 'i')
		err = parse_duration_ns("--interval", arg, MIN_TIME_NS, MAX_INTERVAL_NS,
					&o->trace.interval_ns, &why);
	else {
		err = parse_bytes("--argv-max", arg, 1, TRACE_ARGV_LIMIT, &bytes, &why);
		if (!err)
			o->trace.argv_max = (uint32_t)bytes;
	}
	if (!err)
		return 0;
	log_error("%s", why.text);
	return EINVAL;
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct options *o = state->input;

	if (cmd_answer_help(key, state)) {
		o->help = true;
		return 0;
	}
	switch (key) {
	case 'd':
	case 'i':
	case KEY_ARGV_MAX:
		return parse_number(o, key, arg);
	case 'j':
		o->json = true;
		return 0;
	case 'v':
		o->verbose = true;
		return 0;
	case KEY_LOOPS:
		return parse_loops(o, arg);
	case KEY_NO_CALIBRATE:
		o->no_calibrate = true;
		return 0;
	case KEY_LIST_TRACERS:
		o->list_tracers = true;
		return 0;
	case ARGP_KEY_ARG:
		return parse_tracer(o, arg);
	}
	return ARGP_ERR_UNKNOWN;
}

static int list_tracers(void)
{
	size_t i;

	for (i = 0; i < tracers_count(); i++)
		printf("%-10s %s\n", tracer_name(i), tracer_summary(i));
	return cmd_finish_output(EXIT_FINE);
}

/* What emit needs. */
struct output {
	bool json;
	int nr_intervals;
	int width;
};

static int render(const struct snapshot *s, void *context, char **ret, size_t *ret_len)
{
	struct output *o = context;
	json_t *json = NULL;
	FILE *out;
	int err = 0;

	out = open_memstream(ret, ret_len);
	if (!out)
		return -errno;
	if (o->json) {
		json = snapshot_to_json(s);
		if (json_dumpf(json, out, JSON_COMPACT | JSON_REAL_PRECISION(9)))
			err = -ENOMEM;
		putc('\n', out);
	} else if (!s->summary || o->nr_intervals > 1) {
		/* A summary of one interval has nothing to add for people. */
		snapshot_print(out, s, o->width);
	}
	o->nr_intervals += !s->summary;
	json_decref(json);
	if (fclose(out))
		err = -errno;
	return err;
}

static void say_hangup(void *context)
{
	(void)context;
	log_info("SIGHUP: going on; SIGINT and SIGTERM end a run");
}

static void announce(const struct session *s, bool json, const struct calibration *cal)
{
	struct tracer_status status;
	struct identity identity;
	size_t i;

	for (i = 0; i < tracers_count(); i++) {
		session_status(s, i, &status);
		if (status.on && status.reason[0])
			log_warn("%s runs %s", status.name, status.reason);
		else if (!status.on && status.wanted)
			log_warn("%s is off: %s", status.name, status.reason);
	}
	log_info("loops run on %s", session_loops(s)->why.text);
	if (json)
		return;
	identity_read(&identity);
	identity_print(stdout, &identity);
	if (cal)
		calibration_print(stdout, cal);
	fflush(stdout);
}

static int trace(struct session *s, int signal_fd, const struct options *o)
{
	struct output output = {.json = o->json,
				.width = terminal_width(STDOUT_FILENO, DEFAULT_WIDTH)};
	struct loop_options options = {
		.interval_ns = o->trace.interval_ns,
		.duration_ns = o->duration_ns,
		.render = render,
		.out_fd = STDOUT_FILENO,
		.hangup = say_hangup,
		.context = &output,
	};
	enum loop_end end;
	struct reason why;

	if (caps_drop(true, &why))
		log_warn("%s, going on with all capabilities", why.text);
	end = loop_run(s, signal_fd, &options, &why);
	if (end == LOOP_OUTPUT_FAILED || end == LOOP_FAILED)
		log_error("%s", why.text);
	return end == LOOP_OUTPUT_FAILED ? EXIT_USAGE
	       : end == LOOP_FAILED      ? EXIT_REFUSED
					 : EXIT_FINE;
}

static int run(const struct options *o)
{
	struct calibration calibration, *cal = NULL;
	struct session *s = NULL;
	struct probe *probe = NULL;
	int signal_fd, err, status = EXIT_REFUSED;
	struct reason why;

	limit_raise_descriptors();
	signal_fd = loop_signals();
	if (signal_fd < 0) {
		log_error("cannot wait for signals: %s", strerror(-signal_fd));
		return EXIT_REFUSED;
	}
	err = probe__new(&probe, &why);
	if (err)
		goto out;
	if (!o->no_calibrate) {
		cal = &calibration;
		bench_calibrate(probe, CALIBRATION_NS, cal);
	}
	if (loop_is_interrupted(signal_fd)) {
		status = EXIT_FINE;
		goto out;
	}
	err = session__new(&o->trace, probe, &s, &why);
	if (err)
		goto out;
	probe__free(probe);
	probe = NULL;
	session_set_calibration(s, cal);
	announce(s, o->json, cal);
	status = trace(s, signal_fd, o);
out:
	if (err)
		log_error("%s", why.text);
	session__free(s);
	probe__free(probe);
	close(signal_fd);
	return status;
}

int cmd_run(int argc, char **argv)
{
	struct argp argp = {argp_options, parse_option, "[TRACER...]", doc,
			    NULL,         NULL,         NULL};
	struct options o = {
		.trace =
			{
				.loops = LOOPS_AUTO,
				.argv_max = DEFAULT_ARGV_MAX,
				.interval_ns = DEFAULT_INTERVAL_NS,
			},
	};
	struct reason why;
	char name[] = "itertrace run";

	argv[0] = name;
	if (argp_parse(&argp, argc, argv, ARGP_NO_EXIT | ARGP_NO_HELP, NULL, &o))
		return EXIT_USAGE;
	if (o.help)
		return cmd_finish_output(EXIT_FINE);
	if (o.list_tracers)
		return list_tracers();
	if (o.verbose)
		log_set_level(LOG_LEVEL_DEBUG);
	if (!o.trace.tracers)
		o.trace.tracers = (1U << tracers_count()) - 1;
	if (caps_require_bpf(&why)) {
		log_error("%s", why.text);
		return EXIT_REFUSED;
	}
	return run(&o);
}
