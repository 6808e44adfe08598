# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=dash
#
# For packaging/kernel/check: what a kernel does with numeric iterators, in named
# cases and in random programs that are run by a model, too. A line "# battery …" is
# the same on every kernel that does the same.
. /guest/lib.sh

run_limit=900

is_ours() { [ "$guest_kernel" != "${guest_kernel%-itertrace}" ]; }

check_battery() { # condition word-for-the-host command...
	condition=$1 word=$2
	shift 2
	claim "$condition: the_battery_does_what_the_model_does"
	run "$@"
	exits_with 0 && ok || not_ok
	sed "s/^# /note: /; t; s/^/# $word /" $work/stdout
}

# Of the last battery's random programs, or of those with long jumps.
sums() { # claim programs extended-regexp
	claim "$condition: $1"
	grep -qE "^# $2: $3" $work/stdout && ok || not_ok
}

none_is_refused() { sums no_program_is_refused "random programs" "0 refused, [1-9][0-9]* runs"; }
none_is_called() { sums no_function_of_the_iterator_is_called "random programs" ".* 0 kfunc calls left"; }

set_to() { # file value
	claim "$1 can be set to $2"
	command_line=
	echo "$2" >"$1" && grep -qx "$2" "$1" && ok || not_ok
}

check_probe() {
	probe_states
	for expected in bpf_iter_num_new:inlined bpf_iter_num_new_const:folded \
			bpf_iter_num_next:inlined bpf_iter_num_destroy:inlined; do
		claim "probe_says_that_${expected%:*}_is_${expected#*:}"
		equal "its state" "$(awk -v name="${expected%:*}" '$1 == name { print $2 }' $work/states)" \
			"${expected#*:}" && ok || not_ok
	done
}

# 6.12: "function calls are not allowed while holding a lock"
refused=
case $guest_kernel in 6.12 | 6.12-itertrace) refused=under_a_spin_lock ;; esac

# shellcheck disable=SC2086
cases $refused
check_battery "JIT on" battery battery --programs=300 --runs=10 --limits=20
none_is_refused
if is_ours; then
	none_is_called
	check_probe
	selftest "/guest/${guest_kernel%-itertrace}.bpf.o"

	check_battery "BPF_F_TEST_RND_HI32" randomized battery --rnd-hi32 --programs=100 --runs=10 --limits=0
	none_is_refused
	none_is_called

	set_to /proc/sys/net/core/bpf_jit_harden 2
	check_battery "bpf_jit_harden=2" hardened battery --programs=100 --runs=10 --limits=0
	none_is_refused
	set_to /proc/sys/net/core/bpf_jit_harden 0

	set_to /proc/sys/net/core/bpf_jit_enable 0
	check_battery "JIT off" interpreted battery --programs=100 --runs=10 --limits=4
	none_is_refused
	none_is_called
	sums a_program_that_keeps_a_call_is_refused "long jumps" "[1-9][0-9]* refused, .* 0 kfunc calls left"
	# "callbacks are not allowed in non-JITed programs", with an iterator or without
	# shellcheck disable=SC2086
	cases in_a_callback $refused
	set_to /proc/sys/net/core/bpf_jit_enable 1
fi

# A program must not read what is not stored yet, and the verifier follows branches that
# are not taken, either. 6.12 takes what it finds on these for the program's errors. The
# programs are some that do not keep it busy for minutes.
for seed in 11 24 41; do
	check_battery "no CAP_PERFMON, $seed" restricted /bin/setpriv --bounding-set -perfmon,-sys_admin \
		battery --seed=$seed --programs=6 --runs=20 --limits=0
	case $guest_kernel in
	6.12 | 6.12-itertrace) sums every_program_is_refused "random programs" "6 refused" ;;
	*) sums there_are_barriers_against_speculation "random programs" \
		".* [1-9][0-9]* runs, .* [1-9][0-9]* barriers" ;;
	esac
done
exit 0
