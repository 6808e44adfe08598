# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=dash
# boot: SMP=4 APPEND=maxcpus=2
#
# What hardened and odd hosts do, one after the other; what cannot be undone comes
# last. In each: probe gives the recorded states, or "unknown" with a reason; run
# does what can be done, or says in one sentence why nothing can, with exit status 4.
. /guest/lib.sh

# CONDITION, and the COMMAND that brings a program into it.
check_probe() {
	claim "$1: probe_gives_the_recorded_states_or_unknown_with_a_reason"
	shift
	probe_states "$@"
	exits_with 0 && states_are_recorded_or_unknown && ok || not_ok
	note_states
}

note_states() {
	awk '{ $3 = ""; nr[$2]++; if (!($2 in why)) why[$2] = $0 }
	     END { for (s in nr) print s, nr[s], "e.g.", why[s] }' $work/states | cut -c 1-200 |
		sed 's/^/note: /'
}

note_stderr() { cut -c 1-300 $work/stderr | sed 's/^/note: /'; }

check_run() {
	claim "$1: run_traces_with_every_tracer"
	shift
	while :; do sleep 0.1; done & # something to see
	workload=$!
	run "$@" itertrace run --duration 300ms --json --no-calibrate
	kill $workload
	judge '$summary | {
		all_on: ((.tracers | length) >= 3 and all(.tracers[]; .state == "on")),
		sees_events: all(.tracers[]; .events > 0),
		reasons: [.tracers[].reason | values],
		cgroups: [.runq.cgroups[].cgroup] }'
	exits_with 0 && holds all_on && holds sees_events && ok || not_ok
	note_stderr
}

check_both() {
	aside check_probe "$@"
	check_run "$@"
	join_aside
}

says_only() { # extended-regexp: the last line on stderr, of as many as there may be
	exits_with 4 && [ ! -s $work/stdout ] && says "$1" &&
		equal "the number of lines on stderr" "$(grep -c . $work/stderr)" "${2-1}"
}

check_no_run() { # condition extended-regexp [COMMAND...]
	local condition=$1 reason=$2

	shift 2
	claim "$condition: run_says_in_one_sentence_why_it_cannot"
	run "$@" itertrace run --duration 1 --json --no-calibrate
	says_only "^itertrace: no tracer can run here; .*$reason" && ok || not_ok
	note_stderr
}

check_bench() { # condition [COMMAND...]
	claim "$1: bench_measures"
	shift
	run "$@" itertrace bench --quick --json bounded
	judge '{ measured: [.[0].results[] | [.name, .state]] }'
	exits_with 0 && equal measured "$(value measured)" '[["bounded","measured"]]' && ok || not_ok
	note_stderr
}

set_to() { # file value: it must take it, or nothing is tested
	claim "$1 can be set to $2"
	command_line=
	echo "$2" >"$1" && grep -qF "$2" "$1" && ok || not_ok
}

# --- conditions -----------------------------------------------------------------

check_cgroup_v1() {
	claim "cgroups of version 1 alone can be had"
	command_line=
	mount -t tmpfs cgroup /sys/fs/cgroup && mkdir /sys/fs/cgroup/pids /sys/fs/cgroup/cpu &&
		mount -t cgroup -o pids pids /sys/fs/cgroup/pids &&
		mount -t cgroup -o cpu cpu /sys/fs/cgroup/cpu &&
		mkdir /sys/fs/cgroup/pids/a /sys/fs/cgroup/cpu/a &&
		echo $$ | tee /sys/fs/cgroup/pids/a/cgroup.procs >/sys/fs/cgroup/cpu/a/cgroup.procs &&
		grep -q ':cpu:/a$' /proc/self/cgroup && ! grep -q cgroup2 /proc/mounts && ok || {
		not_ok
		cat /proc/mounts /proc/self/cgroup
	}
	check_both "cgroup v1"

	claim "cgroup v1: run_says_that_it_shows_no_cgroups"
	says "exec runs without cgroups: this host has none of version 2" &&
		says "runq runs without cgroups: this host has none of version 2" &&
		equal cgroups "$(value cgroups)" '["/"]' && ok || not_ok

	echo $$ | tee /sys/fs/cgroup/pids/cgroup.procs >/sys/fs/cgroup/cpu/cgroup.procs
	rmdir /sys/fs/cgroup/pids/a /sys/fs/cgroup/cpu/a
	umount /sys/fs/cgroup/pids /sys/fs/cgroup/cpu /sys/fs/cgroup
}

# Mounts that a program alone sees are made by a shell, which it then replaces.
hide_btf='mount -t tmpfs none /sys/kernel/btf
	exec "$@"'
make_read_only='mount -t tmpfs -o ro none /tmp
	mount -o remount,bind,ro /
	! touch /file /tmp/file 2>/dev/null
	export HOME=/root
	exec "$@"'

# Without it there are no kfuncs, and no typed tracepoints: no program of a tracer.
check_no_btf() {
	claim "no BTF: probe_gives_the_recorded_states_or_names_it"
	probe_states unshare -m sh -ec "$hide_btf" sh
	exits_with 0 && states_are_recorded_or_unknown "this kernel has no BTF: .*CONFIG_DEBUG_INFO_BTF" &&
		equal bpf_iter_num_next "$(awk '$1 == "bpf_iter_num_next" { print $2 }' $work/states)" unsupported &&
		ok || not_ok
	note_states
	check_no_run "no BTF" "this kernel has no BTF: .*CONFIG_DEBUG_INFO_BTF" unshare -m sh -ec "$hide_btf" sh

	claim "no BTF: bench_says_in_one_sentence_why_it_cannot"
	run unshare -m sh -ec "$hide_btf" sh itertrace bench --quick --json
	says_only "^itertrace: cannot load the workloads: this kernel has no BTF: .*CONFIG_DEBUG_INFO_BTF" 2 &&
		ok || not_ok
	note_stderr
}

