/* SPDX-License-Identifier: BSD-2-Clause */
/* A directory of a test's own, for tests of what is written there. */
#ifndef ITERTRACE_TESTS_UNIT_DIRECTORY_H
#define ITERTRACE_TESTS_UNIT_DIRECTORY_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char directory[64];

static int make_directory(void **state)
{
	(void)state;
	snprintf(directory, sizeof(directory), "/tmp/recordings-XXXXXX");
	return mkdtemp(directory) ? 0 : -1;
}

static int remove_directory(void **state)
{
	char command[128];

	(void)state;
	snprintf(command, sizeof(command), "rm -rf %s", directory);
	return system(command);
}

static const char *in_directory(const char *name)
{
	static char path[512];

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	return path;
}

static bool is_there(const char *name)
{
	return !access(in_directory(name), F_OK);
}

#define TEST(name) \
	cmocka_unit_test_setup_teardown(name, make_directory, remove_directory)

#endif
