// SPDX-License-Identifier: BSD-2-Clause
/* Where recordings are put, and what is removed to make room for them. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/file.h>
#include <sys/mount.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "record/places.h"
#include "unit/directory.h"

static struct place open_place(void)
{
	struct place p;

	place_init(&p, open(directory, O_RDONLY | O_DIRECTORY), "db_1", "6.1_x",
		   1700000000ULL * 1000000000);
	return p;
}

static void put_file(const char *name, size_t size)
{
	int fd = open(in_directory(name), O_WRONLY | O_CREAT | O_EXCL, 0600);

	assert_true(fd >= 0);
	assert_int_equal(ftruncate(fd, (off_t)size), 0);
	close(fd);
}

static int create(const struct place *p, const char *name, bool force)
{
	bool has_name;
	int fd = place_create(p, name, force, &has_name);

	assert_true(fd >= 0);
	assert_false(has_name);
	return fd;
}

static void a_file_has_its_name_when_it_is_given_one(void **state)
{
	struct place p = open_place();
	struct stat st;
	int fd, rival;

	(void)state;
	umask(0);
	assert_int_equal(place_check(&p, "a", false), 0);
	fd = create(&p, "a", false);
	assert_int_equal(write(fd, "x", 1), 1);
	assert_false(is_there("a"));
	assert_int_equal(place_give_name(&p, fd, "a", false), 0);
	assert_int_equal(stat(in_directory("a"), &st), 0);
	assert_int_equal(st.st_mode & 07777, 0640);
	assert_int_equal(st.st_size, 1);

	assert_int_equal(place_check(&p, "a", false), -EEXIST);
	rival = create(&p, "a", false);
	assert_int_equal(place_give_name(&p, rival, "a", false), -EEXIST);
	assert_int_equal(place_check(&p, "a", true), 0);
	assert_int_equal(place_give_name(&p, rival, "a", true), 0);
	assert_int_equal(stat(in_directory("a"), &st), 0);
	assert_int_equal(st.st_size, 0);
	close(fd);
	close(rival);
	close(p.dirfd);
}

/* Whatever goes wrong, one of the two is there: a link to a closed file cannot be made. */
static void what_cannot_be_replaced_stays(void **state)
{
	struct place p = open_place();
	int fd;

	(void)state;
	put_file("a", 7);
	fd = create(&p, "a", true);
	close(fd);
	assert_int_equal(place_give_name(&p, fd, "a", true), -ENOENT);
	assert_true(is_there("a"));
	/* A directory takes no file's name. */
	assert_int_equal(mkdir(in_directory("d"), 0700), 0);
	fd = create(&p, "d", true);
	assert_int_equal(place_give_name(&p, fd, "d", true), -EISDIR);
	close(fd);
	assert_int_equal(rmdir(in_directory("d")), 0);
	assert_int_equal(unlinkat(p.dirfd, "a", 0), 0);
	close(p.dirfd);
	assert_int_equal(rmdir(directory), 0); /* nothing else was left */
	assert_int_equal(mkdir(directory, 0700), 0);
}

static void no_link_is_followed(void **state)
{
	struct place p = open_place(), devices = {.dirfd = open("/dev", O_PATH)};
	int force, fd;
	struct stat st;

	(void)state;
	assert_int_equal(symlink("target", in_directory("link")), 0);
	for (force = 0; force < 2; force++)
		assert_int_equal(place_check(&p, "link", force), -EMEDIUMTYPE);
	fd = create(&p, "link", false);
	assert_int_equal(place_give_name(&p, fd, "link", false), -EEXIST);
	close(fd);
	assert_int_equal(stat(in_directory("target"), &st), -1);
	unlink(in_directory("link"));
	assert_int_equal(place_check(&devices, "null", true),
			 -EMEDIUMTYPE);
	close(devices.dirfd);
	close(p.dirfd);
}

/* That of message queues, for one. */
static void where_a_file_system_wants_names_it_has_one_at_once(void **state)
{
	bool has_name = false;
	struct place p;
	int fd;

	(void)state;
	assert_int_equal(mkdir(in_directory("fs"), 0700), 0);
	if (mount("none", in_directory("fs"), "mqueue", 0, NULL)) {
		print_message("needs a mount of mqueue\n");
		skip();
	}
	p.dirfd = open(in_directory("fs"), O_PATH);
	fd = place_create(&p, "a", false, &has_name);
	assert_true(fd >= 0 && has_name);
	assert_int_equal(place_create(&p, "a", false, &has_name), -EEXIST);
	close(fd);
	fd = place_create(&p, "a", true, &has_name);
	assert_true(fd >= 0 && has_name);
	close(fd);
	assert_int_equal(unlinkat(p.dirfd, "a", 0), 0); /* it outlives the mount */
	close(p.dirfd);
	assert_int_equal(umount2(in_directory("fs"), MNT_DETACH), 0);
}

