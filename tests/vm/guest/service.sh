# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=dash
#
# For tests/service/check: what an operator does with the package, in a Debian with
# systemd. It is installed as README says, lived with, and, where guest_previous names
# the kernel that was booted before, purged. What the last boot left on the disk is
# there then: in lines "# state" of its report.
. /guest/lib.sh

run_limit=200
config=/etc/itertrace/itertrace.conf
drop_ins=/etc/systemd/system/itertrace.service.d
recordings=/var/lib/itertrace
listening="listen = 127.0.0.1:9464"
recording="record = $recordings/"

property() { systemctl show -p "$1" --value itertrace; }
configure() { printf '%s\n' "[run]" "no-calibrate = yes" "$@" >$config; } # line...
drop_in() { # what line...
	mkdir -p $drop_ins
	_name=$1
	shift
	printf '%s\n' "[Service]" "$@" >"$drop_ins/$_name.conf"
	systemctl daemon-reload
}
no_drop_ins() {
	rm -r $drop_ins
	systemctl daemon-reload
	systemctl reset-failed itertrace
}

now() { cut -d . -f 1 /proc/uptime; } # seconds
await() { # seconds command...: until it succeeds
	_end=$(($(now) + $1))
	shift
	until "$@"; do
		[ "$(now)" -lt $_end ] || { echo "in vain: $*"; return 1; }
		sleep 0.5
	done
}
is_active() { [ "$(property ActiveState)" = active ]; }
# Another than that is the main process now.
is_another() { [ "$(property MainPID)" != "$1" ] && [ "$(property MainPID)" != 0 ] && is_active; } # pid
journal_has() { journalctl -b -u itertrace -o cat | grep -qE -- "$1"; } # extended-regexp
status_has() { property StatusText | grep -qE -- "$1"; } # extended-regexp
get() { curl -sf --max-time 60 "http://127.0.0.1:9464$1"; } # path
metrics_have() { get /metrics | grep -qE -- "$1"; } # extended-regexp
nobody_runs() { ! pgrep -u itertrace >/dev/null; }

# The programs of itertrace, as "ID NAME".
programs() {
	bpftool prog list 2>/dev/null | sed -nE 's/^([0-9]+): .* name ((exec|runq|syscall)_[a-z_]*).*/\1 \2/p' | sort
}
has_programs() { programs | grep -q " $1"; } # beginning-of-name
has_no_programs() { ! has_programs "$1"; }
has_one() { [ "$(programs | grep -c " $1\$")" = 1 ]; } # name

# Every program, map and link of the host, "prog 12: TYPE, NAME"; but what bpftool
# loads to list them, and what systemd does for the units that it knows, anew at each
# reload.
loaded() {
	for _kind in prog map link; do
		bpftool $_kind list | sed -n "s/^[0-9]*: [^ ]*  *[^ ]* [^ ]*/$_kind &/p" | grep -vE 'name (sd_|iter|pid_iter\.)|: (iter|lpm_trie) '
	done | sort
}
nothing_more_is_loaded() {
	loaded >$work/loaded
	[ -z "$(comm -13 $work/loaded_before $work/loaded)" ]
}
show_service() {
	systemctl status --no-pager -l itertrace 2>&1 | tail -n 20 | sed 's/^/service: /'
}
show_loaded() {
	comm -13 $work/loaded_before $work/loaded
}

# Everything on the disk, but what any package or boot leaves there.
paths() {
	find / -xdev ! -path '/guest*' ! -path '/tmp/*' ! -path '/var/tmp/*' ! -path '/var/log/*' \
		! -path '/var/cache/*' ! -path '/var/lib/dpkg/*-old' ! -path '/var/lib/systemd/*' | sort
}

readme() { grep -F -- "$1" /guest/readme; } # the command with that

mixed --execs-per-second 2 &
workload=$!

if [ -z "${guest_previous-}" ]; then
	touch /guest/began /guest/recordings
	paths >/guest/paths
	loaded >$work/loaded_before

	claim installed_as_the_readme_says_it_does_not_start_yet
	run sh -c "cd /guest && $(readme 'dpkg -i')"
	exits_with 0 && equal "what systemctl is-enabled says" "$(systemctl is-enabled itertrace)" disabled &&
		equal "the state" "$(property ActiveState)" inactive && id itertrace >/dev/null &&
		nothing_more_is_loaded && ok || { not_ok; show_loaded; }

	claim started_as_the_readme_says_it_traces
	run sh -c "cd /guest && $(readme 'systemctl enable')"
	exits_with 0 && is_active && equal "what systemctl is-enabled says" "$(systemctl is-enabled itertrace)" enabled &&
		await 60 status_has '^Tracing exec runq syscall on bpf_for; own cost' && ok || { not_ok; show_service; }

	claim it_records_where_the_readme_says
	find $recordings -name '*.itr' -size +0 -user itertrace | grep -q . && ok || { ls -l $recordings; not_ok; }
