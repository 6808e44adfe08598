// SPDX-License-Identifier: BSD-2-Clause
/* The identity against the same facts had in another way. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include <bpf/libbpf.h>
#include <dirent.h>
#include <fcntl.h>
#include <sched.h>

#include "base/file.h"
#include "kernel/identity.h"

static struct identity id;

static int read_once(void **state)
{
	(void)state;
	return identity_read(&id);
}

/* What a shell command prints, its last newline cut. */
static void shell(const char *command, char *ret, size_t size)
{
	FILE *pipe = popen(command, "r");
	size_t len;

	assert_non_null(pipe);
	len = fread(ret, 1, size - 1, pipe);
	ret[len] = '\0';
	while (len && ret[len - 1] == '\n')
		ret[--len] = '\0';
	pclose(pipe);
}

static void names_are_unames(void **state)
{
	char text[256];

	(void)state;
	shell("uname -r", text, sizeof(text));
	assert_string_equal(id.release, text);
	shell("uname -m", text, sizeof(text));
	assert_string_equal(id.arch, text);
	shell("uname -v", text, sizeof(text));
	assert_string_equal(id.version, text);
}

/* od and sed know nothing of notes: they find name, type and length as bytes. */
static void build_id_is_that_of_the_notes(void **state)
{
	char text[256];

	(void)state;
	if (access("/sys/kernel/notes", R_OK)) {
		print_message("this kernel shows no notes\n");
		skip();
	}
	shell("od -An -v -tx1 /sys/kernel/notes | tr -d ' \\n' | "
	      "sed 's/^.*040000001400000003000000474e5500\\(.\\{40\\}\\).*$/\\1/'",
	      text, sizeof(text));
	assert_int_equal(strlen(text), 40);
	assert_string_equal(id.build_id, text);
}

static void settings_are_those_of_the_files(void **state)
{
	static const struct {
		const char *file;
		const int *value;
	} settings[] = {
		{"/proc/sys/net/core/bpf_jit_enable", &id.jit_enable},
		{"/proc/sys/net/core/bpf_jit_harden", &id.jit_harden},
		{"/proc/sys/kernel/kptr_restrict", &id.kptr_restrict},
		{"/proc/sys/kernel/unprivileged_bpf_disabled",
		 &id.unprivileged_bpf_disabled},
	};
	int value, got;
	FILE *file;

	(void)state;
	for (size_t i = 0; i < sizeof(settings) / sizeof(settings[0]); i++) {
		file = fopen(settings[i].file, "r");
		got = file ? fscanf(file, "%d", &value) : 0;
		if (file)
			fclose(file);
		assert_int_equal(*settings[i].value, got == 1 ? value : -1);
	}
	assert_int_equal(id.has_btf, !access("/sys/kernel/btf/vmlinux", R_OK));
}

static void cpus_are_counted_as_by_libc_and_libbpf(void **state)
{
	(void)state;
	assert_int_equal(id.nr_cpus_online, sysconf(_SC_NPROCESSORS_ONLN));
	assert_int_equal(id.nr_cpus_possible, libbpf_num_possible_cpus());
	assert_true(id.cpu_model[0]);
	assert_true(id.clock_source[0]);
}

#if defined(__x86_64__)
static void hypervisor_is_there_if_the_cpu_flag_is(void **state)
{
	char text[256];

	(void)state;
	shell("grep -m1 -o -w hypervisor /proc/cpuinfo", text, sizeof(text));
	assert_true(id.virtualised[0]);
	assert_int_equal(!strcmp(text, "hypervisor"), !!strcmp(id.virtualised, "none"));
	shell("sed -n 's/^model name[[:space:]]*: //p' /proc/cpuinfo | head -n 1", text,
	      sizeof(text));
	assert_string_equal(id.cpu_model, text);
}
#endif

static void every_mitigation_is_there(void **state)
{
	char path[256], text[256];
	int nr = 0;

	(void)state;
	for (; nr < id.nr_mitigations; nr++) {
		snprintf(path, sizeof(path),
			 "/sys/devices/system/cpu/vulnerabilities/%s",
			 id.mitigations[nr].name);
		assert_int_equal(file_read_line(AT_FDCWD, path, text,
						sizeof(id.mitigations[nr].text)),
				 0);
		assert_string_equal(id.mitigations[nr].text, text);
	}
	shell("ls /sys/devices/system/cpu/vulnerabilities | wc -l", text, sizeof(text));
	assert_int_equal(nr, strtol(text, NULL, 10));
}

