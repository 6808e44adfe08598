#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# itertrace run --listen: what it takes; and, as root, what it serves.
. tests/cli/lib.sh

for bad in "" : 127.0.0.1 ::1:80 host.example:80 127.0.0.1:65536 127.0.0.1:x -1 1.5 unix: unix:here \
	   "127.0.0.1:80 " tcp://127.0.0.1:80; do
	claim "run_refuses --listen '$bad'"
	run timeout -s KILL 20 "$ITERTRACE" run --listen "$bad"
	refused 2 "--listen" && ok || not_ok
done

claim it_serves
if may_load; then
	"$PYTHON" -B tests/service/listen.py && ok || not_ok
else
	skip "$NEEDS_ROOT"
fi

finish