else
	claim after_the_boot_it_runs_by_itself_on_the_other_kernel
	await 120 status_has '^Tracing exec runq syscall on bpf_for' && ok || { not_ok; show_service; }

	claim what_was_recorded_before_the_boot_is_still_there
	run sh -c "cd $recordings && cat /guest/recordings | xargs -n 1 itertrace report"
	exits_with 0 && [ -s /guest/recordings ] && ok || { ls -l $recordings; not_ok; }

	systemctl stop itertrace
	await 20 has_no_programs . || echo "it does not end"
	sleep 2
	loaded >$work/loaded_before
	systemctl start itertrace
fi

claim when_it_is_started_all_is_attached
configure "interval = 2s" "$listening" "$recording"
systemctl stop itertrace
run systemctl start itertrace
exits_with 0 && is_active && has_one exec_start && has_programs runq_ && has_programs syscall_ && ok || { not_ok; programs; show_service; }
main=$(property MainPID)

claim it_runs_as_its_own_user_with_two_capabilities
# CAP_PERFMON is 38, CAP_BPF 39.
equal "the user" "$(stat -c %U "/proc/$main")" itertrace &&
	equal "the capabilities" "$(sed -n 's/^CapPrm:\t//p' "/proc/$main/status")" 000000c000000000 &&
	equal "the bounding set" "$(sed -n 's/^CapBnd:\t//p' "/proc/$main/status")" 000000c000000000 && ok || not_ok

claim the_status_line_says_what_it_does
await 20 status_has '^Tracing exec runq syscall on bpf_for; own cost [0-9.]+% of a CPU$' && ok || { not_ok; show_service; }

claim messages_reach_the_journal_with_their_level
journalctl -b -u itertrace -o json | jq -r 'select(.MESSAGE | type == "string" and startswith("loops run on")).PRIORITY' |
	sort -u >$work/priority
equal "its priority" "$(cat $work/priority)" 6 && ok || not_ok

claim systemd_finds_it_as_little_exposed_as_it_is_meant_to_be
run systemd-analyze security --no-pager --threshold=25 itertrace
exits_with 0 && ok || not_ok
echo "note: $(tail -n 1 $work/stdout)"

claim metrics_are_scraped
await 20 metrics_have '^itertrace_loop_trips_count.*exec.argv.* [1-9]' && get /healthz >/dev/null && ok || { not_ok; show_service; }

claim a_reload_takes_one_tracer_away_and_leaves_the_others
exec_before=$(programs | grep exec_)
configure "interval = 1s" "tracers = exec syscall" "$listening" "$recording"
run systemctl reload itertrace
exits_with 0 && await 20 status_has '^Tracing exec syscall on' && await 20 has_no_programs runq_ &&
	equal "the programs of exec" "$(programs | grep exec_)" "$exec_before" &&
	equal "the main process" "$(property MainPID)" "$main" && ok || { not_ok; show_service; }

claim a_reload_of_a_broken_configuration_changes_nothing_and_is_said
configure "interval = soon"
run systemctl reload itertrace
await 20 journal_has "itertrace.conf:3: .*soon" && await 20 journal_has "going on with the old one" &&
	is_active && equal "the main process" "$(property MainPID)" "$main" &&
	equal "the programs of exec" "$(programs | grep exec_)" "$exec_before" && ok || { not_ok; show_service; }

claim with_one_it_does_not_start_and_does_not_try_again
systemctl stop itertrace
run systemctl start itertrace
sleep 7
exits_with 1 && equal "the state" "$(property ActiveState)" failed &&
	equal "the exit status" "$(property ExecMainStatus)" 2 && equal "the restarts" "$(property NRestarts)" 0 && ok || { not_ok; show_service; }
systemctl reset-failed itertrace

drop_in test WatchdogSec=6 RestartSec=1
configure "interval = 1s" "$listening" "$recording"
systemctl start itertrace
main=$(property MainPID)

claim if_it_hangs_it_is_started_anew
kill -STOP "$main"
await 60 is_another "$main" && journal_has "[Ww]atchdog" && await 20 status_has '^Tracing' && ok || { not_ok; show_service; }
main=$(property MainPID)

claim if_it_is_killed_it_is_started_anew
kill -KILL "$main"
await 60 is_another "$main" && await 20 status_has '^Tracing' && ok || { not_ok; show_service; }

claim only_one_set_of_programs_is_loaded_then
await 20 has_one exec_start && ok || { programs; not_ok; }

