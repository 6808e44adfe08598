# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=dash
#
# For tests/vm/compare: recordings of a benchmark, and of a run beside a small workload, in
# lines "# recording NAME BASE64". A nanosecond is an instruction, see exact.sh.
#
# boot: SMP=1 QEMU_ARGS='-icount shift=0,sleep=off'
. /guest/lib.sh

WORKLOADS="bpf_for bpf_for_const bpf_repeat bpf_loop can_loop shape_7.3"

record() { # name command...
	local name=$1

	shift
	claim "$name is recorded"
	run "$@" --record "$work/$name.itr"
	exits_with 0 && [ -s "$work/$name.itr" ] && ok || not_ok
	base64 "$work/$name.itr" | sed "s/^/# recording $name /"
}

# Programs with 1 to 32 pieces of arguments, so that trips vary.
workload() {
	local argument

	while :; do
		argument=0123456789abcdef0123456789abcdef
		for _ in 1 2 3 4 5 6; do
			argument=$argument$argument
			busybox true $argument
			sleep 0.05
		done
	done
}

mount -t cgroup2 cgroup2 /sys/fs/cgroup
wait_for_the_clock
# One makes too few values for so many rows.
for n in 1 2; do
	# shellcheck disable=SC2086
	record bench-$n itertrace bench --quick $WORKLOADS
done
workload &
workload=$!
record run itertrace run --duration 10 --interval 500ms
kill $workload
exit 0
