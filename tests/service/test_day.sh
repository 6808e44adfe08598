#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# A day of itertrace run, condensed.
. tests/cli/lib.sh

claim a_day_is_lived_through
if ! may_load; then
	skip "$NEEDS_ROOT"
elif run ${CC:-cc} -Wall -Wextra -D_GNU_SOURCE -shared -fPIC -o "$TMP/accelerate.so" tests/service/accelerate.c; exits_with 0; then
	mkdir "$TMP/recordings"
	"$PYTHON" -B tests/service/day.py "$TMP/accelerate.so" "$TMP/recordings" && ok || not_ok
else
	not_ok
fi

finish
