# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=dash
#
# For packaging/kernel/selftests: what the kernel's own tests say of this kernel, a line
# "# test NAME RESULT" each. They are compared by the host; here they only come to an end.
. /guest/lib.sh

check() { # program with-name-and-result-in-groups [argument...]
	claim "$1_comes_to_its_end"
	command_line=
	pattern=$2
	program=$1
	shift 2
	"./$program" "$@" 2>&1 | tee $work/stdout |
		sed -E "s@^$pattern.*@# test $program \\1 \\2@; t; s/^/# log /"
	grep -q '^Summary: ' $work/stdout && ok || not_ok
}

check_bench() { # benchmark
	claim "bench_$1_counts_trips"
	run ./bench --warmup=1 --duration=2 "$1"
	exits_with 0 && grep -q '^Summary: .*[1-9]' $work/stdout && ok || not_ok
}

mount -t tracefs tracefs /sys/kernel/tracing
mount -t bpf bpf /sys/fs/bpf
ip link set lo up
cd /selftests || exit

check_bench bpf-loop
check_bench bpf-for
check test_progs '#[0-9/]+ +(.*):(OK|FAIL|SKIP)' -d "$(cat denied)"
check test_verifier '#[0-9]+(/[pu] .*) (OK|FAIL|SKIP)'
exit 0
