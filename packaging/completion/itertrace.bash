# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
# Bash completion for itertrace.

_itertrace() {
	local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}
	COMPREPLY=()
	local command=${COMP_WORDS[1]-} words= at=$((COMP_CWORD - 1))

	# "--loops=bpf" arrives as three words, "name=call" too.
	if [[ $cur == = ]]; then
		cur=
	elif [[ $prev == = ]]; then
		prev=${COMP_WORDS[--at]}
	fi
	[[ ${COMP_WORDS[at - 1]} == --require && $at -lt $((COMP_CWORD - 1)) ]] && prev=STATE
	[[ ${COMP_WORDS[at - 1]} == --require && ${COMP_WORDS[COMP_CWORD]} == = ]] && prev=STATE

	if ((COMP_CWORD == 1)); then
		words="bench compare doctor probe report run --help --version"
	else
		case $command:$prev in
		run:--loops) words="auto bpf_for bpf_loop can_loop bounded" ;;
		run:--duration | run:--interval) words="1s 10s 1m" ;;
		run:--listen) words="127.0.0.1:9464 unix:" ;;
		run:--argv-max) words="1024 4096" ;;
		bench:--duration) words="18s 80s 5m" ;;
		bench:--threads) words=$(seq "$(nproc)") ;;
		bench:--record | run:--record | compare:--html | report:--html) _itertrace_files; return ;;
		run:--record-max) words="64M 256M 1G" ;;
		run:--record-age) words="1h 1d" ;;
		bench:*) words="--duration --force --json --list --quick --record --sweep --threads --verbose --help
			bpf_for bpf_for_const bpf_repeat bpf_loop bpf_loop_indirect can_loop bounded
			floor shape_v3 shape_7.3 shape_itertrace glob-arr-inc arr-inc hash-inc smp-id" ;;
		doctor:*) words="--json --verbose --help" ;;
		compare:--threshold) words="1% 5% 10%" ;;
		compare:--prometheus) words="http://localhost:9090 https://" ;;
		compare:--since) words="1h 1d 7d" ;;
		compare:--timeout) words="30s 5m" ;;
		compare:--base | compare:--new) return ;;
		compare:--token-file) compopt -o default 2>/dev/null; return ;;
		compare:*)
			words="--base --force --html --json --new --prometheus --since --threshold --timeout
				--token-file --help"
			[[ $cur == -* ]] || _itertrace_files
			;;
		probe:--explain) words=$(_itertrace_features) ;;
		probe:--require) words=$(_itertrace_features "=") ;;
		probe:STATE) words="inlined folded partial call unsupported refused unknown" ;;
		probe:*) words="--explain --json --require --verbose --help" ;;
		run:--config) _itertrace_files; return ;;
		report:*)
			words="--html --json --help"
			[[ $cur == -* ]] || _itertrace_files
			;;
		run:*) words="--argv-max --check-config --config --duration --force --interval --json --list-tracers --listen --loops
			--no-calibrate --record --record-age --record-max --verbose --help
			exec runq syscall" ;;
		esac
	fi
	mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -W "$words" -- "$cur")
	[[ ${COMPREPLY[0]-} != *= ]] || compopt -o nospace 2>/dev/null
}

# Recordings, and directories of them.
_itertrace_files() {
	compopt -o filenames 2>/dev/null
	mapfile -t COMPREPLY < <(compgen -d -- "$cur"; compgen -f -X '!*.itr' -- "$cur")
}

# The constructs that probe knows, each with $1 behind it.
_itertrace_features() {
	local name

	for name in bpf_iter_num_new bpf_iter_num_new_const bpf_iter_num_next \
		    bpf_iter_num_destroy bpf_loop bpf_loop_indirect may_goto \
		    bpf_get_smp_processor_id bpf_get_current_task bpf_get_current_task_btf \
		    array_lookup percpu_array_lookup hash_lookup percpu_hash_lookup \
		    lru_hash_lookup lru_percpu_hash_lookup map_update map_delete map_push \
		    map_pop bpf_for_each_map_elem bpf_redirect_map bpf_jiffies64 \
		    bpf_ktime_get_ns bpf_get_numa_node_id bpf_kptr_xchg \
		    bpf_timer_set_callback bpf_rdonly_cast bpf_cast_to_kern_ctx; do
		echo "$name${1-}"
	done
}

complete -F _itertrace itertrace
