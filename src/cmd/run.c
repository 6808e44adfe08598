// SPDX-License-Identifier: BSD-2-Clause
/* itertrace run: the daemon. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/format.h"
#include "base/limit.h"
#include "base/log.h"
#include "base/terminal.h"
#include "base/time.h"
#include "bench/bench.h"
#include "cmd/cmd.h"
#include "cmd/notify.h"
#include "cmd/publish.h"
#include "cmd/recording.h"
#include "cmd/run_options.h"
#include "export/calibration.h"
#include "export/identity.h"
#include "export/snapshot.h"
#include "kernel/caps.h"
#include "kernel/identity.h"
#include "kernel/probe.h"
#include "trace/loop.h"
#include "trace/session.h"

#define DEFAULT_WIDTH  120
#define CALIBRATION_NS (NSEC_PER_SEC / 2)

static int list_tracers(void)
{
	size_t i;

	for (i = 0; i < tracers_count(); i++)
		printf("%-10s %s\n", tracer_name(i), tracer_summary(i));
	return cmd_finish_output(EXIT_FINE);
}

/* A run, and what the loop's callbacks need. */
struct run {
	const struct run_options *options; /* as it began */
	int argc;                          /* to read the configuration again */
	char **argv;
	int signal_fd;
	struct probe *probe;
	struct session *session;
	struct calibration calibration;
	struct recorder *recorder;   /* NULL: nothing is recorded */
	struct publisher *publisher; /* NULL: nobody is served */
	struct recording_head head;
	int nr_intervals;
	int width;
};

static void say_status(const struct session *s, const struct snapshot *last)
{
	char names[128] = "";
	size_t i, len;

	for (i = 0; i < last->nr_tracers; i++) {
		len = strlen(names);
		if (last->tracers[i].on)
			snprintf(names + len, sizeof(names) - len, " %s",
				 last->tracers[i].name);
	}
	notify_status("Tracing%s on %s; own cost %.2f%% of a CPU", names,
		      loops_name(session_loops(s)->backend), last->self.cpu_percent);
}

static int render_text(const struct snapshot *s, const struct run *r, char **ret,
		       size_t *ret_len)
{
	FILE *out = open_memstream(ret, ret_len);

	if (!out)
		return -errno;
	/* A summary of one interval has nothing to add for people. */
	if (!s->summary || r->nr_intervals > 1)
		snapshot_print(out, s, r->width);
	return fclose(out) ? -errno : 0;
}

/* What is recorded and served is the line of --json. */
static int render(const struct snapshot *s, void *context, char **ret, size_t *ret_len)
{
	struct run *r = context;
	char *line = NULL;
	size_t len = 0;
	int err = 0;

	if (r->options->json || r->recorder || r->publisher)
		err = cmd_json_line(snapshot_to_json(s), &line, &len);
	if (!err && r->recorder) {
		recorder_add(r->recorder, line, len);
		record_say_news(r->recorder);
	}
	if (!err && r->publisher && !s->summary)
		publisher_add(r->publisher, s, line, len);
	if (!err && !r->options->json)
		err = render_text(s, r, ret, ret_len);
	r->nr_intervals += !s->summary;
	if (!s->summary)
		say_status(r->session, s);
	if (err || !r->options->json) {
		free(line);
		return err;
	}
	*ret = line;
	*ret_len = len;
	return 0;
}

/* What is read at the start only. */
static void say_what_waits(const struct run_options *now, const struct run_options *o)
{
	if (o->trace.loops != now->trace.loops || o->json != now->json ||
	    o->duration_ns != now->duration_ns ||
	    o->no_calibrate != now->no_calibrate || o->listens != now->listens ||
	    memcmp(&o->listen, &now->listen, sizeof(o->listen)) ||
	    memcmp(&o->record, &now->record, sizeof(o->record)))
		log_warn("settings have changed that wait for the next start: all but "
			 "tracers, interval, argv-max and verbose do");
}

static void say_what_runs(const struct session *s)
{
	struct tracer_status status;
	size_t i;

	for (i = 0; i < tracers_count(); i++) {
		session_status(s, i, &status);
		if (status.on && status.reason[0])
			log_warn("%s runs %s", status.name, status.reason);
		else if (!status.on && status.wanted)
			log_warn("%s is off: %s", status.name, status.reason);
	}
}

/* SIGHUP. With a configuration that is wrong, the run goes on as it was. */
static bool reload(void *context, uint64_t *interval_ns)
{
	struct run *r = context;
	struct run_options o;
	size_t nr = 0;

	if (!r->options->config) {
		log_info("SIGHUP: there is no configuration to read again, going on");
		return false;
	}
	notify_reloading();
	if (run_options_parse(r->argc, r->argv, &o)) {
		log_error("the configuration is wrong, going on with the old one");
	} else {
		nr = session_change(r->session, &o.trace);
		if (r->publisher && *interval_ns != o.trace.interval_ns)
			publisher_set_interval(r->publisher, o.trace.interval_ns);
		*interval_ns = o.trace.interval_ns;
		log_set_level(o.verbose ? LOG_LEVEL_DEBUG : LOG_LEVEL_INFO);
		log_info("read %s again; tracers started or stopped: %zu", o.config,
			 nr);
		say_what_waits(r->options, &o);
		if (nr)
			say_what_runs(r->session);
	}
	notify_ready();
	return nr;
}

static void say_alive(void *context)
{
	(void)context;
	notify_alive();
}

