# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=dash
#
# A kernel as its distributor made it, and root: every construct's state, every
# program's cost to the verifier, and exact counts of a known workload on every
# backend of the loops.
. /guest/lib.sh

check_states() {
	probe_states
	sed 's/^/# state /' $work/states
	awk '{ print $1, $2 }' $work/states >$work/states.is
	recorded_states >$work/states.should

	claim probe_gives_the_recorded_states
	exits_with 0 && [ -s $work/states ] && cmp -s $work/states.is $work/states.should && ok || {
		not_ok
		echo "recorded (-) and found (+):"
		diff -U 0 $work/states.should $work/states.is | grep '^[-+][^-+]'
	}

	claim every_state_but_inlined_and_folded_has_its_reason
	awk '$2 !~ /^(inlined|folded)$/ && $4 == "-"' $work/states >$work/bare
	[ -s $work/states ] && [ ! -s $work/bare ] && ok || { not_ok; cat $work/bare; }
}

# At its usual rate it starves an emulated CPU.
check_run() {
	claim run_traces_a_mixed_workload_for_its_duration
	mixed --execs-per-second 4 2>/tmp/mixed.err &
	workload=$!
	run itertrace run --duration 3 --interval 1 --json
	kill $workload
	wait $workload 2>/dev/null
	judge '$summary | {
		lasts: (.schema == "itertrace.summary/1" and
			.interval_ns >= 3e9 and .interval_ns < 20e9),
		all_on: ((.tracers | length) >= 3 and
			all(.tracers[]; .state == "on" and .reason == null)),
		sees_events: all(.tracers[]; .events > 0),
		enters_sites: all(.sites[]; .entries > 0 and .trips > 0),
		loses_nothing: all(.tracers[].lost | del(.recursion)[]; . == 0),
		loops: .loops }'
	exits_with 0 && holds lasts && ok || not_ok

	claim every_tracer_is_on
	holds all_on && ok || not_ok

	claim every_tracer_has_events_and_every_site_is_entered
	holds sees_events && holds enters_sites && ok || not_ok

	claim nothing_is_lost_but_by_recursion
	holds loses_nothing && ok || not_ok

	claim the_loops_run_on_what_this_kernel_has
	if has bpf_iter_num_next; then
		equal loops "$(value loops)" bpf_for &&
			says 'loops run on bpf_for, which this kernel has' && ok || not_ok
	else
		equal loops "$(value loops)" bounded &&
			says 'loops run on bounded, because bpf_for is unsupported here: .*bpf_iter_num' &&
			ok || not_ok
	fi
}

check_backend() { # backend
	claim "$1_counts_twenty_execs_and_their_pieces_exactly"
	counts_exactly "$1" --loops "$1" && ok || not_ok
	echo "$1 $(value sites)" >>/tmp/counts
}

check_lack() { # backend
	claim "run_says_that_there_is_no_$1"
	run itertrace run --duration 1 --no-calibrate --loops "$1"
	exits_with 4 && says "this kernel has no $1 loops: " &&
		equal "the number of lines on stderr" "$(grep -c . $work/stderr)" 1 && ok || not_ok
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

# The record is of the kernel by its name in the table, whatever its point release.
check_verifier() {
	local record=/tests/verifier/instructions

	sed "s/^$guest_kernel /$(uname -r) /" /guest/instructions >$record
	UPDATE=${guest_update-} test_verifier
	[ "${guest_update-}" ] || return
	sed -n "s/^$(uname -r) /# insns $guest_kernel /p" $record
}

mount -t cgroup2 cgroup2 /sys/fs/cgroup
check_states
check_run
check_backends
check_verifier
check_shapes
exit 0
