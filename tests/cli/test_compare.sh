#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# itertrace compare: verdicts, exit statuses and guards, on recordings made up here.
. tests/cli/lib.sh

made() { tests/cli/recording "$TMP/$1.itr" "${@:2}"; }

# Both sides by name; more words are options.
compare() { run "$ITERTRACE" compare "${@:3}" "$TMP/$1.itr" "$TMP/$2.itr"; }

verdict_is() { prints stdout "^verdict: $1: "; }

value() { # python expression over the document d
	"$PYTHON" -c 'import json, sys; d = json.load(open(sys.argv[1])); print(eval(sys.argv[2]))' \
		"$TMP/stdout" "$1"
}

says() { # expression value
	local found

	found=$(value "$1")
	[[ $found == "$2" ]] || { echo "$1 is $found, not $2"; return 1; }
}

SITES="exec.argv:20 syscall.top:40"
made base sites="$SITES"
made same release=7.3.0 boot=boot-b seed=2 sites="$SITES"
made faster release=7.3.0 boot=boot-b seed=2 sites="exec.argv:15 syscall.top:40"
made slower release=7.3.0 boot=boot-b seed=2 sites="exec.argv:25 syscall.top:40"
made mixed release=7.3.0 boot=boot-b seed=2 sites="exec.argv:25 syscall.top:30"
made short intervals=3 sites="$SITES"
made short_too release=7.3.0 boot=boot-b seed=2 intervals=3 sites="$SITES"
made noisy release=7.3.0 boot=boot-b seed=2 noise=0.4 sites="$SITES"

# --- verdicts and exit statuses ------------------------------------------------

claim no_difference_is_status_0
compare base same
exits_with 0 && prints_nothing stderr && verdict_is "no difference" && ok || not_ok

claim faster_is_status_0
compare base faster
exits_with 0 && prints_nothing stderr && verdict_is faster &&
	prints stdout 'site +exec\.argv .* faster' && prints stdout '^what the new kernel buys: ' && ok || not_ok

claim slower_is_status_1
compare base slower
exits_with 1 && prints_nothing stderr && verdict_is slower &&
	prints stdout '^what the new kernel costs: ' && ok || not_ok

claim slower_anywhere_is_slower
compare base mixed
exits_with 1 && verdict_is slower && prints stdout 'faster 1, slower 1' && ok || not_ok

claim too_little_data_is_status_3
compare short short_too
exits_with 3 && verdict_is "too little data" && ok || not_ok

claim noise_is_too_little_data_and_no_equality
compare base noisy
exits_with 3 && verdict_is "too little data" && ok || not_ok

claim differences_stand_first
compare base mixed
[[ $(grep -E '^ +site ' "$TMP/stdout" | sed -n 's/.* \(faster\|slower\).*/\1/p' | tr '\n' ' ') == "slower faster " ]] &&
	ok || not_ok

claim threshold_decides
compare base slower --threshold 40%
exits_with 0 && verdict_is "no difference" && ok || not_ok
claim threshold_needs_no_percent_sign
compare base slower --threshold=40
exits_with 0 && verdict_is "no difference" && ok || not_ok

claim one_boot_is_warned_of
compare base same
prints stdout 'one boot proves little' && ok || not_ok

claim several_boots_a_side_are_the_unit
for i in 1 2 3 4 5 6; do
	made "base$i" boot="base-$i" seed="$i" sites="$SITES"
	made "new$i" boot="new-$i" seed="1$i" release=7.3.0 sites="exec.argv:15 syscall.top:40"
done
run "$ITERTRACE" compare --json "$TMP"/base[1-6].itr -- "$TMP"/new[1-6].itr
exits_with 0 && says 'd["unit"]' boot && says 'd["verdict"]' faster &&
	says 'd["rows"][0]["base_side"]["values"]' 6 &&
	says '"one boot" in " ".join(d["warnings"])' False && ok || not_ok

claim recordings_of_one_boot_count_once
made again boot=boot-a seed=3 sites="$SITES"
run "$ITERTRACE" compare "$TMP/base.itr" "$TMP/again.itr" -- "$TMP/same.itr"
exits_with 0 && prints stdout 'base: 2 recordings are of 1 boot' && ok || not_ok