static void say_stopping(void *context)
{
	(void)context;
	notify_stopping();
}

static void announce(const struct session *s, bool json, const struct calibration *cal)
{
	struct identity identity;

	say_what_runs(s);
	log_info("loops run on %s", session_loops(s)->why.text);
	if (json)
		return;
	identity_read(&identity);
	identity_print(stdout, &identity);
	if (cal)
		calibration_print(stdout, cal);
	fflush(stdout);
}

/* Those who are told of the intervals; the recorder gives up its privileges itself. */
static int start_listeners(struct run *r, struct reason *why)
{
	struct reason failure;

	if (r->recorder && record_start(r->recorder, &r->head, why))
		return EXIT_USAGE;
	if (caps_drop(true, &failure))
		log_warn("%s, going on with all capabilities", failure.text);
	if (r->publisher &&
	    publisher_start(r->publisher, r->options->trace.interval_ns, why))
		return EXIT_REFUSED;
	return EXIT_FINE;
}

static int trace(struct run *r)
{
	struct loop_options options = {
		.interval_ns = r->options->trace.interval_ns,
		.duration_ns = r->options->duration_ns,
		.render = render,
		.out_fd = STDOUT_FILENO,
		.hangup = reload,
		.alive_ns = notify_alive_ns(),
		.alive = say_alive,
		.stopping = say_stopping,
		.context = r,
	};
	enum loop_end end;
	struct reason why;
	int status;

	status = start_listeners(r, &why);
	if (status) {
		log_error("%s", why.text);
		return status;
	}
	notify_ready();
	end = loop_run(r->session, r->signal_fd, &options, &why);
	if (end == LOOP_OUTPUT_FAILED || end == LOOP_FAILED)
		log_error("%s", why.text);
	return end == LOOP_OUTPUT_FAILED ? EXIT_USAGE
	       : end == LOOP_FAILED      ? EXIT_REFUSED
					 : EXIT_FINE;
}

/* What needs no kernel: 0, or an exit status and a sentence. */
static int open_outputs(struct run *r, struct reason *why)
{
	const struct run_options *o = r->options;
	int err;

	if (record_open(&o->record, &r->recorder, why))
		return EXIT_USAGE;
	err = publisher__new(o->listens ? &o->listen : NULL, &r->publisher, why);
	if (!err)
		return EXIT_FINE;
	return err == -EACCES ? EXIT_REFUSED : EXIT_USAGE;
}

/* The same of all; without a session it was interrupted. */
static int start(struct run *r, struct reason *why)
{
	const struct run_options *o = r->options;
	int status = open_outputs(r, why);

	if (status)
		return status;
	if (probe__new(&r->probe, why) ||
	    (r->recorder && record_describe(r->probe, "run", &r->head, why)) ||
	    (r->publisher && publisher_describe(r->publisher, r->probe, why)))
		return EXIT_REFUSED;
	if (!o->no_calibrate)
		bench_calibrate(r->probe, CALIBRATION_NS, &r->calibration);
	if (loop_is_to_end())
		return EXIT_FINE;
	if (session__new(&o->trace, r->probe, &r->session, why))
		return EXIT_REFUSED;
	probe__free(r->probe);
	r->probe = NULL;
	if (!o->no_calibrate)
		session_set_calibration(r->session, &r->calibration);
	r->head.interval_ns = o->trace.interval_ns;
	r->head.calibration = r->calibration;
	snprintf(r->head.loops, sizeof(r->head.loops), "%s",
		 loops_name(session_loops(r->session)->backend));
	return EXIT_FINE;
}

static int run(struct run *r)
{
	struct reason why;
	int status;

	limit_raise_descriptors();
	r->signal_fd = loop_signals();
	if (r->signal_fd < 0) {
		log_error("cannot wait for signals: %s", strerror(-r->signal_fd));
		return EXIT_REFUSED;
	}
	status = start(r, &why);
	if (status) {
		log_error("%s", why.text);
	} else if (r->session) {
		announce(r->session, r->options->json,
			 r->options->no_calibrate ? NULL : &r->calibration);
		status = trace(r);
	}
	publisher__free(r->publisher);
	record_close(r->recorder, status == EXIT_FINE);
	session__free(r->session);
	probe__free(r->probe);
	close(r->signal_fd);
	return status;
}

int cmd_run(int argc, char **argv)
{
	char name[] = "itertrace run";
	struct run_options o;
	struct reason why;
	struct run *r;
	int status;

	argv[0] = name;
	if (run_options_parse(argc, argv, &o))
		return EXIT_USAGE;
	if (o.help)
		return cmd_finish_output(EXIT_FINE);
	if (o.list_tracers)
		return list_tracers();
	if (o.check_config) {
		log_info("%s: nothing is wrong", o.config ? o.config : "the options");
		return EXIT_FINE;
	}
	if (o.verbose)
		log_set_level(LOG_LEVEL_DEBUG);
	if (caps_require_bpf(&why)) {
		log_error("%s", why.text);
		return EXIT_REFUSED;
	}
	r = calloc(1, sizeof(*r));
	if (!r) {
		log_error("out of memory");
		return EXIT_REFUSED;
	}
	r->options = &o;
	r->argc = argc;
	r->argv = argv;
	r->width = terminal_width(STDOUT_FILENO, DEFAULT_WIDTH);
	status = run(r);
	free(r);
	return status;
}
