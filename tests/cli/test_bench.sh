#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# itertrace bench: its workloads, its documents, and how it ends. No figure is
# held against another machine's: costs are positive and inside their intervals.
. tests/cli/lib.sh

NAMES="arr-inc bounded bpf_for bpf_for_const bpf_loop bpf_loop_indirect bpf_repeat can_loop floor
glob-arr-inc hash-inc shape_7.3 shape_itertrace shape_v3 smp-id"

bench() { timeout -s KILL 60 "$ITERTRACE" bench "$@"; }

refuses() { # name-of-claim regexp ARGUMENT...
	local name=$1 pattern=$2

	shift 2
	claim "$name"
	run bench "$@"
	refused 2 "$pattern" && ok || not_ok
}

claim list_has_every_workload_and_what_it_is
run "$ITERTRACE" bench --list
exits_with 0 && prints_nothing stderr &&
	diff <(cut -d ' ' -f 1 "$TMP/stdout" | sort) <(printf '%s\n' $NAMES) &&
	! grep -vE '^[a-z0-9_.-]+ +[A-Za-z]' "$TMP/stdout" && ok || not_ok

for bad in nosuchloop BPF_FOR "" clock plain_loop; do
	refuses "bench_refuses_the_workload '$bad'" "workload '$bad'" "$bad"
done
refuses an_unknown_workload_after_a_known_one_is_named nosuchloop floor nosuchloop
cpus=$(nproc)
for bad in 0 -1 abc "" 1.5 "1 " $((cpus + 1)) 2000 99999999999999999999; do
	refuses "bench_refuses --threads '$bad'" threads --threads "$bad"
	refuses "bench_refuses --threads='$bad'" threads --threads="$bad"
done
for bad in 0 -1 abc "" 999ms 301s 6m 99999999999999999999; do
	refuses "bench_refuses --duration '$bad'" "--duration takes a time" --duration "$bad"
done
if ((cpus > 1)); then
	refuses sweep_chooses_the_threads_itself "sweep.*threads" --sweep --threads 2
fi

if ! may_load; then
	claim bench_measures
	skip "$NEEDS_ROOT"
	finish
fi

value() { # python expression over the document d and its rows r
	"$PYTHON" -c 'import json, sys
d = json.load(open(sys.argv[1]))
r = d["results"]
measured = [x for x in r if x["state"] == "measured"]
print(eval("(" + sys.argv[2] + ")"))' "$TMP/bench.json" "$1"
}

holds() { # python expression
	[[ $(value "$1") == True ]] || { echo "not so: $1"; return 1; }
}

one_document() {
	cp "$TMP/stdout" "$TMP/bench.json"
	"$PYTHON" tests/cli/validate tests/cli/schema/bench.json "$TMP/bench.json" --one
}

INSIDE='all(0 < x["ns_per_iter"]["median"] and
	x["ns_per_iter"]["lo"] <= x["ns_per_iter"]["median"] <= x["ns_per_iter"]["hi"] for x in measured)'

claim quick_ends_within_ten_seconds_with_a_document
run timeout -s KILL 10 "$ITERTRACE" bench --quick --json
exits_with 0 && one_document && prints stderr 'takes about 3 seconds' && ok || not_ok

claim every_workload_has_a_row
diff <(value '"\n".join(sorted(x["name"] for x in r))') <(printf '%s\n' $NAMES) && ok || not_ok

claim costs_are_positive_and_inside_their_intervals
holds 'len(measured) > 0' && holds "$INSIDE" &&
	holds 'all(x["mops"] > 0 and x["threads"] == 1 for x in measured)' && ok || not_ok

claim every_load_that_counts_is_there_with_its_placement
holds 'all(len(x["by_load"]["ns"]) == len(x["by_load"]["placement"]) == x["loads"]
	for x in measured if x["placements"])' &&
	holds 'all(len(set(x["by_load"]["placement"])) == x["placements"] for x in measured if x["placements"])' &&
	holds 'all(x["by_load"]["ns"] == [] for x in measured if not x["placements"])' &&
	ok || not_ok

