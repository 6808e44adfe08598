/* SPDX-License-Identifier: BSD-2-Clause */
/* What every command shares: its entry, and what its exit status means. */
#ifndef ITERTRACE_CMD_CMD_H
#define ITERTRACE_CMD_CMD_H

#include <argp.h>
#include <jansson.h>
#include <stdbool.h>

#include "base/reason.h"

enum exit_status {
	EXIT_FINE = 0,
	EXIT_NO = 1,    /* the answer is no: --require not met, slower */
	EXIT_USAGE = 2, /* usage, or a file that cannot be read or written */
	EXIT_NOT_COMPARABLE = 3,
	EXIT_REFUSED = 4, /* the kernel or the permissions do not allow it */
};

/* argv[0] is the command's name. Returns an exit status; never exits. */
struct command {
	const char *name;
	const char *summary;
	int (*run)(int argc, char **argv);
};

int cmd_bench(int argc, char **argv);
int cmd_compare(int argc, char **argv);
int cmd_doctor(int argc, char **argv);
int cmd_probe(int argc, char **argv);
int cmd_report(int argc, char **argv);
int cmd_run(int argc, char **argv);

/* The options that every command has, for its table of argp_option. */
#define CMD_KEY_USAGE 0x1000 /* no letter */
#define CMD_HELP_OPTIONS                                             \
	{"help", 'h', NULL, 0, "Show this help", -1},                \
	{                                                            \
		"usage", CMD_KEY_USAGE, NULL, OPTION_HIDDEN, NULL, 0 \
	}

/* true: the option was one of these, and is answered; *ret_is_help is set then. */
bool cmd_answer_help(int key, const struct argp_state *state, bool *ret_is_help);

/*
 * What argp is told of an option's value. -ENOENT: the option is not known; another error is
 * logged, with its reason.
 */
error_t cmd_option_result(int err, const struct reason *why);

/* json, which is decref'd, as a line from malloc. -errno. */
int cmd_json_line(json_t *json, char **ret, size_t *ret_len);

/*
 * json, which is decref'd, as a document on stdout; a failed write is
 * cmd_finish_output()'s to report. -ENOMEM: json is NULL.
 */
int cmd_print_json(json_t *json);

/*
 * Flush stdout and say so on stderr if what was printed did not arrive.
 * A reader that went away (EPIPE) is not an error.
 */
int cmd_finish_output(int status);

#endif
