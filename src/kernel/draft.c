// SPDX-License-Identifier: BSD-2-Clause
#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "insn/region.h"
#include "kernel/draft.h"
#include "kernel/libbpf_log.h"
#include "kernel/refusal.h"

#define PROG_NAME   "itertrace_probe"
#define LOG_BYTES   65536
#define TIMER_BYTES 16 /* sizeof(struct bpf_timer) */

static void fail(struct draft *d, enum feature_state state, int err)
{
	if (d->failed_err)
		return;
	d->failed = state;
	d->failed_err = err;
}

void draft_init(struct draft *d, enum bpf_prog_type type, struct vmlinux_btf *vmlinux)
{
	memset(d, 0, sizeof(*d));
	d->type = type;
	d->vmlinux = vmlinux;
	d->nr_funcs = 1;
	draft_add(d, INSN_MOV_REG(INSN_MARK_OUTER, BPF_REG_1));
	draft_add(d, INSN_MOV_REG(INSN_MARK_INNER, BPF_REG_1));
}

void draft_release(struct draft *d)
{
	size_t i;

	for (i = 0; i < d->nr_maps; i++)
		close(d->maps[i]);
	btf__free(d->btf);
	memset(d, 0, sizeof(*d));
}

void draft_set_roundabout(struct draft *d)
{
	d->is_roundabout = true;
}

void draft_add(struct draft *d, struct bpf_insn insn)
{
	if (d->nr_insns == DRAFT_MAX_INSNS) {
		fail(d, FEATURE_UNKNOWN,
		     reason_set(&d->why, -E2BIG, "the probe program is too long"));
		return;
	}
	d->insns[d->nr_insns++] = insn;
}

static void add_wide(struct draft *d, unsigned int reg, unsigned int src, int imm)
{
	struct bpf_insn wide[] = {INSN_LD_IMM64(reg, src, imm, 0)};

	draft_add(d, wide[0]);
	draft_add(d, wide[1]);
}

void draft_add_begin(struct draft *d)
{
	draft_add(d, INSN_MOV_REG(INSN_MARK_OUTER, INSN_MARK_OUTER));
	draft_add(d, INSN_MOV_REG(INSN_MARK_INNER, INSN_MARK_INNER));
	d->begin = d->nr_insns;
}

void draft_add_end(struct draft *d)
{
	d->end = d->nr_insns;
	draft_add(d, INSN_MOV_REG(INSN_MARK_INNER, INSN_MARK_INNER));
	draft_add(d, INSN_MOV_REG(INSN_MARK_OUTER, INSN_MARK_OUTER));
}

void draft_add_return(struct draft *d)
{
	draft_add(d, INSN_MOV_IMM(BPF_REG_0, 0));
	draft_add(d, INSN_EXIT());
}

void draft_add_stack_addr(struct draft *d, unsigned int reg, int offset)
{
	draft_add(d, INSN_MOV_REG(reg, BPF_REG_10));
	draft_add(d, INSN_ALU_IMM(BPF_ADD, reg, offset));
}

/* The id of a type of the kernel, or -errno; then the draft has failed. */
static int find_type(struct draft *d, const char *name, uint32_t kind)
{
	int id;

	if (d->failed_err)
		return d->failed_err;
	id = vmlinux_btf_find(d->vmlinux, name, kind, &d->why);
	if (id < 0)
		fail(d,
		     id == -ENOENT || id == -ENODATA ? FEATURE_UNSUPPORTED
						     : FEATURE_UNKNOWN,
		     id);
	return id;
}

void draft_set_tracepoint(struct draft *d, const char *name)
{
	char type[64];

	snprintf(type, sizeof(type), "btf_trace_%s", name);
	d->attach_type = BPF_TRACE_RAW_TP;
	d->attach_btf_id = find_type(d, type, BTF_KIND_TYPEDEF);
}

void draft_set_function(struct draft *d, const char *name)
{
	d->attach_type = BPF_TRACE_FENTRY;
	d->attach_btf_id = find_type(d, name, BTF_KIND_FUNC);
}

void draft_add_kfunc(struct draft *d, const char *name)
{
	draft_add(d, INSN_CALL_BTF(find_type(d, name, BTF_KIND_FUNC)));
}

