#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# "make static": one file to copy to a host, that needs none of that host's.
. tests/cli/lib.sh

static=build/static/itertrace

claim it_needs_no_library_and_no_loader
readelf -lW "$static" >"$TMP/stdout" 2>"$TMP/stderr"
prints stdout LOAD && ! grep -qE 'INTERP|DYNAMIC' "$TMP/stdout" && ok || not_ok

if ! may_load; then
	claim alone_in_a_root_it_works
	skip "$NEEDS_ROOT"
	finish
fi

# A root with nothing in it but the program and what the kernel shows.
root=$TMP/root
mkdir -p "$root"/{proc,sys} && cp "$static" "$root/"
alone() {
	timeout -s KILL 60 unshare --mount sh -c 'mount -t proc proc "$0/proc" &&
		mount --rbind /sys "$0/sys" && exec chroot "$0" /itertrace "$@"' "$root" "$@"
}

claim alone_in_a_root_it_finds_what_the_other_build_finds
run alone probe --json
cp "$TMP/stdout" "$TMP/alone"
run "$ITERTRACE" probe --json
exits_with 0 && diff "$TMP/alone" "$TMP/stdout" && ok || not_ok

claim alone_in_a_root_it_traces
run alone run --json --no-calibrate --interval 500ms --duration 1 --record /alone.itr
exits_with 0 && "$PYTHON" - "$TMP/stdout" <<'END' && "$ITERTRACE" report "$root/alone.itr" >"$TMP/report" && ok || not_ok
import json, sys
summary = json.loads(open(sys.argv[1]).readlines()[-1])
assert summary["schema"] == "itertrace.summary/1"
assert [t["state"] for t in summary["tracers"]] == ["on"] * 3, summary["tracers"]
END

claim what_it_lacks_is_said
run alone run --listen 9464
refused 2 "built without the listener.*leave --listen out" && ok || not_ok

claim and_so_is_that_it_asks_no_server
run alone compare --prometheus http://localhost:9 --base '{a="b"}' --new '{a="c"}'
refused 2 "built without what asks servers.*compare recordings" && ok || not_ok
finish
