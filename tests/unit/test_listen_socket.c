// SPDX-License-Identifier: BSD-2-Clause
/* What --listen takes, and the sockets that it makes or is passed. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cmocka.h>

#include "export/listen_socket.h"

static char directory[] = "/tmp/itertrace-listen.XXXXXX";

static int open_text(const char *text, struct listen_socket *s, struct reason *why)
{
	struct listen_address a;
	int err = listen_address_parse(text, &a, why);

	return err ? err : listen_socket_open(&a, s, why);
}

/* Port 0 is a free one: what is before it is compared. */
static void an_address_is_what_was_typed_and_loopback_without_a_host(void **state)
{
	static const struct {
		const char *typed, *begin;
		bool is_loopback;
	} cases[] = {
		{"0", "127.0.0.1:", true},
		{":0", "127.0.0.1:", true},
		{"localhost:0", "127.0.0.1:", true},
		{"127.0.0.2:0", "127.0.0.2:", true},
		{"[::1]:0", "[::1]:", true},
		{"[::ffff:127.0.0.1]:0", "[::ffff:127.0.0.1]:", true},
		{"0.0.0.0:0", "0.0.0.0:", false},
		{"[::]:0", "[::]:", false},
	};
	struct listen_socket s;
	struct reason why;
	size_t i;
	int err;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		err = open_text(cases[i].typed, &s, &why);
		if ((err == -EADDRNOTAVAIL || err == -EAFNOSUPPORT) &&
		    strchr(cases[i].typed, '['))
			continue; /* no IPv6 here */
		if (err)
			fail_msg("%s: %s", cases[i].typed, why.text);
		if (strncmp(s.text, cases[i].begin, strlen(cases[i].begin)) ||
		    !strcmp(s.text + strlen(cases[i].begin), "0"))
			fail_msg("%s became %s", cases[i].typed, s.text);
		assert_int_equal(s.is_loopback, cases[i].is_loopback);
		listen_socket_close(&s);
	}
}

static void what_is_no_address_is_refused_with_what_to_write(void **state)
{
	static const char *const cases[] = {
		"",           ":",           "127.0.0.1",    "127.0.0.1:",   "::1:80",
		"[::1]",      "host:80",     "127.0.0.1:-1", "127.0.0.1:x",  "127.0.0.1:65536",
		"1.2.3:80",   " :80",        "[127.0.0.1]:80", "*:80",       "unix:",
		"unix:rel",   "127.0.0.1:80 ", "300.0.0.1:80", "[::1:80",    "tcp:80",
		"99999999999999999999",
		"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa:1",
	};
	struct listen_address a = {.len = 77};
	char path[200];
	struct reason why;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		why.text[0] = '\0';
		if (!listen_address_parse(cases[i], &a, &why))
			fail_msg("'%s' was taken", cases[i]);
		assert_non_null(strstr(why.text, "--listen"));
		assert_int_equal(a.len, 77);
	}
	snprintf(path, sizeof(path), "unix:/%0150d", 1);
	assert_int_equal(listen_address_parse(path, &a, &why), -EINVAL);
	assert_non_null(strstr(why.text, "107"));
}

static void an_address_in_use_is_told(void **state)
{
	struct listen_socket s, other;
	struct reason why;

	(void)state;
	assert_int_equal(open_text("127.0.0.1:0", &s, &why), 0);
	assert_int_equal(open_text(s.text, &other, &why), -EADDRINUSE);
	assert_non_null(strstr(why.text, s.text));
	assert_non_null(strstr(why.text, "another program"));
	listen_socket_close(&s);
}

static void an_address_of_another_host_is_told(void **state)
{
	struct listen_socket s;
	struct reason why;

	(void)state;
	/* TEST-NET-1, RFC 5737. */
	assert_int_equal(open_text("192.0.2.1:9464", &s, &why), -EADDRNOTAVAIL);
	assert_non_null(strstr(why.text, "192.0.2.1:9464"));
}

static void a_unix_socket_has_its_mode_and_goes_with_the_listener(void **state)
{
	char typed[128], path[128];
	struct listen_socket s;
	struct reason why;
	struct stat st;

	(void)state;
	snprintf(typed, sizeof(typed), "unix:%s/s", directory);
	snprintf(path, sizeof(path), "%s/s", directory);
	assert_int_equal(open_text(typed, &s, &why), 0);
	assert_string_equal(s.text, typed);
	assert_true(s.is_loopback);
	assert_int_equal(stat(path, &st), 0);
	assert_true(S_ISSOCK(st.st_mode));
	assert_int_equal(st.st_mode & 07117, 0);
	listen_socket_close(&s);
	assert_int_equal(stat(path, &st), -1);
	/* Again is fine. */
	listen_socket_close(&s);
}

