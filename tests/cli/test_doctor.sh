#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# itertrace doctor: its document, what it says to whom, and remedies that this host
# can try. What a kernel refuses is put in the way in tests/vm/guest/doctor.sh.
. tests/cli/lib.sh

# In $TMP/checks: a line a check, "NAME|STATUS|FOUND|REMEDY".
doctor() { # [COMMAND-THAT-RUNS-IT...] PROGRAM
	run "$@" doctor --json
	"$PYTHON" -c 'import json, sys
for c in json.load(sys.stdin)["checks"]:
    print(c["name"], c["status"], c["found"], c["remedy"] or "", sep="|")' <"$TMP/stdout" >"$TMP/checks"
}

is() { # check status found-extended-regexp
	awk -F '|' -v name="$1" -v status="$2" '$1 == name && $2 == status { print $3 }' "$TMP/checks" |
		grep -qE -- "$3" || { echo "$1 is not '$2' with /$3/: $(grep "^$1|" "$TMP/checks")"; return 1; }
}

command_of() { # check: what its remedy has in back quotes
	awk -F '|' -v name="$1" '$1 == name { print $4 }' "$TMP/checks" | sed -n 's/^[^`]*`\([^`]*\)`.*/\1/p'
}

as_others() { # as root, as an ordinary user; else as we are
	if ((EUID)); then "$@"; else as_nobody "$@"; fi
}

chmod 755 "$TMP"
mkdir -m 755 "$TMP/bin"
install -m 755 "$ITERTRACE" "$TMP/bin/itertrace"

claim doctor_refuses_an_argument
run "$ITERTRACE" doctor nonsense
refused 2 nonsense && ok || not_ok

claim ordinary_user_gets_the_whole_document
doctor as_others "$TMP/bin/itertrace"
exits_with 4 && one_sentence && prints stderr 'cap_bpf, cap_perfmon' &&
	"$PYTHON" tests/cli/validate tests/cli/schema/doctor.json "$TMP/stdout" --one && ok || not_ok

claim ordinary_user_is_told_what_is_missing_and_what_only_root_finds_out
is cap_bpf fail '^missing' && is cap_perfmon fail '^missing' && is cap_sys_admin warn '^missing' &&
	is tracers warn '^not known' && is bpf_for warn '^not known' && is kernel ok "$(uname -r)" && ok || not_ok

claim text_begins_with_what_fails
run as_others "$TMP/bin/itertrace" doctor
exits_with 4 && awk '/^[a-z]/ { print $1 }' "$TMP/stdout" | uniq | xargs >"$TMP/order"
[[ $(<"$TMP/order") == "fail warn ok" ]] && ok || { cat "$TMP/order"; not_ok; }

claim text_keeps_to_the_width_but_for_commands
COLUMNS=70 run as_others "$TMP/bin/itertrace" doctor
long=$(grep -v '`' "$TMP/stdout" | awk 'length > 70')
[[ -s $TMP/stdout && ! $long ]] && ok || { echo "$long"; not_ok; }

claim no_colours_but_on_a_terminal
! grep -q $'\e' "$TMP/stdout" && ok || not_ok

if ! may_load; then
	claim doctor_as_root
	skip "$NEEDS_ROOT"
	finish
fi

claim json_fits_its_schema
doctor "$ITERTRACE"
exits_with 0 && prints_nothing stderr &&
	"$PYTHON" tests/cli/validate tests/cli/schema/doctor.json "$TMP/stdout" --one && ok || not_ok

claim names_are_unique
[[ -z $(cut -d '|' -f 1 "$TMP/checks" | sort | uniq -d) ]] && ok || not_ok

claim text_has_every_check_with_its_status
run "$ITERTRACE" doctor
missing=
while IFS='|' read -r name state _; do
	grep -qE "^$state +$name " "$TMP/stdout" || missing+=" $name"
done <"$TMP/checks"
exits_with 0 && [[ -s $TMP/checks && ! $missing ]] && ok || { echo "not there:$missing"; not_ok; }

claim man_page_describes_every_check
cut -d '|' -f 1 "$TMP/checks" | sort >"$TMP/names"
sed -n '/^\.Sh CHECKS/,/^\.El/s/^\.It Li //p' packaging/man/itertrace-doctor.8 | sed 's/ , /\n/g' |
	sort | diff "$TMP/names" - && ok || not_ok

claim tracers_and_loops_are_those_that_run_has
doctor "$ITERTRACE"
tracers=$("$ITERTRACE" run --list-tracers | wc -l)
loops=$("$ITERTRACE" run --duration 1 --json --no-calibrate 2>/dev/null |
	tail -n 1 | "$PYTHON" -c 'import json, sys; print(json.load(sys.stdin)["loops"])')
is tracers ok "^$tracers of $tracers can run: .*loops run on $loops\$" && ok || not_ok

claim what_it_reads_is_what_files_say
is lockdown ok . && is bpf_jit_harden ok "^$(cat /proc/sys/net/core/bpf_jit_harden)\b" &&
	is kptr_restrict ok "^$(cat /proc/sys/kernel/kptr_restrict)\$" && grep -qE \
	"^clock_source\|(ok|warn)\|$(cat /sys/devices/system/clocksource/clocksource0/current_clocksource); a reading takes [1-9][0-9]* ns" \
	"$TMP/checks" && ok || not_ok

# Each in turn, as the document says: then the next is missing.
claim remedies_of_missing_capabilities_work
remedied=
for name in cap_bpf cap_syslog cap_sys_admin; do
	doctor as_nobody "$TMP/bin/itertrace"
	command=$(command_of $name)
	grep -qE "^$name\|(warn|fail)\|missing" "$TMP/checks" && [[ $command == setcap*" $TMP/bin/itertrace" ]] &&
		PATH=$PATH:/usr/sbin:/sbin $command || break
	doctor as_nobody "$TMP/bin/itertrace"
	is $name ok '^in effect' && exits_with 0 || break
	remedied+=" $name"
done
[[ $remedied == " cap_bpf cap_syslog cap_sys_admin" ]] && is cap_perfmon ok . && is tracers ok . &&
	is bpf_statistics ok . && ok || { echo "remedied:$remedied"; not_ok; }

claim seccomp_filter_is_named_as_what_refuses_bpf
doctor tests/cli/without_bpf "$ITERTRACE"
exits_with 4 && prints stderr bpf_syscall && is bpf_syscall fail 'EPERM, under a seccomp filter' &&
	grep -q '^bpf_syscall.*SystemCallFilter' "$TMP/checks" && is cap_bpf ok . && is bpf_for warn ^refused &&
	grep -q "^bpf_for.*see bpf_syscall" "$TMP/checks" && ok || not_ok

# A guest tries the remedy: containers keep root from raising the limit.
claim few_descriptors_are_named_with_what_does_not_fit
run_with_few() { (ulimit -n 20 && "$@"); }
doctor run_with_few "$ITERTRACE"
is descriptors warn '^20 open files' && is tracers warn 'can run' &&
	[[ $(command_of descriptors) == "ulimit -n 1024" ]] && ok || not_ok

nothing_stays_loaded "$ITERTRACE" doctor

finish
