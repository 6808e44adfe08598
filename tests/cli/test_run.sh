#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# itertrace run: bad values, its lines of JSON, and how it ends.
. tests/cli/lib.sh

refuses() { # name-of-claim regexp ARGUMENT...
	local name=$1 pattern=$2

	shift 2
	claim "$name"
	run timeout -s KILL 20 "$ITERTRACE" run "$@"
	refused 2 "$pattern" && ok || not_ok
}

for option in --interval --duration; do
	for bad in 0 0s -1 -1s 1e9 abc "" " 1" "1 " 1.5x 10ss 99999999999999999999 \
		   18446744073709551615d; do
		refuses "run_refuses $option '$bad'" "${option#--}" "$option" "$bad"
		refuses "run_refuses $option='$bad'" "${option#--}" "$option=$bad"
	done
done
for bad in 0 -1 abc 1G 99999999999999999999; do
	refuses "run_refuses --argv-max '$bad'" argv-max --argv-max "$bad"
done
for bad in "" nosuch BPF_FOR bpf_for,bpf_loop; do
	refuses "run_refuses --loops '$bad'" "loops" --loops "$bad"
done
refuses unknown_tracer_is_named nosuchtracer nosuchtracer
refuses unknown_tracer_after_a_known_one_is_named nosuchtracer exec nosuchtracer
refuses empty_tracer_is_refused "tracer" ""

claim list_tracers_lists_them
run "$ITERTRACE" run --list-tracers
exits_with 0 && prints_nothing stderr && prints stdout '^ *exec ' && prints stdout '^ *runq ' &&
	prints stdout '^ *syscall ' && ok || not_ok

if ! may_load; then
	claim run_traces
	skip "$NEEDS_ROOT"
	finish
fi

"$MIXED" &
workload=$!
trap 'kill $workload; wait $workload; rm -rf "$TMP"; [[ $finished ]] || exit 1' EXIT

claim every_line_of_json_fits_the_schema
run timeout -s KILL 60 "$ITERTRACE" run --json --duration 3 --interval 1
cp "$TMP/stdout" "$TMP/snapshots"
exits_with 0 && matches_schema "$TMP/snapshots" snapshot.json && ok || not_ok

# And a line for the summary; the last interval may be cut short.
claim three_seconds_are_three_intervals
lines=$(wc -l <"$TMP/snapshots")
((lines >= 3 && lines <= 5)) && ok || { echo "$lines lines"; not_ok; }

snapshots() { # python expression over the list of documents s
	"$PYTHON" -c 'import json, sys; s = [json.loads(l) for l in open(sys.argv[1])]; print(eval(sys.argv[2]))' \
		"$TMP/snapshots" "$1"
}

claim the_last_line_and_only_it_is_the_summary
[[ $(snapshots '[d["schema"].split(".")[1] for d in s] == ["snapshot/1"] * (len(s) - 1) + ["summary/1"]') == True ]] &&
	ok || not_ok

