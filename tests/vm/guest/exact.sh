# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=dash
#
# What an iteration costs, exactly: the emulator's clock goes on by a nanosecond with
# each instruction, so that ns a trip are instructions a trip, on any machine the
# same. A loop whose bound the verifier has to see makes its trips in batches, see
# bpf/bench.h; what a batch costs once are the decimals.
#
# boot: SMP=1 QEMU_ARGS='-icount shift=0,sleep=off'
. /guest/lib.sh

WORKLOADS="bpf_for bpf_for_const bpf_repeat bpf_loop bpf_loop_indirect can_loop bounded floor
	shape_7.3 glob-arr-inc arr-inc hash-inc smp-id"
# A run of 1000 trips, the shortest, is timed by a clock of whole nanoseconds.
WITHIN=0.0025

# A line a workload: its name and the instructions of a trip, or the state of what it lacks.
count_instructions() { # file
	# shellcheck disable=SC2086
	run itertrace bench --quick --json $WORKLOADS
	jq -r '.results[] | "\(.name) \(.ns_per_iter.median as $i |
		if $i then $i * 1000 | round / 1000 else .state end)"' $work/stdout >"$1"
}

# Lines of two files that differ: "NAME IN-FIRST IN-SECOND".
differences() { # first second
	awk -v within=$WITHIN '
	FILENAME == ARGV[1] { first[$1] = $2; next }
	{
		was = $1 in first ? first[$1] : "none"
		delete first[$1]
		if (was + 0 && $2 + 0 ? was - $2 > within || $2 - was > within : was != $2)
			print $1, was, $2
	}
	END { for (name in first) print name, first[name], "none" }' "$1" "$2"
}

check_counts() {
	claim bench_counts_the_instructions_of_every_workload
	count_instructions $work/again
	count_instructions $work/exact
	exits_with 0 && equal "the number of rows" "$(grep -c . $work/exact)" "$(echo $WORKLOADS | wc -w)" &&
		ok || not_ok
	command_line=

	claim two_runs_count_the_same
	differences $work/again $work/exact >$work/different
	if [ -s $work/exact ] && [ ! -s $work/different ]; then
		sed 's/^/# exact /' $work/exact
		ok
	else
		not_ok
		sed 's/^/workload, first run, second run: /' $work/different
	fi
}

check_record() {
	awk -v k="$guest_kernel" '$1 == k { print $2, $3 }' /guest/exact >$work/recorded
	differences $work/recorded $work/exact >$work/different
	for name in $(cut -d ' ' -f 1 $work/recorded $work/exact | sort -u); do
		claim "a_trip_of_${name}_executes_the_recorded_instructions"
		awk -v name="$name" '$1 == name {
			print name ": recorded " $2 ", found " $3 }' $work/different >$work/changed
		[ ! -s $work/changed ] && ok || { not_ok; cat $work/changed; }
	done
}

# What is counted must be in the code; where that calls the kernel's functions, it is
# more. Of bpf_loop_indirect only the callback is the program's.
check_code() {
	claim the_jited_code_has_the_instructions_that_are_counted
	jq -r '.results[] | select(.ns_per_iter and .name != "bpf_loop_indirect") |
		(.ns_per_iter.median | round) as $counted |
		(.code | if .insns then .insns + .callee_insns else null end) as $read |
		select(($read | not) or
			if .code.calls > 0 and .code.callee_insns == 0 then $counted <= $read
			else $counted != $read end) |
		"\(.name): \($counted) counted, \($read) read"' $work/stdout >$work/different
	[ -s $work/exact ] && [ ! -s $work/different ] && ok || { not_ok; cat $work/different; }

	[ "$(recorded_state bpf_iter_num_next)" = inlined ] || return
	claim an_inlined_bpf_for_executes_what_its_shape_by_hand_does
	equal "the instructions of bpf_for" "$(whole bpf_for)" "$(whole shape_7.3)" && ok || not_ok
}

whole() { awk -v name="$1" '$1 == name { printf "%.0f\n", $2 }' $work/exact; }

wait_for_the_clock
check_counts
check_record
check_code
exit 0