check_user_and_read_only() {
	local user="/bin/setpriv --reuid 1000 --regid 1000 --clear-groups
		--inh-caps=-all,+bpf,+perfmon --ambient-caps=-all,+bpf,+perfmon
		--bounding-set=-all,+bpf,+perfmon"

	# shellcheck disable=SC2086
	check_both "ordinary user with CAP_BPF and CAP_PERFMON" $user
	check_both "read-only files" unshare -m sh -ec "$make_read_only" sh
	# shellcheck disable=SC2086
	check_bench "ordinary user, read-only files" unshare -m sh -ec "$make_read_only" sh $user
}

# Without the JIT a construct may be a call that is inlined with it, and there
# are no kfuncs.
check_jit_off() {
	set_to /proc/sys/net/core/bpf_jit_enable 0
	claim "JIT off: what_probe_does_not_find_inlined_has_its_reason"
	probe_states
	awk '$2 !~ /^(inlined|folded)$/ && $4 == "-"' $work/states >$work/bare
	exits_with 0 && [ -s $work/states ] && [ ! -s $work/bare ] &&
		equal bpf_iter_num_next "$(awk '$1 == "bpf_iter_num_next" { print $2 }' $work/states)" unsupported &&
		ok || { not_ok; cat $work/bare; }
	note_states
	if [ "$(uname -m)" = aarch64 ]; then
		claim "JIT off: run_and_bench_say_that_arm64_may_crash"
		run itertrace run --duration 1 --no-calibrate
		exits_with 4 && says "an arm64 kernel may crash" && run itertrace bench --quick &&
			exits_with 4 && says "an arm64 kernel may crash" && ok || not_ok
		set_to /proc/sys/net/core/bpf_jit_enable 1
		return
	fi
	check_run "JIT off"

	claim "JIT off: run_says_on_what_loops_run_instead_and_why"
	reason="JIT is required"
	has bpf_iter_num_next || reason="this kernel has no bpf_iter_num"
	says "loops run on bounded, because bpf_for is unsupported here: .*$reason" &&
		equal "the number of lines on stderr" "$(grep -c . $work/stderr)" 1 && ok || not_ok

	claim "JIT off: run_counts_twenty_execs_and_their_pieces_exactly"
	counts_exactly bounded && ok || not_ok
	set_to /proc/sys/net/core/bpf_jit_enable 1
}

snapshots_so_far() { grep -c snapshot $work/stdout; }

# Two more, so that one of them began after now.
await_snapshots() {
	local wanted=$(($(snapshots_so_far) + 2)) tries=0

	while [ $((tries += 1)) -lt 100 ] && [ "$(snapshots_so_far)" -lt $wanted ]; do
		sleep 0.1
	done
}

# In the middle of a run one goes and comes back, and one comes that never was there.
check_cpus_that_go_and_come() {
	local cpus=/sys/devices/system/cpu

	claim "CPUs go offline, come back and are new: run_goes_on"
	command_line="itertrace run"
	itertrace run --interval 200ms --json --no-calibrate >$work/stdout 2>$work/stderr &
	await_snapshots
	echo 0 >$cpus/cpu1/online
	await_snapshots
	echo 1 >$cpus/cpu2/online
	await_snapshots
	echo 1 >$cpus/cpu1/online
	await_snapshots
	online=$(cat $cpus/online)
	kill -TERM $!
	wait $!
	status=$?
	judge '{ all_on: all($summary.tracers[]; .state == "on"),
		went_on: ($snapshots | length >= 8 and ([.[-4:][].syscall.calls] | add) > 0) }'
	exits_with 0 && holds all_on && holds went_on && equal "CPUs online" "$online" 0-2 && ok || not_ok
	echo 0 >$cpus/cpu2/online
}

check_one_cpu() {
	set_to /sys/devices/system/cpu/cpu1/online 0
	claim "1 CPU online of 4 possible"
	command_line=
	equal "CPUs online" "$(cat /sys/devices/system/cpu/online)" 0 &&
		equal "CPUs possible" "$(cat /sys/devices/system/cpu/possible)" 0-3 && ok || not_ok
	check_both "1 CPU online of 4"
	set_to /sys/devices/system/cpu/cpu1/online 1
}

claim "tracefs is not mounted here"
grep -q tracefs /proc/mounts && not_ok || ok

check_cgroup_v1
mount -t cgroup2 cgroup2 /sys/fs/cgroup

set_to /proc/sys/kernel/kptr_restrict 2
check_both "kptr_restrict=2"
set_to /proc/sys/kernel/kptr_restrict 0

set_to /proc/sys/net/core/bpf_jit_harden 2
check_both "bpf_jit_harden=2"
set_to /proc/sys/net/core/bpf_jit_harden 0

check_jit_off
check_user_and_read_only
check_no_btf

check_cpus_that_go_and_come
check_one_cpu

set_to /sys/kernel/security/lockdown integrity
check_both "lockdown=integrity"

# No program may read the kernel's memory there, so no tracer can be.
set_to /sys/kernel/security/lockdown confidentiality
aside check_probe "lockdown=confidentiality"
check_no_run "lockdown=confidentiality" "lockdown, confidentiality, lets no BPF program read kernel memory"
join_aside
exit 0