static void a_stale_unix_socket_is_replaced_and_nothing_else(void **state)
{
	struct listen_socket s, other;
	char typed[128], path[128];
	struct reason why;
	FILE *file;

	(void)state;
	snprintf(typed, sizeof(typed), "unix:%s/stale", directory);
	snprintf(path, sizeof(path), "%s/stale", directory);
	assert_int_equal(open_text(typed, &s, &why), 0);
	/* In use. */
	assert_int_equal(open_text(typed, &other, &why), -EADDRINUSE);
	close(s.fd); /* as a killed process would */
	assert_int_equal(open_text(typed, &s, &why), 0);
	listen_socket_close(&s);
	file = fopen(path, "w");
	assert_non_null(file);
	fclose(file);
	assert_int_equal(open_text(typed, &s, &why), -EADDRINUSE);
	assert_int_equal(access(path, F_OK), 0);
	unlink(path);
}

/* As systemd does: descriptor 3 and three variables. */
static void pass(int fd, const char *nr)
{
	char pid[16];

	snprintf(pid, sizeof(pid), "%d", getpid());
	setenv("LISTEN_PID", pid, 1);
	setenv("LISTEN_FDS", nr, 1);
	setenv("LISTEN_FDNAMES", "x", 1);
	if (fd != 3) {
		assert_int_equal(dup2(fd, 3), 3);
		close(fd);
	}
}

static void a_passed_socket_is_taken_once(void **state)
{
	struct listen_socket s, passed;
	char text[LISTEN_TEXT_LEN];
	struct reason why;

	(void)state;
	assert_int_equal(open_text("127.0.0.1:0", &s, &why), 0);
	snprintf(text, sizeof(text), "%s", s.text);
	pass(s.fd, "1");
	assert_int_equal(listen_socket_inherit(&passed, &why), 0);
	assert_int_equal(passed.fd, 3);
	assert_string_equal(passed.text, text);
	assert_true(passed.is_loopback);
	assert_null(getenv("LISTEN_FDS"));
	assert_null(getenv("LISTEN_FDNAMES"));
	listen_socket_close(&passed);
	assert_int_equal(listen_socket_inherit(&passed, &why), -ENOENT);
}

static void another_processs_sockets_are_not_taken(void **state)
{
	struct listen_socket s;
	struct reason why;

	(void)state;
	setenv("LISTEN_PID", "1", 1);
	setenv("LISTEN_FDS", "1", 1);
	assert_int_equal(listen_socket_inherit(&s, &why), -ENOENT);
	unsetenv("LISTEN_PID");
	unsetenv("LISTEN_FDS");
}

static void what_cannot_be_served_is_refused(void **state)
{
	struct listen_socket s;
	struct reason why;

	(void)state;
	pass(socket(AF_INET, SOCK_DGRAM, 0), "1");
	assert_int_equal(listen_socket_inherit(&s, &why), -EINVAL);
	pass(3, "2");
	assert_int_equal(listen_socket_inherit(&s, &why), -EINVAL);
	assert_non_null(strstr(why.text, "passed 2"));
	close(3);
	unsetenv("LISTEN_PID");
	unsetenv("LISTEN_FDS");
	unsetenv("LISTEN_FDNAMES");
}

static int make_directory(void **state)
{
	(void)state;
	return !mkdtemp(directory);
}

static int remove_directory(void **state)
{
	(void)state;
	return rmdir(directory);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_address_is_what_was_typed_and_loopback_without_a_host),
		cmocka_unit_test(what_is_no_address_is_refused_with_what_to_write),
		cmocka_unit_test(an_address_in_use_is_told),
		cmocka_unit_test(an_address_of_another_host_is_told),
		cmocka_unit_test(a_unix_socket_has_its_mode_and_goes_with_the_listener),
		cmocka_unit_test(a_stale_unix_socket_is_replaced_and_nothing_else),
		cmocka_unit_test(a_passed_socket_is_taken_once),
		cmocka_unit_test(another_processs_sockets_are_not_taken),
		cmocka_unit_test(what_cannot_be_served_is_refused),
	};

	return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
