// SPDX-License-Identifier: BSD-2-Clause
/* The cgroup paths of the exec tracer, in cgroups that the test makes. */
#include "processes.h"

/* Levels that the tracer walks: CGROUP_MAX_LEVELS. */
#define LEVELS_SHOWN 32

static int enter(const void *path)
{
	return enter_cgroup(path);
}

/* A process executes /bin/true in that cgroup (NULL: ours), and is shown in that path. */
static void assert_shown(int loops, const char *directory, const char *path)
{
	struct session *s = start_tracing("exec", loops, 4096);
	char *argv[] = {"true", NULL};
	struct snapshot snapshot;
	const struct table *t;
	pid_t pid;

	pid = start("/bin/true", argv, directory ? enter : NULL, directory);
	assert_int_equal(wait_for(pid), 0);
	take_snapshot(s, false, &snapshot);
	t = table_of(&snapshot, "processes");
	assert_string_equal(text_in(t, row_of(t, pid), "cgroup"), path);
	snapshot_release(&snapshot);
	session__free(s);
}

static void path_is_that_of_proc(void **state)
{
	FILE *f = fopen("/proc/self/cgroup", "re");
	char line[4096], *own = NULL;

	skip_unless_root();
	assert_non_null(f);
	while (!own && fgets(line, sizeof(line), f)) {
		line[strcspn(line, "\n")] = '\0';
		if (!strncmp(line, "0::", 3))
			own = line + 3;
	}
	fclose(f);
	if (!own) {
		print_message("this process is in no cgroup v2\n");
		skip();
	}
	assert_shown((int)(intptr_t)*state, NULL, own);
}

/* A new cgroup and one below the other in it; removed and freed by leave(). */
struct nest {
	char path[8192]; /* of the innermost */
	size_t len[64];  /* of the path, by level */
	size_t nr, root_len;
};

static struct nest *make_nest(void)
{
	struct nest *n = calloc(1, sizeof(*n));

	skip_unless_root();
	assert_non_null(n);
	if (!make_cgroup("itertrace-test-exec", n->path, sizeof(n->path),
			 &n->root_len)) {
		free(n);
		skip();
	}
	n->len[n->nr++] = strlen(n->path);
	return n;
}

static void go_down(struct nest *n, const char *name)
{
	size_t len = n->len[n->nr - 1];

	snprintf(n->path + len, sizeof(n->path) - len, "/%s", name);
	assert_int_equal(mkdir(n->path, 0755), 0);
	n->len[n->nr++] = strlen(n->path);
}

static void leave(struct nest *n)
{
	while (n->nr > 0) {
		n->path[n->len[--n->nr]] = '\0';
		remove_cgroup(n->path);
	}
	free(n);
}

static void new_cgroup_is_shown_with_all_its_levels(void **state)
{
	struct nest *n = make_nest();
	const char *path;

	go_down(n, "one");
	go_down(n, "two words");
	go_down(n, "three");
	path = n->path + n->root_len;
	assert_non_null(strstr(path, "/one/two words/three"));
	assert_shown((int)(intptr_t)*state, n->path, path);
	leave(n);
}

static void name_that_is_not_printable_is_escaped(void **state)
{
	struct nest *n = make_nest();
	char expected[8300];

	snprintf(expected, sizeof(expected), "%s/a\\x1b\\x5cb\\xff",
		 n->path + n->root_len);
	go_down(n, "a\x1b\\b\xff");
	assert_shown((int)(intptr_t)*state, n->path, expected);
	leave(n);
}

/* 40 levels below a first: the innermost 32 are shown, behind an ellipsis. */
static void path_of_too_many_levels_lacks_the_part_next_to_the_root(void **state)
{
	char expected[1024] = "\xe2\x80\xa6", name[16];
	struct nest *n = make_nest();
	int i;

	for (i = 1; i <= 40; i++) {
		snprintf(name, sizeof(name), "l%d", i);
		go_down(n, name);
		if (i > 40 - LEVELS_SHOWN)
			sprintf(expected + strlen(expected), "/%s", name);
	}
	assert_shown((int)(intptr_t)*state, n->path, expected);
	leave(n);
}

/* Names of 100 bytes: with their NULs six begin within the first 512 bytes. */
static void path_of_long_names_lacks_the_part_next_to_the_root(void **state)
{
	char expected[1024] = "\xe2\x80\xa6", name[101];
	struct nest *n = make_nest();
	int i;

	for (i = 0; i < 8; i++) {
		memset(name, 'a' + i, 100);
		name[100] = '\0';
		go_down(n, name);
		if (i >= 2)
			sprintf(expected + strlen(expected), "/%s", name);
	}
	assert_shown((int)(intptr_t)*state, n->path, expected);
	leave(n);
}

/* 127 characters of a name are kept, and an ellipsis says that there may be more. */
static void name_that_is_very_long_is_cut(void **state)
{
	char expected[8400], name[201];
	struct nest *n = make_nest();

	memset(name, 'n', 200);
	name[200] = '\0';
	snprintf(expected, sizeof(expected), "%s/%.127s\xe2\x80\xa6/leaf", n->path + n->root_len,
		 name);
	go_down(n, name);
	go_down(n, "leaf");
	assert_shown((int)(intptr_t)*state, n->path, expected);
	leave(n);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ON_ALL(path_is_that_of_proc),
		ON_ALL(new_cgroup_is_shown_with_all_its_levels),
		ON_ALL(name_that_is_not_printable_is_escaped),
		ON_ALL(path_of_too_many_levels_lacks_the_part_next_to_the_root),
		ON_ALL(path_of_long_names_lacks_the_part_next_to_the_root),
		ON_ALL(name_that_is_very_long_is_cut),
	};

	libbpf_log_init();
	return cmocka_run_group_tests(tests, NULL, remove_cgroups);
}
