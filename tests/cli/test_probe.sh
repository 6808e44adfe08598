#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# itertrace probe: its document, and --require as scripts use it.
. tests/cli/lib.sh

for bad in "bpf_iter_num_next" "=call" "bpf_iter_num_next=" "nosuchthing=call" \
	   "bpf_iter_num_next=sometimes" "bpf_iter_num_next=INLINED" "bpf_iter_num_next=call=call"; do
	claim "require_refuses $bad"
	run "$ITERTRACE" probe --require "$bad"
	refused 2 "require|${bad%%=*}" && ok || not_ok
done

claim one_bad_require_of_two_is_usage
run "$ITERTRACE" probe --require may_goto=call --require nosuchthing=call
refused 2 nosuchthing && ok || not_ok

claim explain_refuses_an_unknown_name
run "$ITERTRACE" probe --explain nosuchthing
refused 2 nosuchthing && ok || not_ok

claim probe_refuses_an_argument
run "$ITERTRACE" probe nonsense
refused 2 nonsense && ok || not_ok

if ! may_load; then
	claim probe_reads_back_programs
	skip "$NEEDS_ROOT"
	finish
fi

claim json_fits_its_schema
run "$ITERTRACE" probe --json
cp "$TMP/stdout" "$TMP/probe.json"
exits_with 0 && prints_nothing stderr &&
	"$PYTHON" tests/cli/validate tests/cli/schema/probe.json "$TMP/probe.json" --one && ok || not_ok

value() { # python expression over the document d
	"$PYTHON" -c 'import json, sys; d = json.load(open(sys.argv[1])); print(eval(sys.argv[2]))' \
		"$TMP/probe.json" "$1"
}

claim names_are_unique
[[ $(value 'len(d["features"]) == len({f["name"] for f in d["features"]})') == True ]] && ok || not_ok

claim release_is_the_running_kernels
[[ $(value 'd["kernel"]["release"]') == "$(uname -r)" ]] && ok || not_ok

claim two_runs_agree
run "$ITERTRACE" probe --json
exits_with 0 && [[ -s $TMP/stdout ]] && cmp "$TMP/stdout" "$TMP/probe.json" && ok || not_ok

claim table_names_every_feature_and_its_state
run "$ITERTRACE" probe
missing= nr=0
while read -r name state; do
	((++nr))
	grep -qE "(^| )$name +(\S+ +)*$state( |\$)" "$TMP/stdout" || missing+=" $name"
done < <(value '"\n".join(f["name"] + " " + f["state"] for f in d["features"])')
exits_with 0 && ((nr > 1)) && [[ -z $missing ]] && ok || { echo "not in the table:$missing"; not_ok; }

state=$(value 'next(f["state"] for f in d["features"] if f["name"] == "bpf_iter_num_next")')
other=inlined
[[ $state != inlined ]] || other=call

claim require_met_is_status_0
run "$ITERTRACE" probe --require "bpf_iter_num_next=$state"
[[ $state ]] && exits_with 0 && ok || not_ok

claim require_not_met_is_status_1
run "$ITERTRACE" probe --require "bpf_iter_num_next=$other"
exits_with 1 && prints stderr "bpf_iter_num_next.*$state" && ok || not_ok

claim one_of_two_requires_not_met_is_status_1
run "$ITERTRACE" probe --require "bpf_iter_num_next=$state" --require "bpf_iter_num_next=$other"
exits_with 1 && ok || not_ok

claim json_is_printed_also_if_a_require_is_not_met
run "$ITERTRACE" probe --json --require "bpf_iter_num_next=$other"
exits_with 1 &&
	"$PYTHON" tests/cli/validate tests/cli/schema/probe.json "$TMP/stdout" --one && ok || not_ok

while read -r name; do
	claim "explain_shows_the_code_of $name"
	run "$ITERTRACE" probe --explain "$name"
	exits_with 0 && prints stdout "$name" && prints stdout '^ *[0-9]+: ' && ok || not_ok
done < <(value '"\n".join(f["name"] for f in d["features"]
	if f["state"] in ("inlined", "folded", "partial", "call"))')

nothing_stays_loaded "$ITERTRACE" probe

finish