static void in_anothers_directory_a_file_is_his(void **state)
{
	struct place p = open_place();
	struct stat st;
	int fd;

	(void)state;
	if (geteuid()) {
		print_message("needs root\n");
		skip();
	}
	assert_int_equal(fchown(p.dirfd, 12345, 123), 0);
	place_act_as_owner(&p);
	fd = create(&p, "his", false);
	assert_int_equal(place_give_name(&p, fd, "his", false), 0);
	place_act_as_self();
	assert_int_equal(fstat(fd, &st), 0);
	assert_int_equal(st.st_uid, 12345);
	assert_int_equal(st.st_gid, 0); /* many may be in his group */
	close(fd);
	/* Where he may make none, root makes none in his name. */
	assert_int_equal(fchmod(p.dirfd, 0500), 0);
	place_act_as_owner(&p);
	assert_int_equal(place_create(&p, "b", false, &(bool){false}), -EACCES);
	place_act_as_self();
	fd = create(&p, "b", false);
	assert_int_equal(fstat(fd, &st), 0);
	assert_int_equal(st.st_uid, 0);
	close(fd);
	close(p.dirfd);
}

static void names_sort_by_host_release_and_time(void **state)
{
	struct place p = open_place();
	char name[PLACE_NAME_LEN];

	(void)state;
	place_name(&p, 0, name);
	assert_string_equal(name, "db-1_6.1-x_20231114T221320Z_0000.itr");
	place_name(&p, 12345, name);
	assert_string_equal(name, "db-1_6.1-x_20231114T221320Z_12345.itr");
	close(p.dirfd);
}

static void the_oldest_of_ours_go_first(void **state)
{
	struct place p = open_place();
	int busy;

	(void)state;
	put_file("db-1_6.9_20240101T000000Z_0000.itr", 1000); /* locked */
	put_file("db-1_6.1_20240101T000000Z_0009.itr", 1000);
	put_file("db-1_6.1_20240101T000000Z_10000.itr", 1000);
	put_file("db-1_6.1_20240102T000000Z_0000.itr", 1000);
	put_file("db_6.1_20200101T000000Z_0000.itr", 1000);    /* another host */
	put_file("db-1_6.1_20200101T000000Z_0000.itr.gz", 1000); /* another name */
	put_file("db-1_6.1_2020010XT000000Z_0000.itr", 1000);
	put_file("db-1_6.1_20200101T000000Z_1.itr", 1000);
	assert_int_equal(symlink("/etc/passwd",
				 in_directory("db-1_6.1_20190101T000000Z_0000.itr")),
			 0);
	assert_int_equal(place_make_room(&p, 4000), 4000);
	busy = open(in_directory("db-1_6.9_20240101T000000Z_0000.itr"), O_RDONLY);
	assert_int_equal(flock(busy, LOCK_EX), 0);
	assert_int_equal(place_make_room(&p, 2500), 2000);
	assert_false(is_there("db-1_6.1_20240101T000000Z_0009.itr"));
	assert_false(is_there("db-1_6.1_20240101T000000Z_10000.itr"));
	assert_true(is_there("db-1_6.1_20240102T000000Z_0000.itr"));
	assert_int_equal(place_make_room(&p, 0), 1000);
	assert_true(is_there("db-1_6.9_20240101T000000Z_0000.itr"));
	close(busy);
	assert_int_equal(place_make_room(&p, 0), 0);
	assert_true(is_there("db_6.1_20200101T000000Z_0000.itr"));
	assert_true(is_there("db-1_6.1_20200101T000000Z_0000.itr.gz"));
	assert_true(is_there("db-1_6.1_2020010XT000000Z_0000.itr"));
	assert_true(is_there("db-1_6.1_20200101T000000Z_1.itr"));
	close(p.dirfd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_file_has_its_name_when_it_is_given_one),
		TEST(what_cannot_be_replaced_stays),
		TEST(no_link_is_followed),
		TEST(where_a_file_system_wants_names_it_has_one_at_once),
		TEST(in_anothers_directory_a_file_is_his),
		TEST(names_sort_by_host_release_and_time),
		TEST(the_oldest_of_ours_go_first),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
