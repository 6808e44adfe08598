/* SPDX-License-Identifier: BSD-2-Clause */
/* What "itertrace run" was told, by its configuration and its command line. */
#ifndef ITERTRACE_CMD_RUN_OPTIONS_H
#define ITERTRACE_CMD_RUN_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "cmd/recording.h"
#include "export/listen_socket.h"
#include "trace/session.h"

struct run_options {
	struct trace_options trace;
	struct record_options record;
	struct listen_address listen;
	bool listens;
	uint64_t duration_ns;
	const char *config; /* argv's; NULL: none */
	bool json, no_calibrate, list_tracers, verbose, check_config, help;
	bool tracers_are_configured; /* by the file: the command line replaces them */
};

/*
 * The configuration, where --config names one, under the command line. 0; -EINVAL:
 * it was said what is wrong. argv may be parsed again, when the file has changed.
 * On failure *ret is untouched.
 */
int run_options_parse(int argc, char **argv, struct run_options *ret);

#endif
