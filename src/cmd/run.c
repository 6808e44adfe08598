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

/* What the loop's callbacks need. */
struct output {
	struct session *session;
	int argc; /* to read the configuration again */
	char **argv;
	const struct run_options *options; /* as the run began */
	bool json;
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
	if (!s->summary)
		say_status(o->session, s);
	json_decref(json);
	if (fclose(out))
		err = -errno;
	return err;
}

/* What is read at the start only. */
static void say_what_waits(const struct run_options *now, const struct run_options *o)
{
	if (o->trace.loops != now->trace.loops || o->json != now->json ||
	    o->duration_ns != now->duration_ns || o->no_calibrate != now->no_calibrate)
		log_warn("of the changed settings loops, json, duration and "
			 "no-calibrate wait for the next start");
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
	struct output *output = context;
	struct run_options o;
	size_t nr = 0;

	if (!output->options->config) {
		log_info("SIGHUP: there is no configuration to read again, going on");
		return false;
	}
	notify_reloading();
	if (run_options_parse(output->argc, output->argv, &o)) {
		log_error("the configuration is wrong, going on with the old one");
	} else {
		nr = session_change(output->session, &o.trace);
		*interval_ns = o.trace.interval_ns;
		log_set_level(o.verbose ? LOG_LEVEL_DEBUG : LOG_LEVEL_INFO);
		log_info("read %s again; tracers started or stopped: %zu", o.config,
			 nr);
		say_what_waits(output->options, &o);
		if (nr)
			say_what_runs(output->session);
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

static int trace(struct output *output, int signal_fd)
{
	struct loop_options options = {
		.interval_ns = output->options->trace.interval_ns,
		.duration_ns = output->options->duration_ns,
		.render = render,
		.out_fd = STDOUT_FILENO,
		.hangup = reload,
		.alive_ns = notify_alive_ns(),
		.alive = say_alive,
		.stopping = say_stopping,
		.context = output,
	};
	enum loop_end end;
	struct reason why;

	if (caps_drop(true, &why))
		log_warn("%s, going on with all capabilities", why.text);
	notify_ready();
	end = loop_run(output->session, signal_fd, &options, &why);
	if (end == LOOP_OUTPUT_FAILED || end == LOOP_FAILED)
		log_error("%s", why.text);
	return end == LOOP_OUTPUT_FAILED ? EXIT_USAGE
	       : end == LOOP_FAILED      ? EXIT_REFUSED
					 : EXIT_FINE;
}

static int run(const struct run_options *o, int argc, char **argv)
{
	struct output output = {
		.argc = argc,
		.argv = argv,
		.options = o,
		.json = o->json,
		.width = terminal_width(STDOUT_FILENO, DEFAULT_WIDTH),
	};
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
	output.session = s;
	status = trace(&output, signal_fd);
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
	char name[] = "itertrace run";
	struct run_options o;
	struct reason why;

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
	return run(&o, argc, argv);
}
