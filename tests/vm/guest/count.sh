# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=dash
#
# For packaging/kernel/check: the instructions of a trip, exactly, see exact.sh. The
# lines "# count NAME INSTRUCTIONS" are compared by the host.
#
# boot: SMP=1 QEMU_ARGS='-icount shift=0,sleep=off'
. /guest/lib.sh

run_limit=900
WORKLOADS="bpf_for bpf_for_const bpf_repeat bpf_loop shape_7.3 shape_itertrace"

wait_for_the_clock

claim loops_alike_are_counted
run count
exits_with 0 && equal "the number of loops" "$(grep -c . $work/stdout)" 2 && ok || not_ok
sed 's/^/# count /' $work/stdout

claim the_workloads_of_bench_are_counted
# shellcheck disable=SC2086
run itertrace bench --quick --json $WORKLOADS
jq -r '.results[] | "\(.name) \(.ns_per_iter.median // .state)"' $work/stdout >$work/counts
exits_with 0 && equal "the number of workloads" "$(grep -c . $work/counts)" "$(echo $WORKLOADS | wc -w)" &&
	ok || not_ok
sed 's/^/# count bench:/' $work/counts
exit 0
