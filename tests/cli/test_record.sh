#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Recordings: what is refused, what is left after a kill and on a full disk, and report.
. tests/cli/lib.sh

refuses() { # name-of-claim regexp ARGUMENT...
	local name=$1 pattern=$2

	shift 2
	claim "$name"
	run timeout -s KILL 20 "$ITERTRACE" "$@"
	refused 2 "$pattern" && ok || not_ok
}

record() { # options: half a second of exec
	timeout -s KILL 60 "$ITERTRACE" run --no-calibrate --duration 500ms --interval 100ms \
		--json "$@" exec
}

# --- report of what is no recording; unit tests have what a line can hold

refuses report_takes_a_file "report takes a FILE" report
refuses report_takes_one_file "one FILE.*b" report a b
refuses report_names_what_is_not_there "$TMP/nosuch.*No such file" report "$TMP/nosuch"
refuses report_names_a_directory "$TMP is a directory.*itr" report "$TMP"
: >"$TMP/empty"
refuses report_of_nothing "$TMP/empty is empty" report "$TMP/empty"
echo '{"schema":"itertrace.recording/1"}' >"$TMP/plain"
refuses report_of_plain_text "$TMP/plain.*compress" report "$TMP/plain"
gzip -c /bin/true >"$TMP/program"
refuses report_of_a_program "$TMP/program.*line 1" report "$TMP/program"
refuses report_of_a_flood "is no recording" report /dev/zero
printf '{"schema":"itertrace.recording/2"}\n' | gzip -c >"$TMP/newer"
refuses report_of_a_newer_recording "line 1.*recording/2.*newer" report "$TMP/newer"

