// SPDX-License-Identifier: BSD-2-Clause
#include "kernel/constructs.h"

#define NR_LOOPS 10

/* Where programs keep the iterator, 8 bytes */
#define ITER_OFFSET (-8)

/* r2, r3: bounds that the verifier does not know, from the tracepoint */
static void add_variable_bounds(struct draft *d)
{
	draft_add(d, INSN_LDX(BPF_DW, BPF_REG_2, BPF_REG_1, 0));
	draft_add(d, INSN_LDX(BPF_DW, BPF_REG_3, BPF_REG_1, 8));
}

static void add_constant_bounds(struct draft *d)
{
	draft_add(d, INSN_MOV_IMM(BPF_REG_2, 0));
	draft_add(d, INSN_MOV_IMM(BPF_REG_3, NR_LOOPS));
}

static void add_iter_call(struct draft *d, const char *kfunc)
{
	draft_add_stack_addr(d, BPF_REG_1, ITER_OFFSET);
	draft_add_kfunc(d, kfunc);
}

static void add_marked_iter_call(struct draft *d, const char *kfunc)
{
	draft_add_stack_addr(d, BPF_REG_1, ITER_OFFSET);
	draft_add_begin(d);
	draft_add_kfunc(d, kfunc);
	draft_add_end(d);
}

static void build_iter_new(struct draft *d)
{
	add_variable_bounds(d);
	add_marked_iter_call(d, "bpf_iter_num_new");
	add_iter_call(d, "bpf_iter_num_destroy");
	draft_add_return(d);
}

static void build_iter_new_const(struct draft *d)
{
	add_constant_bounds(d);
	add_marked_iter_call(d, "bpf_iter_num_new");
	add_iter_call(d, "bpf_iter_num_destroy");
	draft_add_return(d);
}

static void build_iter_next(struct draft *d)
{
	add_variable_bounds(d);
	add_iter_call(d, "bpf_iter_num_new");
	add_marked_iter_call(d, "bpf_iter_num_next");
	add_iter_call(d, "bpf_iter_num_destroy");
	draft_add_return(d);
}

static void build_iter_destroy(struct draft *d)
{
	add_variable_bounds(d);
	add_iter_call(d, "bpf_iter_num_new");
	add_marked_iter_call(d, "bpf_iter_num_destroy");
	draft_add_return(d);
}

/* bpf_loop(NR_LOOPS, r2, NULL, 0) */
static void add_bpf_loop(struct draft *d)
{
	draft_add(d, INSN_MOV_IMM(BPF_REG_1, NR_LOOPS));
	draft_add(d, INSN_MOV_IMM(BPF_REG_3, 0));
	draft_add(d, INSN_MOV_IMM(BPF_REG_4, 0));
	draft_add_begin(d);
	draft_add(d, INSN_CALL(BPF_FUNC_loop));
	draft_add_end(d);
	draft_add_return(d);
}

static void build_bpf_loop(struct draft *d)
{
	draft_add_callback(d, BPF_REG_2, 1);
	add_bpf_loop(d);
	draft_add_func(d);
	draft_add_return(d);
}

static void build_bpf_loop_indirect(struct draft *d)
{
	draft_add(d, INSN_LDX(BPF_DW, BPF_REG_6, BPF_REG_1, 0));
	draft_add_callback(d, BPF_REG_2, 1);
	draft_add(d, INSN_JMP_IMM(BPF_JEQ, BPF_REG_6, 0, 2));
	draft_add_callback(d, BPF_REG_2, 2);
	add_bpf_loop(d);
	draft_add_func(d);
	draft_add_return(d);
	draft_add_func(d);
	draft_add_return(d);
}

static void build_may_goto(struct draft *d)
{
	draft_add_begin(d);
	draft_add(d, INSN_MAY_GOTO(2)); /* behind the marker */
	draft_add_end(d);
	draft_add_return(d);
}

static void add_marked_helper(struct draft *d, int id)
{
	draft_add_begin(d);
	draft_add(d, INSN_CALL(id));
	draft_add_end(d);
	draft_add_return(d);
}

static void build_smp_processor_id(struct draft *d)
{
	add_marked_helper(d, BPF_FUNC_get_smp_processor_id);
}

