#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# How exposed systemd finds our unit, of 10: as it is packaged, and with more as the manual says.
. tests/cli/lib.sh

UNIT=$TMP/itertrace.service
DROP_INS=$TMP/itertrace.service.d
cp packaging/systemd/itertrace.service "$UNIT" && mkdir "$DROP_INS"

# Sets exposure, in tenths.
expose() {
	run systemd-analyze security --no-pager --offline=true "$UNIT"
	exposure=$(sed -n 's/.*Overall exposure level for itertrace.service: \([0-9]*\)\.\([0-9]\) .*/\1\2/p' "$TMP/stdout")
	[[ $exposure ]] || { echo "it is not told"; return 1; }
	exposure=$((10#$exposure))
}
is_at_most() { ((exposure <= $1)) || { echo "$exposure tenths, not at most $1"; return 1; }; }

claim the_unit_is_little_exposed
if ! command -v systemd-analyze >/dev/null; then
	skip "there is no systemd-analyze"
	finish
fi
expose && is_at_most 25 && ok || not_ok
packaged=$exposure

claim with_cap_sys_admin_as_the_manual_says_it_is_little_more_exposed
sed -n '/^\[Service\]/,/^\.Ed/{/^\.Ed/!p}' packaging/man/itertrace-run.8 >"$DROP_INS/manual.conf"
expose && is_at_most 30 && ((exposure > packaged)) && ok || not_ok

claim a_unit_that_is_more_exposed_is_found
printf '%s\n' "[Service]" CapabilityBoundingSet=~ SystemCallFilter= >"$DROP_INS/manual.conf"
expose && ! is_at_most 25 && ok || not_ok

finish
