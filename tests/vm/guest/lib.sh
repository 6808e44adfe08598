# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=dash
#
# For the guests, in busybox's shell. Claims as tests/run reads them; a line that
# begins with "# " is for the host, see tests/vm/boot.
set -u

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
	head -n 5 /tmp/stdout | cut -c 1-500 | sed 's/^/stdout: /'
	head -n 20 /tmp/stderr | cut -c 1-500 | sed 's/^/stderr: /'
}

# Sets status; what was printed is in /tmp/stdout and /tmp/stderr.
run() {
	command_line="$*"
	timeout 60 "$@" >/tmp/stdout 2>/tmp/stderr </dev/null
	status=$?
}

# --- checks: they say what is wrong -------------------------------------------

exits_with() {
	[ "$status" = "$1" ] || { echo "exit status $status instead of $1"; return 1; }
}

says() { # extended-regexp: on stderr
	grep -qE -- "$1" /tmp/stderr || { echo "stderr has no /$1/"; return 1; }
}

equal() { # what is should
	[ "$2" = "$3" ] || { echo "$1 is '$2', not '$3'"; return 1; }
}

# Something is true of the summary, the last line of a run's JSON.
in_summary() { # jq-filter
	tail -n 1 "${snapshots:-/tmp/stdout}" >/tmp/summary
	[ "$(jq -c "$1" /tmp/summary)" = true ] || { echo "not so in the summary: $1"; return 1; }
}

# --- states of constructs -----------------------------------------------------

# /tmp/states: a line a construct, "NAME STATE INSNS REASON".
probe_states() { # [COMMAND-THAT-RUNS-IT...]
	run "$@" itertrace probe --json
	jq -r '.features[] | "\(.name) \(.state) \(.insns // "-") \(.reason // "-")"' \
		/tmp/stdout >/tmp/states
}

recorded_states() { awk -v k="$guest_kernel" '$1 == k { print $2, $3 }' /guest/states; }

# The state that is recorded for a construct of this kernel.
recorded_state() { # name
	recorded_states | awk -v name="$1" '$1 == name { print $2 }'
}

# Each is the recorded one, or unknown with a reason, or refused for the want of a
# capability that is named.
states_are_recorded_or_unknown() {
	[ -s /tmp/states ] || { echo "no states"; return 1; }
	while read -r name state insns reason; do
		case "$state $reason" in
		"unknown -") echo "$name is unknown, and no reason is given"; return 1 ;;
		unknown\ * | refused*"this needs CAP_"*) ;;
		*) equal "$name" "$state" "$(recorded_state "$name")" || return 1 ;;
		esac
	done </tmp/states
}
