#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# What packaging/kernel/prepare and compare call proven, in a tree of stand-ins.
. tests/cli/lib.sh

TREE=$TMP/tree
OUT=$TREE/build/vm
KERNEL=$TMP/kernel
export XDG_CACHE_HOME=$TMP/cache

stand_in() { # script line...
	printf '%s\n' '#!/bin/sh' "${@:2}" >"$TREE/$1" && chmod +x "$TREE/$1"
}

mkdir -p "$TREE"/{src,bpf,tests/vm/guest,packaging/kernel/{tests,7.3}} "$OUT" "$KERNEL"
cp -r tests/vm/{lib.sh,kernels} "$TREE/tests/vm"
cp packaging/kernel/{prepare,compare,instructions} "$TREE/packaging/kernel"
touch "$TREE"/tests/vm/{boot,init} "$TREE"/tests/vm/guest/{lib,series,count}.sh "$KERNEL/bzImage"
echo one >"$TREE/src/a.c"
stand_in tests/vm/fetch
stand_in tests/vm/image 'echo no image can be made; exit 1'
stand_in packaging/kernel/build "echo '$KERNEL'"

in_tree() { (cd "$TREE" && "$@"); }

prepare() { in_tree packaging/kernel/prepare "$@"; }

# What the only test that is prepared says.
prepared() { # series
	in_tree "$(prepare "$1")"
}

report() { # kernel guest line...
	printf '%s\n' "${@:3}" '# status 0' '# end' >"$OUT/$1-$2.report"
}

reports() { # result-of-ours
	local theirs=(7.3 series '# battery program 0: ab 3' '# restricted program 0: ab 3')
	local counts=()

	report "${theirs[@]}" 'ok - plain'
	report 7.3-itertrace series 'ok - plain' "# battery program 0: $1" "# hardened program 0: $1" \
		"# interpreted program 0: $1" "# randomized program 0: $1" "# restricted program 0: $1"
	mapfile -t counts < <(awk '$1 == "7.3" { print "# count " $2 " " $3 }' packaging/kernel/instructions)
	report 7.3 count "${counts[@]}"
	mapfile -t counts < <(awk '$1 == "7.3" { print "# count " $2 " " $4 }' packaging/kernel/instructions)
	report 7.3-itertrace count "${counts[@]}"
}

compare() { rm -f "$KERNEL/proven"; run in_tree packaging/kernel/compare 7.3 "$KERNEL/proven" key; }

is_proven() { [[ $(cat "$KERNEL/proven" 2>/dev/null) == key ]] || { echo "it is not called proven"; return 1; }; }
is_not_proven() { [[ ! -e $KERNEL/proven ]] || { echo "it is called proven"; return 1; }; }

claim kernels_that_do_the_same_are_a_proof
reports 'ab 3'
compare
prints stdout '^ok - 7.3: what loads' && ! grep '^not ok' "$TMP/stdout" && is_proven && ok || not_ok

claim another_result_is_found_and_no_proof
reports 'ab 4'
compare
prints stdout '^not ok - 7.3: what loads' && prints stdout "program 0: ours ab 4, Debian's ab 3" &&
	is_not_proven && ok || not_ok

no_proof_with() { # claim report sed-script
	claim "$1"
	reports 'ab 3'
	sed -i "$3" "$OUT/$2.report"
	compare
	is_not_proven && ok || not_ok
}

no_proof_with a_claim_that_fails_in_a_guest_is_no_proof 7.3-itertrace-series 's/^ok - plain/not &/'
no_proof_with a_claim_that_is_skipped_in_a_guest_is_no_proof 7.3-series 's/^ok - plain/skip - plain: why/'
no_proof_with a_guest_that_breaks_off_is_no_proof 7.3-count '/^# status/d'
no_proof_with another_count_is_no_proof 7.3-itertrace-count 's/^\(# count count_bpf_for\) .*/\1 10/'

claim what_was_not_proven_is_booted
run prepared 7.3
prints stdout '^not ok - 7.3: what proves it is built' && prints stdout 'no image can be made' && ok || not_ok

# The key, as prepare gives it to compare.
stand_in tests/vm/image 'touch build/vm/image-amd64.cpio'
sed -i 's/^make_initrd() .*/&\n\ttouch "$3"; return/' "$TREE/packaging/kernel/prepare"
claim a_series_is_two_boots_of_two_kernels_and_a_comparison
run prepare 7.3
exits_with 0 && [[ $(tr '\n' ' ' <"$TMP/stdout") == "build/vm/7.3-series build/vm/7.3-itertrace-series $(
	)build/vm/7.3-count build/vm/7.3-itertrace-count build/vm/7.3-compared " ]] &&
	grep -q "IMAGE='$KERNEL/bzImage'.*INITRD=build/vm/series-7.3.cpio" "$OUT/7.3-itertrace-count" && ok || not_ok
reports 'ab 3'
in_tree build/vm/7.3-compared >/dev/null

claim what_was_proven_is_not_booted
run prepared 7.3
prints stdout '^ok - 7.3: these very programs have proven this very kernel$' && ok || not_ok

claim what_was_proven_is_booted_again_on_demand
AGAIN=1 run prepare 7.3
prints stdout 7.3-itertrace-series && ok || not_ok

claim a_proof_is_one_of_these_programs_only
echo two >"$TREE/src/a.c"
run prepare 7.3
prints stdout 7.3-itertrace-series && ok || not_ok

claim a_kernel_that_cannot_be_built_fails_by_name
stand_in packaging/kernel/build 'echo compiler error >&2; exit 1'
run prepared 7.3
prints stdout '^not ok - 7.3: our kernel is built' && prints stdout 'compiler error' && ok || not_ok

claim a_series_that_does_not_compile_fails_by_name
run prepared 7.3:applies
prints stdout '^not ok - 7.3: it applies, and what it touches compiles' && prints stdout 'compiler error' && ok || not_ok

claim a_series_that_compiles_does_not_fail
stand_in packaging/kernel/build '[ "$1 $2 $3" = "--compile --arch=amd64 7.3" ]'
run prepared 7.3:applies
prints stdout '^ok - 7.3: it applies, and what it touches compiles$' && ok || not_ok

claim nothing_is_prepared_of_nothing
run prepare
exits_with 0 && prints_nothing stdout && ok || not_ok

finish