static void build_current_task(struct draft *d)
{
	add_marked_helper(d, BPF_FUNC_get_current_task);
}

static void build_current_task_btf(struct draft *d)
{
	add_marked_helper(d, BPF_FUNC_get_current_task_btf);
}

static void build_jiffies64(struct draft *d)
{
	add_marked_helper(d, BPF_FUNC_jiffies64);
}

static void build_ktime_get_ns(struct draft *d)
{
	add_marked_helper(d, BPF_FUNC_ktime_get_ns);
}

static void build_numa_node_id(struct draft *d)
{
	add_marked_helper(d, BPF_FUNC_get_numa_node_id);
}

static void build_rdonly_cast(struct draft *d)
{
	draft_add(d, INSN_LDX(BPF_DW, BPF_REG_1, BPF_REG_1, 0));
	draft_add_struct_id(d, BPF_REG_2, "task_struct");
	draft_add_begin(d);
	draft_add_kfunc(d, "bpf_rdonly_cast");
	draft_add_end(d);
	draft_add_return(d);
}

static void build_cast_to_kern_ctx(struct draft *d)
{
	draft_add_begin(d);
	draft_add_kfunc(d, "bpf_cast_to_kern_ctx");
	draft_add_end(d);
	draft_add_return(d);
}

#define RAW_TP BPF_PROG_TYPE_RAW_TRACEPOINT