void draft_add_struct_id(struct draft *d, unsigned int reg, const char *name)
{
	draft_add(d, INSN_MOV_IMM(reg, find_type(d, name, BTF_KIND_STRUCT)));
}

/* struct value { struct bpf_timer field; }; ret_size its bytes */
static int add_timer_value(struct btf *btf, uint32_t *ret_size)
{
	int timer = btf__add_struct(btf, "bpf_timer", TIMER_BYTES);
	int value = btf__add_struct(btf, "value", TIMER_BYTES);

	*ret_size = TIMER_BYTES;
	return btf__add_field(btf, "field", timer, 0, 0) ? -errno : value;
}

/* struct value { struct task_struct __kptr *field; } */
static int add_kptr_value(struct btf *btf, uint32_t *ret_size)
{
	int task = btf__add_struct(btf, "task_struct", sizeof(uint64_t));
	int tag = btf__add_type_tag(btf, "kptr", task);
	int ptr = btf__add_ptr(btf, tag);
	int value = btf__add_struct(btf, "value", sizeof(uint64_t));

	*ret_size = sizeof(uint64_t);
	return btf__add_field(btf, "field", ptr, 0, 0) ? -errno : value;
}

static int create_map(enum bpf_map_type type, uint32_t key_size, enum draft_value value)
{
	LIBBPF_OPTS(bpf_map_create_opts, opts);
	uint32_t value_size =
		type == BPF_MAP_TYPE_DEVMAP || type == BPF_MAP_TYPE_CPUMAP ? 4 : 8;
	struct btf *btf = NULL;
	int fd;

	if (value != DRAFT_VALUE_U64) {
		btf = btf__new_empty();
		if (!btf)
			return -errno;
		opts.btf_key_type_id =
			(uint32_t)btf__add_int(btf, "key", key_size, BTF_INT_SIGNED);
		opts.btf_value_type_id =
			(uint32_t)(value == DRAFT_VALUE_TIMER
					   ? add_timer_value(btf, &value_size)
					   : add_kptr_value(btf, &value_size));
		fd = btf__load_into_kernel(btf);
		if (fd)
			goto out;
		opts.btf_fd = (uint32_t)btf__fd(btf);
	}
	fd = bpf_map_create(type, PROG_NAME, key_size, value_size, 1, &opts);
	if (fd < 0)
		fd = -errno;
out:
	btf__free(btf);
	return fd;
}

void draft_add_map(struct draft *d, unsigned int reg, enum bpf_map_type type,
		   uint32_t key_size, enum draft_value value)
{
	static const char *const what[] = {
		[DRAFT_VALUE_U64] = "a map of this type",
		[DRAFT_VALUE_TIMER] = "a map with a struct bpf_timer in its values",
		[DRAFT_VALUE_KPTR] = "a map with a task_struct __kptr in its values",
	};
	int fd;

	if (d->failed_err)
		return;
	if (d->nr_maps == DRAFT_MAX_MAPS) {
		fail(d, FEATURE_UNKNOWN,
		     reason_set(&d->why, -E2BIG, "the probe program has many maps"));
		return;
	}
	fd = create_map(type, key_size, value);
	if (fd < 0) {
		fail(d, refusal_describe(what[value], fd, "", &d->why), fd);
		return;
	}
	d->maps[d->nr_maps++] = fd;
	add_wide(d, reg, BPF_PSEUDO_MAP_FD, fd);
}

void draft_add_callback(struct draft *d, unsigned int reg, size_t nr)
{
	/* the function's number, until resolve_callbacks() knows where it stands */
	add_wide(d, reg, BPF_PSEUDO_FUNC, (int)nr);
}

void draft_add_func(struct draft *d)
{
	if (d->nr_funcs == DRAFT_MAX_FUNCS) {
		fail(d, FEATURE_UNKNOWN,
		     reason_set(&d->why, -E2BIG,
				"the probe program has many functions"));
		return;
	}
	d->funcs[d->nr_funcs++] = d->nr_insns;
}

static void resolve_callbacks(struct draft *d)
{
	struct bpf_insn *insn;
	size_t i;

	for (i = 0; i < d->nr_insns; i += insn_slots(&d->insns[i])) {
		insn = &d->insns[i];
		if (insn_is_ld_imm64(insn) && insn->src_reg == BPF_PSEUDO_FUNC)
			insn->imm = (int)d->funcs[insn->imm] - (int)i - 1;
	}
}