claim without_memory_it_is_killed_and_nobody_else
drop_in test WatchdogSec=6 RestartSec=1 MemoryMax=3M MemorySwapMax=0
systemctl restart --no-block itertrace
await 60 journal_has "oom-kill" && kill -0 $workload && ok || { not_ok; show_service; }
systemctl stop itertrace
no_drop_ins

claim with_cap_sys_admin_as_the_manual_says_it_tells_what_bpf_costs
mkdir -p $drop_ins
cp /guest/cap_sys_admin.conf $drop_ins/
systemctl daemon-reload
systemctl start itertrace
await 60 metrics_have '^itertrace_self_bpf_cpu_seconds_total' && run systemd-analyze security --no-pager --threshold=30 itertrace &&
	exits_with 0 && ok || { not_ok; show_service; }
echo "note: $(tail -n 1 $work/stdout)"
systemctl stop itertrace
no_drop_ins

claim the_socket_of_the_manual_starts_it_when_somebody_asks
configure "interval = 1s"
cp /guest/itertrace.socket /etc/systemd/system/
systemctl daemon-reload
run systemctl start itertrace.socket
exits_with 0 && equal "the state" "$(property ActiveState)" inactive && get /identity | jq -e .release >/dev/null &&
	is_active && await 20 metrics_have '^itertrace_loop_trips_count.*exec.argv.* [1-9]' && ok || { not_ok; show_service; }

claim then_nobody_is_refused_while_it_is_restarted
systemctl restart --no-block itertrace
run curl -sf --max-time 60 http://127.0.0.1:9464/identity
exits_with 0 && ok || { not_ok; show_service; }
systemctl stop itertrace.socket itertrace
rm /etc/systemd/system/itertrace.socket
systemctl daemon-reload

claim stopped_it_leaves_one_recording_more
find $recordings -name '*.itr' | sed 's|.*/||' | grep -vxFf /guest/recordings | sed "s|^|$recordings/|" | xargs rm -f
configure "interval = 1s" "$listening" "$recording"
systemctl start itertrace
sleep 30
memory=$(property MemoryCurrent)
run systemctl stop itertrace
find $recordings -name '*.itr' | sed 's|.*/||' | sort >$work/recordings
new=$(comm -13 /guest/recordings $work/recordings)
exits_with 0 && equal "the result" "$(property Result)" success &&
	equal "the number of new recordings" "$(echo "$new" | grep -c .)" 1 && ok || { ls -l $recordings; not_ok; show_service; }
base64 "$recordings/$new" | sed 's/^/# recording /'

claim its_memory_was_far_below_the_limit
[ "$memory" -gt 0 ] && [ "$memory" -lt 100000000 ] && ok || { echo "$memory bytes"; not_ok; }
echo "note: MemoryCurrent $memory of $(property MemoryMax)"

claim no_program_map_link_pin_or_process_is_left
await 20 nothing_more_is_loaded && nobody_runs &&
	equal "what is pinned" "$(find /sys/fs/bpf -mindepth 1 2>/dev/null | head -n 1)" "" && ok || { not_ok; show_loaded; }

if [ "${guest_continues-}" ]; then
	cp $work/recordings /guest/recordings
	{
		echo /etc/machine-id
		find / -xdev -mindepth 1 -cnewer /guest/began ! -path '/var/log/*' ! -path '/tmp/*'
	} | cpio -o -H newc --quiet | gzip -1 | base64 | sed 's/^/# state /'
	kill $workload
	exit 0
fi

claim an_upgrade_restarts_it_and_keeps_the_configuration
systemctl start itertrace
main=$(property MainPID)
run dpkg -i /guest/build/deb/itertrace_*.deb
exits_with 0 && await 60 is_another "$main" && await 20 status_has '^Tracing' && grep -qxF "$listening" $config &&
	equal "what systemctl is-enabled says" "$(systemctl is-enabled itertrace)" enabled && ok || { not_ok; show_service; }

claim removed_it_leaves_the_configuration_and_what_was_recorded
run dpkg -r itertrace
exits_with 0 && [ -e $config ] && find $recordings -name '*.itr' | grep -q . && nobody_runs && ok || not_ok

claim purged_it_leaves_nothing
run dpkg --purge itertrace
paths >$work/paths
exits_with 0 && equal "what is left" "$(comm -13 /guest/paths $work/paths)" "" &&
	! getent passwd itertrace && ! getent group itertrace && await 20 nothing_more_is_loaded &&
	equal "what is left of this boot" "$(find /run /sys/fs/bpf /sys/fs/cgroup -name '*itertrace*' ! -name '*mixed*')" "" && ok || { not_ok; show_loaded; }

kill $workload
exit 0
