// SPDX-License-Identifier: BSD-2-Clause
#include "kernel/constructs.h"

#define KEY_OFFSET   (-8)
#define VALUE_OFFSET (-16)
#define KEY_BYTES    4

/* r1 = a map; a key and a value of zeros on the stack */
static void add_map_and_stack(struct draft *d, enum bpf_map_type type,
			      uint32_t key_size)
{
	draft_add_map(d, BPF_REG_1, type, key_size, DRAFT_VALUE_U64);
	draft_add(d, INSN_ST(BPF_DW, BPF_REG_10, KEY_OFFSET, 0));
	draft_add(d, INSN_ST(BPF_DW, BPF_REG_10, VALUE_OFFSET, 0));
}

static void add_marked_call(struct draft *d, int helper)
{
	draft_add_begin(d);
	draft_add(d, INSN_CALL(helper));
	draft_add_end(d);
}

static void build_lookup(struct draft *d, enum bpf_map_type type)
{
	add_map_and_stack(d, type, KEY_BYTES);
	draft_add_stack_addr(d, BPF_REG_2, KEY_OFFSET);
	add_marked_call(d, BPF_FUNC_map_lookup_elem);
	draft_add_return(d);
}

void build_array_lookup(struct draft *d)
{
	build_lookup(d, BPF_MAP_TYPE_ARRAY);
}

void build_hash_lookup(struct draft *d)
{
	build_lookup(d, BPF_MAP_TYPE_HASH);
}

void build_percpu_array_lookup(struct draft *d)
{
	build_lookup(d, BPF_MAP_TYPE_PERCPU_ARRAY);
}

void build_percpu_hash_lookup(struct draft *d)
{
	build_lookup(d, BPF_MAP_TYPE_PERCPU_HASH);
}

void build_lru_hash_lookup(struct draft *d)
{
	build_lookup(d, BPF_MAP_TYPE_LRU_HASH);
}

void build_lru_percpu_hash_lookup(struct draft *d)
{
	build_lookup(d, BPF_MAP_TYPE_LRU_PERCPU_HASH);
}

void build_map_update(struct draft *d)
{
	add_map_and_stack(d, BPF_MAP_TYPE_HASH, KEY_BYTES);
	draft_add_stack_addr(d, BPF_REG_2, KEY_OFFSET);
	draft_add_stack_addr(d, BPF_REG_3, VALUE_OFFSET);
	draft_add(d, INSN_MOV_IMM(BPF_REG_4, BPF_ANY));
	add_marked_call(d, BPF_FUNC_map_update_elem);
	draft_add_return(d);
}

void build_map_delete(struct draft *d)
{
	add_map_and_stack(d, BPF_MAP_TYPE_HASH, KEY_BYTES);
	draft_add_stack_addr(d, BPF_REG_2, KEY_OFFSET);
	add_marked_call(d, BPF_FUNC_map_delete_elem);
	draft_add_return(d);
}

void build_map_push(struct draft *d)
{
	add_map_and_stack(d, BPF_MAP_TYPE_QUEUE, 0);
	draft_add_stack_addr(d, BPF_REG_2, VALUE_OFFSET);
	draft_add(d, INSN_MOV_IMM(BPF_REG_3, BPF_ANY));
	add_marked_call(d, BPF_FUNC_map_push_elem);
	draft_add_return(d);
}

void build_map_pop(struct draft *d)
{
	add_map_and_stack(d, BPF_MAP_TYPE_QUEUE, 0);
	draft_add_stack_addr(d, BPF_REG_2, VALUE_OFFSET);
	add_marked_call(d, BPF_FUNC_map_pop_elem);
	draft_add_return(d);
}

void build_for_each_map_elem(struct draft *d)
{
	draft_add_map(d, BPF_REG_1, BPF_MAP_TYPE_ARRAY, KEY_BYTES, DRAFT_VALUE_U64);
	draft_add_callback(d, BPF_REG_2, 1);
	draft_add(d, INSN_MOV_IMM(BPF_REG_3, 0));
	draft_add(d, INSN_MOV_IMM(BPF_REG_4, 0));
	add_marked_call(d, BPF_FUNC_for_each_map_elem);
	draft_add_return(d);
	draft_add_func(d);
	draft_add_return(d);
}

void build_redirect_map(struct draft *d)
{
	draft_add_map(d, BPF_REG_1, BPF_MAP_TYPE_CPUMAP, KEY_BYTES, DRAFT_VALUE_U64);
	draft_add(d, INSN_MOV_IMM(BPF_REG_2, 0));
	draft_add(d, INSN_MOV_IMM(BPF_REG_3, 0));
	add_marked_call(d, BPF_FUNC_redirect_map);
	draft_add_return(d);
}

/* r1 = the only element of a new array map; leaves the program if there is none */
static void add_element(struct draft *d, enum draft_value value)
{
	draft_add_map(d, BPF_REG_1, BPF_MAP_TYPE_ARRAY, KEY_BYTES, value);
	draft_add(d, INSN_ST(BPF_DW, BPF_REG_10, KEY_OFFSET, 0));
	draft_add_stack_addr(d, BPF_REG_2, KEY_OFFSET);
	draft_add(d, INSN_CALL(BPF_FUNC_map_lookup_elem));
	draft_add(d, INSN_JMP_IMM(BPF_JNE, BPF_REG_0, 0, 2));
	draft_add_return(d);
	draft_add(d, INSN_MOV_REG(BPF_REG_1, BPF_REG_0));
}

void build_kptr_xchg(struct draft *d)
{
	draft_set_roundabout(d);
	draft_set_tracepoint(d, "sched_switch");
	add_element(d, DRAFT_VALUE_KPTR);
	draft_add(d, INSN_MOV_IMM(BPF_REG_2, 0));
	add_marked_call(d, BPF_FUNC_kptr_xchg);
	/* a pointer that came out must be released */
	draft_add(d, INSN_JMP_IMM(BPF_JEQ, BPF_REG_0, 0, 2));
	draft_add(d, INSN_MOV_REG(BPF_REG_1, BPF_REG_0));
	draft_add_kfunc(d, "bpf_task_release");
	draft_add_return(d);
}

void build_timer_set_callback(struct draft *d)
{
	draft_set_roundabout(d);
	add_element(d, DRAFT_VALUE_TIMER);
	draft_add_callback(d, BPF_REG_2, 1);
	add_marked_call(d, BPF_FUNC_timer_set_callback);
	draft_add_return(d);
	draft_add_func(d);
	draft_add_return(d);
}
