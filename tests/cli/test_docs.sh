#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Help, man pages, completion and README name the same commands and options.
. tests/cli/lib.sh

. packaging/completion/itertrace.bash

# Every command has --help; argp adds --usage and --version.
options() {
	grep -oE -- '--[a-z][a-z-]*' | grep -vxE -- '--(help|usage|version)' | sort -u
}

completes() { # word...: what completion offers for the last one
	local COMP_WORDS=(itertrace "$@") COMP_CWORD=$# COMPREPLY=()

	_itertrace
	printf '%s\n' "${COMPREPLY[@]}"
}

# The same of other shells, where they are. Zsh: what its functions are told.
has_shell() { # zsh|fish
	command -v "$1" >/dev/null || { skip "there is no $1"; return 1; }
}

zsh_specs() { # word...
	zsh -f -c '
		_arguments() { print -rl -- "$@" }
		_describe() { print -rl -- ${(P)2} }
		words=(itertrace "$@") CURRENT=$(($# + 1))
		. packaging/completion/itertrace.zsh' zsh "$@"
}

zsh_commands() { zsh_specs "" | sed -nE 's/^([a-z]+):.*/\1/p' | sort; }

# "-j" and "--json", of "(-j --json)-j[what it does]"
zsh_options() { # command
	zsh_specs "$1" "" | sed -nE 's/^(\([^)]*\)|\*)?(--?[a-z][a-z-]*)[][+=].*/\2/p' | sort -u
}

zsh_operands() { # command
	zsh_specs "$1" "" | sed -nE 's/^\*:[^:]*:\((.*)\)$/\1/p' | tr ' ' '\n' | sort
}

fish_completes() { # command-line
	fish --no-config -c 'source packaging/completion/itertrace.fish; complete -C $argv[1]' \
		"itertrace $1" | cut -f 1
}

fish_commands() { fish_completes "" | sort; }
fish_options() { fish_completes "$1 -" | sort -u; }
fish_operands() { fish_completes "$1 " | sort; }

same() { # what-the-first-is first second
	diff <(echo "$2") <(echo "$3") >"$TMP/diff" && return
	sed -n "s/^< /only in $1: /p; s/^> /not in $1: /p" "$TMP/diff"
	return 1
}

# The spans and blocks of code of README, one command of itertrace a line.
readme_commands() {
	"$PYTHON" - <<'END'
import re
text = open("README.md").read()
blocks = re.findall(r"^```.*?^```", text, re.M | re.S)
blocks += re.findall(r"^(?: {4}|\t).*$", text, re.M)
blocks += re.findall(r"(?<!`)`([^`\n]+)`(?!`)", text)
for block in blocks:
    for found in re.findall(r"\bitertrace ([a-z][a-z-]*\b[^\n|;&]*)", block):
        print(found)
END
}

claim help_has_commands
run "$ITERTRACE" --help
commands=$(sed -nE 's/^ +([a-z]+)  +[A-Za-z].*/\1/p' "$TMP/stdout" | sort)
[[ $commands == *bench*compare*probe*report*run* ]] && ok || not_ok

claim man_page_and_help_name_the_same_commands
same "itertrace --help" "$commands" \
	"$(sed -n 's/^\.It Cm //p' packaging/man/itertrace.8 | sort)" && ok || not_ok

claim completion_and_help_name_the_same_commands
same "itertrace --help" "$commands" "$(completes "" | grep -v '^-' | sort)" && ok || not_ok

for shell in zsh fish; do
	claim "completion_of_${shell}_and_help_name_the_same_commands"
	! has_shell $shell || { same "itertrace --help" "$commands" "$(${shell}_commands)" && ok || not_ok; }
done

if [[ -e README.md ]]; then
	readme_commands >"$TMP/readme"
	claim readme_and_help_name_the_same_commands
	same "itertrace --help" "$commands" "$(cut -d ' ' -f 1 "$TMP/readme" | sort -u)" && ok || not_ok
else
	claim there_is_a_readme
	not_ok
fi

for command in $commands; do
	page=$(echo packaging/man/itertrace-"$command".[18])
	claim "$command has a man page"
	[[ -r $page ]] && grep -q "^\.Xr itertrace-$command ${page##*.}" packaging/man/itertrace.8 && ok || not_ok

	run "$ITERTRACE" "$command" --help
	in_help=$(options <"$TMP/stdout")

	claim "man page and help name the same options: $command"
	same "$command --help" "$in_help" \
		"$(sed -nE 's/^\.It .*Fl (\\-[^ ]*).*/\1/p' "$page" | tr -d '\\' | sed 's/^/-/' | options)" &&
		ok || not_ok

	claim "man page and help name the same letters: $command"
	same "$command --help" "$(sed -nE 's/^ +-([a-gi-z]), (--[a-z-]+).*/\1 \2/p' "$TMP/stdout" | sort)" \
		"$(sed -nE 's/^\.It Fl (.) , Fl (\\-[^ ]*).*/\1 \2/p' "$page" | tr -d '\\' | sed 's/ -/ --/' | sort)" &&
		ok || not_ok

	claim "synopsis and help name the same options: $command"
	same "$command --help" "$(grep -vx -- --verbose <<<"$in_help")" \
		"$(sed -nE 's/^\.Op Fl (\\-[^ ]*).*/\1/p' "$page" | tr -d '\\' | sed 's/^/-/' | options)" &&
		ok || not_ok

	claim "completion and help name the same options: $command"
	same "$command --help" "$in_help" "$(completes "$command" "" | options)" && ok || not_ok

	in_help_with_letters=$(sed -nE 's/^ +((-[a-z]), )?(--[a-z-]+).*/\2\n\3/p' "$TMP/stdout" | grep . | sort)
	for shell in zsh fish; do
		claim "completion of $shell and help name the same options: $command"
		! has_shell $shell || { same "$command --help" "$in_help_with_letters" \
			"$(${shell}_options "$command")" && ok || not_ok; }
	done

	claim "readme uses only options that there are: $command"
	used=$(grep "^$command " "$TMP/readme" 2>/dev/null | options)
	unknown=$(comm -23 <(echo "$used") <(echo "$in_help") | grep .)
	[[ -z $unknown ]] && ok || { echo "in README.md only: $unknown"; not_ok; }
done

for page in packaging/man/*.[1-8]; do
	claim "no warning from formatting ${page##*/}"
	run env MANROFFSEQ= MANWIDTH=80 man --warnings -l "$page"
	exits_with 0 && prints_nothing stderr && ok || not_ok
done

claim tracers_are_the_same_everywhere
run "$ITERTRACE" run --list-tracers
tracers=$(sed -nE 's/^ *([a-z]+) .*/\1/p' "$TMP/stdout" | sort)
same "run --list-tracers" "$tracers" \
	"$(sed -n '/^The tracers are/,/^\.El/s/^\.It Cm //p' packaging/man/itertrace-run.8 | sort)" &&
	same "run --list-tracers" "$tracers" "$(completes run "" | grep -v '^-' | sort)" && ok || not_ok

# All options of run but those that are for one start.
claim settings_are_the_same_everywhere
run "$ITERTRACE" run --help
settings=$({ echo tracers; options <"$TMP/stdout" | sed 's/^--//' |
	grep -vxE 'config|check-config|list-tracers'; } | sort)
same "run --help" "$settings" \
	"$(sed -nE 's/^\.It Cm //p' packaging/man/itertrace.conf.5 | tr -d '\\' | sort)" &&
	same "run --help" "$settings" \
		"$(sed -nE 's/^#?([a-z-]+) = .*/\1/p' packaging/systemd/itertrace.conf | sort)" &&
	ok || not_ok

claim the_packaged_configuration_is_right_and_so_it_is_with_all_it_shows
run "$ITERTRACE" run --check-config --config packaging/systemd/itertrace.conf
exits_with 0 && sed 's/^#\([a-z-]* = \)/\1/' packaging/systemd/itertrace.conf >"$TMP/all.conf" &&
	run "$ITERTRACE" run --check-config --config "$TMP/all.conf" && exits_with 0 && ok || not_ok

claim workloads_are_the_same_everywhere
run "$ITERTRACE" bench --list
workloads=$(cut -d ' ' -f 1 "$TMP/stdout" | sort)
same "bench --list" "$workloads" \
	"$(sed -n '/^The workloads are/,/^\.El/s/^\.It Cm //p' packaging/man/itertrace-bench.8 |
		sed 's/ , /\n/g' | tr -d '\\' | sort)" &&
	same "bench --list" "$workloads" "$(completes bench "" | grep -v '^-' | sort)" && ok || not_ok

