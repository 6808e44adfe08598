// SPDX-License-Identifier: BSD-2-Clause
#include <bpf/bpf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "insn/insn.h"
#include "kernel/prog_code.h"

static uint64_t as_u64(const void *p)
{
	return (uint64_t)(uintptr_t)p;
}

static int get_info(int fd, struct bpf_prog_info *info, struct reason *why)
{
	__u32 len = sizeof(*info);
	int err;

	if (!bpf_obj_get_info_by_fd(fd, info, &len))
		return 0;
	err = -errno;
	return reason_set(why, err, "cannot read the loaded program back: %s",
			  strerror(-err));
}

/* Buffers for what sizes announces, and info asking for them. */
static int alloc_buffers(const struct bpf_prog_info *sizes, struct prog_code *code,
			 struct bpf_prog_info *info)
{
	code->xlated = calloc(1, sizes->xlated_prog_len + 1);
	code->jited = calloc(1, sizes->jited_prog_len + 1);
	code->func_addrs = calloc(sizes->nr_jited_ksyms + 1, sizeof(uint64_t));
	code->func_lens = calloc(sizes->nr_jited_func_lens + 1, sizeof(uint32_t));
	code->lines = calloc(sizes->nr_line_info + 1, sizeof(*code->lines));
	code->line_addrs = calloc(sizes->nr_jited_line_info + 1, sizeof(uint64_t));
	if (!code->xlated || !code->jited || !code->func_addrs || !code->func_lens ||
	    !code->lines || !code->line_addrs)
		return -ENOMEM;
	memset(info, 0, sizeof(*info));
	info->xlated_prog_len = sizes->xlated_prog_len;
	info->xlated_prog_insns = as_u64(code->xlated);
	info->jited_prog_len = sizes->jited_prog_len;
	info->jited_prog_insns = as_u64(code->jited);
	info->nr_jited_ksyms = sizes->nr_jited_ksyms;
	info->jited_ksyms = as_u64(code->func_addrs);
	info->nr_jited_func_lens = sizes->nr_jited_func_lens;
	info->jited_func_lens = as_u64(code->func_lens);
	info->nr_line_info = sizes->nr_line_info;
	info->line_info_rec_size = sizeof(*code->lines);
	info->line_info = as_u64(code->lines);
	info->nr_jited_line_info = sizes->nr_jited_line_info;
	info->jited_line_info_rec_size = sizeof(uint64_t);
	info->jited_line_info = as_u64(code->line_addrs);
	return 0;
}

/* The kernel sets a pointer to 0 where it has something and does not give it. */
static void note_xlated(const struct bpf_prog_info *info, struct prog_code *code)
{
	code->nr_xlated = info->xlated_prog_len / sizeof(*code->xlated);
	if (code->nr_xlated && info->xlated_prog_insns)
		return;
	if (code->nr_xlated)
		reason_set(&code->why_no_xlated, 0,
			   "the kernel does not show the translated program: its "
			   "constants are blinded (net.core.bpf_jit_harden) and "
			   "addresses are hidden (needs CAP_SYSLOG and "
			   "kernel.kptr_restrict below 2)");
	else
		reason_set(&code->why_no_xlated, 0,
			   "the kernel does not show the translated program (needs "
			   "CAP_BPF or CAP_SYS_ADMIN in the initial user namespace)");
	free(code->xlated);
	code->xlated = NULL;
	code->nr_xlated = 0;
}

static void note_jited(const struct bpf_prog_info *info, struct prog_code *code)
{
	code->jited_len = info->jited_prog_len;
	code->nr_funcs = info->jited_ksyms && info->jited_func_lens
				 ? info->nr_jited_func_lens
				 : 0;
	if (info->nr_jited_ksyms < code->nr_funcs)
		code->nr_funcs = info->nr_jited_ksyms;
	if (info->line_info && info->jited_line_info &&
	    info->nr_line_info == info->nr_jited_line_info)
		code->nr_lines = info->nr_line_info;
	if (code->jited_len && info->jited_prog_insns && code->nr_funcs)
		return;
	if (code->jited_len)
		reason_set(
			&code->why_no_jited, 0,
			"the kernel does not show JITed code while addresses are "
			"hidden (needs CAP_SYSLOG and kernel.kptr_restrict below 2)");
	else
		reason_set(&code->why_no_jited, 0,
			   "the kernel has no JITed code for it, or does not show it "
			   "(net.core.bpf_jit_enable, CAP_BPF)");
	free(code->jited);
	code->jited = NULL;
	code->jited_len = 0;
	code->nr_funcs = 0;
	code->nr_lines = 0;
}

static int unblind(struct prog_code *code)
{
	struct bpf_insn *plain;
	size_t nr;
	int err;

	if (!code->xlated)
		return 0;
	plain = calloc(code->nr_xlated, sizeof(*plain));
	if (!plain)
		return -ENOMEM;
	err = insn_unblind(code->xlated, code->nr_xlated, plain, &nr);
	if (err) {
		/* no sense in it that we know of: show it as it is */
		free(plain);
		return err == -EINVAL ? 0 : err;
	}
	code->was_blinded = nr < code->nr_xlated;
	free(code->xlated);
	code->xlated = plain;
	code->nr_xlated = nr;
	return 0;
}

int prog_code_read(int fd, struct prog_code *ret, struct reason *why)
{
	struct bpf_prog_info sizes = {0}, info;
	struct prog_code code = {0};
	int err;

	err = get_info(fd, &sizes, why);
	if (err)
		return err;
	err = alloc_buffers(&sizes, &code, &info);
	if (!err)
		err = get_info(fd, &info, why);
	if (err)
		goto out;
	note_xlated(&info, &code);
	note_jited(&info, &code);
	err = unblind(&code);
out:
	if (err == -ENOMEM)
		reason_set(why, err, "out of memory");
	if (err)
		prog_code_release(&code);
	else
		*ret = code;
	return err;
}

void prog_code_release(struct prog_code *code)
{
	free(code->xlated);
	free(code->jited);
	free(code->func_addrs);
	free(code->func_lens);
	free(code->lines);
	free(code->line_addrs);
	memset(code, 0, sizeof(*code));
}
