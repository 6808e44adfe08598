# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=dash
#
# For the guests, in busybox's shell. Claims as tests/run reads them; a line that
# begins with "# " is for the host, see tests/vm/boot. Programs start slowly here:
# jq takes half a second.
set -u

work=/tmp # what was printed and found out
command_line=
claim() {
	claim_text=$*
	echo "# at $(cut -d ' ' -f 1 /proc/uptime) s: $claim_text"
}
ok() { echo "ok - $claim_text"; }
skip() { echo "skip - $claim_text: $*"; }
not_ok() {
	echo "not ok - $claim_text"
	[ "$command_line" ] || return 0
	echo "command: $command_line (exit status $status)"
	head -n 5 $work/stdout | cut -c 1-500 | sed 's/^/stdout: /'
	head -n 20 $work/stderr | cut -c 1-500 | sed 's/^/stderr: /'
}

# Sets status; what was printed is in stdout and stderr. Within run_limit seconds.
run() {
	command_line="$*"
	timeout "${run_limit:-100}" "$@" >$work/stdout 2>$work/stderr </dev/null
	status=$?
}

# What checks something, beside what follows it; its claims come when it is joined.
aside() { # function [argument...]
	mkdir -p /tmp/aside
	(
		work=/tmp/aside
		"$@"
	) >/tmp/aside.claims 2>&1 &
	aside=$!
}
join_aside() {
	wait $aside
	cat /tmp/aside.claims
}

# --- checks: they say what is wrong -------------------------------------------

exits_with() {
	[ "$status" = "$1" ] || { echo "exit status $status instead of $1"; return 1; }
}

says() { # extended-regexp: on stderr
	grep -qE -- "$1" $work/stderr || { echo "stderr has no /$1/"; return 1; }
}

equal() { # what is should
	[ "$2" = "$3" ] || { echo "$1 is '$2', not '$3'"; return 1; }
}

# The values of an object that jq makes of a run's snapshots, an array, and its summary.
judge() { # jq-filter
	jq -sr ".[-1] as \$summary | .[:-1] as \$snapshots | $1 |
		to_entries[] | \"\\(.key) \\(.value)\"" $work/stdout >$work/values
}

holds() { # name: that value is true
	equal "$1" "$(value "$1")" true
}

value() { # name
	sed -n "s/^$1 //p" $work/values
}

# x86: until it has been compared with another clock, this one does not count exactly.
wait_for_the_clock() {
	while [ "$(cat /sys/devices/system/clocksource/clocksource0/current_clocksource)" = tsc-early ]; do
		sleep 0.1
	done
}

# --- states of constructs -----------------------------------------------------

# In states: a line a construct, "NAME STATE INSNS REASON".
probe_states() { # [COMMAND-THAT-RUNS-IT...]
	run "$@" itertrace probe --json
	jq -r '.features[] | "\(.name) \(.state) \(.insns // "-") \(.reason // "-")"' \
		$work/stdout >$work/states
}

recorded_states() { awk -v k="$guest_kernel" '$1 == k { print $2, $3 }' /guest/states; }

# The state that is recorded for a construct of this kernel.
recorded_state() { recorded_states | awk -v name="$1" '$1 == name { print $2 }'; } # name

has() { # construct: this kernel does
	recorded_states | grep -qE "^$1 (inlined|folded|partial|call)\$"
}

# Each is the recorded one, or unknown with a reason, or refused for the want of a
# capability that is named, or has a reason that is expected here.
states_are_recorded_or_unknown() { # [extended-regexp]
	recorded_states | awk -v expected="${1-}" '
	NR == FNR { recorded[$1] = $2; next }
	{
		reason = $0
		sub(/^[^ ]+ [^ ]+ [^ ]+ /, "", reason)
		if (expected != "" && reason ~ expected || $2 == "unknown" && reason != "-" ||
		    $2 == "refused" && reason ~ /this needs CAP_/ || $2 == recorded[$1])
			next
		print $1 " is " $2 ", not " recorded[$1] ": " reason
		bad = 1
	}
	END { exit bad || !FNR }' - $work/states
}

# --- counts -------------------------------------------------------------------

# Twenty execs, counted by exec alone. Of exits there may be more: a thread of the
# kernel may end, too. In values: what each site had.
counts_exactly() { # backend [OPTION...]
	local backend=$1 wanted_execs=-1 wanted_argv_trips=-1 expected

	shift
	rm -f $work/snapshots
	run execs $work/snapshots itertrace run --json --interval 200ms --duration 60 \
		--no-calibrate "$@" exec
	expected=$(sed 's/^execs/wanted_execs/; s/ argv/ wanted_argv/g' $work/stdout)
	eval "$expected"
	mv $work/snapshots $work/stdout
	judge "{ backend: \$summary.loops,
		lost: \$summary.tracers[0].lost | (.recursion + .ring_full + .read_fault),
		execs: \$summary.exec.execs,
		more_exits: (\$summary.exec.exits >= $wanted_execs),
		ended: [\$snapshots[].exec.processes[] |
			select(.comm == \"true\" and .exit_code == 0)] | length,
		argv: \$summary.sites[] | select(.site == \"exec.argv\") | [.entries, .trips],
		sites: [\$summary.sites[] | [.site, .entries, .trips, .max_trips]] }"
	exits_with 0 && equal "the backend" "$(value backend)" "$backend" &&
		equal "what is lost" "$(value lost)" 0 &&
		equal "the number of execs" "$(value execs)" "$wanted_execs" &&
		equal "the number of them that ended" "$(value ended)" "$wanted_execs" &&
		holds more_exits &&
		equal "[entries,trips] of exec.argv" "$(value argv)" "[$wanted_execs,$wanted_argv_trips]"
}
