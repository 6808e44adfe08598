# SPDX-License-Identifier: BSD-2-Clause
# Fish completion for itertrace.

set -l features bpf_iter_num_new bpf_iter_num_new_const bpf_iter_num_next \
    bpf_iter_num_destroy bpf_loop bpf_loop_indirect may_goto \
    bpf_get_smp_processor_id bpf_get_current_task bpf_get_current_task_btf \
    array_lookup percpu_array_lookup hash_lookup percpu_hash_lookup \
    lru_hash_lookup lru_percpu_hash_lookup map_update map_delete map_push \
    map_pop bpf_for_each_map_elem bpf_redirect_map bpf_jiffies64 \
    bpf_ktime_get_ns bpf_get_numa_node_id bpf_kptr_xchg \
    bpf_timer_set_callback bpf_rdonly_cast bpf_cast_to_kern_ctx
set -l requirements $features={inlined,folded,partial,call,unsupported,refused,unknown}

# Is that the command? With none: is there none yet?
function __itertrace_command
    set -l words (commandline -opc)
    if test (count $argv) -eq 0
        test (count $words) -eq 1
    else
        test (count $words) -ge 2; and test $words[2] = $argv[1]
    end
end

complete -c itertrace -f
complete -c itertrace -n __itertrace_command -l help -d 'Show the commands'
complete -c itertrace -n __itertrace_command -l version -d 'Show the version'
complete -c itertrace -n __itertrace_command -a bench -d 'Measure what an iteration of each loop construct costs here'
complete -c itertrace -n __itertrace_command -a doctor -d 'Tell what stands in the way on this host, and the remedies'
complete -c itertrace -n __itertrace_command -a probe -d 'Tell what this kernel inlines, with evidence'
complete -c itertrace -n __itertrace_command -a report -d 'Show a recording'
complete -c itertrace -n __itertrace_command -a run -d 'Trace, with the cost of every loop site'

complete -c itertrace -n 'not __itertrace_command' -s h -l help -d 'Show this help'
complete -c itertrace -n 'not __itertrace_command; and not __itertrace_command report; and not __itertrace_command compare' -s v -l verbose -d 'Show libbpf\'s and the verifier\'s messages too'

complete -c itertrace -n '__itertrace_command bench' -s j -l json -d 'Print one JSON document'
complete -c itertrace -n '__itertrace_command bench' -l list -d 'List the workloads and exit'
complete -c itertrace -n '__itertrace_command bench' -s d -l duration -x -a '18s 80s 5m' -d 'Measure for that time'
complete -c itertrace -n '__itertrace_command bench' -s q -l quick -d 'Take less time, with wider intervals'
complete -c itertrace -n '__itertrace_command bench' -l sweep -d 'Go over trip counts and numbers of threads'
complete -c itertrace -n '__itertrace_command bench' -s t -l threads -x -a '(seq (nproc))' -d 'Run on so many CPUs at once'
complete -c itertrace -n '__itertrace_command bench' -a 'bpf_for bpf_for_const bpf_repeat bpf_loop bpf_loop_indirect can_loop bounded floor shape_v3 shape_7.3 shape_itertrace glob-arr-inc arr-inc hash-inc smp-id'

complete -c itertrace -n '__itertrace_command bench' -l record -r -F -d 'Write a recording'
complete -c itertrace -n '__itertrace_command bench' -l force -d 'Overwrite the recording'

complete -c itertrace -n '__itertrace_command report' -s j -l json -d 'Print one JSON document'
complete -c itertrace -n '__itertrace_command report' -l html -r -F -d 'Write a page of HTML'
complete -c itertrace -n '__itertrace_command report' -F

complete -c itertrace -n '__itertrace_command doctor' -s j -l json -d 'Print one JSON document'

complete -c itertrace -n '__itertrace_command probe' -s j -l json -d 'Print one JSON document'
complete -c itertrace -n '__itertrace_command probe' -s e -l explain -x -a "$features" -d 'Show one construct\'s evidence'
complete -c itertrace -n '__itertrace_command probe' -s r -l require -x -a "$requirements" -d 'Exit with 1 if it is in another state'

complete -c itertrace -n '__itertrace_command run' -s d -l duration -x -a '1s 10s 1m' -d 'Stop after that time'
complete -c itertrace -n '__itertrace_command run' -s i -l interval -x -a '1s 10s 1m' -d 'Report every such time'
complete -c itertrace -n '__itertrace_command run' -s j -l json -d 'Print one JSON object a line'
complete -c itertrace -n '__itertrace_command run' -l loops -x -a 'auto bpf_for bpf_loop can_loop bounded' -d 'Run loops on that backend'
complete -c itertrace -n '__itertrace_command run' -l argv-max -x -a '1024 4096' -d 'Keep at most so many bytes of an argv'
complete -c itertrace -n '__itertrace_command run' -l listen -x -a '127.0.0.1:9464 unix:' -d 'Serve metrics and a live page there'
complete -c itertrace -n '__itertrace_command run' -l record -r -F -d 'Write a recording'
complete -c itertrace -n '__itertrace_command run' -l record-max -x -a '64M 256M 1G' -d 'Let recordings take so much'
complete -c itertrace -n '__itertrace_command run' -l record-age -x -a '1h 1d' -d 'Begin another file every such time'
complete -c itertrace -n '__itertrace_command run' -l force -d 'Overwrite the recording'
complete -c itertrace -n '__itertrace_command run' -s c -l config -r -F -d 'Read a configuration first'
complete -c itertrace -n '__itertrace_command run' -l check-config -d 'Only look whether it is right'
complete -c itertrace -n '__itertrace_command run' -l no-calibrate -d 'Do not measure what loops cost here'
complete -c itertrace -n '__itertrace_command run' -l list-tracers -d 'List the tracers and exit'
complete -c itertrace -n '__itertrace_command run' -a 'exec runq syscall'

complete -c itertrace -n '__itertrace_command compare' -s j -l json -d 'Print one JSON document'
complete -c itertrace -n '__itertrace_command compare' -s f -l force -d 'Compare what is not comparable'
complete -c itertrace -n '__itertrace_command compare' -s t -l threshold -x -a '1% 5% 10%' -d 'What difference matters'
complete -c itertrace -n '__itertrace_command compare' -l html -r -F -d 'Write a page of HTML too'
complete -c itertrace -n '__itertrace_command compare' -l prometheus -x -a 'http://localhost:9090 https://' -d 'Compare the hosts that this server knows of'
complete -c itertrace -n '__itertrace_command compare' -l base -x -d 'Which hosts have the kernel that is known'
complete -c itertrace -n '__itertrace_command compare' -l new -x -d 'Which hosts have the new one'
complete -c itertrace -n '__itertrace_command compare' -l since -x -a '1h 1d 7d' -d 'How far back to look'
complete -c itertrace -n '__itertrace_command compare' -l timeout -x -a '30s 5m' -d 'How long the server may take'
complete -c itertrace -n '__itertrace_command compare' -l token-file -r -F -d 'Send the token in that file'
complete -c itertrace -n '__itertrace_command compare' -F
complete -c itertrace -n __itertrace_command -a compare -d 'Tell whether another kernel build is cheaper'