for shell in zsh fish; do
	claim "completion_of_${shell}_offers_the_tracers_and_workloads"
	! has_shell $shell || { same "run --list-tracers" "$tracers" "$(${shell}_operands run)" &&
		same "bench --list" "$workloads" "$(${shell}_operands bench)" && ok || not_ok; }
done

claim zsh_takes_the_file_for_the_completion_of_itertrace
if has_shell zsh; then
	mkdir "$TMP/zsh" && cp packaging/completion/itertrace.zsh "$TMP/zsh/_itertrace"
	run zsh -f -c 'fpath=($1 $fpath); autoload -Uz compinit; compinit -u -D; print $_comps[itertrace]' \
		zsh "$TMP/zsh"
	prints stdout '^_itertrace$' && prints_nothing stderr && ok || not_ok
fi

claim completion_of_fish_offers_the_backends_and_states
if has_shell fish; then
	same "what --loops takes" "$(printf '%s\n' auto bounded bpf_for bpf_loop can_loop)" \
		"$(fish_completes "run --loops " | sort)" &&
		[[ $(fish_completes "probe --require may_goto=inl") == may_goto=inlined ]] && ok || not_ok
fi

claim completion_offers_as_many_threads_as_there_are_cpus
same nproc "$(seq "$(nproc)" | sort)" "$(completes bench --threads "" | sort)" && ok || not_ok

