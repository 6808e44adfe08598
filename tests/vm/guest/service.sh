# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=dash
#
# For tests/service/check: what an operator does with the package, in a Debian with
# systemd, from its installation to its purge.
#
# boot: QEMU_ARGS='-m 2560'
. /guest/lib.sh

run_limit=200
config=/etc/itertrace/itertrace.conf
mixed &
workload=$!

property() { systemctl show -p "$1" --value itertrace; }
configure() { printf '%s\n' "[run]" "$@" >$config; } # line...

await() { # seconds command...: until it succeeds
	_left=$(($1 * 2))
	shift
	until "$@"; do
		_left=$((_left - 1))
		[ $_left -gt 0 ] || { echo "in vain: $*"; return 1; }
		sleep 0.5
	done
}
is_active() { [ "$(property ActiveState)" = active ]; }
is_gone() { [ "$(property ActiveState)" != active ]; }
# "one", rather than "two", is the main process now.
is_another() { [ "$(property MainPID)" != "$1" ] && [ "$(property MainPID)" != 0 ] && is_active; } # pid
journal_has() { journalctl -u itertrace -o cat | grep -qE -- "$1"; } # extended-regexp
status_has() { property StatusText | grep -qE -- "$1"; } # extended-regexp

# What is loaded, as "ID NAME", of itertrace's programs.
programs() {
	bpftool prog list 2>/dev/null |
		sed -nE 's/^([0-9]+): .* name (exec_|runq_|syscall_)([a-z_]*).*/\1 \2\3/p' | sort
}
show_service() {
	systemctl status --no-pager -l itertrace 2>&1 | tail -n 20
}

claim the_package_is_installed_and_does_not_start_anything
run dpkg -i /guest/itertrace.deb
exits_with 0 && equal "what systemctl is-enabled says" "$(systemctl is-enabled itertrace)" disabled &&
	equal "the state" "$(property ActiveState)" inactive && id itertrace >/dev/null &&
	equal "what is loaded" "$(programs)" "" && ok || not_ok

claim the_service_starts_and_is_ready_when_all_is_attached
configure "interval = 2s" "no-calibrate = yes" "listen = 127.0.0.1:9464" "record = /var/lib/itertrace/"
run systemctl start itertrace
exits_with 0 && is_active && [ "$(programs | grep -c .)" -ge 5 ] && ok || { not_ok; show_service; }
main=$(property MainPID)

claim it_runs_as_its_own_user_with_two_capabilities
# CAP_PERFMON is 38, CAP_BPF 39.
equal "the user" "$(stat -c %U "/proc/$main")" itertrace &&
	equal "the capabilities" "$(sed -n 's/^CapPrm:\t//p' "/proc/$main/status")" 000000c000000000 &&
	equal "the bounding set" "$(sed -n 's/^CapBnd:\t//p' "/proc/$main/status")" 000000c000000000 && ok || not_ok

claim the_status_line_says_what_it_does
await 20 status_has '^Tracing exec runq syscall on' && ok || { not_ok; show_service; }

claim messages_reach_the_journal_with_their_level
journalctl -u itertrace -o json | jq -r 'select(.MESSAGE | type == "string" and startswith("loops run on")).PRIORITY' >$work/priority
equal "its priority" "$(cat $work/priority)" 6 && ok || not_ok

claim metrics_are_scraped
await 20 sh -c 'curl -sf http://127.0.0.1:9464/metrics | grep -q "^itertrace_site_entries_total.*exec.argv"' &&
	curl -sf http://127.0.0.1:9464/healthz >/dev/null && ok || { not_ok; show_service; }

claim a_reload_takes_another_tracer_away_and_leaves_the_others
exec_before=$(programs | grep exec_)
configure "interval = 1s" "tracers = exec syscall" "no-calibrate = yes" "listen = 127.0.0.1:9464" "record = /var/lib/itertrace/"
run systemctl reload itertrace
exits_with 0 && await 20 status_has '^Tracing exec syscall on' && await 20 sh -c '! bpftool prog list | grep -q " name runq_"' &&
	equal "the programs of exec" "$(programs | grep exec_)" "$exec_before" &&
	equal "the main process" "$(property MainPID)" "$main" && ok || { not_ok; show_service; }

claim a_broken_configuration_does_not_stop_it
configure "interval = soon"
run systemctl reload itertrace
await 20 journal_has "itertrace.conf:2: .*soon" && await 20 journal_has "going on with the old one" &&
	is_active && equal "the main process" "$(property MainPID)" "$main" && ok || { not_ok; show_service; }

