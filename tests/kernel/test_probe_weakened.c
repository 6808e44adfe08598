// SPDX-License-Identifier: BSD-2-Clause
/*
 * The probe where the kernel tells less: with addresses hidden, with constants
 * blinded, without capabilities. Every answer is the normal one, or unknown with a
 * reason.
 *
 * Sysctls are set for the time of one claim; main() restores them however the
 * tests end.
 */
#include <cap-ng.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "probe_claims.h"

#define KPTR_RESTRICT "/proc/sys/kernel/kptr_restrict"
#define JIT_HARDEN    "/proc/sys/net/core/bpf_jit_harden"

static int write_text(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : write(fd, text, strlen(text));

	if (fd >= 0)
		close(fd);
	return n == (ssize_t)strlen(text) ? 0 : -1;
}

static void read_text(const char *path, char *text, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? 0 : read(fd, text, size - 1);

	text[n > 0 ? n : 0] = '\0';
	if (fd >= 0)
		close(fd);
}

/* What they were before the first test. */
static struct sysctl {
	const char *path;
	char before[16];
} sysctls[] = {{.path = KPTR_RESTRICT}, {.path = JIT_HARDEN}};

static int restore_sysctls(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < NR(sysctls); i++) {
		if (sysctls[i].before[0])
			write_text(sysctls[i].path, sysctls[i].before);
	}
	return 0;
}

struct weakness {
	const char *kptr_restrict; /* NULL: as it is */
	const char *jit_harden;
	int dropped[3]; /* capabilities; 0 ends, CAP_CHOWN is not used */
	uid_t uid;      /* 0: stay root */
};

static void weaken(const struct weakness *w)
{
	size_t i;

	capng_get_caps_process();
	for (i = 0; i < NR(w->dropped) && w->dropped[i]; i++)
		capng_update(CAPNG_DROP, CAPNG_EFFECTIVE | CAPNG_PERMITTED,
			     (unsigned int)w->dropped[i]);
	if (w->dropped[0] && capng_apply(CAPNG_SELECT_CAPS))
		_exit(3);
	if (w->uid && setresuid(w->uid, w->uid, w->uid))
		_exit(4);
}

