// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/parse.h"
#include "base/terminal.h"

#define MIN_WIDTH 60
#define MAX_WIDTH 10000

int terminal_width(int fd, int otherwise)
{
	const char *columns = getenv("COLUMNS");
	uint64_t width = (uint64_t)otherwise;
	struct winsize size;

	if (!ioctl(fd, TIOCGWINSZ, &size) && size.ws_col >= MIN_WIDTH)
		return size.ws_col;
	if (columns)
		parse_uint("COLUMNS", columns, MIN_WIDTH, MAX_WIDTH, &width, NULL);
	return (int)width;
}

bool terminal_has_colour(int fd)
{
	const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");

	return isatty(fd) && !(no_color && no_color[0]) && term && strcmp(term, "dumb");
}
