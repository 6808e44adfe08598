#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# itertrace run --listen, and the worst of clients.
. tests/cli/lib.sh

claim clients_cannot_harm_it
if may_load; then
	"$PYTHON" -B tests/service/hostile.py && ok || not_ok
else
	skip "$NEEDS_ROOT"
fi

finish
