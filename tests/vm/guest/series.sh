# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=dash
#
# For packaging/kernel/check: what a kernel does with numeric iterators, in named
# cases and in random programs that are run by a model, too. A line "# battery …" is
# the same on every kernel that does the same.
. /guest/lib.sh

run_limit=400

is_ours() { [ "$guest_kernel" != "${guest_kernel%-itertrace}" ]; }

check_battery() { # condition word-for-the-host argument...
	claim "$1: the_battery_does_what_the_model_does"
	word=$2
	shift 2
	run battery "$@"
	exits_with 0 && grep -q '^# random programs: 0 refused, [1-9]' $work/stdout && ok || not_ok
	sed "s/^# /note: /; t; s/^/# $word /" $work/stdout
}

check_that_none_is_called() { # condition
	claim "$1: no_function_of_the_iterator_is_called"
	grep -q '^# random programs: .* 0 kfunc calls left$' $work/stdout && ok || not_ok
}

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
check_battery "JIT on" battery --programs=300 --runs=10 --limits=20
if is_ours; then
	check_that_none_is_called "JIT on"
	check_probe
	selftest "/guest/${guest_kernel%-itertrace}.bpf.o"

	set_to /proc/sys/net/core/bpf_jit_harden 2
	check_battery "bpf_jit_harden=2" hardened --programs=100 --runs=10 --limits=4
	set_to /proc/sys/net/core/bpf_jit_harden 0

	set_to /proc/sys/net/core/bpf_jit_enable 0
	check_battery "JIT off" interpreted --programs=100 --runs=10 --limits=0
	check_that_none_is_called "JIT off"
	# "callbacks are not allowed in non-JITed programs"
	# shellcheck disable=SC2086
	cases in_a_callback $refused
fi
exit 0
