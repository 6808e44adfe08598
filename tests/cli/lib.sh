# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
#
# For scripts that tests/run runs, from the top of the tree. A test calls
#
#   claim "what should be so"; run COMMAND...; CHECK && CHECK && ok || not_ok
#
# with CHECKs that say on stdout what is wrong, and ends with finish.
set -u
export LC_ALL=C

ITERTRACE=${ITERTRACE:-$PWD/build/itertrace}
MIXED=${ITERTRACE%/*}/tests/workload/mixed
PYTHON=${PYTHON:-/usr/bin/python3}
TMP=$(mktemp -d) || exit 1
finished=
trap 'rm -rf "$TMP"; [[ $finished ]] || { echo "$0: ended before its last test"; exit 1; }' EXIT

claim_text=
claim() { claim_text=$*; }
ok() { echo "ok - $claim_text"; }
not_ok() { echo "not ok - $claim_text"; show_run; }
skip() { echo "skip - $claim_text: $*"; }

finish() {
	finished=1
	exit 0
}

# Sets status; what was printed is in $TMP/stdout and $TMP/stderr.
status=0
run() {
	command_line="$*"
	"$@" >"$TMP/stdout" 2>"$TMP/stderr" </dev/null
	status=$?
	return 0
}

command_line=
show_run() {
	[[ $command_line ]] || return 0
	echo "command: $command_line (exit status $status)"
	[[ ! -s $TMP/stdout ]] || head -n 40 "$TMP/stdout" | cut -c 1-300 | sed 's/^/stdout: /'
	[[ ! -s $TMP/stderr ]] || head -n 40 "$TMP/stderr" | cut -c 1-300 | sed 's/^/stderr: /'
}

# --- checks ------------------------------------------------------------------

exits_with() {
	((status == $1)) || { echo "exit status $status instead of $1"; return 1; }
}

prints_nothing() { # stdout|stderr
	[[ ! -s $TMP/$1 ]] || { echo "something on $1"; return 1; }
}

prints() { # stdout|stderr extended-regexp
	grep -qE -- "$2" "$TMP/$1" || { echo "$1 has no /$2/"; return 1; }
}

one_sentence() { # on stderr, with the program's name in front
	local lines

	lines=$(wc -l <"$TMP/stderr")
	((lines == 1)) || { echo "$lines lines on stderr instead of 1"; return 1; }
	prints stderr '^itertrace: '
}

refused() { # exit status, extended-regexp: a sentence, and no result
	exits_with "$1" && prints_nothing stdout && one_sentence && prints stderr "$2"
}

matches_schema() { # file schema: every line of the file is such a document
	"$PYTHON" tests/cli/validate "tests/cli/schema/$2" "$1"
}

as_nobody() {
	setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
}

# make, called as the make that runs the tests was: or the flags would differ,
# and all be rebuilt.
same_make() {
	MAKEFLAGS=$(sed -E 's/ *(-j[0-9]*|--jobserver[^ ]*)//g' <<<"${MAKEFLAGS-}") \
		MAKELEVEL=0 MFLAGS= make --no-print-directory "$@"
}

# May this process load programs? What needs it skips otherwise.
NEEDS_ROOT="root is needed to load programs"
may_load() { ((EUID == 0)); }

# Others may load programs meanwhile: three tries.
programs_left_behind() { # bpftool command...
	local before after tries bpftool=$1

	shift
	for tries in 1 2 3; do
		before=$("$bpftool" prog list | grep -c '^[0-9]*: ')
		run "$@"
		sleep 0.3	# programs go after a grace period
		after=$("$bpftool" prog list | grep -c '^[0-9]*: ')
		((after <= before)) && return 1
	done
	echo "$before programs before, $after after, at try $tries"
}

nothing_stays_loaded() { # command...
	local bpftool

	claim nothing_stays_loaded
	bpftool=$(PATH=$PATH:/usr/sbin:/sbin command -v bpftool)
	if [[ $bpftool ]]; then
		! programs_left_behind "$bpftool" "$@" && exits_with 0 && ok || not_ok
	else
		skip "no bpftool to count programs with"
	fi
}
