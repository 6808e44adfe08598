/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The code of a loaded program as the kernel shows it: translated (xlated) and
 * JITed. Either can be absent; a sentence says why.
 */
#ifndef ITERTRACE_KERNEL_PROG_CODE_H
#define ITERTRACE_KERNEL_PROG_CODE_H

#include <linux/bpf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/reason.h"

struct prog_code {
	struct bpf_insn *xlated; /* constant blinding undone; NULL: absent */
	size_t nr_xlated;        /* slots */
	bool was_blinded;
	struct reason why_no_xlated;

	uint8_t *jited; /* all functions, one behind the other; NULL */
	size_t jited_len;
	uint64_t *func_addrs; /* of each function in jited */
	uint32_t *func_lens;
	size_t nr_funcs;
	struct bpf_line_info *lines; /* source lines of the program … */
	uint64_t *line_addrs;        /* … and where each begins in jited */
	size_t nr_lines;
	struct reason why_no_jited;
};

/*
 * What the program behind fd has become. An absence is no failure. -errno of
 * BPF_OBJ_GET_INFO_BY_FD, -ENOMEM; then *ret is untouched.
 */
int prog_code_read(int fd, struct prog_code *ret, struct reason *why);
void prog_code_release(struct prog_code *code); /* {0} is fine */

#endif
