// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "cmd/cmd.h"

int cmd_finish_output(int status)
{
	int failed = ferror(stdout), err = errno;

	if (fflush(stdout) && !failed) {
		failed = 1;
		err = errno;
	}
	if (!failed || err == EPIPE)
		return status;
	log_error("cannot write the output: %s", strerror(err));
	return EXIT_USAGE;
}
