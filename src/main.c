// SPDX-License-Identifier: BSD-2-Clause
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "cmd/cmd.h"

static const struct command commands[] = {
	{"run", "trace, with the cost of every loop site", cmd_run},
	{"probe", "what this kernel inlines, with evidence", cmd_probe},
	{"bench", "what an iteration of each loop construct costs here", cmd_bench},
	{"doctor", "what stands in the way on this host, and the remedies", cmd_doctor},
	{"report", "what a recording says", cmd_report},
	{"compare", "whether another kernel build is cheaper, from recordings or hosts",
	 cmd_compare},
};
#define NR_COMMANDS (sizeof(commands) / sizeof(commands[0]))

static void print_usage(FILE *out)
{
	size_t i;

	fputs("Usage: itertrace COMMAND [OPTION...]\n\n"
	      "A tracing daemon whose eBPF loops know what they cost.\n\n"
	      "Commands:\n",
	      out);
	for (i = 0; i < NR_COMMANDS; i++)
		fprintf(out, "  %-10s %s\n", commands[i].name, commands[i].summary);
	fputs("\n"
	      "  itertrace COMMAND --help   the options of a command\n"
	      "  itertrace --help           this text\n"
	      "  itertrace --version        the version\n\n"
	      "Exit status: 0 fine; 1 the answer is no; 2 usage, or a file that cannot "
	      "be\n"
	      "read or written; 3 not comparable; 4 the kernel or the permissions do "
	      "not\n"
	      "allow it.\n",
	      out);
}

/* Where a standard stream is closed, the next file opened would take its place. */
static void fill_standard_streams(void)
{
	int fd;

	do {
		fd = open("/dev/null", O_RDWR);
	} while (fd >= 0 && fd <= STDERR_FILENO);
	close(fd);
}

int main(int argc, char **argv)
{
	size_t i;

	fill_standard_streams();
	setlocale(LC_TIME, "");
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	if (argc < 2) {
		print_usage(stderr);
		return EXIT_USAGE;
	}
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h")) {
		print_usage(stdout);
		return cmd_finish_output(EXIT_FINE);
	}
	if (!strcmp(argv[1], "--version")) {
		puts("itertrace " ITERTRACE_VERSION);
		return cmd_finish_output(EXIT_FINE);
	}
	for (i = 0; i < NR_COMMANDS; i++)
		if (!strcmp(argv[1], commands[i].name))
			return commands[i].run(argc - 1, argv + 1);
	log_error("there is no %s '%s'; 'itertrace --help' lists what there is",
		  argv[1][0] == '-' ? "option" : "command", argv[1]);
	return EXIT_USAGE;
}