claim what_inlining_would_save_is_said_with_its_interval
holds '{p["name"] for p in d["pairs"] if p["than"] == "bpf_for"} >=
	{"shape_v3", "shape_7.3", "shape_itertrace"} & {x["name"] for x in measured}
	if "bpf_for" in {x["name"] for x in measured} else d["pairs"] is not None' &&
	holds 'all(p["saves_ns_lo"] <= p["saves_ns"] <= p["saves_ns_hi"] and
	p["ratio_lo"] <= p["ratio"] <= p["ratio_hi"] for p in d["pairs"])' && ok || not_ok

claim it_says_that_it_is_whole
holds 'd["partial"] is False' && ok || not_ok

claim the_table_has_a_row_for_every_workload
run bench --quick
missing=
for name in $NAMES; do
	grep -qE "^${name/./\\.} " "$TMP/stdout" || missing+=" $name"
done
exits_with 0 && [[ -z $missing ]] && ! prints stdout PARTIAL >/dev/null &&
	! grep -q $'[\r\e]' "$TMP/stdout" "$TMP/stderr" && ok || { echo "no row:$missing"; not_ok; }

claim only_named_workloads_have_rows
run bench --quick --json can_loop floor can_loop
exits_with 0 && one_document && holds '[x["name"] for x in r] == ["can_loop", "floor"]' &&
	holds "$INSIDE" && ok || not_ok

claim it_takes_the_time_that_it_is_given
run bench --duration 4s --json floor bpf_loop
exits_with 0 && one_document && holds '4 <= d["took_s"] < 7' && prints stderr 'takes about 5 seconds' && ok || not_ok

claim two_threads_are_two_cpus
if ((cpus > 1)); then
	run bench --quick --json --threads 2 arr-inc floor
	exits_with 0 && one_document && holds 'len(measured) == 2' &&
		holds 'all(x["threads"] == 2 for x in r)' && holds "$INSIDE" && ok || not_ok
else
	skip "there is one CPU only"
fi

claim the_sweep_has_all_trip_counts
run bench --sweep --quick --json
exits_with 0 && one_document && holds "$INSIDE" &&
	holds 'all(sorted(x["nr_loops"] for x in measured if x["name"] == n and x["threads"] == 1) ==
	[10, 100, 500, 1000, 5000, 10000, 50000, 100000, 500000, 1000000] for n in {x["name"] for x in r})' &&
	ok || not_ok

claim the_sweep_has_all_threads_that_there_are_cpus_for
holds "{x['threads'] for x in measured} == {t for t in (1, 4, 8, 12, 16, $cpus)
	if t <= min($cpus, 16)}" && ok || not_ok

claim the_table_of_the_sweep_has_all_trip_counts
run bench --sweep --quick
exits_with 0 && prints stdout '^1 thread$' && prints stdout '^ +10 .*M/s.*ns' &&
	prints stdout '^ +1000000 .*M/s.*ns' && ok || not_ok

# Starts a default run, and interrupts it after a good second.
interrupted() {
	env --default-signal=INT,TERM timeout -s KILL 30 "$ITERTRACE" bench "${@:2}" &
	pid=$!
	sleep 1.5
	kill -"$1" "$(pgrep -P $pid)"
	wait $pid
}

claim SIGINT_gives_a_partial_table
run interrupted INT
exits_with 0 && prints stdout PARTIAL && prints stdout '^floor +[0-9]' && ok || not_ok

for signal in INT TERM; do
	claim "SIG${signal}_gives_a_partial_document"
	run interrupted "$signal" --json
	exits_with 0 && one_document && holds 'd["partial"] is True' && holds 'd["took_s"] < 10' &&
		holds 'len(measured) > 0' && holds "$INSIDE" && ok || not_ok
done

claim SIGINT_ends_a_sweep_too
run interrupted INT --sweep --json
exits_with 0 && one_document && holds 'd["partial"] is True' && holds 'd["took_s"] < 10' && ok || not_ok

claim progress_is_shown_on_a_terminal
run script -qec "timeout -s KILL 30 $ITERTRACE bench --quick floor" /dev/null
exits_with 0 && prints stdout 'measuring: +[0-9]+%' && ok || not_ok

claim full_device_is_reported
full() { timeout -s KILL 30 "$ITERTRACE" bench --quick --json floor >/dev/full; }
run full
exits_with 2 && prints stderr 'space|write' && ok || not_ok

finish
