// SPDX-License-Identifier: BSD-2-Clause
/* What the writer leaves on the disk: read back by zlib and by the reader. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "record/line_file.h"
#include "record/reader.h"
#include "record/writer.h"
#include "unit/directory.h"
#include "unit/recording.h"

#define NO_LIMIT UINT64_MAX

static struct reason why;

/* The whole text; how: NULL, or what zlib says. The caller's to free. */
static char *text_of(const char *path, bool *ret_is_whole)
{
	char *text = calloc(1, 1 << 20);
	gzFile file = gzopen(path, "rb");
	int n;

	assert_non_null(file);
	n = gzread(file, text, (1 << 20) - 1);
	assert_true(n >= 0);
	*ret_is_whole = gzclose(file) == Z_OK;
	return text;
}

static void contains(const char *path, const char *expected, bool is_whole)
{
	bool found_whole;
	char *text = text_of(path, &found_whole);

	assert_string_equal(text, expected);
	assert_int_equal(found_whole, is_whole);
	free(text);
}

/* ---- one file ------------------------------------------------------------------ */

static struct line_file *new_file(const char *path)
{
	int fd = open(path, O_RDWR | O_CREAT | O_EXCL, 0600);
	struct line_file *f;

	assert_true(fd >= 0);
	assert_int_equal(line_file__new(fd, &f), 0);
	return f;
}

static void every_line_can_be_read_at_once(void **state)
{
	const char *path = in_directory("a");
	struct line_file *f = new_file(path);

	(void)state;
	assert_int_equal(line_file_add(f, "one\n", 4, NO_LIMIT), 0);
	contains(path, "one\n", false);
	assert_int_equal(line_file_add(f, "two\n", 4, NO_LIMIT), 0);
	contains(path, "one\ntwo\n", false);
	assert_int_equal(line_file__close(f), 0);
	contains(path, "one\ntwo\n", true);
}

static void what_exceeds_the_limit_leaves_no_trace(void **state)
{
	const char *path = in_directory("a");
	struct line_file *f = new_file(path);
	uint64_t size;
	struct stat st;

	(void)state;
	line_file_add(f, "one\n", 4, NO_LIMIT);
	size = line_file_size(f);
	assert_int_equal(line_file_add(f, "another\n", 8, size + LINE_FILE_TRAILER),
			 -EFBIG);
	assert_int_equal(line_file_size(f), size);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_size, size);
	assert_int_equal(line_file_add(f, "two\n", 4, NO_LIMIT), 0);
	line_file__close(f);
	contains(path, "one\ntwo\n", true);
}

/* As on a full disk: RLIMIT_FSIZE makes the kernel write a part, then refuse. */
static void what_is_written_by_half_is_taken_back(void **state)
{
	const char *path = in_directory("a");
	struct line_file *f = new_file(path);
	struct rlimit old, tight;
	char noise[4096], text[8192] = "one\n";
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(noise) - 1; i++)
		noise[i] = (char)('a' + (i * 7919 + i * i % 31) % 26);
	noise[i] = '\n';
	line_file_add(f, "one\n", 4, NO_LIMIT);
	signal(SIGXFSZ, SIG_IGN);
	getrlimit(RLIMIT_FSIZE, &old);
	tight = old;
	tight.rlim_cur = line_file_size(f) + 20;
	setrlimit(RLIMIT_FSIZE, &tight);
	assert_int_equal(line_file_add(f, noise, sizeof(noise), NO_LIMIT), -EDQUOT);
	setrlimit(RLIMIT_FSIZE, &old);
	contains(path, "one\n", false);
	assert_int_equal(line_file_add(f, noise, sizeof(noise), NO_LIMIT), 0);
	line_file__close(f);
	memcpy(text + 4, noise, sizeof(noise));
	contains(path, text, true);
}

/* ---- recordings ---------------------------------------------------------------- */

/* Without the newline, and without what the writer adds itself. */
static const char *head_text(void)
{
	static char text[sizeof(HEAD)];
	char *part;

	snprintf(text, sizeof(text), "%s", HEAD);
	part = strstr(text, ",\"part\"");
	part[0] = '}';
	part[1] = '\0';
	return text;
}

static struct recorder *start(const char *path, uint64_t max_bytes, uint64_t max_age_ns)
{
	struct recorder_options options = {
		.path = path,
		.host = "h",
		.release = "6.1",
		.time_ns = 1700000000ULL * 1000000000,
		.max_bytes = max_bytes,
		.max_age_ns = max_age_ns,
	};
	struct recorder *r = NULL;

	if (recorder__new(&options, &r, &why) || recorder_start(r, head_text(), &why))
		fail_msg("%s", why.text);
	return r;
}