const struct construct constructs[] = {
	{.name = "bpf_iter_num_new",
	 .description = "entry of a bpf_for() loop, bounds known at run time",
	 .type = RAW_TP,
	 .build = build_iter_new,
	 .kfunc = "bpf_iter_num_new"},
	{.name = "bpf_iter_num_new_const",
	 .description = "entry of a bpf_for() loop with constant bounds",
	 .type = RAW_TP,
	 .build = build_iter_new_const,
	 .kfunc = "bpf_iter_num_new",
	 .bounds = "bpf_iter_num_new"},
	{.name = "bpf_iter_num_next",
	 .description = "each iteration of a bpf_for() loop",
	 .type = RAW_TP,
	 .build = build_iter_next,
	 .kfunc = "bpf_iter_num_next"},
	{.name = "bpf_iter_num_destroy",
	 .description = "exit of a bpf_for() loop",
	 .type = RAW_TP,
	 .build = build_iter_destroy,
	 .kfunc = "bpf_iter_num_destroy"},
	{.name = "bpf_loop",
	 .description = "bpf_loop() with one callback, the same on every visit",
	 .type = RAW_TP,
	 .build = build_bpf_loop,
	 .helper = BPF_FUNC_loop},
	{.name = "bpf_loop_indirect",
	 .description = "bpf_loop() with a callback chosen at run time",
	 .type = RAW_TP,
	 .build = build_bpf_loop_indirect,
	 .helper = BPF_FUNC_loop},
	{.name = "may_goto",
	 .description = "each iteration of a can_loop or cond_break loop",
	 .type = RAW_TP,
	 .build = build_may_goto,
	 .seldom = "when its count runs out"},
	{.name = "bpf_get_smp_processor_id",
	 .description = "the number of this CPU",
	 .type = RAW_TP,
	 .build = build_smp_processor_id,
	 .helper = BPF_FUNC_get_smp_processor_id},
	{.name = "bpf_get_current_task",
	 .description = "the address of the running task",
	 .type = RAW_TP,
	 .build = build_current_task,
	 .helper = BPF_FUNC_get_current_task},
	{.name = "bpf_get_current_task_btf",
	 .description = "the running task, typed",
	 .type = RAW_TP,
	 .build = build_current_task_btf,
	 .helper = BPF_FUNC_get_current_task_btf},
	{.name = "array_lookup",
	 .description = "bpf_map_lookup_elem() in an array map",
	 .type = RAW_TP,
	 .build = build_array_lookup,
	 .helper = BPF_FUNC_map_lookup_elem},
	{.name = "percpu_array_lookup",
	 .description = "bpf_map_lookup_elem() in a per-CPU array map",
	 .type = RAW_TP,
	 .build = build_percpu_array_lookup,
	 .helper = BPF_FUNC_map_lookup_elem},
	{.name = "hash_lookup",
	 .description = "bpf_map_lookup_elem() in a hash map",
	 .type = RAW_TP,
	 .build = build_hash_lookup,
	 .helper = BPF_FUNC_map_lookup_elem},
	{.name = "percpu_hash_lookup",
	 .description = "bpf_map_lookup_elem() in a per-CPU hash map",
	 .type = RAW_TP,
	 .build = build_percpu_hash_lookup,
	 .helper = BPF_FUNC_map_lookup_elem},
	{.name = "lru_hash_lookup",
	 .description = "bpf_map_lookup_elem() in an LRU hash map",
	 .type = RAW_TP,
	 .build = build_lru_hash_lookup,
	 .helper = BPF_FUNC_map_lookup_elem},
	{.name = "lru_percpu_hash_lookup",
	 .description = "bpf_map_lookup_elem() in a per-CPU LRU hash map",
	 .type = RAW_TP,
	 .build = build_lru_percpu_hash_lookup,
	 .helper = BPF_FUNC_map_lookup_elem},
	{.name = "map_update",
	 .description = "bpf_map_update_elem() in a hash map",
	 .type = RAW_TP,
	 .build = build_map_update,
	 .helper = BPF_FUNC_map_update_elem},
	{.name = "map_delete",
	 .description = "bpf_map_delete_elem() in a hash map",
	 .type = RAW_TP,
	 .build = build_map_delete,
	 .helper = BPF_FUNC_map_delete_elem},
	{.name = "map_push",
	 .description = "bpf_map_push_elem() on a queue map",
	 .type = RAW_TP,
	 .build = build_map_push,
	 .helper = BPF_FUNC_map_push_elem},
	{.name = "map_pop",
	 .description = "bpf_map_pop_elem() on a queue map",
	 .type = RAW_TP,
	 .build = build_map_pop,
	 .helper = BPF_FUNC_map_pop_elem},
	{.name = "bpf_for_each_map_elem",
	 .description = "bpf_for_each_map_elem() over an array map",
	 .type = RAW_TP,
	 .build = build_for_each_map_elem,
	 .helper = BPF_FUNC_for_each_map_elem},
	{.name = "bpf_redirect_map",
	 .description = "bpf_redirect_map() to a CPU map, in XDP",
	 .type = BPF_PROG_TYPE_XDP,
	 .build = build_redirect_map,
	 .helper = BPF_FUNC_redirect_map,
	 .needs = "CAP_NET_ADMIN"},
	{.name = "bpf_jiffies64",
	 .description = "the kernel's jiffies",
	 .type = RAW_TP,
	 .build = build_jiffies64,
	 .helper = BPF_FUNC_jiffies64},
	{.name = "bpf_ktime_get_ns",
	 .description = "the monotonic clock",
	 .type = RAW_TP,
	 .build = build_ktime_get_ns,
	 .helper = BPF_FUNC_ktime_get_ns},
	{.name = "bpf_get_numa_node_id",
	 .description = "the NUMA node of this CPU",
	 .type = RAW_TP,
	 .build = build_numa_node_id,
	 .helper = BPF_FUNC_get_numa_node_id},
	{.name = "bpf_kptr_xchg",
	 .description = "exchange of a kernel pointer kept in a map",
	 .type = BPF_PROG_TYPE_TRACING,
	 .build = build_kptr_xchg,
	 .helper = BPF_FUNC_kptr_xchg},
	{.name = "bpf_timer_set_callback",
	 .description = "the function of a BPF timer",
	 .type = BPF_PROG_TYPE_SOCKET_FILTER,
	 .build = build_timer_set_callback,
	 .helper = BPF_FUNC_timer_set_callback},
	{.name = "bpf_rdonly_cast",
	 .description = "bpf_rdonly_cast() to a kernel type",
	 .type = RAW_TP,
	 .build = build_rdonly_cast,
	 .kfunc = "bpf_rdonly_cast"},
	{.name = "bpf_cast_to_kern_ctx",
	 .description = "bpf_cast_to_kern_ctx() of a perf event's context",
	 .type = BPF_PROG_TYPE_PERF_EVENT,
	 .build = build_cast_to_kern_ctx,
	 .kfunc = "bpf_cast_to_kern_ctx"},
	{0},
};