claim copy_of_a_recording_is_noticed
run "$ITERTRACE" compare "$TMP/base.itr" "$TMP/base.itr"
exits_with 0 && prints stdout 'are the same recording' && prints stdout 'same kernel' && ok || not_ok

claim evidence_that_is_given_twice_is_refused
run "$ITERTRACE" compare "$TMP/base.itr" "$TMP/base.itr" -- "$TMP/same.itr"
refused 2 'base.itr and .*base.itr are the same recording: give it once' && ok || not_ok

claim bench_recordings_are_compared
made bench2 rows="bpf_for:18 bpf_loop:17 can_loop:8" noise=0
made bench3 rows="bpf_for:15 bpf_loop:17 can_loop:unsupported" noise=0 release=7.3.0 boot=boot-b
compare bench2 bench3 --json
cp "$TMP/stdout" "$TMP/bench.json"
exits_with 0 && says 'd["verdict"]' faster &&
	says '[(r["name"], r["verdict"], r["shift_ns"], r["shift_ns_lo"], r["shift_ns_hi"]) for r in d["rows"]]' \
		"[('bpf_for', 'faster', -3.0, -3.0, -3.0), ('bpf_loop', 'no difference', 0.0, 0.0, 0.0)]" &&
	says '[(o["name"], o["reason"]) for o in d["only_in_base"]]' \
		"[('can_loop', 'this kernel has no can_loop')]" && ok || not_ok

claim bench_and_run_have_nothing_in_common
compare bench2 same
exits_with 3 && verdict_is "not comparable" && ok || not_ok

# --- the document --------------------------------------------------------------

claim json_fits_its_schema
bad=
for pair in "base same" "base faster" "base slower" "short short_too" "bench2 bench3" "bench2 same"; do
	# shellcheck disable=SC2086
	compare $pair --json
	"$PYTHON" tests/cli/validate tests/cli/schema/compare.json "$TMP/stdout" --one || bad=1
done
[[ ! $bad ]] && ok || not_ok

claim text_and_json_agree_on_the_verdict
compare base faster
text=$(sed -n 's/^verdict: \([a-z ]*\): .*/\1/p' "$TMP/stdout")
compare base faster --json
says 'd["verdict"]' "$text" && ok || not_ok

