#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# packaging/kernel/selftests tells two kernels' reports apart: planted ones.
. tests/cli/lib.sh

SELFTESTS=packaging/kernel/selftests
mkdir -p "$TMP"/{packaging/kernel,build/vm}
cp $SELFTESTS "$TMP/$SELFTESTS" && ln -s "$PWD/tests" "$TMP/tests" && cd "$TMP" || exit 1
ours=build/vm/7.3-itertrace-upstream.report theirs=build/vm/7.3-upstream.report

# 500 tests, of which one fails on ours, one on both, and of the series' own one on Debian's.
new_reports() {
	{
		printf '# test test_progs %s OK\n' iters/num bpf_loop verif_scale_loop1 verifier_iter_num \
			verifier_iterating_callbacks verifier_loops1
		printf '# test test_verifier /p calls: %d OK\n' {1..493}
		echo '# test test_progs iters/css_task FAIL'
		echo '# test test_progs iters/css FAIL'
	} >$ours
	sed 's/iters\/css_task FAIL/iters\/css_task OK/; s/iter_num OK/iter_num FAIL/' $ours >$theirs
	printf '%s\t%s\t%s\treason\n' '.*' differs 'test_progs iters/css_task' '7.*' neither 'test_progs iters/css' \
		6.12 neither 'test_progs iters/num' >$SELFTESTS.except
}

finds() { # claim words-of-the-claim-that-fails detail
	claim "$1"
	run $SELFTESTS --compare 7.3
	prints stdout "^not ok - 7.3: .*$2" && prints stdout "$3" && ok || not_ok
	new_reports
}

new_reports
claim reports_that_agree_are_fine
run $SELFTESTS --compare 7.3
! grep '^not ok' stdout && prints stdout '^7.3: 498 pass on both; of ours 2 FAIL 499 OK, of Debian.s 2 FAIL 499 OK$' &&
	ok || not_ok

sed -i 's/bpf_loop OK/bpf_loop FAIL/' $ours
finds what_fails_on_ours_only_is_found "passes on ours" '^test_progs bpf_loop: on ours FAIL, on Debian.s OK$'

sed -i 's/bpf_loop OK/bpf_loop SKIP/' $ours
finds what_skips_on_ours_only_is_found "passes on ours" '^test_progs bpf_loop: on ours SKIP, on Debian.s OK$'

sed -i '/calls: 7 OK/d' $ours
finds what_is_not_run_on_ours_is_found "passes on ours" '^test_verifier /p calls: 7: on ours was not run'

sed -i 's/bpf_loop OK/bpf_loop FAIL/' $ours $theirs
finds what_fails_on_both_is_found "passes on ours" '^test_progs bpf_loop: on ours FAIL, on Debian.s FAIL$'

echo '# test test_progs bpf_loop FAIL' >>$ours
finds one_failure_of_several_runs_is_found "passes on ours" '^test_progs bpf_loop: on ours FAIL'

sed -i 's/iters\/css_task FAIL/iters\/css_task OK/' $ours
finds an_exception_that_is_none_is_found "passes on ours" '^test_progs iters/css_task: selftests.except has it'

sed -i 's/iters\/css FAIL/iters\/css OK/' $theirs
finds a_failure_on_both_that_became_ours_is_found "passes on ours" '^test_progs iters/css: on ours FAIL, on Debian.s OK'

sed -i '/calls: [1-9]* OK/d' $ours $theirs
finds too_few_are_found "enough" '^[0-9]+, not 400$'

sed -i '/verif_scale_/d' $ours $theirs
finds a_group_that_is_not_run_is_found "enough" '^none of test_progs verif_scale_'

cp $theirs $ours
finds a_kernel_that_inlines_nothing_is_found "series' selftest" '^test_progs verifier_iter_num: FAIL'

sed -i '/verifier_iter_num/d' $ours
finds the_series_own_that_is_not_run_is_found "series' selftest" '^it was not run'

: >$ours
: >$theirs
finds empty_reports_are_found "enough" '^0, not 400$'
finish
