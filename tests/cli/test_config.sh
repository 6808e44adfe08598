#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# itertrace run --config: what is refused, what is reloaded, what the service manager hears.
. tests/cli/lib.sh

CONF=$TMP/itertrace.conf
configure() { printf '%s\n' "$@" >"$CONF.new" && mv "$CONF.new" "$CONF"; }

refuses() { # name-of-claim regexp line...
	local name=$1 pattern=$2

	shift 2
	claim "$name"
	configure "$@"
	run "$ITERTRACE" run --config "$CONF" --check-config
	refused 2 "$CONF:$pattern" && ok || not_ok
}

refuses an_unknown_setting_is_refused "2: there is no setting 'nosuch'" "[run]" "nosuch = 1"
refuses what_is_for_the_command_line_is_no_setting "2: .*'config'" "[run]" "config = x"
refuses a_bad_value_is_refused "3: --interval takes a time" "[run]" "" "interval = soon"
refuses a_bad_flag_is_refused "2: json takes yes or no" "[run]" "json = 2"
refuses an_unknown_tracer_is_refused "2: .*nosuchtracer" "[run]" "tracers = exec, nosuchtracer"
refuses a_setting_given_twice_is_refused "3: loops was set in line 2" "[run]" "loops = auto" "loops = auto"
refuses another_section_is_refused "3: there is no such section" "[run]" "json = no" "[probe]"

claim a_file_that_is_not_there_is_refused
run "$ITERTRACE" run -c "$TMP/nosuch" --check-config
refused 2 "$TMP/nosuch: No such file" && ok || not_ok

claim nothing_is_started_with_a_wrong_configuration
configure "[run]" "interval = 0"
run "$ITERTRACE" run -c "$CONF"
refused 2 "$CONF:2" && ok || not_ok

claim what_is_right_is_said_to_be
configure "[run]" "tracers = exec, runq" "interval = 500ms" "no-calibrate = yes"
run "$ITERTRACE" run -c "$CONF" --check-config
exits_with 0 && prints stderr "$CONF: nothing is wrong" && ok || not_ok

claim bad_options_are_refused_beside_a_right_configuration
run "$ITERTRACE" run -c "$CONF" --check-config --interval never
refused 2 interval && ok || not_ok

if ! may_load; then
	claim run_takes_the_configuration
	skip "$NEEDS_ROOT"
	finish
fi

# Prints what it hears of sd_notify(3), a line each, until the program sent
# STOPPING=1.
cat >"$TMP/manager" <<'END'
import os, socket, sys
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
s.bind(sys.argv[1])
s.settimeout(30)
print("listening", flush=True)
while True:
    text = s.recv(4096).decode()
    print(text, flush=True)
    if "STOPPING=1" in text:
        break
END

await() { # seconds command...: until it succeeds
	local left=$(($1 * 10))

	shift
	until "$@"; do
		((left-- > 0)) || { echo "in vain: $*"; return 1; }
		sleep 0.1
	done
}

on() { # the last snapshot's tracers that are on
	[[ $(tail -n 1 "$TMP/out" | jq -r '[.tracers[] | select(.state == "on").name] | join(" ")') == "$1" ]]
}