/* Probe in a child that is weaker than we are. */
static void probe_weakened(const struct weakness *w, struct feature *features)
{
	size_t bytes = MAX_FEATURES * sizeof(*features);
	struct feature *shared = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
				      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int status;
	pid_t pid;

	assert_ptr_not_equal(shared, MAP_FAILED);
	if (w->kptr_restrict)
		assert_int_equal(write_text(KPTR_RESTRICT, w->kptr_restrict), 0);
	if (w->jit_harden)
		assert_int_equal(write_text(JIT_HARDEN, w->jit_harden), 0);
	fflush(NULL);
	pid = fork();
	if (!pid) {
		weaken(w);
		_exit(probe_all(shared) ? 5 : 0);
	}
	assert_true(pid > 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	restore_sysctls(NULL);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
	memcpy(features, shared, bytes);
	munmap(shared, bytes);
}

/* Each state is the normal one, or unknown with a reason. Returns the unknown. */
static size_t check_weakened(const struct feature *normal, const struct feature *weak)
{
	size_t i, nr_unknown = 0;

	for (i = 0; i < probe_nr(); i++) {
		if (weak[i].state == FEATURE_UNKNOWN &&
		    normal[i].state != FEATURE_UNKNOWN) {
			assert_string_not_equal(weak[i].reason, "");
			nr_unknown++;
			continue;
		}
		if (weak[i].state != normal[i].state)
			fail_msg("%s is %s, but %s when weakened (%s)", normal[i].name,
				 feature_state_name(normal[i].state),
				 feature_state_name(weak[i].state), weak[i].reason);
		assert_int_equal(weak[i].nr_insns, normal[i].nr_insns);
	}
	return nr_unknown;
}

static struct feature normal[MAX_FEATURES];

static int probe_normally(void **state)
{
	(void)state;
	return geteuid() == 0 ? probe_all(normal) : 0;
}

static void blinded_constants_change_no_answer(void **state)
{
	static const struct weakness w = {.jit_harden = "2"};
	struct feature weak[MAX_FEATURES];

	(void)state;
	need_root();
	probe_weakened(&w, weak);
	assert_int_equal(check_weakened(normal, weak), 0);
}

/* What needs no address is still told: kfunc calls, and what is inlined. */
static void check_hidden(const struct weakness *w)
{
	struct feature weak[MAX_FEATURES];
	size_t i;

	need_root();
	probe_weakened(w, weak);
	check_weakened(normal, weak);
	for (i = 0; i < probe_nr(); i++) {
		if (normal[i].state == FEATURE_INLINED &&
		    !strstr(normal[i].reason, "JIT"))
			assert_int_equal(weak[i].state, FEATURE_INLINED);
		if (normal[i].state == FEATURE_CALL && strstr(normal[i].name, "_iter_"))
			assert_int_equal(weak[i].state, FEATURE_CALL);
		if (weak[i].state == FEATURE_CALL)
			assert_non_null(strstr(weak[i].reason, "hidden"));
	}
}

static void without_cap_syslog_no_answer_is_wrong(void **state)
{
	static const struct weakness w = {.kptr_restrict = "1",
					  .dropped = {CAP_SYSLOG}};

	(void)state;
	check_hidden(&w);
}

static void with_kptr_restrict_2_no_answer_is_wrong(void **state)
{
	static const struct weakness w = {.kptr_restrict = "2"};

	(void)state;
	check_hidden(&w);
}

static void blinded_and_hidden_together_no_answer_is_wrong(void **state)
{
	static const struct weakness w = {.kptr_restrict = "2", .jit_harden = "2"};
	struct feature weak[MAX_FEATURES];
	size_t i;

	(void)state;
	need_root();
	probe_weakened(&w, weak);
	check_weakened(normal, weak);
	for (i = 0; i < probe_nr(); i++) {
		if (weak[i].state == FEATURE_UNKNOWN)
			assert_non_null(strstr(weak[i].reason, "hidden"));
	}
}

static void without_cap_net_admin_only_xdp_is_refused(void **state)
{
	static const struct weakness w = {.dropped = {CAP_NET_ADMIN, CAP_SYS_ADMIN}};
	struct feature weak[MAX_FEATURES];
	size_t i;

	(void)state;
	need_root();
	probe_weakened(&w, weak);
	for (i = 0; i < probe_nr(); i++) {
		if (!strcmp(weak[i].name, "bpf_redirect_map")) {
			assert_int_equal(weak[i].state, FEATURE_REFUSED);
			assert_non_null(strstr(weak[i].reason, "CAP_NET_ADMIN"));
			continue;
		}
		assert_int_equal(weak[i].state, normal[i].state);
	}
}

static void an_ordinary_user_is_told_nothing_false(void **state)
{
	static const struct weakness w = {.uid = 65534};
	struct feature weak[MAX_FEATURES];
	size_t i;

	(void)state;
	need_root();
	probe_weakened(&w, weak);
	for (i = 0; i < probe_nr(); i++) {
		assert_false(is_found_out(weak[i].state));
		assert_string_not_equal(weak[i].reason, "");
	}
	assert_int_equal(by_name(weak, "bpf_iter_num_next")->state, FEATURE_REFUSED);
}

static int run_claims(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(blinded_constants_change_no_answer,
					  restore_sysctls),
		cmocka_unit_test_teardown(without_cap_syslog_no_answer_is_wrong,
					  restore_sysctls),
		cmocka_unit_test_teardown(with_kptr_restrict_2_no_answer_is_wrong,
					  restore_sysctls),
		cmocka_unit_test_teardown(
			blinded_and_hidden_together_no_answer_is_wrong,
			restore_sysctls),
		cmocka_unit_test(without_cap_net_admin_only_xdp_is_refused),
		cmocka_unit_test(an_ordinary_user_is_told_nothing_false),
	};

	return cmocka_run_group_tests_name("probe_weakened", tests, probe_normally,
					   NULL);
}

static volatile sig_atomic_t stopped_by;

static void stop(int number)
{
	stopped_by = number;
}

/* The tests run in a child, so that a crash of theirs leaves no sysctl behind. */
int main(void)
{
	struct sigaction action = {.sa_handler = stop};
	int status = 0;
	size_t i;
	pid_t pid;

	for (i = 0; i < NR(sysctls); i++)
		read_text(sysctls[i].path, sysctls[i].before,
			  sizeof(sysctls[i].before));
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGINT, &action, NULL);
	pid = fork();
	if (!pid) {
		action.sa_handler = SIG_DFL;
		sigaction(SIGTERM, &action, NULL);
		sigaction(SIGINT, &action, NULL);
		exit(run_claims());
	}
	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR) {
		if (stopped_by)
			kill(pid, SIGKILL);
	}
	if (geteuid() == 0)
		restore_sysctls(NULL);
	return pid > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