claim report_of_a_gigabyte_of_zeros_ends_soon_and_small
head -c 1G /dev/zero | gzip -1 -c >"$TMP/zeros"
small() { # COMMAND...; address space is what ASan has too much of
	(
		[[ $ITERTRACE == */san/* ]] || ulimit -v 300000
		"$@"
	)
}
run small timeout -s KILL 20 "$ITERTRACE" report "$TMP/zeros"
refused 2 "line 1 has more than 16 MiB" && ok || not_ok
rm -f "$TMP/zeros"

for bad in 0 1k 255k abc -1 2T; do
	refuses "run_refuses --record-max '$bad'" record-max run --record-max "$bad"
done
refuses "run_refuses --record-age 0" record-age run --record-age 0
refuses run_refuses_an_empty_name "record" run --record ""

if ! may_load; then
	claim run_records
	skip "$NEEDS_ROOT"
	finish
fi

refuses a_directory_that_is_not_there_is_named "$TMP/nosuch/.*make it first" \
	run --record "$TMP/nosuch/"
refuses a_path_that_is_not_there_is_named "$TMP/nosuch/a.itr" run --record "$TMP/nosuch/a.itr"
refuses nothing_is_recorded_through_a_device "regular file" run --force --record /dev/null

# --- a whole recording

claim run_records
run record --record "$TMP/a.itr"
cp "$TMP/stdout" "$TMP/printed"
zcat "$TMP/a.itr" >"$TMP/lines" 2>"$TMP/zcat"
exits_with 0 && [[ ! -s $TMP/zcat && $(stat -c %a "$TMP/a.itr") == 640 ]] && ok || not_ok

claim its_lines_are_the_printed_ones_between_head_and_end
sed '1d;$d' "$TMP/lines" | cmp - "$TMP/printed" && ok || not_ok

claim head_and_end_fit_the_schema
sed -n '1p;$p' "$TMP/lines" >"$TMP/ends"
matches_schema "$TMP/ends" recording.json && ok || not_ok

claim report_shows_the_summary
run "$ITERTRACE" report "$TMP/a.itr"
exits_with 0 && prints_nothing stderr && prints stdout '^recording +itertrace run on' &&
	prints stdout "^kernel +$(uname -r)" && prints stdout 'summary of' &&
	prints stdout '^exec: [0-9]' && prints stdout '^  exec.argv ' &&
	! grep -q 'not whole' "$TMP/stdout" && ok || not_ok

claim report_json_fits_the_schema
run "$ITERTRACE" report --json "$TMP/a.itr"
tr -d '\n' <"$TMP/stdout" >"$TMP/report"
exits_with 0 && matches_schema "$TMP/report" report.json && ok || not_ok

claim report_adds_the_intervals_up
"$PYTHON" - "$TMP/report" "$TMP/printed" <<'END' && ok || not_ok
import json, sys
report = json.load(open(sys.argv[1]))
lines = [json.loads(l) for l in open(sys.argv[2])]
snapshots = [l for l in lines if l["schema"] == "itertrace.snapshot/1"]
assert report["intervals"] == len(snapshots)
assert report["summary"] == lines[-1] or report["summary"]["sites"] == lines[-1]["sites"]
for site in report["sites"]:
    for key in "entries", "trips", "timed":
        expected = sum(s[key] for l in snapshots for s in l["sites"] if s["site"] == site["site"])
        assert site[key] == expected, (site["site"], key, site[key], expected)
END

claim report_needs_no_privileges
cp "$TMP/a.itr" "$TMP/public.itr"
chmod 644 "$TMP/public.itr"
chmod 711 "$TMP"
run as_nobody "$ITERTRACE" report "$TMP/public.itr"
exits_with 0 && ok || not_ok

claim nothing_is_overwritten_unasked
before=$(cksum "$TMP/a.itr")
run record --record "$TMP/a.itr"
refused 2 "$TMP/a.itr.*there already.*--force" && [[ $(cksum "$TMP/a.itr") == "$before" ]] && ok || not_ok

claim force_overwrites
run record --record "$TMP/a.itr" --force
exits_with 0 && [[ $(cksum "$TMP/a.itr") != "$before" ]] && ok || not_ok

claim no_link_is_followed
ln -s "$TMP/target" "$TMP/link"
run record --record "$TMP/link" --force
refused 2 "$TMP/link.*regular" && [[ ! -e $TMP/target ]] && ok || not_ok

# As for a user who records into a directory of his with sudo.
claim a_recording_in_anothers_directory_is_his
mkdir "$TMP/home" "$TMP/home/many" && chown -R nobody "$TMP/home"
run record --record "$TMP/home/a.itr"
exits_with 0 && [[ $(stat -c %U "$TMP/home/a.itr") == nobody ]] &&
	as_nobody "$ITERTRACE" report "$TMP/home/a.itr" >"$TMP/stdout" && ok || not_ok

claim and_so_are_all_files_of_a_rotated_one
run timeout -s KILL 60 "$ITERTRACE" run --no-calibrate --duration 2500ms --interval 250ms \
	--record "$TMP/home/many" --record-age 1s exec
owners=$(stat -c %U "$TMP/home/many"/*)
exits_with 0 && [[ $(sort -u <<<"$owners") == nobody && $(wc -l <<<"$owners") -ge 2 ]] && ok || not_ok

claim a_run_that_cannot_start_leaves_no_file
run setpriv --bounding-set -all --inh-caps -all "$ITERTRACE" run --record "$TMP/none.itr" exec
[[ $status == 4 && ! -e $TMP/none.itr ]] && ok || not_ok

# --- directories

mkdir "$TMP/many"
claim a_directory_has_a_file_a_start
run record --record "$TMP/many/"
run record --record "$TMP/many"
names=("$TMP/many"/*)
[[ ${#names[@]} == 2 && ${names[0]} =~ /[A-Za-z0-9.-]+_$(uname -r | tr _ -)_[0-9]{8}T[0-9]{6}Z_0000.itr$ ]] &&
	"$ITERTRACE" report "${names[1]}" >"$TMP/stdout" && ok || not_ok

claim files_are_rotated_by_age_and_each_has_a_head
rm "$TMP/many"/*
run timeout -s KILL 60 "$ITERTRACE" run --no-calibrate --duration 3500ms --interval 250ms \
	--json --record "$TMP/many/" --record-age 1s exec
names=("$TMP/many"/*)
for name in "${names[@]}"; do
	"$ITERTRACE" report --json "$name"
done | "$PYTHON" -c '
import json, sys
text, at, parts = sys.stdin.read(), 0, []
while at < len(text.rstrip()):
    report, at = json.JSONDecoder().raw_decode(text, at)
    at += 1
    parts.append(report)
assert len(parts) >= 3, len(parts)
assert [p["recording"]["part"] for p in parts] == list(range(len(parts)))
assert [p["end"]["continued"] for p in parts] == [True] * (len(parts) - 1) + [False]
assert all(p["end"]["whole"] for p in parts)
assert sum(p["intervals"] for p in parts) >= 13
' && exits_with 0 && ok || not_ok

# --- what is left after a kill: never an unreadable file, and all but the last interval

claim killed_at_any_time_it_is_read_up_to_the_last_interval
bad=
for ((round = 0; round < 20; round++)); do
	rm -f "$TMP/killed.itr"
	: >"$TMP/printed"
	"$ITERTRACE" run --no-calibrate --interval 100ms --json --record "$TMP/killed.itr" exec \
		>"$TMP/printed" 2>/dev/null &
	pid=$!
	for ((i = 0; i < 300; i++)); do
		[[ $(wc -l <"$TMP/printed") -ge $((1 + round % 4)) ]] && break
		sleep 0.02
	done
	sleep "0.0$((round * 37 % 100))"
	kill -KILL "$pid"
	wait "$pid" 2>/dev/null
	printed=$(wc -l <"$TMP/printed")
	run "$ITERTRACE" report --json "$TMP/killed.itr"
	read=$("$PYTHON" -c 'import json, sys; r = json.load(sys.stdin); print(r["intervals"] if r["end"]["loss"] else -1)' \
		<"$TMP/stdout")
	((status == 0 && printed >= 1 && read >= printed - 1)) ||
		bad="round $round: $printed intervals were printed, $read read: $(<"$TMP/stderr")"
done
[[ -z $bad ]] && ok || { echo "$bad"; not_ok; }

claim report_says_what_is_missing_of_it
run "$ITERTRACE" report "$TMP/killed.itr"
exits_with 0 && prints stdout '^not whole +it ends behind line' && prints stdout 'no summary' &&
	prints stdout '^  exec.argv ' && ok || not_ok

# Before a recording begins there is none, and what was to be overwritten is still there.
claim killed_while_it_starts_it_leaves_a_recording_or_none
bad= begun=0 before=0
for ((round = 0; round < 24; round++)); do
	((round % 2)) && cp "$TMP/a.itr" "$TMP/killed.itr" || rm -f "$TMP/killed.itr"
	"$ITERTRACE" run --no-calibrate --interval 100ms --record "$TMP/killed.itr" --force exec >"$TMP/stdout" 2>&1 &
	pid=$!
	if ((round < 20)); then
		sleep "0.$(printf %02d $((round * 3)))"
	else # as soon as it is there
		for ((i = 0; i < 3000; i++)); do
			[[ -e $TMP/killed.itr ]] && ! cmp -s "$TMP/a.itr" "$TMP/killed.itr" && break
			sleep 0.01
		done
	fi
	kill -KILL "$pid"
	wait "$pid" 2>/dev/null
	if [[ ! -e $TMP/killed.itr ]]; then
		((before++, round % 2)) && bad="round $round: nothing is there"
		continue
	fi
	cmp -s "$TMP/a.itr" "$TMP/killed.itr" && ((before++)) || ((begun++))
	"$ITERTRACE" report "$TMP/killed.itr" >"$TMP/stdout" 2>"$TMP/stderr" || bad="round $round: $(<"$TMP/stderr")"
done
[[ -z $bad ]] && ((begun >= 4 && before >= 2)) && ok || { echo "${bad:-$begun had begun, $before not}"; not_ok; }

# --- disks

claim a_directory_that_cannot_be_written_is_named
mkdir "$TMP/ro" && mount -t tmpfs -o ro none "$TMP/ro"
run record --record "$TMP/ro/a.itr"
refused 2 "$TMP/ro/a.itr: Read-only" && ok || not_ok
run record --record "$TMP/ro/"
claim and_so_is_one_that_files_are_to_be_made_in
exits_with 2 && prints stderr "$TMP/ro/.*Read-only" && ok || not_ok
umount "$TMP/ro"

# A disk of 64 KiB, 56 of which are let go in the middle of the run.
claim a_full_disk_takes_lines_but_neither_the_run_nor_the_file
mkdir "$TMP/small" && mount -t tmpfs -o size=64k none "$TMP/small"
full_disk() {
	head -c 56k /dev/zero >"$TMP/small/ballast"
	{ sleep 2.5; rm "$TMP/small/ballast"; } &
	timeout -s KILL 60 "$ITERTRACE" run --no-calibrate --interval 100ms --duration 4s --json \
		--record "$TMP/small/a.itr"
}
"$MIXED" & # so that every interval has something to say
workload=$!
run full_disk
kill $workload
wait
cp "$TMP/stderr" "$TMP/said"
exits_with 0 && [[ $(grep -c 'No space left' "$TMP/said") == 1 ]] &&
	prints stderr 'recording misses [0-9]+ lines' && zcat "$TMP/small/a.itr" >"$TMP/lines" &&
	prints stdout snapshot && ok || not_ok

claim what_is_lost_is_in_the_recording
run "$ITERTRACE" report "$TMP/small/a.itr"
exits_with 0 && prints stdout '^not whole +lines that are missing: [0-9]+' &&
	grep '"itertrace.lost/1"' "$TMP/lines" >"$TMP/lost" && matches_schema "$TMP/lost" recording.json &&
	ok || not_ok
umount "$TMP/small"

# A limit of the process is like a full disk: a signal that nobody waits for would end it.
# Whether the line that tells of what is missing has room itself depends on what was written before.
claim a_file_size_limit_takes_lines_but_not_the_run
limited() {
	(ulimit -f 8; exec timeout -s KILL 60 "$ITERTRACE" run --no-calibrate --interval 100ms --duration 3s --json \
		--record "$TMP/limited.itr") >/dev/null
}
"$MIXED" &
workload=$!
run limited
kill $workload
wait
exits_with 0 && prints stderr 'quota.*tracing goes on' && prints stderr 'recording misses [0-9]+ lines' &&
	"$ITERTRACE" report "$TMP/limited.itr" >"$TMP/stdout" && prints stdout "^not whole .*(missing: [1-9]|had no room for it)" && ok || not_ok

claim report_writes_a_page_and_json_too
run "$ITERTRACE" report --json --html "$TMP/a.html" "$TMP/a.itr"
exits_with 0 && prints stdout '"itertrace.report/1"' && grep -q '</html>' "$TMP/a.html" && ok || not_ok

# --- bench

claim bench_records
run timeout -s KILL 60 "$ITERTRACE" bench --quick --json --record "$TMP/bench.itr" floor bpf_loop
tr -d '\n' <"$TMP/stdout" >"$TMP/printed"
zcat "$TMP/bench.itr" >"$TMP/lines"
sed -n '1p;3p' "$TMP/lines" >"$TMP/ends"
exits_with 0 && matches_schema "$TMP/ends" recording.json &&
	"$PYTHON" -c 'import json, sys
a, b = json.load(open(sys.argv[1])), json.loads(open(sys.argv[2]).read().split("\n")[1])
sys.exit(a != b)' "$TMP/printed" "$TMP/lines" && ok || not_ok

claim report_shows_a_bench
run "$ITERTRACE" report "$TMP/bench.itr"
exits_with 0 && prints stdout '^floor  *[0-9]' && prints stdout 'itertrace bench on' && ok || not_ok

finish
