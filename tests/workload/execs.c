// SPDX-License-Identifier: BSD-2-Clause
/*
 * execs OUT COMMAND [ARGUMENT...]: programs executed in a known number and with
 * known arguments, while COMMAND traces.
 *
 * COMMAND's stdout goes to OUT. Once that holds something, /bin/true is executed
 * NR_EXECS times, one after the other, with argument areas of known sizes; then
 * COMMAND gets SIGTERM. What it must have counted is printed:
 *
 *	execs=N argv_bytes=N argv_trips=N
 *
 * argv_trips: pieces of 64 bytes, as the exec tracer copies them. The exit status
 * is COMMAND's; 125 if it printed nothing, or was killed.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define NR_EXECS 20
#define PIECE_BYTES 64
#define STEP_BYTES 37
#define FAILED 125
#define TRIES 1200 /* of 50 ms */

static pid_t start_command(const char *out, char **argv)
{
	pid_t pid = fork();
	int fd;

	if (pid)
		return pid;
	fd = open(out, O_WRONLY | O_CREAT | O_TRUNC, 0644);
	if (fd < 0 || dup2(fd, STDOUT_FILENO) < 0)
		_exit(FAILED);
	execvp(argv[0], argv);
	_exit(FAILED);
}

/* Until it has printed something, it may not trace yet. */
static int await_output(const char *out, pid_t command)
{
	struct stat st;
	int i;

	for (i = 0; i < TRIES; i++) {
		if (!stat(out, &st) && st.st_size)
			return 0;
		if (waitid(P_PID, (id_t)command, &(siginfo_t){0}, WEXITED | WNOHANG | WNOWAIT))
			return -1;
		usleep(50000);
	}
	return -1;
}

/* The bytes of its argument area, or 0. */
static size_t execute(int i)
{
	char text[NR_EXECS * STEP_BYTES + 1], true_name[] = "true";
	char *argv[] = {true_name, text, NULL};
	size_t len = (size_t)i * STEP_BYTES;
	pid_t pid;

	memset(text, 'x', len);
	text[len] = '\0';
	pid = fork();
	if (!pid) {
		execv("/bin/true", argv);
		_exit(FAILED);
	}
	if (pid < 0 || waitpid(pid, NULL, 0) != pid)
		return 0;
	return sizeof(true_name) + len + 1;
}

int main(int argc, char **argv)
{
	size_t bytes = 0, trips = 0, size;
	int i, status;
	pid_t command;

	if (argc < 3)
		return 2;
	unlink(argv[1]); /* what it holds from before is not COMMAND's */
	command = start_command(argv[1], argv + 2);
	if (command < 0)
		return FAILED;
	if (!await_output(argv[1], command)) {
		for (i = 1; i <= NR_EXECS; i++) {
			size = execute(i);
			bytes += size;
			trips += (size + PIECE_BYTES - 1) / PIECE_BYTES;
		}
		printf("execs=%d argv_bytes=%zu argv_trips=%zu\n", NR_EXECS, bytes, trips);
		kill(command, SIGTERM);
	} else {
		kill(command, SIGKILL);
	}
	if (waitpid(command, &status, 0) != command || !WIFEXITED(status))
		return FAILED;
	return WEXITSTATUS(status);
}