static void add(struct recorder *r, const char *line)
{
	recorder_add(r, line, strlen(line));
}

static uint64_t read_back(const char *path, struct recording_end *ret_end)
{
	const struct bench_report *bench;
	const struct snapshot *snapshot;
	struct recording *r = NULL;
	int kind;

	if (recording__open(path, &r, &why))
		fail_msg("%s", why.text);
	do {
		kind = recording_next(r, &snapshot, &bench, &why);
	} while (kind >= 0 && kind != RECORD_END);
	if (kind < 0)
		fail_msg("%s", why.text);
	*ret_end = *recording_end(r);
	recording__close(r);
	return ret_end->nr_intervals;
}

static void what_is_recorded_is_read_back(void **state)
{
	const char *path = in_directory("a.itr");
	struct recorder *r = start(path, 1 << 20, 0);
	struct recording_end end;

	(void)state;
	add(r, SNAPSHOT("1", NO_SITES));
	add(r, SNAPSHOT("2", NO_SITES));
	assert_false(recorder_news(r, &why));
	assert_int_equal(recorder__close(r, true, &why), 0);
	assert_int_equal(read_back(path, &end), 2);
	assert_true(end.is_whole);
	assert_string_equal(end.loss, "");
}

static void a_run_that_failed_leaves_a_recording_without_an_end(void **state)
{
	const char *path = in_directory("a.itr");
	struct recorder *r = start(path, 1 << 20, 0);
	struct recording_end end;

	(void)state;
	add(r, SNAPSHOT("1", NO_SITES));
	recorder__close(r, false, &why);
	assert_int_equal(read_back(path, &end), 1);
	assert_false(end.is_whole);
}

/* What is overwritten is there until the new run has begun. */
static void a_run_that_never_began_leaves_what_it_was_to_overwrite(void **state)
{
	struct recorder_options options = {.path = in_directory("a.itr"),
					   .max_bytes = 1 << 20,
					   .force = true};
	struct recorder *r = start(options.path, 1 << 20, 0);
	struct recording_end end;

	(void)state;
	add(r, SNAPSHOT("1", NO_SITES));
	recorder__close(r, true, &why);
	assert_int_equal(recorder__new(&options, &r, &why), 0);
	recorder__close(r, false, &why);
	assert_int_equal(read_back(options.path, &end), 1);
	assert_int_equal(recorder__new(&options, &r, &why), 0);
	assert_int_equal(recorder_start(r, head_text(), &why), 0);
	recorder__close(r, false, &why);
	assert_int_equal(read_back(options.path, &end), 0);
}

static void runs_of_one_second_have_a_name_each(void **state)
{
	struct recorder *first = start(directory, 1 << 20, 0);
	struct recorder *second = start(directory, 1 << 20, 0);

	(void)state;
	assert_true(is_there("h_6.1_20231114T221320Z_0000.itr"));
	assert_true(is_there("h_6.1_20231114T221321Z_0000.itr"));
	recorder__close(first, true, &why);
	recorder__close(second, true, &why);
}

static void a_run_that_never_began_leaves_no_file(void **state)
{
	struct recorder_options options = {.path = in_directory("a.itr"),
					   .max_bytes = 1 << 20};
	struct recorder *r;

	(void)state;
	assert_int_equal(recorder__new(&options, &r, &why), 0);
	recorder__close(r, false, &why);
	assert_false(is_there("a.itr"));
}

/* A line that hardly shrinks. */
static char *noisy_line(unsigned int seed)
{
	static char line[2200];
	char noise[1800];
	size_t i;

	for (i = 0; i < sizeof(noise) - 1; i++) {
		seed = seed * 1103515245 + 12345;
		noise[i] = (char)('a' + (seed >> 16) % 26);
	}
	noise[i] = '\0';
	snprintf(line, sizeof(line),
		 "{\"schema\":\"itertrace.snapshot/1\",\"time_ns\":1,\"interval_ns\":1,"
		 "\"sites\":[],\"x\":\"%s\"}\n",
		 noise);
	return line;
}

static void a_file_stops_at_its_limit(void **state)
{
	const char *path = in_directory("a.itr");
	struct recorder *r = start(path, 20000, 0);
	struct recording_end end;
	struct reason news;
	struct stat st;
	unsigned int i, nr_news = 0;

	(void)state;
	for (i = 0; i < 60; i++) {
		add(r, noisy_line(i));
		usleep(1000);
		nr_news += recorder_news(r, &news);
	}
	assert_int_equal(recorder__close(r, true, &why), 0);
	assert_int_equal(nr_news, 1);
	assert_non_null(strstr(news.text, "recording stops"));
	assert_int_equal(stat(path, &st), 0);
	assert_in_range(st.st_size, 15000, 20000);
	assert_in_range(read_back(path, &end), 8, 20);
	assert_true(end.is_whole);
	assert_non_null(strstr(end.loss, "reached its limit"));
}

