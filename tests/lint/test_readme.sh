#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# README's tables of kernels are what is recorded of them, and a check that finds what is not.
. tests/cli/lib.sh

HEADINGS='construct|instructions/trip'

# shellcheck disable=SC2046
tests/vm/table -r $(grep -v '^#' tests/vm/kernels | cut -d ' ' -f 1) | sed 's/^ *//' | grep . >"$TMP/recorded"

# They are blocks of code, each with a heading and the kernels' names.
is_recorded() { # readme
	awk -v heading="^    ($HEADINGS)  " '$0 ~ heading { inside = 1 } !NF { inside = 0 } inside' "$1" |
		sed 's/^ *//' | diff - "$TMP/recorded" >"$TMP/diff" && return
	sed -n "s|^< |only in $1: |p; s|^> |not in $1: |p" "$TMP/diff"
	return 1
}

claim states_and_instructions_are_recorded
grep -qE "^construct  " "$TMP/recorded" && grep -qE "^instructions/trip  " "$TMP/recorded" && ok || not_ok

claim readme_has_the_recorded_states_and_instructions
is_recorded README.md && ok || not_ok

finds() { # claim sed-script
	claim "$1"
	sed -E "$2" README.md >"$TMP/README.md"
	! cmp -s README.md "$TMP/README.md" && ! is_recorded "$TMP/README.md" >/dev/null && ok || not_ok
}

finds another_state_is_found '/^    map_pop /s/call$/inlined/'
finds another_figure_is_found '/^    hash-inc /s/[0-9.]+$/1&/'
finds missing_row_is_found '/^    smp-id /d'
finds missing_table_is_found '/^    (bpf_loop_indirect|instructions.trip) /d'
finds missing_kernel_is_found 's/^(    (construct|instructions.trip|bpf_|map_|[a-z_]+_lookup|may_goto).*[^ ]) +[^ ]+$/\1/'

finish
