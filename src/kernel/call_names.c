// SPDX-License-Identifier: BSD-2-Clause
#include <bpf/btf.h>
#include <stdio.h>
#include <string.h>

#include "kernel/call_names.h"

/* Kernel addresses are in the upper half; a smaller constant is a constant. */
#define LOWEST_KERNEL_ADDR 0x8000000000000000ULL

const struct ksyms *call_names_ksyms(struct call_names *n)
{
	if (!n->ksyms && !n->err)
		n->err = ksyms__new(&n->ksyms, &n->why);
	return n->ksyms;
}

/* Where the JIT reaches far, a kfunc's call holds its BTF id, not a distance. */
static bool is_id_of(struct call_names *n, const char *kfunc, int imm)
{
	return kfunc && vmlinux_btf_find(n->vmlinux, kfunc, BTF_KIND_FUNC, NULL) == imm;
}

static const char *find_name(struct call_names *n, const struct bpf_insn *insn)
{
	bool is_kfunc = insn_call_kind(insn) == INSN_CALL_KFUNC;
	const struct ksyms *ksyms;
	const char *name = NULL;

	if (!insn->imm)
		return NULL;
	if (is_kfunc && is_id_of(n, n->kfunc, insn->imm))
		return n->kfunc;
	ksyms = call_names_ksyms(n);
	if (ksyms)
		name = ksyms_name_at(ksyms,
				     ksyms_call_base(ksyms) + (uint64_t)insn->imm);
	if (!name && is_kfunc)
		name = vmlinux_btf_func_name(n->vmlinux, insn->imm);
	return name;
}

bool call_names_call(void *ctx, const struct bpf_insn *insn, char *buf, size_t size)
{
	const char *name = find_name(ctx, insn);

	if (!name)
		return false;
	snprintf(buf, size, "%s", name);
	return true;
}

bool call_names_address(void *ctx, uint64_t addr, char *buf, size_t size)
{
	const struct ksyms *ksyms;
	const char *name;

	if (addr < LOWEST_KERNEL_ADDR)
		return false;
	ksyms = call_names_ksyms(ctx);
	name = ksyms ? ksyms_name_at(ksyms, addr) : NULL;
	if (!name)
		return false;
	snprintf(buf, size, "%s", name);
	return true;
}

void call_names_release(struct call_names *n)
{
	ksyms__free(n->ksyms);
	memset(n, 0, sizeof(*n));
}
