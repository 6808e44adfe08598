# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=dash
# boot: SMP=2 APPEND="lockdown=integrity tsc=reliable"
#
# Each obstacle is put in the way; doctor must name it; the command of its remedy,
# taken out of its JSON, is run as it stands; then doctor must find the check well.
# With an argument: that obstacle alone, in the mount namespace or under the limits
# of this process.
. /guest/lib.sh

run_limit=200

# In checks: a line a check, "NAME<TAB>STATUS<TAB>FOUND<TAB>CONSEQUENCE<TAB>REMEDY".
doctor() { # [COMMAND-THAT-RUNS-IT...]
	run "$@" itertrace doctor --json
	jq -r '.checks[] | [.name, .status, .found, .consequence // "-", .remedy // "-"] | @tsv' \
		$work/stdout >$work/checks
}

field() { # check column
	awk -F '\t' -v name="$1" -v column="$2" '$1 == name { print $column }' $work/checks
}

is() { # check status found-extended-regexp
	equal "the status of $1" "$(field "$1" 2)" "$2" || return
	field "$1" 3 | grep -qE -- "$3" || { echo "$1: found is '$(field "$1" 3)', not /$3/"; return 1; }
}

has_remedy() { # check extended-regexp
	field "$1" 5 | grep -qE -- "$2" || { echo "$1: the remedy is '$(field "$1" 5)', not /$2/"; return 1; }
}

named() { # check status found-extended-regexp
	claim "$1: doctor_names_it ($3)"
	is "$1" "$2" "$3" && [ "$(field "$1" 4)" != - ] && ok || not_ok
}

# Evaluated here: what it sets may be this shell's.
apply_remedy() { # check
	local command

	command=$(field "$1" 5 | sed -n 's/^[^`]*`\([^`]*\)`.*/\1/p')
	claim "$1: its_remedy_is_a_command_that_runs ($command)"
	command_line=
	[ "$command" ] && eval "$command" >$work/remedy 2>&1 && ok || { not_ok; cat $work/remedy; }
}

well() { # check
	claim "$1: after_its_remedy_it_is_well"
	exits_with 0 && is "$1" ok . && ok || not_ok
}

try() { # check status found-extended-regexp
	doctor
	named "$@"
	apply_remedy "$1"
	doctor
	well "$1"
}

# Obstacles that have nothing to do with each other: a line each, "check status
# found-extended-regexp file value".
try_all() { # file-of-lines
	local name state found file value

	while read -r name state found file value; do
		echo "$value" >"$file" || echo "$file does not take $value"
	done <"$1"
	doctor
	while read -r name state found file value; do
		named "$name" "$state" "$found"
	done <"$1"
	# Not by a pipe: a remedy is to work in this shell.
	while read -r name state found file value; do
		apply_remedy "$name"
	done <"$1"
	doctor
	while read -r name state found file value; do
		well "$name"
	done <"$1"
}

# --- by themselves ------------------------------------------------------------------

# /sys goes with all that is mounted in it.
check_no_sysfs() {
	umount -l /sys
	try btf fail "none: sysfs is not mounted"
}

check_few_descriptors() {
	ulimit -n 40
	try descriptors warn "^40 open files"
}

