// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
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

bool cmd_answer_help(int key, const struct argp_state *state, bool *ret_is_help)
{
	if (key == 'h')
		argp_state_help(state, stdout,
				ARGP_HELP_STD_HELP & ~(unsigned int)ARGP_HELP_EXIT_OK);
	else if (key == CMD_KEY_USAGE)
		argp_state_help(state, stdout, ARGP_HELP_USAGE);
	else
		return false;
	*ret_is_help = true;
	return true;
}

error_t cmd_option_result(int err, const struct reason *why)
{
	if (err == -ENOENT)
		return ARGP_ERR_UNKNOWN;
	if (err)
		log_error("%s", why->text);
	return err ? EINVAL : 0;
}

int cmd_json_line(json_t *json, char **ret, size_t *ret_len)
{
	char *text = json_dumps(json, JSON_COMPACT | JSON_REAL_PRECISION(9)), *line;
	size_t len = text ? strlen(text) : 0;

	json_decref(json);
	line = text ? realloc(text, len + 2) : NULL;
	if (!line) {
		free(text);
		return -ENOMEM;
	}
	line[len++] = '\n';
	line[len] = '\0';
	*ret = line;
	*ret_len = len;
	return 0;
}

int cmd_print_json(json_t *json)
{
	if (!json)
		return -ENOMEM;
	json_dumpf(json, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(9));
	putchar('\n');
	json_decref(json);
	return 0;
}
