// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/parse.h"
#include "base/terminal.h"

#define MIN_WIDTH     60
#define MAX_WIDTH     10000
#define DEFAULT_WIDTH 120

int terminal_width(int fd)
{
	const char *columns = getenv("COLUMNS");
	uint64_t width = DEFAULT_WIDTH;
	struct winsize size;

	if (!ioctl(fd, TIOCGWINSZ, &size) && size.ws_col >= MIN_WIDTH)
		return size.ws_col;
	if (columns)
		parse_uint("COLUMNS", columns, MIN_WIDTH, MAX_WIDTH, &width, NULL);
	return (int)width;
}

bool terminal_has_colour(int fd)
{
	const char *no_color = getenv("NO_COLOR");

	return isatty(fd) && !(no_color && no_color[0]);
}