claim completion_offers_the_backends
same "what --loops takes" "$(printf '%s\n' auto bounded bpf_for bpf_loop can_loop)" \
	"$(completes run --loops "" | sort)" &&
	[[ $(completes run --loops = bpf_f) == bpf_for ]] && ok || not_ok

claim completion_offers_the_states
[[ $(completes probe --require may_goto = inl) == inlined ]] &&
	[[ $(completes probe --require may_goto =) == *unsupported* ]] &&
	[[ $(completes probe --require may_g) == may_goto= ]] &&
	[[ $(completes probe --require may_goto=) == may_goto= ]] && ok || not_ok

claim completion_offers_the_features
if may_load; then
	run "$ITERTRACE" probe --json
	same "probe --json" "$("$PYTHON" -c 'import json, sys
print("\n".join(sorted(f["name"] for f in json.load(sys.stdin)["features"])))' <"$TMP/stdout")" \
		"$(completes probe --explain "" | sort)" && ok || not_ok
	features=$(completes probe --explain "" | sort)
	claim completion_of_zsh_offers_the_features
	! has_shell zsh || { same "completion of bash" "$features" "$(zsh -f -c '
		compadd() { shift ${@[(i)--]}; print -rl -- "$@" }
		_arguments() { }; _describe() { }; words=(itertrace) CURRENT=2
		. packaging/completion/itertrace.zsh; _itertrace_features' | sort)" && ok || not_ok; }
	claim completion_of_fish_offers_the_features
	! has_shell fish || { same "completion of bash" "$features" \
		"$(fish_completes "probe --explain " | sort)" && ok || not_ok; }
else
	skip "$NEEDS_ROOT"
fi

finish
