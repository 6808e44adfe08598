#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# This tree is clean, and the checks find what is planted in one that is not.
. tests/cli/lib.sh

INCLUDES=$PWD/tests/lint/includes
STYLE=$PWD/tests/lint/style

claim includes_go_downwards
run tests/lint/includes
exits_with 0 && ok || not_ok

for check in spdx file-length function-length banned-calls places format top-level; do
	claim "this tree is clean of what $check finds"
	if [[ $check == format ]] && ! command -v clang-format >/dev/null; then
		skip "no clang-format"
		continue
	fi
	run tests/lint/style "$check"
	exits_with 0 && ok || not_ok
done

# --- planted -----------------------------------------------------------------

TREE=$TMP/tree
SPDX="/* SPDX-License-Identifier: BSD-2-Clause */"

new_tree() {
	rm -rf "$TREE"
	mkdir -p "$TREE"/{src/base,src/cmd,src/insn,src/kernel,src/export,src/stat,src/trace,bpf,tests,packaging/kernel/tests}
	cp .clang-format "$TREE"
	printf '%s\nint base;\n' "$SPDX" >"$TREE/src/base/a.c"
	printf '/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */\n' >"$TREE/bpf/wire.h"
	git -c safe.directory='*' -C "$TREE" init -q
}

plant() { # file line...
	printf '%s\n' "${@:2}" >>"$TREE/$1"
}

finds_include() { # claim file text
	claim "$1"
	new_tree
	plant "$2" "$SPDX" "$3"
	run "$INCLUDES" "$TREE"
	exits_with 1 && prints stderr "^$2:2: " && ok || not_ok
}

allows_include() { # claim file text
	claim "$1"
	new_tree
	plant "$2" "$SPDX" "$3"
	run "$INCLUDES" "$TREE"
	exits_with 0 && prints_nothing stderr && ok || not_ok
}

finds_include upward_include_is_found src/base/b.c '#include "kernel/probe.h"'
finds_include upward_by_one_rank_is_found src/insn/b.c '#include "trace/session.h"'
finds_include spaced_include_is_found src/base/b.c '  #  include "cmd/cmd.h"'
finds_include angled_upward_include_is_found src/base/b.c '#include <cmd/cmd.h>'
finds_include side_by_side_is_found src/stat/b.c '#include "model/feature.h"'
finds_include insn_does_not_know_kernel src/insn/b.c '#include "kernel/probe.h"'
finds_include libbpf_outside_its_layers_is_found src/cmd/b.c '#include <bpf/libbpf.h>'
finds_include libbpf_in_insn_is_found src/insn/b.h '#include <bpf/bpf.h>'
finds_include skeleton_outside_its_layers_is_found src/export/b.c '#include "exec.skel.h"'
finds_include wire_format_outside_its_layers_is_found src/cmd/b.c '#include "bpf/wire.h"'
finds_include main_includes_cmd_and_base_only src/main.c '#include "trace/session.h"'
finds_include main_does_not_include_libbpf src/main.c '#include <bpf/libbpf.h>'
finds_include relative_include_is_found src/cmd/b.c '#include "../base/log.h"'
finds_include include_without_a_layer_is_found src/cmd/b.c '#include "cmd.h"'
finds_include bpf_does_not_include_src bpf/b.bpf.c '#include "src/base/log.h"'
finds_include bpf_does_not_include_a_layer bpf/b.bpf.c '#include "base/log.h"'

allows_include downward_include_is_fine src/cmd/b.c '#include "base/log.h"'
allows_include own_layer_is_fine src/cmd/b.c '#include "cmd/cmd.h"'
allows_include kernel_reads_instructions src/kernel/b.c '#include "insn/insn.h"'
allows_include libbpf_in_trace_is_fine src/trace/b.c '#include <bpf/libbpf.h>'
allows_include skeleton_in_trace_is_fine src/trace/b.c '#include "exec.skel.h"'
allows_include wire_format_in_stat_is_fine src/stat/b.c '#include "bpf/wire.h"'

claim a_program_of_several_files_is_fine
new_tree
mkdir "$TREE/bpf/bench"
plant bpf/bench/a.bpf.c "$SPDX"
plant bpf/b.bpf.c "$SPDX" '#include "bench/a.bpf.c"'
run "$INCLUDES" "$TREE"
exits_with 0 && prints_nothing stderr && ok || not_ok
allows_include system_header_is_fine src/insn/b.c '#include <linux/bpf.h>'
allows_include main_includes_cmd src/main.c '#include "cmd/cmd.h"'

claim directory_that_is_no_layer_is_found
new_tree
mkdir "$TREE/src/util"
plant src/util/b.c "$SPDX"
run "$INCLUDES" "$TREE"
exits_with 1 && prints stderr '^src/util/b.c:1: ' && ok || not_ok

claim tree_without_sources_is_not_clean
mkdir "$TMP/empty"
run "$INCLUDES" "$TMP/empty"
exits_with 1 && ok || not_ok

