// SPDX-License-Identifier: BSD-2-Clause
/* itertrace doctor: what stands in the way on this host. */
#include <argp.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/append.h"
#include "base/log.h"
#include "base/terminal.h"
#include "bench/counters.h"
#include "cmd/cmd.h"
#include "export/doctor.h"
#include "kernel/doctor.h"
#include "trace/doctor.h"

#define DEFAULT_WIDTH 100
#define NR_OTHERS     3 /* beside those of kernel/doctor.h */

struct options {
	bool is_json, is_verbose, is_help;
};

static const struct argp_option argp_options[] = {
	{"json", 'j', NULL, 0, "Print one JSON document", 0},
	{"verbose", 'v', NULL, 0, "Show libbpf's and the verifier's messages too", 0},
	CMD_HELP_OPTIONS,
	{0},
};

static const char doc[] =
	"Show what of this host and its kernel stands in the way: what was found, what "
	"it means for itertrace, and the remedy. Every tracer is loaded and attached "
	"for "
	"a moment; nothing stays.\v"
	"An ordinary user is told what root would find out.\n"
	"Exit status: 0 tracing is possible; 2 usage; 4 a check that fails prevents "
	"it.";

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
	case ARGP_KEY_ARG:
		log_error("doctor takes no argument, but was given '%s'", arg);
		return EINVAL;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static void check_pmu(struct check *ret)
{
	struct counters *counters = NULL;
	struct reason why;
	int err;

	*ret = (struct check){.name = "pmu"};
	err = counters__new(&counters, &why);
	counters__free(counters);
	if (!err) {
		check_found(ret, "hardware counters can be read");
		return;
	}
	check_found(ret, "%s", why.text);
	check_follows(
		ret, CHECK_WARN,
		"bench tells no cycles and no instructions a trip; its times are as "
		"good without");
	if (err == -EPERM || err == -EACCES)
		check_remedy(ret, "see cap_perfmon");
	else
		check_remedy(
			ret,
			"a machine, or a hypervisor, that shows its PMU (QEMU with "
			"KVM: -cpu host,pmu=on)");
}

static size_t examine(struct doctor *d, struct check *checks)
{
	size_t nr;

	for (nr = 0; nr < doctor_nr(); nr++)
		doctor_check(d, nr, &checks[nr]);
	doctor_check_cgroups(&checks[nr++]);
	check_pmu(&checks[nr++]);
	doctor_check_tracers(d, &checks[nr++]);
	return nr;
}

static int print(const struct check *checks, size_t nr, bool is_json)
{
	if (is_json)
		return cmd_print_json(doctor_to_json(checks, nr));
	doctor_print(stdout, checks, nr, terminal_has_colour(STDOUT_FILENO),
		     terminal_width(STDOUT_FILENO, DEFAULT_WIDTH));
	return 0;
}

static void say_failures(const struct check *checks, size_t nr)
{
	char names[512] = "";
	size_t i;

	for (i = 0; i < nr; i++)
		if (checks[i].status == CHECK_FAIL)
			append_listed(names, sizeof(names), ", ", "%s", checks[i].name);
	log_error("nothing can be traced here as it is: %s", names);
}

static int run(const struct options *o)
{
	int err, status = EXIT_FINE;
	struct check *checks;
	struct doctor d;
	struct reason why;
	size_t nr;

	checks = calloc(doctor_nr() + NR_OTHERS, sizeof(*checks));
	if (!checks)
		err = reason_set(&why, -ENOMEM, "out of memory");
	else
		err = doctor_init(&d, &why);
	if (err) {
		log_error("%s", why.text);
		free(checks);
		return EXIT_REFUSED;
	}
	nr = examine(&d, checks);
	doctor_release(&d);
	if (print(checks, nr, o->is_json)) {
		log_error("out of memory");
		status = EXIT_REFUSED;
	} else if (checks_worst(checks, nr) == CHECK_FAIL) {
		say_failures(checks, nr);
		status = EXIT_REFUSED;
	}
	free(checks);
	return status;
}

int cmd_doctor(int argc, char **argv)
{
	static const struct argp argp = {
		.options = argp_options, .parser = parse_option, .doc = doc};
	char name[] = "itertrace doctor";
	struct options o = {0};

	argv[0] = name;
	if (argp_parse(&argp, argc, argv, ARGP_NO_EXIT | ARGP_NO_HELP, NULL, &o))
		return cmd_finish_output(EXIT_USAGE);
	if (o.is_help)
		return cmd_finish_output(EXIT_FINE);
	if (o.is_verbose)
		log_set_level(LOG_LEVEL_DEBUG);
	return cmd_finish_output(run(&o));
}
