#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# What all commands share: usage, exit statuses, output that cannot be written.
. tests/cli/lib.sh

COMMANDS="bench doctor probe run"

claim unknown_command_is_one_sentence_and_usage_status
run "$ITERTRACE" frobnicate
refused 2 frobnicate && ok || not_ok

claim no_command_is_usage
run "$ITERTRACE"
exits_with 2 && prints_nothing stdout && prints stderr '[Uu]sage' && ok || not_ok

claim help_goes_to_stdout
run "$ITERTRACE" --help
exits_with 0 && prints_nothing stderr && prints stdout '[Uu]sage' && ok || not_ok

for command in $COMMANDS; do
	claim "help_lists_$command"
	run "$ITERTRACE" --help
	prints stdout "^ *$command " && ok || not_ok

	claim "${command}_help_goes_to_stdout"
	run "$ITERTRACE" "$command" --help
	exits_with 0 && prints_nothing stderr && prints stdout '[Uu]sage' && ok || not_ok

	claim "${command}_refuses_an_unknown_option"
	run "$ITERTRACE" "$command" --frobnicate
	exits_with 2 && prints_nothing stdout && prints stderr frobnicate && ok || not_ok
done

claim version_is_that_of_the_changelog
run "$ITERTRACE" --version
version=$(sed -n 's/^## \([0-9][0-9.]*\).*/\1/p' CHANGELOG.md | head -n 1)
exits_with 0 && prints_nothing stderr && prints stdout "^itertrace ${version//./\\.}\$" && ok || not_ok

to_full() { "$@" >/dev/full; }
for words in --help --version "probe --json" "probe"; do
	claim "full_device_is_reported_by ${words}"
	if [[ $words == probe* ]] && ! may_load; then
		skip "$NEEDS_ROOT"
		continue
	fi
	# shellcheck disable=SC2086
	run to_full "$ITERTRACE" $words
	exits_with 2 && one_sentence && prints stderr 'space|write' && ok || not_ok
done

# The reader is gone before the first byte is written.
to_closed_pipe() {
	{ sleep 0.2; "$@"; echo $? >"$TMP/status"; } | exec true
	status=$(<"$TMP/status")
	return "$status"
}
for words in --help "probe --json"; do
	claim "closed_pipe_is_quiet_for ${words}"
	if [[ $words == probe* ]] && ! may_load; then
		skip "$NEEDS_ROOT"
		continue
	fi
	# shellcheck disable=SC2086
	run to_closed_pipe "$ITERTRACE" $words
	exits_with 0 && prints_nothing stderr && ok || not_ok
done

# doctor tells it in its own way: test_doctor.sh
for command in ${COMMANDS/doctor /}; do
	claim "ordinary_user_is_told_which_capability ${command}"
	if ! may_load; then
		run "$ITERTRACE" "$command"
	else
		install -m 755 "$ITERTRACE" "$TMP/itertrace" && chmod 755 "$TMP"
		run as_nobody "$TMP/itertrace" "$command"
	fi
	refused 4 CAP_BPF && ok || not_ok
done

claim colours_only_on_a_terminal
if may_load; then
	run "$ITERTRACE" probe
	exits_with 0 && [[ -s $TMP/stdout ]] && ! grep -q $'\e' "$TMP/stdout" "$TMP/stderr" && ok || not_ok
else
	skip "$NEEDS_ROOT"
fi

finish
