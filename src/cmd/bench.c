// SPDX-License-Identifier: BSD-2-Clause
/* itertrace bench: cost per iteration of every loop construct. */
#include <argp.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "base/parse.h"
#include "base/terminal.h"
#include "base/time.h"
#include "bench/bench.h"
#include "bench/threads.h"
#include "cmd/cmd.h"
#include "cmd/recording.h"
#include "export/bench.h"
#include "export/identity.h"
#include "kernel/caps.h"
#include "kernel/identity.h"
#include "kernel/probe.h"
#include "trace/loop.h"

#define DEFAULT_WIDTH 120
#define DEFAULT_NS    (18 * NSEC_PER_SEC)
#define QUICK_NS      (2 * NSEC_PER_SEC)
#define MAX_NS        (300 * NSEC_PER_SEC) /* there are BENCH_MAX_LOADS then */
#define MAX_THREADS   1024
#define PROGRESS_NS   (NSEC_PER_SEC / 4)

struct options {
	struct record_options record;
	workload_set set;
	uint64_t nr_threads, budget_ns;
	bool json, list, sweep, verbose, help;
};

enum { KEY_LIST = 0x100, KEY_SWEEP };

static const struct argp_option argp_options[] = {
	{"duration", 'd', "TIME", 0,
	 "Measure for TIME, such as 80s (default: 18s): the longer, the narrower the "
	 "intervals",
	 0},
	{"json", 'j', NULL, 0, "Print one JSON document", 0},
	{"list", KEY_LIST, NULL, 0, "List the workloads and exit", 0},
	{"quick", 'q', NULL, 0, "Take 3 seconds instead of 19, with wider intervals",
	 0},
	RECORD_FILE_OPTIONS(
		"Write a recording for 'itertrace compare' to FILE; or to a new "
		"file in it, if it is a directory or ends in '/'"),
	{"sweep", KEY_SWEEP, NULL, 0,
	 "Loops of 10 to 1000000 trips, on 1, 4, 8, 12 and 16 threads, or as many as "
	 "there are CPUs",
	 0},
	{"threads", 't', "N", 0, "Run on N CPUs at once (default: 1)", 0},
	{"verbose", 'v', NULL, 0, "Show libbpf's and the verifier's messages too", 0},
	CMD_HELP_OPTIONS,
	{0},
};

static const char doc[] = "Measure what one iteration of each loop construct and "
			  "per-CPU access costs here, all "
			  "WORKLOADs or those named, in rounds that interleave them, "
			  "at many placements in memory."
			  "\vSIGINT gives what was measured so far.\n"
			  "Exit status: 0 fine; 2 usage, or the recording cannot be "
			  "written; 4 the kernel or the permissions do not allow it.";

static int add_workload(struct options *o, const char *name)
{
	enum workload_id id;

	if (workload_find(name, &id)) {
		log_error("there is no workload '%s'; 'itertrace bench --list' lists "
			  "them",
			  name);
		return EINVAL;
	}
	o->set |= WORKLOAD_BIT(id);
	return 0;
}

static int parse_threads(struct options *o, const char *arg)
{
	struct reason why;

	if (!parse_uint("--threads", arg, 1, MAX_THREADS, &o->nr_threads, &why) &&
	    o->nr_threads <= (uint64_t)threads_max())
		return 0;
	if (o->nr_threads > (uint64_t)threads_max())
		reason_set(&why, 0,
			   "--threads takes at most as many as there are CPUs, %d",
			   threads_max());
	log_error("%s", why.text);
	return EINVAL;
}

static int parse_budget(struct options *o, const char *arg)
{
	struct reason why;

	if (!parse_duration_ns("--duration", arg, NSEC_PER_SEC, MAX_NS, &o->budget_ns,
			       &why))
		return 0;
	log_error("%s", why.text);
	return EINVAL;
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct options *o = state->input;

	if (cmd_answer_help(key, state, &o->help))
		return 0;
	switch (key) {
	case 'd':
		return parse_budget(o, arg);
	case 'j':
		o->json = true;
		return 0;
	case KEY_LIST:
		o->list = true;
		return 0;
	case 'q':
		o->budget_ns = QUICK_NS;
		return 0;
	case KEY_SWEEP:
		o->sweep = true;
		return 0;
	case 't':
		return parse_threads(o, arg);
	case 'v':
		o->verbose = true;
		return 0;
	case ARGP_KEY_ARG:
		return add_workload(o, arg);
	}
	return record_parse_option(&o->record, key, arg);
}

static int list_workloads(void)
{
	int i;

	for (i = 0; i < NR_LISTED_WORKLOADS; i++)
		printf("%-18s %s\n", workloads[i].name, workloads[i].what);
	return cmd_finish_output(EXIT_FINE);
}

/* Where we are, on a terminal; and whether to stop. */
struct progress {
	uint64_t since_ns, shown_ns, budget_ns;
	int signal_fd;
	bool is_shown;
};

