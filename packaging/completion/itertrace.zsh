#compdef itertrace
# SPDX-License-Identifier: BSD-2-Clause
# Zsh completion for itertrace; to be installed as _itertrace.

_itertrace_features() {
	compadd "$@" -- bpf_iter_num_new bpf_iter_num_new_const bpf_iter_num_next \
		bpf_iter_num_destroy bpf_loop bpf_loop_indirect may_goto \
		bpf_get_smp_processor_id bpf_get_current_task bpf_get_current_task_btf \
		array_lookup percpu_array_lookup hash_lookup percpu_hash_lookup \
		lru_hash_lookup lru_percpu_hash_lookup map_update map_delete map_push \
		map_pop bpf_for_each_map_elem bpf_redirect_map bpf_jiffies64 \
		bpf_ktime_get_ns bpf_get_numa_node_id bpf_kptr_xchg \
		bpf_timer_set_callback bpf_rdonly_cast bpf_cast_to_kern_ctx
}

_itertrace_requirement() {
	if compset -P '*='; then
		compadd -- inlined folded partial call unsupported refused unknown
	else
		_itertrace_features -S =
	fi
}

_itertrace() {
	local -a commands common=(
		'(-h --help)'{-h,--help}'[show this help]'
		'(-v --verbose)'{-v,--verbose}"[show libbpf's and the verifier's messages too]"
	)

	commands=(
		'bench:measure what an iteration of each loop construct costs here'
		'compare:tell whether another kernel build is cheaper'
		'doctor:tell what stands in the way on this host, and the remedies'
		'report:show a recording'
		'probe:tell what this kernel inlines, with evidence'
		'run:trace, with the cost of every loop site'
	)
	if ((CURRENT == 2)); then
		_describe command commands
		_arguments '--help[show the commands]' '--version[show the version]'
		return
	fi
	shift words
	((CURRENT--))
	case $words[1] in
	bench)
		_arguments -s "$common[@]" \
			'(-j --json)'{-j,--json}'[print one JSON document]' \
			'--record=[write a recording]:file:_files' \
			'--force[overwrite the recording]' \
			'--list[list the workloads, and measure nothing]' \
			'(-d --duration)'{-d+,--duration=}'[measure for that time]:time:(18s 80s 5m)' \
			'(-q --quick)'{-q,--quick}'[spend less time; intervals get wider]' \
			'--sweep[measure over trip counts and threads]' \
			'(-t --threads)'{-t+,--threads=}'[measure on so many CPUs at once]:threads:('"$(echo $(seq $(nproc)))"')' \
			'*:workload:(bpf_for bpf_for_const bpf_repeat bpf_loop bpf_loop_indirect can_loop bounded floor shape_v3 shape_7.3 shape_itertrace glob-arr-inc arr-inc hash-inc smp-id)'
		;;
	doctor)
		_arguments -s "$common[@]" \
			'(-j --json)'{-j,--json}'[print one JSON document]'
		;;
	probe)
		_arguments -s "$common[@]" \
			'(-j --json)'{-j,--json}'[print one JSON document]' \
			'(-e --explain)'{-e+,--explain=}"[show one construct's evidence]:construct:_itertrace_features" \
			'*'{-r+,--require=}'[exit with 1 if it is in another state]:requirement:_itertrace_requirement'
		;;
	report)
		_arguments -s '(-h --help)'{-h,--help}'[show this help]' \
			'(-j --json)'{-j,--json}'[print one JSON document]' \
			'--html=[write a page of HTML]:file:_files' \
			'*:recording:_files'
		;;
	compare)
		_arguments -s '(-h --help)'{-h,--help}'[show this help]' \
			'(-j --json)'{-j,--json}'[print one JSON document]' \
			'(-f --force)'{-f,--force}'[compare what is not comparable]' \
			'(-t --threshold)'{-t+,--threshold=}'[what difference matters]:percent:(1% 5% 10%)' \
			'--html=[write a page of HTML too]:file:_files' \
			'--prometheus=[compare the hosts that this server knows of]:address:(http\://localhost\:9090 https\://)' \
			'--base=[which hosts have the kernel that is known]:selector:' \
			'--new=[which hosts have the new one]:selector:' \
			'--since=[how far back to look]:time:(1h 1d 7d)' \
			'--timeout=[how long the server may take]:time:(30s 5m)' \
			'--token-file=[send the token in that file]:file:_files' \
			'*:recording:_files'
		;;
	run)
		_arguments -s "$common[@]" \
			'(-d --duration)'{-d+,--duration=}'[stop after that time]:time:(1s 10s 1m)' \
			'(-i --interval)'{-i+,--interval=}'[report every such time]:time:(1s 10s 1m)' \
			'(-j --json)'{-j,--json}'[print one JSON object a line]' \
			'--loops=[run loops on that backend]:backend:(auto bpf_for bpf_loop can_loop bounded)' \
			'--argv-max=[keep at most so many bytes of an argv]:bytes:(1024 4096)' \
			'--listen=[serve metrics and a live page there]:address:(127.0.0.1\:9464 unix\:)' \
			'--record=[write a recording]:file:_files' \
			'--record-max=[let recordings take so much]:size:(64M 256M 1G)' \
			'--record-age=[begin another file every such time]:time:(1h 1d)' \
			'--force[overwrite the recording]' \
			'(-c --config)'{-c+,--config=}'[read a configuration first]:file:_files' \
			'--check-config[only look whether it is right]' \
			'--no-calibrate[do not measure what loops cost here]' \
			'--list-tracers[list the tracers and exit]' \
			'*:tracer:(exec runq syscall)'
		;;
	esac
}

_itertrace "$@"