claim the_summary_adds_the_intervals_up
[[ $(snapshots 'all(sum(x["entries"] for d in s[:-1] for x in d["sites"] if x["site"] == y["site"]) <= y["entries"]
	for y in s[-1]["sites"])') == True ]] && ok || not_ok

claim time_does_not_go_backward
[[ $(snapshots 'all(a["time_ns"] <= b["time_ns"] for a, b in zip(s, s[1:]))') == True ]] && ok || not_ok

claim no_bound_lies_outside_its_interval
[[ $(snapshots 'all(x["ns_per_trip"] is None or x["ns_per_trip_lo"] <= x["ns_per_trip"] <= x["ns_per_trip_hi"]
	for d in s for x in d["sites"])') == True ]] && ok || not_ok

claim no_site_is_timed_more_often_than_entered
[[ $(snapshots 'all(x["timed"] <= x["entries"] for d in s for x in d["sites"])') == True ]] && ok || not_ok

claim a_tracer_that_is_on_has_its_object_and_an_off_one_its_reason
[[ $(snapshots 'all(t["name"] in d if t["state"] == "on" else t["reason"] for d in s for t in d["tracers"])') == True ]] &&
	ok || not_ok

claim exec_sees_the_workload
[[ $(snapshots 'any(t["events"] for d in s for t in d["tracers"] if t["name"] == "exec" and t["state"] == "on")') == True ]] &&
	ok || not_ok

claim named_tracers_are_the_only_ones_on
run timeout -s KILL 60 "$ITERTRACE" run --json --duration 1 --interval 1 --no-calibrate exec
cp "$TMP/stdout" "$TMP/snapshots"
exits_with 0 &&
	[[ $(snapshots '{t["name"] for d in s for t in d["tracers"] if t["state"] == "on"} == {"exec"}') == True ]] &&
	ok || not_ok

for backend in auto bpf_for bpf_loop can_loop bounded; do
	claim "loops_can_be $backend"
	run timeout -s KILL 60 "$ITERTRACE" run --json --duration 1 --interval 1 --no-calibrate --loops "$backend"
	if ((status == 4)); then	# a kernel may lack one; then it says which
		prints_nothing stdout && one_sentence && prints stderr "$backend" && ok || not_ok
	else
		exits_with 0 && matches_schema "$TMP/stdout" snapshot.json && ok || not_ok
	fi
done

claim table_and_summary_are_printed
run timeout -s KILL 60 "$ITERTRACE" run --duration 2 --interval 1 --no-calibrate
exits_with 0 && prints stdout exec && ok || not_ok

# Starts itertrace in the background and waits for its first line.
start() {
	local tries

	command_line="itertrace $*"
	: >"$TMP/stdout"
	env --default-signal=INT,HUP "$ITERTRACE" "$@" >"$TMP/stdout" 2>"$TMP/stderr" </dev/null &
	pid=$!
	for ((tries = 0; tries < 300; tries++)); do
		[[ -s $TMP/stdout ]] && return
		kill -0 "$pid" 2>/dev/null || return
		sleep 0.1
	done
}

# Sets status; -1 if it does not end within ten seconds.
await_end() {
	local tries

	for ((tries = 0; tries < 100; tries++)); do
		if ! kill -0 "$pid" 2>/dev/null; then
			wait "$pid"
			status=$?
			return
		fi
		sleep 0.1
	done
	kill -KILL "$pid"
	status=-1
}

for signal in INT TERM; do
	claim "SIG${signal}_ends_it_with_a_summary"
	start run --interval 1 --no-calibrate
	before=$(wc -l <"$TMP/stdout")
	kill -"$signal" "$pid"
	await_end
	after=$(wc -l <"$TMP/stdout")
	exits_with 0 && ((after > before)) && ok || not_ok
done

claim SIGHUP_does_not_end_it
start run --json --interval 1 --no-calibrate
kill -HUP "$pid"
sleep 1.5
if kill -0 "$pid" 2>/dev/null; then
	kill -TERM "$pid"
	await_end
	exits_with 0 && ok || not_ok
else
	wait "$pid"
	status=$?
	not_ok
fi

claim a_reader_that_goes_ends_it
piped() {
	{ timeout -s KILL 30 "$ITERTRACE" run --json --interval 1 --no-calibrate
	  echo $? >"$TMP/status"; } | head -n 1
	return "$(<"$TMP/status")"
}
run piped
exits_with 0 && ! prints stderr '[Bb]roken pipe|cannot' >/dev/null &&
	matches_schema "$TMP/stdout" snapshot.json && ok || not_ok

claim full_device_ends_it
full() { timeout -s KILL 30 "$ITERTRACE" run --json --interval 1 --no-calibrate >/dev/full; }
run full
exits_with 2 && prints stderr 'space|write' && ok || not_ok

finish
