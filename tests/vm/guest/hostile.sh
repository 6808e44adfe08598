# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=dash
#
# What hardened hosts do, one after the other; what cannot be undone comes last.
# In each: probe gives the recorded states, or "unknown" with a reason; run does
# what can be done, or says in one sentence why nothing can, with exit status 4.
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
	     END { for (s in nr) print s, nr[s], "e.g.", why[s] }' /tmp/states | cut -c 1-200 |
		sed 's/^/note: /'
}

check_run() {
	claim "$1: run_traces_with_every_tracer"
	shift
	run "$@" itertrace run --duration 1 --json --no-calibrate
	exits_with 0 && in_summary '(.tracers | length) >= 3 and all(.tracers[]; .state == "on")' &&
		ok || not_ok
	cut -c 1-300 /tmp/stderr | sed 's/^/note: /'
}

check_no_run() { # condition extended-regexp
	claim "$1: run_says_in_one_sentence_why_it_cannot"
	run itertrace run --duration 1 --json --no-calibrate
	exits_with 4 && [ ! -s /tmp/stdout ] && says "^itertrace: no tracer can run here; .*$2" &&
		equal "the number of lines on stderr" "$(grep -c . /tmp/stderr)" 1 && ok || not_ok
	cut -c 1-300 /tmp/stderr | sed 's/^/note: /'
}

check_both() {
	check_probe "$@"
	check_run "$@"
}

set_to() { # file value: it must take it, or nothing is tested
	claim "$1 can be set to $2"
	command_line=
	echo "$2" >"$1" && grep -qF "$2" "$1" && ok || not_ok
}

# Without the JIT a construct may be a call that is inlined with it, and there
# are no kfuncs.
check_jit_off() {
	set_to /proc/sys/net/core/bpf_jit_enable 0
	claim "JIT off: what_probe_does_not_find_inlined_has_its_reason"
	probe_states
	awk '$2 !~ /^(inlined|folded)$/ && $4 == "-"' /tmp/states >/tmp/bare
	exits_with 0 && [ -s /tmp/states ] && [ ! -s /tmp/bare ] &&
		equal bpf_iter_num_next "$(awk '$1 == "bpf_iter_num_next" { print $2 }' /tmp/states)" unsupported &&
		ok || { not_ok; cat /tmp/bare; }
	note_states
	check_no_run "JIT off" "JIT is required"
	set_to /proc/sys/net/core/bpf_jit_enable 1
}

# It goes offline in the middle of a run, and comes back.
check_cpu_that_goes_and_comes() {
	local cpu=/sys/devices/system/cpu/cpu1/online

	claim "a CPU goes offline and comes back: run_goes_on"
	{ sleep 2; echo 0 >$cpu; sleep 2; echo 1 >$cpu; } &
	run itertrace run --duration 7 --interval 1 --json --no-calibrate
	wait
	exits_with 0 && in_summary 'all(.tracers[]; .state == "on")' && [ "$(cat $cpu)" = 1 ] &&
		ok || not_ok
}

AS_USER="/bin/setpriv --reuid 1000 --regid 1000 --clear-groups --inh-caps=-all,+bpf,+perfmon
	--ambient-caps=-all,+bpf,+perfmon --bounding-set=-all,+bpf,+perfmon"

claim "tracefs is not mounted here"
grep -q tracefs /proc/mounts && not_ok || ok

set_to /proc/sys/kernel/kptr_restrict 2
check_both "kptr_restrict=2"
set_to /proc/sys/kernel/kptr_restrict 0

set_to /proc/sys/net/core/bpf_jit_harden 2
check_both "bpf_jit_harden=2"
set_to /proc/sys/net/core/bpf_jit_harden 0

check_jit_off
# shellcheck disable=SC2086
check_both "ordinary user with CAP_BPF and CAP_PERFMON" $AS_USER

check_cpu_that_goes_and_comes
set_to /sys/devices/system/cpu/cpu1/online 0
check_both "1 CPU online of 2"
set_to /sys/devices/system/cpu/cpu1/online 1

set_to /sys/kernel/security/lockdown integrity
check_both "lockdown=integrity"

# No program may read the kernel's memory there, so no tracer can be.
set_to /sys/kernel/security/lockdown confidentiality
check_probe "lockdown=confidentiality"
check_no_run "lockdown=confidentiality" "cannot use helper bpf_probe_read"
exit 0