style() { run "$STYLE" -C "$TREE" "$@"; }

claim clean_tree_is_clean
new_tree
style
exits_with 0 && prints_nothing stderr && ok || not_ok

finds_style() { # claim check file line-number line...
	claim "$1"
	new_tree
	plant "$3" "${@:5}"
	style "$2"
	exits_with 1 && prints stderr "^$3:$4: " && ok || not_ok
}

allows_style() { # claim check file line...
	claim "$1"
	new_tree
	plant "$3" "${@:4}"
	style "$2"
	exits_with 0 && ok || not_ok
}

mapfile -t many < <(seq -f 'int x%.0f;' 601)
mapfile -t rows < <(seq -f '	{ %.0f },' 601)
mapfile -t body < <(seq -f '	x(%.0f);' 79)

finds_style missing_spdx_is_found spdx src/base/b.c 1 'int b;'
finds_style missing_spdx_in_a_script_is_found spdx tests/b.sh 1 '#!/bin/bash' 'true'
finds_style wrong_licence_in_bpf_is_found spdx bpf/b.h 1 "$SPDX"
finds_style wrong_licence_in_src_is_found spdx src/base/b.c 1 '// SPDX-License-Identifier: GPL-2.0-only'
allows_style patch_without_spdx_is_fine spdx packaging/kernel/0001-x.patch 'From nobody'
allows_style long_patch_is_fine file-length packaging/kernel/0001-x.patch "${many[@]}"
finds_style long_test_of_the_kernel_is_found file-length packaging/kernel/tests/b.c 601 "${many[@]}"
allows_style spdx_below_an_interpreter_is_fine spdx tests/b.sh '#!/bin/bash' '# SPDX-License-Identifier: BSD-2-Clause'
finds_style long_file_is_found file-length src/base/b.c 601 "${many[@]}"
allows_style long_table_is_fine file-length src/base/b.c 'int t[][1] = {' "${rows[@]}" '};'
finds_style long_function_is_found function-length src/base/b.c 2 'void b(void)' '{' "${body[@]}" '}'
allows_style function_of_eighty_lines_is_fine function-length src/base/b.c 'void b(void)' '{' "${body[@]:1}" '}'
finds_style long_shell_function_is_found function-length tests/b.sh 1 'b() {' "${body[@]}" '}'
for call in strcpy strcat sprintf gets strtok atoi; do
	finds_style "$call is found" banned-calls src/base/b.c 2 "$SPDX" "	$call(a, b);"
done
finds_style exit_is_found banned-calls src/cmd/b.c 1 '	exit(1);'
allows_style exit_in_main_is_fine banned-calls src/main.c '	exit(1);'
allows_style banned_name_in_a_comment_is_fine banned-calls src/base/b.c '/* no strcpy(a, b)' ' * nor exit(1) */'
allows_style banned_name_in_a_string_is_fine banned-calls src/base/b.c 'char s[] = "exit(1)";'
allows_style snprintf_is_fine banned-calls src/base/b.c '	snprintf(a, b, c);'
for place in /ro''ot/itertrace /ho''me/me/src "(/ro""ot/.cache)"; do
	finds_style "path in a line is found $place" places tests/b.sh 2 '#' "cd $place"
done
for host in deb.deb''ian.org archive.ubu''ntu.com snap''shot.debian.org mirr''ors.example.net; do
	finds_style "archive host is found $host" places tests/b.sh 1 "https://$host/x"
done
finds_style issue_number_is_found places src/base/b.c 1 "/* see iss""ue 12 */"
finds_style bare_number_is_found places src/base/b.c 1 "/* bcc #""3273 */"
allows_style build_directory_is_fine places tests/b.sh 'ls build/root/x'
finds_style stray_top_level_entry_is_found top-level NOTES.txt 0 'text'

claim ignored_file_is_not_looked_at
new_tree
plant .gitignore /build/
mkdir "$TREE/build"
plant build/b.c 'int b;'
style
exits_with 0 && ok || not_ok

claim untracked_file_is_looked_at
new_tree
git -c safe.directory='*' -C "$TREE" add .
plant src/base/new.c 'int b;'
style spdx
exits_with 1 && prints stderr '^src/base/new.c:1: ' && ok || not_ok

claim tree_without_git_is_looked_at
new_tree
rm -rf "$TREE/.git"
plant src/base/new.c 'int b;'
GIT_CEILING_DIRECTORIES=$TMP style spdx
exits_with 1 && prints stderr '^src/base/new.c:1: ' && ok || not_ok

for place in src/base packaging/kernel/tests; do
	claim "unformatted source is found in $place"
	if command -v clang-format >/dev/null; then
		new_tree
		plant $place/b.c "$SPDX" 'int   b( void ) { return 1 ; }'
		style format
		exits_with 1 && prints stderr "^$place/b.c:2: " && ok || not_ok
	else
		skip "no clang-format"
	fi
done

finish
