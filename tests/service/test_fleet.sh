#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# itertrace compare --prometheus: verdicts on made hosts in a real Prometheus, and what
# becomes of servers that are none.
. tests/cli/lib.sh

claim servers_of_all_kinds_are_stood
"$PYTHON" -B tests/service/fleet_hostile.py && ok || not_ok

claim there_is_a_prometheus
run tests/service/fetch-prometheus
exits_with 0 && binaries=$(<"$TMP/stdout") && ok || { not_ok; finish; }

claim hosts_are_compared
"$PYTHON" -B tests/service/fleet.py "$binaries" && ok || not_ok

# --- usage ---------------------------------------------------------------------

usage() { # pattern words...
	claim "usage: compare ${*:2}"
	run "$ITERTRACE" compare "${@:2}"
	refused 2 "$1" && ok || not_ok
}
usage '--prometheus needs both --base and --new' --prometheus http://localhost --base '{}'
usage '--prometheus needs both --base and --new' --prometheus http://localhost --new '{}'
usage '--prometheus names it' --base '{}' --new '{}'
usage '--prometheus names it' --since 1h a b
usage "no recordings: leave 'a' out" --prometheus http://localhost --base '{}' --new '{}' a
usage "no recordings: leave 'a' out" --prometheus http://localhost --base '{}' --new '{}' -- a
usage "--base takes matchers.* in braces.*not '7\.2'" --prometheus http://localhost --base 7.2 --new '{}'
usage "--new takes matchers.* in braces" --prometheus http://localhost --base '{}' --new '{'
usage '--since takes a time' --prometheus http://localhost --base '{}' --new '{}' --since soon
usage '--since takes a time from' --prometheus http://localhost --base '{}' --new '{}' --since 1s
usage '--timeout takes a time' --prometheus http://localhost --base '{}' --new '{}' --timeout 0

claim without_libcurl_the_library_is_named
mkdir "$TMP/none" && : >"$TMP/none/libcurl.so.4" && : >"$TMP/none/libcurl-gnutls.so.4"
run env LD_LIBRARY_PATH="$TMP/none" "$ITERTRACE" compare --prometheus http://localhost --base '{}' --new '{}'
refused 2 'without libcurl' && ok || not_ok

claim recordings_are_compared_without_it
tests/cli/recording "$TMP/a.itr" sites=exec.argv:20
tests/cli/recording "$TMP/b.itr" release=7.3.0 boot=boot-b seed=2 sites=exec.argv:20
run env LD_LIBRARY_PATH="$TMP/none" "$ITERTRACE" compare "$TMP/a.itr" "$TMP/b.itr"
exits_with 0 && ok || not_ok

finish