static void add_line(struct draft *d, size_t slot, enum draft_line line, int text)
{
	struct bpf_line_info *info = &d->line_infos[d->nr_line_infos++];

	info->insn_off = (uint32_t)slot;
	info->file_name_off = (uint32_t)text;
	info->line_off = (uint32_t)text;
	info->line_col = (uint32_t)line << 10; /* column 0 */
}

/*
 * BTF that names functions, which callbacks need (the verifier takes them only if
 * it says that they are static), and lines.
 */
static int add_btf(struct draft *d)
{
	int type, proto, text;
	char name[32];
	size_t i;

	d->btf = btf__new_empty();
	if (!d->btf)
		return -errno;
	type = btf__add_int(d->btf, "int", 4, BTF_INT_SIGNED);
	proto = btf__add_func_proto(d->btf, type);
	text = btf__add_str(d->btf, PROG_NAME);
	add_line(d, 0, DRAFT_LINE_BEFORE, text);
	add_line(d, d->begin, DRAFT_LINE_CONSTRUCT, text);
	add_line(d, d->end, DRAFT_LINE_AFTER, text);
	for (i = 0; i < d->nr_funcs; i++) {
		snprintf(name, sizeof(name), "function_%zu", i);
		type = btf__add_func(d->btf, name, BTF_FUNC_STATIC, proto);
		if (type < 0)
			return type;
		d->func_infos[i].insn_off = (uint32_t)d->funcs[i];
		d->func_infos[i].type_id = (uint32_t)type;
		if (i)
			add_line(d, d->funcs[i], DRAFT_LINE_CALLBACK, text);
	}
	return btf__load_into_kernel(d->btf);
}

/* Without callbacks it goes without BTF, if it must. */
static void set_btf(struct draft *d, struct bpf_prog_load_opts *opts)
{
	int err = add_btf(d);

	if (err && d->nr_funcs > 1) {
		fail(d, refusal_describe("the BTF of a callback", err, "", &d->why),
		     err);
		return;
	}
	if (err)
		return;
	opts->prog_btf_fd = (uint32_t)btf__fd(d->btf);
	opts->func_info = d->func_infos;
	opts->func_info_cnt = (uint32_t)d->nr_funcs;
	opts->func_info_rec_size = sizeof(d->func_infos[0]);
	opts->line_info = d->line_infos;
	opts->line_info_cnt = (uint32_t)d->nr_line_infos;
	opts->line_info_rec_size = sizeof(d->line_infos[0]);
}

/* libbpf asks for the log only after a load without one has failed. */
static int load(struct draft *d, struct bpf_prog_load_opts *opts,
		enum feature_state *ret_state, struct reason *why)
{
	int fd;

	opts->log_size = LOG_BYTES;
	opts->log_buf = calloc(1, LOG_BYTES);
	if (!opts->log_buf) {
		*ret_state = FEATURE_UNKNOWN;
		return reason_set(why, -ENOMEM, "out of memory");
	}
	fd = bpf_prog_load(d->type, PROG_NAME, "Dual BSD/GPL", d->insns, d->nr_insns,
			   opts);
	if (fd < 0) {
		fd = -errno;
		libbpf_log_verifier(opts->log_buf);
		*ret_state = refusal_describe("the program", fd, opts->log_buf, why);
	}
	free(opts->log_buf);
	return fd;
}

int draft_load(struct draft *d, enum feature_state *ret_state, struct reason *why)
{
	LIBBPF_OPTS(bpf_prog_load_opts, opts, .expected_attach_type = d->attach_type);

	if (!d->failed_err) {
		resolve_callbacks(d);
		set_btf(d, &opts);
	}
	if (d->failed_err && d->is_roundabout && d->failed == FEATURE_UNSUPPORTED) {
		*ret_state = FEATURE_UNKNOWN;
		return reason_set(why, d->failed_err, "cannot be tried: %.480s",
				  d->why.text);
	}
	if (d->failed_err) {
		*ret_state = d->failed;
		return reason_set(why, d->failed_err, "%s", d->why.text);
	}
	opts.attach_btf_id = (uint32_t)d->attach_btf_id;
	return load(d, &opts, ret_state, why);
}
