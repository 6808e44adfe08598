# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=dash
#
# A kernel as its distributor made it, and root: every construct's state, every
# program's cost to the verifier, and exact counts of a known workload on every
# backend of the loops.
. /guest/lib.sh

check_states() {
	probe_states
	sed 's/^/# state /' /tmp/states
	awk '{ print $1, $2 }' /tmp/states >/tmp/states.is
	recorded_states >/tmp/states.should

	claim probe_gives_the_recorded_states
	exits_with 0 && [ -s /tmp/states ] && cmp -s /tmp/states.is /tmp/states.should && ok || {
		not_ok
		echo "recorded (-) and found (+):"
		diff -U 0 /tmp/states.should /tmp/states.is | grep '^[-+][^-+]'
	}

	claim every_state_but_inlined_and_folded_has_its_reason
	awk '$2 !~ /^(inlined|folded)$/ && $4 == "-"' /tmp/states >/tmp/bare
	[ -s /tmp/states ] && [ ! -s /tmp/bare ] && ok || { not_ok; cat /tmp/bare; }
}

# The record is of the kernel by its name in the table, whatever its point release.
check_verifier() {
	local record=/tests/verifier/instructions

	sed "s/^$guest_kernel /$(uname -r) /" /guest/instructions >$record
	UPDATE=${guest_update-} test_verifier
	[ "${guest_update-}" ] || return
	sed -n "s/^$(uname -r) /# insns $guest_kernel /p" $record
}

# At its usual rate it starves an emulated CPU.
check_run() {
	claim run_traces_a_mixed_workload_for_its_duration
	mixed --execs-per-second 10 2>/tmp/mixed.err &
	workload=$!
	run itertrace run --duration 5 --interval 1 --json
	kill $workload
	wait $workload 2>/dev/null
	exits_with 0 && in_summary '.schema == "itertrace.summary/1" and
		.interval_ns >= 5e9 and .interval_ns < 20e9' && ok || not_ok

	claim every_tracer_is_on
	in_summary '(.tracers | length) >= 3 and all(.tracers[]; .state == "on" and .reason == null)' &&
		ok || not_ok

	claim every_tracer_has_events_and_every_site_is_entered
	in_summary 'all(.tracers[]; .events > 0) and all(.sites[]; .entries > 0 and .trips > 0)' &&
		ok || not_ok

	claim nothing_is_lost_but_by_recursion
	in_summary 'all(.tracers[].lost | del(.recursion)[]; . == 0)' && ok || not_ok

	claim the_loops_run_on_what_this_kernel_has
	if has bpf_iter_num_next; then
		in_summary '.loops == "bpf_for"' && says 'loops run on bpf_for, which this kernel has' &&
			ok || not_ok
	else
		in_summary '.loops == "bounded"' &&
			says 'loops run on bounded, because bpf_for is unsupported here: .*bpf_iter_num' &&
			ok || not_ok
	fi
}

has() { # construct
	case $(recorded_state "$1") in
	unsupported | refused | "") return 1 ;;
	esac
}

# Twenty execs, counted, on one backend of the loops. Of exits there may be more:
# a kernel's thread may end, too.
check_backend() { # backend
	claim "$1_counts_twenty_execs_and_their_pieces_exactly"
	snapshots=/tmp/snapshots wanted_execs=-1 wanted_argv_trips=-1
	run execs $snapshots itertrace run --json --interval 200ms \
		--duration 60 --no-calibrate --loops "$1" exec
	sed 's/^execs/wanted_execs/; s/ argv/ wanted_argv/g' /tmp/stdout >/tmp/wanted
	. /tmp/wanted
	exits_with 0 && in_summary ".loops == \"$1\" and
		(.tracers[0].lost | .recursion + .ring_full + .read_fault) == 0 and
		.exec.execs == $wanted_execs and .exec.exits >= $wanted_execs and
		(.sites[] | select(.site == \"exec.argv\") |
			.entries == $wanted_execs and .trips == $wanted_argv_trips)" && ok || not_ok
	echo "$1 $(jq -c '[.sites[] | [.site, .entries, .trips, .max_trips]]' /tmp/summary)" >>/tmp/counts
	snapshots=
}

check_lack() { # backend
	claim "run_says_that_there_is_no_$1"
	run itertrace run --duration 1 --no-calibrate --loops "$1"
	exits_with 4 && says "this kernel has no $1 loops: " &&
		equal "the number of lines on stderr" "$(grep -c . /tmp/stderr)" 1 && ok || not_ok
}

check_backends() {
	: >/tmp/counts
	check_backend bounded
	for pair in bpf_for:bpf_iter_num_next bpf_loop:bpf_loop can_loop:may_goto; do
		if has "${pair#*:}"; then
			check_backend "${pair%:*}"
		else
			check_lack "${pair%:*}"
		fi
	done
	claim "every_backend_counts_the_same"
	command_line=
	[ "$(grep -c . /tmp/counts)" -ge 2 ] && equal "the number of different counts" "$(cut -d ' ' -f 2- /tmp/counts | sort -u | grep -c .)" 1 &&
		ok || { not_ok; cat /tmp/counts; }
}

# What bench measures as "shape_7.3" is what such a kernel emits.
check_shapes() {
	[ "$(recorded_state bpf_iter_num_next)" != inlined ] || test_shapes
}

check_states
check_run
check_backends
check_verifier
check_shapes
exit 0
