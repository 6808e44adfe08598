#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# tests/run tells what failed, whichever way it failed.
. tests/cli/lib.sh

RUNNER=$PWD/tests/run
cd "$TMP" || exit 1
: >skips

program() { # name line...
	{ echo '#!/bin/bash'; printf '%s\n' "${@:2}"; } >"$1"
	chmod +x "$1"
}

runner() { run "$RUNNER" -t 1 -s skips "$@"; }

closes_with() { # exit-status line
	exits_with "$1" &&
		{ [[ $(tail -n 1 "$TMP/stdout") == "$2" ]] || { echo "the last line is not '$2'"; return 1; }; }
}

program good 'echo "ok - one"' 'echo "ok - two"'
program bad 'echo "ok - one"' 'echo why' 'echo "not ok - two: words"'
program silent 'true'
program crash 'echo "ok - one"' 'kill -SEGV $$'
program dies 'echo "ok - one"' 'exit 3'
program hangs 'echo "ok - one"' 'sleep 60'
program deaf 'trap "" TERM' 'echo "ok - one"' 'for ((;;)); do sleep 0.1; done'
program skips_one 'echo "ok - one"' 'echo "skip - two: no such device"'
program skips_mute 'echo "ok - one"' 'echo "skip - two"'
program reads 'read -r line && echo "not ok - stdin has something" || echo "ok - stdin is empty"'
program shouts 'echo "ok - err" >&2'
program cmocka_good \
	'echo "[==========] Running 2 test(s)." >&2' \
	'echo "[ RUN      ] adds"' 'echo "[       OK ] adds"' \
	'echo "[ RUN      ] waits"' 'echo "no PMU here"' 'echo "[  SKIPPED ] waits"' \
	'echo "[  PASSED  ] 1 test(s)." >&2' \
	'echo "[  SKIPPED ] 1 test(s), listed below:" >&2' 'echo "[  SKIPPED ] waits" >&2'
program cmocka_bad \
	'echo "[ RUN      ] adds"' 'echo "[       OK ] adds"' \
	'echo "[ RUN      ] divides"' 'echo "[  ERROR   ] --- 0x1 != 0x2"' 'echo "[  FAILED  ] divides"' \
	'echo "[  PASSED  ] 1 test(s)."' \
	'echo "[  FAILED  ] 1 test(s), listed below:"' 'echo "[  FAILED  ] divides"' 'exit 1'
program cmocka_dies 'echo "[ RUN      ] adds"' 'echo "[       OK ] adds"' \
	'echo "[ RUN      ] divides"' 'kill -KILL $$'

claim passes_are_counted
runner good
closes_with 0 '2 passed, 0 failed, 0 skipped' && ok || not_ok

claim failures_are_counted_named_and_shown
runner good bad
closes_with 1 '3 passed, 1 failed, 0 skipped' && prints stdout '^FAIL +bad ' &&
	prints stdout 'not ok: two: words' && prints stdout '\| why' && ok || not_ok

claim output_of_what_passed_is_not_shown
runner good
! grep -q 'ok - one' "$TMP/stdout" && ok || not_ok

claim program_that_tests_nothing_fails
runner silent
closes_with 1 '0 passed, 1 failed, 0 skipped' && prints stdout 'tested nothing' && ok || not_ok

claim crash_fails_by_name_of_its_signal
runner crash
closes_with 1 '1 passed, 1 failed, 0 skipped' && prints stdout SIGSEGV && ok || not_ok

claim exit_status_fails
runner dies
closes_with 1 '1 passed, 1 failed, 0 skipped' && prints stdout 'exit status 3' && ok || not_ok

claim hanging_program_is_ended_and_fails
runner hangs good
closes_with 1 '3 passed, 1 failed, 0 skipped' && prints stdout 'still running after 1 s' && ok || not_ok

claim program_deaf_to_SIGTERM_is_killed
runner deaf
closes_with 1 '1 passed, 1 failed, 0 skipped' && prints stdout SIGKILL && ok || not_ok