claim savings_are_rate_times_shift
compare base faster --json
[[ $(value 'abs(d["rows"][0]["saves_cpu_percent"] +
	d["rows"][0]["shift_ns"] * 1600 * 1e-7) < 1e-9') == True ]] && ok || not_ok

# --- guards --------------------------------------------------------------------

refuses() { # name setting what
	claim "other_${1}_is_not_comparable"
	made "other" release=7.3.0 boot=boot-b seed=2 sites="$SITES" "$2"
	compare base other
	exits_with 3 && verdict_is "not comparable" && prints stdout "$3" &&
		! grep -q '^ns a trip' "$TMP/stdout" && ok || not_ok

	claim "other_${1}_is_compared_by_force"
	compare base other --force
	exits_with 0 && verdict_is "no difference" && prints stdout "compared by force" &&
		prints stdout "$3" && ok || not_ok
}
refuses cpu cpu="Another processor" "CPU model.*Another processor"
refuses architecture arch=aarch64 "architecture.*aarch64"
refuses clock clock=hpet "clock source.*hpet"
refuses loops loops=bounded "loop backend.*bounded"
refuses version itertrace=0.2.0 "itertrace version.*0\.2\.0"

names_only() { # name setting what
	claim "other_${1}_is_named"
	made "other" release=7.3.0 boot=boot-b seed=2 sites="$SITES" "$2"
	compare base other
	exits_with 0 && verdict_is "no difference" && prints stdout "$3" && ok || not_ok
}
names_only virtualisation virtualised=none "virtualised by +kvm +none"
names_only microcode microcode=0x2 "microcode +0x1 +0x2"
names_only hardening harden=2 "bpf_jit_harden +0 +2"
names_only configuration hz=1000 "CONFIG_HZ +250 +1000"

claim hardening_is_listed_first
made other release=7.3.0 boot=boot-b seed=2 sites="$SITES" harden=2 microcode=0x2
compare base other --json
says 'd["differences"][0]["what"]' bpf_jit_harden && ok || not_ok

claim two_kernels_on_one_side_are_refused
run "$ITERTRACE" compare "$TMP/base.itr" "$TMP/faster.itr" -- "$TMP/same.itr"
exits_with 3 && prints stdout 'within the base side' && ok || not_ok

# --- what stands on one side, is absent or no number ---------------------------

claim sites_on_one_side_are_listed
made more release=7.3.0 boot=boot-b seed=2 sites="$SITES new.site:10"
compare base more
exits_with 0 && prints stdout '^in new only' && prints stdout '^  site new\.site' && ok || not_ok

claim absent_figures_are_no_figures
made nulls release=7.3.0 boot=boot-b seed=2 sites="exec.argv:null syscall.top:40"
compare base nulls --json
exits_with 0 && says '[r["name"] for r in d["rows"]]' "['syscall.top']" &&
	says '[r["name"] for r in d["incomparable"]]' "['exec.argv']" && ok || not_ok

claim zeros_are_no_crash
made zeros sites="exec.argv:0 syscall.top:0"
made zeros_too release=7.3.0 boot=boot-b sites="exec.argv:0 syscall.top:1"
compare zeros zeros_too --json
exits_with 0 && says '[(r["name"], r["verdict"]) for r in d["rows"]]' "[('exec.argv', 'no difference')]" &&
	says '[r["name"] for r in d["incomparable"]]' "['syscall.top']" && ok || not_ok

for bad in NaN 1e999; do
	claim "$bad is refused with file and line"
	made bad release=7.3.0 boot=boot-b sites="exec.argv:$bad"
	compare base bad
	refused 2 "bad\.itr.*line 2" && ok || not_ok
done

claim site_that_stands_twice_is_refused_with_file_and_line
made bad release=7.3.0 boot=boot-b sites="exec.argv:10 exec.argv:20"
compare base bad
refused 2 "bad\.itr.*line 2" && ok || not_ok

claim cut_recording_is_compared_and_said
made whole release=7.3.0 boot=boot-b seed=2 sites="$SITES" cut=1
head -c $(($(stat -c %s "$TMP/whole.itr") - 20)) "$TMP/whole.itr" >"$TMP/cut.itr"
compare base cut
exits_with 0 && prints stdout 'cut\.itr: ' && ok || not_ok

claim lost_events_are_said
made lossy release=7.3.0 boot=boot-b seed=2 sites="$SITES" lost=7
compare base lossy
exits_with 0 && prints stdout '1 of 1 recordings lost events.*: 210, of 15000' && ok || not_ok

# --- usage ---------------------------------------------------------------------

for words in "" "one" "one two three" "-- one" "one --"; do
	claim "usage: compare $words"
	# shellcheck disable=SC2086
	run "$ITERTRACE" compare $words
	refused 2 'BASE\.\.\. -- NEW\.\.\.' && ok || not_ok
done

for bad in "" 0 -5 101% 5x nan inf; do
	claim "threshold_refuses '$bad'"
	compare base same --threshold="$bad"
	refused 2 "threshold" && ok || not_ok
done

claim missing_file_is_named
run "$ITERTRACE" compare "$TMP/base.itr" "$TMP/nowhere.itr"
refused 2 'nowhere\.itr' && ok || not_ok

claim no_recording_is_named
echo hello >"$TMP/text.itr"
compare base text
refused 2 'text\.itr' && ok || not_ok

claim directory_is_named
run "$ITERTRACE" compare "$TMP/base.itr" "$TMP"
refused 2 "$TMP" && ok || not_ok

claim full_device_is_reported
to_full() { "$@" >/dev/full; }
run to_full "$ITERTRACE" compare "$TMP/base.itr" "$TMP/same.itr"
exits_with 2 && one_sentence && prints stderr 'space|write' && ok || not_ok

claim file_named_like_an_option_stands_behind_the_dashes
cp "$TMP/same.itr" "$TMP/--json"
(cd "$TMP" && "$ITERTRACE" compare base.itr -- --json) >"$TMP/stdout" 2>"$TMP/stderr"
status=$?
exits_with 0 && verdict_is "no difference" && ok || not_ok

finish