# No emulated CPU has a governor: this one's files are put there, if the kernel has room
# for them.
check_governor() {
	local policy=/sys/devices/system/cpu/cpufreq/policy0

	[ -d ${policy%/*} ] || return
	mount -t tmpfs none ${policy%/*} && mkdir $policy && echo powersave >$policy/scaling_governor
	try cpufreq warn "^powersave$"
}

case ${1-} in
'') ;;
*)
	"$@"
	exit 0
	;;
esac

# --- one after the other ------------------------------------------------------------

check_well() {
	claim "a_host_without_obstacles_is_well"
	doctor
	exits_with 0 && [ ! -s $work/stderr ] && is lockdown ok '^integrity$' && is btf ok vmlinux &&
		is bpf_syscall ok . && is cap_bpf ok 'in effect' && is cap_sys_admin ok 'in effect' &&
		is memlock ok "charged to the cgroup" && is debug_options ok '^none$' &&
		is kallsyms ok . && is tracefs ok '^not mounted$' && is bpf_statistics ok '^off' &&
		equal "failures" "$(awk -F '\t' '$2 == "fail"' $work/checks)" "" && ok || not_ok
	awk -F '\t' '$2 != "ok"' $work/checks | cut -c 1-300 | sed 's/^/note: /'

	claim "tracers_run_on_the_loops_that_there_are"
	if has bpf_iter_num_next; then
		is bpf_for ok "^$(recorded_state bpf_iter_num_next)" &&
			is tracers ok "3 of 3 can run.*loops run on bpf_for" && ok || not_ok
	else
		is bpf_for warn "^unsupported: .*bpf_iter_num" && has_remedy bpf_for "Linux 6.4" &&
			is tracers ok "3 of 3 can run.*loops run on bounded" && ok || not_ok
	fi

	# The emulator has one for arm64, and none for x86-64.
	if ls /sys/bus/event_source/devices | grep -qE '^(cpu|armv8)'; then
		claim "there_is_a_pmu_and_doctor_sees_it"
		is pmu ok . && ok || not_ok
	else
		claim "there_is_no_pmu_and_doctor_says_what_would_show_one"
		is pmu warn "no PMU" && has_remedy pmu "pmu=on" && ok || not_ok
	fi

	claim "fentry_is_tried_by_loading"
	is trampolines ok "fentry (loads and attaches|is refused)" && ok || not_ok
	echo "note: trampolines: $(field trampolines 3)"
}

check_jit() {
	echo 0 >/proc/sys/net/core/bpf_jit_enable
	if [ "$(uname -m)" = aarch64 ]; then
		try bpf_jit_enable fail '^0'
		return
	fi
	doctor
	named bpf_jit_enable warn '^0'
	claim "JIT off: it_is_told_that_loops_run_on_bounded_loops"
	exits_with 0 && is bpf_for warn '^unsupported' && has_remedy bpf_for 'see bpf_jit_enable' &&
		is tracers ok "3 of 3 can run.*loops run on bounded" && ok || not_ok
	apply_remedy bpf_jit_enable
	doctor
	well bpf_jit_enable
}

check_settings() {
	local clock=/sys/devices/system/clocksource/clocksource0 other

	cat >$work/obstacles <<-END
		kptr_restrict warn ^2$ /proc/sys/kernel/kptr_restrict 2
		bpf_jit_harden warn ^2 /proc/sys/net/core/bpf_jit_harden 2
		bpf_statistics warn on.for.all /proc/sys/kernel/bpf_stats_enabled 1
		cpus warn ^1.online /sys/devices/system/cpu/cpu1/online 0
	END
	if [ "$(uname -m)" = x86_64 ]; then
		wait_for_the_clock
		other=$(tr ' ' '\n' <$clock/available_clocksource | grep -v tsc | grep . | head -n 1)
		echo "clock_source warn ^$other;.a.reading.takes.[0-9]+.ns $clock/current_clocksource $other" \
			>>$work/obstacles
	fi
	try_all $work/obstacles
}

check_capabilities() {
	local user="/bin/setpriv --reuid 1000 --regid 1000 --clear-groups"
	local set

	claim "an_ordinary_user_is_told_which_capabilities_are_missing, and_what_root_would_find_out"
	# shellcheck disable=SC2086
	doctor $user
	exits_with 4 && says "nothing can be traced here as it is: cap_bpf, cap_perfmon" &&
		is cap_bpf fail ^missing && is cap_perfmon fail ^missing && is cap_syslog warn ^missing &&
		is cap_sys_admin warn ^missing && is tracers warn '^not known' &&
		has_remedy tracers 'sudo itertrace doctor' && is btf ok . && ok || not_ok

	set=+bpf,+perfmon
	claim "with_cap_bpf_and_cap_perfmon_tracers_run"
	# shellcheck disable=SC2086
	doctor $user --inh-caps=-all,$set --ambient-caps=-all,$set --bounding-set=-all,$set
	exits_with 0 && is cap_bpf ok . && is cap_perfmon ok . && is cap_syslog warn . &&
		is cap_sys_admin warn . && is bpf_statistics warn 'cannot be switched on' &&
		is kallsyms warn 'hides its addresses' && is bpf_programs warn EPERM &&
		is tracers ok '3 of 3 can run' && ok || not_ok

	set=+bpf,+perfmon,+syslog,+sys_admin
	claim "with_cap_syslog_and_cap_sys_admin_addresses_and_statistics_are_there"
	# shellcheck disable=SC2086
	doctor $user --inh-caps=-all,$set --ambient-caps=-all,$set --bounding-set=-all,$set
	exits_with 0 && is cap_syslog ok . && is cap_sys_admin ok . && is bpf_statistics ok . &&
		is kallsyms ok . && is bpf_programs ok . && ok || not_ok
}

check_user_namespace() {
	claim "a_user_namespace_is_named_as_what_refuses_bpf"
	doctor unshare -U -r
	exits_with 4 && is bpf_syscall fail 'refused: EPERM, in a user namespace' &&
		has_remedy bpf_syscall 'on the host' && ok || not_ok
}

# A running kernel does not take it back; this one was booted with the remedy.
check_lockdown() {
	echo confidentiality >/sys/kernel/security/lockdown
	doctor
	named lockdown fail '^confidentiality$'
	claim "lockdown: its_remedy_is_what_this_kernel_was_booted_with"
	exits_with 4 && has_remedy lockdown "boot with $(grep -o 'lockdown=[a-z]*' /proc/cmdline)," &&
		is tracers fail confidentiality && ok || not_ok
}

doctor
named cgroups warn "none: no hierarchy is mounted"
apply_remedy cgroups
check_well
well cgroups
check_settings
check_jit
unshare -m sh /guest/doctor.sh check_governor
unshare -m sh /guest/doctor.sh check_no_sysfs
sh /guest/doctor.sh check_few_descriptors
check_capabilities
check_user_namespace
check_lockdown
exit 0