# Ids of the daemon's programs of that name.
programs() {
	bpftool prog list 2>/dev/null | sed -nE "s/^([0-9]+): .* name $1.*/\1/p" | sort |
		comm -12 - <(sed -n 's/^prog_id:\t//p' "/proc/$daemon/fdinfo"/* 2>/dev/null | sort -u)
}

"$PYTHON" "$TMP/manager" "$TMP/socket" >"$TMP/heard" &
manager=$!
await 10 test -S "$TMP/socket"
configure "[run]" "tracers = exec runq" "interval = 300ms" "no-calibrate = yes" "json = yes"
NOTIFY_SOCKET=$TMP/socket WATCHDOG_USEC=600000 "$ITERTRACE" run --config "$CONF" >"$TMP/out" 2>"$TMP/err" &
daemon=$!
trap 'kill $daemon $manager 2>/dev/null; wait; rm -rf "$TMP"; [[ $finished ]] || exit 1' EXIT

claim the_manager_hears_when_all_is_attached
await 20 grep -qx READY=1 "$TMP/heard" && [[ $(programs exec_start) ]] && ok || { cat "$TMP/err"; not_ok; }

claim the_configuration_is_taken
await 10 on "exec runq" && ok || not_ok

claim the_manager_hears_that_it_is_alive_and_what_it_does
await 10 grep -qx WATCHDOG=1 "$TMP/heard" && await 10 grep -q '^STATUS=Tracing exec runq on ' "$TMP/heard" &&
	ok || not_ok

claim a_reload_stops_and_starts_only_what_changed
exec_before=$(programs exec_start)
configure "[run]" "tracers = exec syscall" "interval = 200ms" "no-calibrate = yes" "json = yes"
kill -HUP $daemon
await 10 on "exec syscall" && [[ $exec_before && $(programs exec_start) == "$exec_before" ]] &&
	await 10 eval '[[ -z $(programs runq_switch) ]]' && ok || { tail -n 3 "$TMP/err"; not_ok; }

claim the_new_interval_holds
await 10 eval '(($(tail -n 1 "$TMP/out" | jq .interval_ns) < 280000000))' && ok || not_ok

claim the_manager_hears_of_the_reload
[[ $(grep -xE "READY=1|RELOADING=1" "$TMP/heard" | tr '\n' ' ') == "READY=1 RELOADING=1 READY=1 " ]] &&
	grep -qE '^MONOTONIC_USEC=[1-9][0-9]*$' "$TMP/heard" && ok || not_ok

claim another_argv_max_starts_exec_anew
configure "[run]" "tracers = exec syscall" "interval = 200ms" "no-calibrate = yes" "json = yes" "argv-max = 128"
kill -HUP $daemon
await 10 eval '[[ $(programs exec_start) && $(programs exec_start) != "$exec_before" ]]' &&
	on "exec syscall" && ok || not_ok

claim with_a_wrong_configuration_the_run_goes_on
configure "[run]" "tracers = nosuch"
lines=$(wc -l <"$TMP/out")
kill -HUP $daemon
await 10 grep -q "$CONF:2: .*nosuch" "$TMP/err" && await 10 grep -q "going on with the old one" "$TMP/err" &&
	await 10 eval '(($(wc -l <"$TMP/out") > lines + 1))' && on "exec syscall" && ok || not_ok

claim what_waits_for_the_next_start_is_said
configure "[run]" "tracers = exec syscall" "interval = 200ms" "loops = bounded"
kill -HUP $daemon
await 10 grep -q "wait for the next start" "$TMP/err" && ok || not_ok

claim the_manager_hears_of_the_end
kill -TERM $daemon
wait $daemon
status=$?
wait $manager
exits_with 0 && grep -qx STOPPING=1 "$TMP/heard" && [[ $(tail -n 1 "$TMP/out" | jq -r .schema) == itertrace.summary/1 ]] &&
	ok || not_ok

claim the_command_line_comes_before_the_configuration
configure "[run]" "tracers = exec runq" "interval = 10s" "json = yes" "no-calibrate = yes"
run timeout 20 "$ITERTRACE" run --config "$CONF" --interval 200ms --duration 500ms syscall
exits_with 0 && (($(wc -l <"$TMP/stdout") >= 3)) && head -n 1 "$TMP/stdout" >"$TMP/out" && on syscall && ok || not_ok

claim a_reload_without_a_configuration_changes_nothing
rm "$TMP/out"
"$ITERTRACE" run --no-calibrate --json --interval 200ms exec >"$TMP/out" 2>"$TMP/err" &
daemon=$!
await 10 test -s "$TMP/out" && kill -HUP $daemon &&
	await 10 grep -q "there is no configuration to read again" "$TMP/err" && on exec && ok || not_ok
kill -INT $daemon
wait $daemon

claim messages_to_the_journal_have_their_level
(exec 2>"$TMP/journal"; JOURNAL_STREAM=$(stat -Lc %d:%i /proc/self/fd/2) exec "$ITERTRACE" nosuch)
grep -qE "^<3>there is no command 'nosuch'" "$TMP/journal" && ok || not_ok

claim other_messages_do_not
run env JOURNAL_STREAM=1:1 "$ITERTRACE" nosuch
refused 2 "^itertrace: there is no command" && ok || not_ok

finish
