#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# The Makefile rebuilds what has changed and nothing else.
. tests/cli/lib.sh

# What make would run if file had changed; all else is up to date.
if_changed() { run same_make -n -W "$1" all; }

claim nothing_is_rebuilt_without_a_change
run same_make -q all
exits_with 0 && ok || not_ok

claim changed_wire_h_rebuilds_programs_skeletons_and_user_space
if_changed bpf/wire.h
exits_with 0 && prints stdout 'bpf/exec.bpf.o bpf/exec.bpf.c' && prints stdout 'gen skeleton .*exec' &&
	prints stdout '-c -o [^ ]*src/trace/.*\.o' &&
	prints stdout '-o [^ ]*/itertrace ' && ok || not_ok

claim changed_log_h_rebuilds_what_logs_and_no_program
if_changed src/base/log.h
exits_with 0 && prints stdout 'src/main.o src/main.c' &&
	! grep -q 'gen skeleton' "$TMP/stdout" && ok || not_ok

claim changed_style_of_pages_rebuilds_what_writes_them
if_changed src/export/page.css
exits_with 0 && prints stdout 'gen/export/page\.h' && prints stdout '-c -o [^ ]*src/export/html\.o' &&
	! grep -qE -e '-c -o [^ ]*src/trace/' "$TMP/stdout" && ok || not_ok

claim other_flags_rebuild
run same_make -q CFLAGS=-Og all
exits_with 1 && ok || not_ok

claim help_lists_every_target
run make --no-print-directory help
missing=
for target in all deps run check check-unit check-san check-verifier check-host check-cli \
	      check-web check-lint check-vm check-service deps-vm install uninstall clean help; do
	grep -qE "^  $target  *[^ ]" "$TMP/stdout" || missing+=" $target"
done
exits_with 0 && [[ -z $missing ]] && ok || { echo "missing:$missing"; not_ok; }

finish