claim missing_program_fails
runner nosuch
closes_with 1 '0 passed, 1 failed, 0 skipped' && prints stdout 'not be started' && ok || not_ok

claim unlisted_skip_fails
runner skips_one
closes_with 1 '1 passed, 1 failed, 0 skipped' && prints stdout 'does not list' && ok || not_ok

claim listed_skip_is_counted_and_its_reason_shown
echo 'skips_* t* # such devices are rare' >skips
runner skips_one
closes_with 0 '1 passed, 0 failed, 1 skipped' && prints stdout 'no such device' && ok || not_ok

claim skip_listed_for_another_file_fails
echo 'other two # such devices are rare' >skips
runner skips_one
closes_with 1 '1 passed, 1 failed, 0 skipped' && ok || not_ok

claim skip_without_reason_fails
echo '* * # all' >skips
runner skips_mute
closes_with 1 '1 passed, 1 failed, 0 skipped' && ok || not_ok

claim list_entry_without_reason_is_refused
echo 'skips_one two' >skips
runner good
exits_with 2 && prints stderr 'skips_one two' && ok || not_ok

claim cmocka_tests_are_counted_one_by_one
printf '%s\n' '# comment' 'cmocka_good waits # not every machine has a PMU' >skips
runner cmocka_good
closes_with 0 '1 passed, 0 failed, 1 skipped' && prints stdout 'waits: no PMU here' && ok || not_ok

claim cmocka_failures_are_counted_once
runner cmocka_bad
closes_with 1 '1 passed, 1 failed, 0 skipped' && prints stdout 'not ok: divides' && ok || not_ok

claim cmocka_program_that_dies_fails_in_the_test_it_ran
runner cmocka_dies
closes_with 1 '1 passed, 2 failed, 0 skipped' && prints stdout 'divides: did not return' && ok || not_ok

claim stdin_is_empty
run bash -c 'echo something | "$1" -t 5 -s skips reads' - "$RUNNER"
closes_with 0 '1 passed, 0 failed, 0 skipped' && ok || not_ok

claim stderr_counts_too
runner shouts
closes_with 0 '1 passed, 0 failed, 0 skipped' && ok || not_ok

claim name_is_that_of_the_source_whichever_build
mkdir -p build/san/tests/unit
cp skips_one build/san/tests/unit/parse
echo 'tests/unit/parse two # such devices are rare' >skips
runner build/san/tests/unit/parse
closes_with 0 '1 passed, 0 failed, 1 skipped' && ok || not_ok

program waits 'until [[ -e met ]]; do sleep 0.05; done' 'echo "ok - waits"'
program meets 'touch met' 'echo "ok - meets"'

claim programs_run_one_after_the_other
runner waits meets
closes_with 1 '1 passed, 1 failed, 0 skipped' && ok || not_ok

claim or_so_many_at_once
rm -f met
runner -j 2 waits meets
closes_with 0 '2 passed, 0 failed, 0 skipped' && ok || not_ok

claim no_more_than_that_at_once
rm -f met
runner -j 2 hangs waits meets
closes_with 1 '2 passed, 2 failed, 0 skipped' && ok || not_ok

claim each_has_its_own_output_and_status
runner -j 5 good bad dies skips_one crash
closes_with 1 '6 passed, 4 failed, 0 skipped' && ok || not_ok

# They end on their own time, but within seconds.
are_gone() { # pid,...
	local tries

	for ((tries = 0; tries < 50; tries++)); do
		ps -p "$1" >"$TMP/stdout" || return 0
		sleep 0.1
	done
	return 1
}

claim an_interrupted_run_leaves_nothing_running
"$RUNNER" -t 60 -s skips -j 2 hangs hangs >"$TMP/stdout" 2>&1 &
sleep 0.3
pids=$(pgrep -P $! timeout)
kill -TERM $!
wait $!
status=$?
[[ $(wc -w <<<"$pids") == 2 ]] && exits_with 130 && are_gone "${pids//$'\n'/,}" && ok || not_ok

claim no_tests_at_all_is_a_failure
runner
closes_with 1 '0 passed, 0 failed, 0 skipped' && ok || not_ok

finish