/* The queue is far shorter than this, and no disk as fast as a loop. */
static void what_comes_too_fast_is_counted_and_holds_nobody_up(void **state)
{
	const char *path = in_directory("a.itr");
	struct recorder *r = start(path, 64 << 20, 0);
	struct recording_end end;
	unsigned int i, nr_news = 0;
	struct reason news;

	(void)state;
	for (i = 0; i < 50000; i++)
		add(r, SNAPSHOT("1", NO_SITES));
	nr_news += recorder_news(r, &news);
	nr_news += recorder_news(r, &news);
	assert_int_equal(nr_news, 1);
	assert_non_null(strstr(news.text, "too slow"));
	assert_int_equal(recorder__close(r, true, &why), -EIO);
	read_back(path, &end);
	assert_true(end.is_whole);
	assert_true(end.nr_lost > 0);
	assert_int_equal(end.nr_intervals + end.nr_lost, 50000);
	assert_non_null(strstr(end.loss, "in time"));
}

static int is_recording(const struct dirent *entry)
{
	return strstr(entry->d_name, ".itr") != NULL;
}

/* All files of the directory, in order: what they hold together. */
static uint64_t read_all(int *ret_nr, uint64_t *ret_bytes)
{
	struct dirent **entries;
	struct recording_end end;
	uint64_t nr = 0;
	struct stat st;
	int i;

	*ret_nr = scandir(directory, &entries, is_recording, alphasort);
	*ret_bytes = 0;
	for (i = 0; i < *ret_nr; i++) {
		const char *path = in_directory(entries[i]->d_name);

		assert_int_equal(stat(path, &st), 0);
		*ret_bytes += (uint64_t)st.st_size;
		nr += read_back(path, &end);
		assert_true(end.is_whole);
		assert_int_equal(end.is_continued, i + 1 < *ret_nr);
		assert_string_equal(end.loss, "");
		free(entries[i]);
	}
	free(entries);
	return nr;
}

static void a_directory_stays_within_its_limit(void **state)
{
	struct recorder *r = start(directory, 80000, 0);
	uint64_t bytes, nr;
	unsigned int i;
	int nr_files;

	(void)state;
	for (i = 0; i < 300; i++) {
		add(r, noisy_line(i));
		usleep(300);
	}
	assert_int_equal(recorder__close(r, true, &why), 0);
	nr = read_all(&nr_files, &bytes);
	assert_in_range(bytes, 60000, 80000);
	assert_in_range(nr_files, 7, 8);
	/* Of 1.3 KB each: what is left is the last of them. */
	assert_in_range(nr, 40, 62);
}

static void a_file_is_ended_when_it_is_old(void **state)
{
	struct recorder *r = start(directory, 1 << 20, 50000000);
	uint64_t bytes;
	int nr_files, i;

	(void)state;
	for (i = 0; i < 3; i++) {
		add(r, SNAPSHOT("1", NO_SITES));
		usleep(70000);
	}
	assert_int_equal(recorder__close(r, true, &why), 0);
	assert_int_equal(read_all(&nr_files, &bytes), 3);
	assert_int_equal(nr_files, 3);
}

static void a_directory_that_is_not_there_is_named(void **state)
{
	struct recorder_options options = {.path = "/nosuch/", .max_bytes = 1 << 20};
	struct recorder *r;

	(void)state;
	assert_int_equal(recorder__new(&options, &r, &why), -ENOENT);
	assert_non_null(strstr(why.text, "/nosuch/"));
	assert_non_null(strstr(why.text, "make it first"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(every_line_can_be_read_at_once),
		TEST(what_exceeds_the_limit_leaves_no_trace),
		TEST(what_is_written_by_half_is_taken_back),
		TEST(what_is_recorded_is_read_back),
		TEST(a_run_that_failed_leaves_a_recording_without_an_end),
		TEST(a_run_that_never_began_leaves_no_file),
		TEST(a_run_that_never_began_leaves_what_it_was_to_overwrite),
		TEST(runs_of_one_second_have_a_name_each),
		TEST(a_file_stops_at_its_limit),
		TEST(what_comes_too_fast_is_counted_and_holds_nobody_up),
		TEST(a_directory_stays_within_its_limit),
		TEST(a_file_is_ended_when_it_is_old),
		TEST(a_directory_that_is_not_there_is_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