claim it_does_not_start_with_one_and_does_not_try_again
systemctl stop itertrace
run systemctl start itertrace
sleep 7
exits_with 1 && equal "the state" "$(property ActiveState)" failed &&
	equal "the exit status" "$(property ExecMainStatus)" 2 && equal "the restarts" "$(property NRestarts)" 0 && ok || { not_ok; show_service; }
systemctl reset-failed itertrace

mkdir -p /run/systemd/system/itertrace.service.d
printf '%s\n' '[Service]' WatchdogSec=6 RestartSec=1 >/run/systemd/system/itertrace.service.d/test.conf
systemctl daemon-reload
configure "interval = 1s" "no-calibrate = yes" "listen = 127.0.0.1:9464" "record = /var/lib/itertrace/"
systemctl start itertrace
main=$(property MainPID)

claim a_process_that_hangs_is_started_anew
kill -STOP "$main"
await 60 is_another "$main" && journal_has "(?i)watchdog|Watchdog" && ok || { not_ok; show_service; }
main=$(property MainPID)

claim a_process_that_is_killed_is_started_anew
kill -KILL "$main"
await 60 is_another "$main" && await 20 status_has '^Tracing' && ok || { not_ok; show_service; }
main=$(property MainPID)

claim only_one_set_of_programs_is_loaded_then
await 20 sh -c '[ "$(bpftool prog list | grep -c " name exec_start")" = 1 ]' && ok || { programs; not_ok; }

claim out_of_memory_it_is_killed_and_the_host_is_not
printf '%s\n' '[Service]' WatchdogSec=6 RestartSec=1 MemoryMax=3M MemorySwapMax=0 StartLimitBurst=100 \
	>/run/systemd/system/itertrace.service.d/test.conf
systemctl daemon-reload
systemctl restart --no-block itertrace
await 60 journal_has "oom-kill|OOM" && ok || { not_ok; show_service; }
systemctl stop itertrace
rm -r /run/systemd/system/itertrace.service.d
systemctl daemon-reload
systemctl reset-failed itertrace

claim with_its_limit_it_runs_again
rm -f /var/lib/itertrace/*
run systemctl start itertrace
exits_with 0 && sleep 40 && is_active && ok || { not_ok; show_service; }

claim its_memory_is_far_below_the_limit
memory=$(property MemoryCurrent)
[ "$memory" -gt 0 ] && [ "$memory" -lt 100000000 ] && ok || { echo "$memory bytes"; not_ok; }
echo "note: MemoryCurrent $memory of $(property MemoryMax)"

claim it_stops_and_leaves_one_recording
run systemctl stop itertrace
exits_with 0 && equal "the result" "$(property Result)" success &&
	equal "the number of recordings" "$(find /var/lib/itertrace -name '*.itr' | grep -c .)" 1 && ok ||
	{ ls -l /var/lib/itertrace; not_ok; show_service; }
base64 /var/lib/itertrace/*.itr | sed 's/^/# recording /'

claim nothing_is_left_of_it
await 20 sh -c '! bpftool prog list | grep -qE " name (exec|runq|syscall)_"' && equal "what is pinned" "$(find /sys/fs/bpf -mindepth 1 2>/dev/null | head -n 1)" "" &&
	! pgrep -u itertrace >/dev/null && ok || { programs; not_ok; }

claim an_upgrade_restarts_what_ran_and_keeps_the_configuration
systemctl start itertrace
main=$(property MainPID)
run dpkg -i /guest/itertrace.deb
exits_with 0 && await 60 is_another "$main" && grep -q '^interval = 1s' $config && ok || { not_ok; show_service; }

claim removed_it_leaves_the_configuration_and_what_was_recorded
run dpkg -r itertrace
exits_with 0 && [ -e $config ] && [ -d /var/lib/itertrace ] && ! pgrep -x itertrace >/dev/null && ok || not_ok

claim purged_it_leaves_nothing
run dpkg --purge itertrace
left=$(find / -xdev -name '*itertrace*' ! -path '/proc/*' ! -path '/guest/*' ! -path '/sys/*' ! -path '/run/log/*' ! -path '/var/log/*' 2>/dev/null)
exits_with 0 && equal "what is left" "$left" "" && ! id itertrace >/dev/null 2>&1 &&
	await 20 sh -c '! bpftool prog list | grep -qE " name (exec|runq|syscall)_"' && ok || not_ok

kill $workload
exit 0
