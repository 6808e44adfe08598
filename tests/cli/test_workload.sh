#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# tests/workload/mixed does what the tests and "make run" count on.
. tests/cli/lib.sh

CGROUPS=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/self/mounts)

cgroups_of() { # pid
	ls -d "$CGROUPS/itertrace-mixed-$1" 2>/dev/null
}

# Clock ticks of CPU that a process and its waited-for children have used.
ticks_of() {
	local stat

	stat=$(<"/proc/$1/stat")
	stat=${stat##*) }
	# shellcheck disable=SC2086
	set -- $stat
	echo $((${12} + ${13} + ${14} + ${15}))
}

started() { # programs started since boot
	awk '$1 == "processes" { print $2 }' /proc/stat
}

# Ends within five seconds? Sets status.
ends() {
	local tries

	for ((tries = 0; tries < 50; tries++)); do
		if ! kill -0 "$1" 2>/dev/null; then
			wait "$1" 2>/dev/null
			status=$?
			return 0
		fi
		sleep 0.1
	done
	kill -KILL "$1"
	echo "still there five seconds later"
	return 1
}

"$MIXED" &
pid=$!
forks=$(started)
sleep 3
ticks=$(ticks_of $pid)
forks=$(($(started) - forks))

claim it_uses_about_a_fifth_of_a_cpu
hz=$(getconf CLK_TCK)
((ticks > 3 * hz * 5 / 100 && ticks < 3 * hz * 40 / 100)) && ok ||
	{ echo "$ticks of $((3 * hz)) ticks"; not_ok; }

claim it_starts_programs
((forks > 150)) && ok || { echo "$forks in 3 s"; not_ok; }

claim its_cgroups_are_five_deep
if [[ -z $CGROUPS || ! -w $CGROUPS ]]; then
	skip "no cgroup v2 hierarchy that can be written"
else
	[[ -d $CGROUPS/itertrace-mixed-$pid/level-2/level-3/level-4/level-5 ]] && ok || not_ok
fi

claim SIGTERM_ends_it_and_removes_its_cgroups
kill -TERM $pid
ends $pid && exits_with 0 && [[ -z $(cgroups_of $pid) ]] && ok || not_ok

claim SIGINT_ends_it_and_removes_its_cgroups
env --default-signal=INT "$MIXED" &
pid=$!
sleep 0.5
kill -INT $pid
ends $pid && exits_with 0 && [[ -z $(cgroups_of $pid) ]] && ok || not_ok

claim it_dies_with_its_parent_and_removes_its_cgroups
bash -c '"$1" & echo $! >"$2"; exec sleep 60' - "$MIXED" "$TMP/pid" &
parent=$!
sleep 0.7
pid=$(<"$TMP/pid")
kill -KILL $parent
wait $parent 2>/dev/null
ends "$pid" && [[ -z $(cgroups_of "$pid") ]] && ok || not_ok

for bad in -1 abc "" 1e9; do
	claim "execs_per_second_refuses '$bad'"
	run "$MIXED" --execs-per-second "$bad"
	exits_with 2 && prints stderr execs-per-second && ok || not_ok
done

finish