/* In a mount namespace of its own: securityfs mounted in the usual way. */
static int read_mounted_lockdown(int out)
{
	char text[128] = "";

	if (unshare(CLONE_NEWNS) ||
	    mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
	    mount("securityfs", "/sys/kernel/security", "securityfs", 0, NULL))
		return 1;
	file_read_line(AT_FDCWD, "/sys/kernel/security/lockdown", text, sizeof(text));
	return write(out, text, sizeof(text)) != sizeof(text);
}

static void lockdown_is_that_of_a_mounted_securityfs(void **state)
{
	char text[128] = "", bracketed[40];
	int ends[2], status;
	pid_t pid;

	(void)state;
	if (geteuid()) {
		print_message("mounting securityfs needs root\n");
		skip();
	}
	assert_int_equal(pipe(ends), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (!pid)
		_exit(read_mounted_lockdown(ends[1]));
	assert_int_equal(waitpid(pid, &status, 0), pid);
	close(ends[1]);
	if (!WIFEXITED(status) || WEXITSTATUS(status)) {
		close(ends[0]);
		print_message("securityfs cannot be mounted here\n");
		skip();
	}
	assert_int_equal(read(ends[0], text, sizeof(text)), sizeof(text));
	close(ends[0]);
	if (!text[0])
		snprintf(text, sizeof(text), "[none]");
	snprintf(bracketed, sizeof(bracketed), "[%s]", id.lockdown);
	assert_non_null(strstr(text, bracketed));
}

static int count_fds(void)
{
	DIR *directory = opendir("/proc/self/fd");
	int nr = 0;

	assert_non_null(directory);
	while (readdir(directory))
		nr++;
	closedir(directory);
	return nr;
}

static void reading_leaves_nothing_behind(void **state)
{
	char *before, *after;
	int nr_fds = count_fds();
	struct identity again;

	(void)state;
	assert_int_equal(
		file_read(AT_FDCWD, "/proc/self/mountinfo", 1 << 20, &before, NULL), 0);
	assert_int_equal(identity_read(&again), 0);
	assert_int_equal(
		file_read(AT_FDCWD, "/proc/self/mountinfo", 1 << 20, &after, NULL), 0);
	assert_string_equal(before, after);
	assert_int_equal(count_fds(), nr_fds);
	assert_memory_equal(&again, &id, sizeof(id));
	free(before);
	free(after);
}

static void boot_and_microcode_are_those_of_the_files(void **state)
{
	char text[256];

	(void)state;
	shell("cat /proc/sys/kernel/random/boot_id", text, sizeof(text));
	assert_int_equal(strlen(text), 36);
	assert_string_equal(id.boot_id, text);
	shell("awk -F ': ' '/^microcode/ { print $2; exit }' /proc/cpuinfo", text,
	      sizeof(text));
	assert_string_equal(id.microcode, text);
}

#define CONFIG "{ zcat /proc/config.gz || cat /boot/config-$(uname -r); } 2>/dev/null"

static void the_configuration_is_that_of_the_file(void **state)
{
	char command[256], text[256];
	int i;

	(void)state;
	shell(CONFIG " | wc -c", text, sizeof(text));
	if (!strcmp(text, "0")) {
		assert_int_equal(id.nr_config, -1);
		assert_string_equal(id.config_digest, "");
		return;
	}
	shell(CONFIG " | python3 -c 'import sys, zlib; "
		     "print(\"crc32:%08x\" % zlib.crc32(sys.stdin.buffer.read()))'",
	      text, sizeof(text));
	assert_string_equal(id.config_digest, text);
	assert_true(id.nr_config > 0);
	for (i = 0; i < id.nr_config; i++) {
		snprintf(command, sizeof(command),
			 CONFIG " | sed -n 's/^%s=//p' | tr -d '\"' | grep . || echo n",
			 id.config[i].name);
		shell(command, text, sizeof(text));
		assert_string_equal(id.config[i].text, text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_are_unames),
		cmocka_unit_test(build_id_is_that_of_the_notes),
		cmocka_unit_test(settings_are_those_of_the_files),
		cmocka_unit_test(cpus_are_counted_as_by_libc_and_libbpf),
#if defined(__x86_64__)
		cmocka_unit_test(hypervisor_is_there_if_the_cpu_flag_is),
#endif
		cmocka_unit_test(every_mitigation_is_there),
		cmocka_unit_test(boot_and_microcode_are_those_of_the_files),
		cmocka_unit_test(the_configuration_is_that_of_the_file),
		cmocka_unit_test(lockdown_is_that_of_a_mounted_securityfs),
		cmocka_unit_test(reading_leaves_nothing_behind),
	};

	return cmocka_run_group_tests(tests, read_once, NULL);
}