static bool poll_progress(void *context)
{
	struct progress *p = context;
	uint64_t now = time_ns(CLOCK_MONOTONIC), done = now - p->since_ns;

	if (p->is_shown && now - p->shown_ns >= PROGRESS_NS) {
		p->shown_ns = now;
		done = done < p->budget_ns ? done : p->budget_ns;
		fprintf(stderr, "\rmeasuring: %3.0f%%",
			100.0 * (double)done / (double)p->budget_ns);
		fflush(stderr);
	}
	return loop_is_interrupted(p->signal_fd);
}

static int print(const struct options *o, const struct bench_report *r)
{
	int width = terminal_width(STDOUT_FILENO, DEFAULT_WIDTH);
	struct identity id;

	identity_read(&id);
	if (o->json)
		return cmd_print_json(bench_to_json(&id, r));
	identity_print(stdout, &id);
	putchar('\n');
	if (o->sweep)
		bench_print_sweep(stdout, r, width);
	else
		bench_print(stdout, r, width);
	return 0;
}

static int measure(const struct options *o, struct bench_report *r, struct reason *why)
{
	struct progress progress = {
		.since_ns = time_ns(CLOCK_MONOTONIC),
		.budget_ns = o->budget_ns,
		.is_shown = isatty(STDERR_FILENO),
	};
	struct bench_options options = {
		.set = o->set ? o->set : WORKLOADS_LISTED,
		.budget_ns = progress.budget_ns,
		.nr_threads = (int)o->nr_threads,
		.poll = poll_progress,
		.poll_context = &progress,
	};
	struct probe *probe = NULL;
	int err;

	progress.signal_fd = loop_signals();
	if (progress.signal_fd < 0)
		return reason_set(why, progress.signal_fd,
				  "cannot wait for signals: %s",
				  strerror(-progress.signal_fd));
	log_info("this takes about %.0f seconds; Ctrl-C gives what there is by then",
		 (double)progress.budget_ns / NSEC_PER_SEC + 1);
	err = probe__new(&probe, why);
	if (!err)
		err = o->sweep ? bench_sweep(probe, &options, r, why)
			       : bench_run(probe, &options, r, why);
	if (progress.is_shown)
		fputs("\r\033[K", stderr);
	probe__free(probe);
	close(progress.signal_fd);
	return err;
}

/* The head, and the report as its only line. */
static int write_recording(struct recorder *recorder, uint64_t since_ns,
			   const struct bench_report *r, struct reason *why)
{
	struct recording_head *head = calloc(1, sizeof(*head));
	struct probe *probe = NULL;
	char *line = NULL;
	size_t len;
	int err;

	if (!head)
		return reason_set(why, -ENOMEM, "out of memory");
	err = probe__new(&probe, why);
	if (!err)
		err = record_describe(probe, "bench", head, why);
	probe__free(probe);
	head->time_ns = since_ns;
	if (!err)
		err = record_start(recorder, head, why);
	if (!err && cmd_json_line(bench_to_json(&head->identity, r), &line, &len))
		err = reason_set(why, -ENOMEM, "out of memory");
	if (!err)
		recorder_add(recorder, line, len);
	free(line);
	free(head);
	return err;
}

static int run(const struct options *o)
{
	struct bench_report *r = calloc(1, sizeof(*r));
	uint64_t since_ns = time_ns(CLOCK_REALTIME);
	struct recorder *recorder = NULL;
	int err, status = EXIT_REFUSED;
	struct reason why;

	if (!r)
		return EXIT_REFUSED;
	err = record_open(&o->record, &recorder, &why);
	if (err) {
		status = EXIT_USAGE;
		goto out;
	}
	err = measure(o, r, &why);
	if (err)
		goto out;
	err = print(o, r);
	if (err) {
		reason_set(&why, err, "out of memory");
		goto out;
	}
	status = EXIT_USAGE;
	if (recorder)
		err = write_recording(recorder, since_ns, r, &why);
out:
	if (err)
		log_error("%s", why.text);
	if (record_close(recorder, !err) || err)
		err = -EIO;
	free(r);
	return err ? status : EXIT_FINE;
}

int cmd_bench(int argc, char **argv)
{
	static const struct argp argp = {.options = argp_options,
					 .parser = parse_option,
					 .args_doc = "[WORKLOAD...]",
					 .doc = doc};
	struct options o = {
		.nr_threads = 1, .budget_ns = DEFAULT_NS, .record = RECORD_DEFAULTS};
	char name[] = "itertrace bench";
	struct reason why;

	argv[0] = name;
	if (argp_parse(&argp, argc, argv, ARGP_NO_EXIT | ARGP_NO_HELP, NULL, &o))
		return EXIT_USAGE;
	if (o.help)
		return cmd_finish_output(EXIT_FINE);
	if (o.list)
		return list_workloads();
	if (o.verbose)
		log_set_level(LOG_LEVEL_DEBUG);
	if (o.sweep && o.nr_threads > 1) {
		log_error("--sweep chooses the numbers of threads by itself; leave "
			  "--threads out");
		return EXIT_USAGE;
	}
	if (o.sweep && o.set & ~(workload_set)BENCH_SWEPT) {
		log_error("--sweep goes over bpf_for, bpf_loop and can_loop only");
		return EXIT_USAGE;
	}
	if (caps_require_bpf(&why)) {
		log_error("%s", why.text);
		return EXIT_REFUSED;
	}
	return cmd_finish_output(run(&o));
}
