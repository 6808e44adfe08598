// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "bench/static_cost.h"
#include "insn/hot_path.h"
#include "kernel/prog_code.h"

#define MAX_CALL_FRAMES 8 /* of a BPF program, include/linux/bpf_verifier.h */

struct functions {
	const struct prog_code *code;
	struct hot_func *hot;
	unsigned int *depth; /* loops around the calls of a function */
};

/* Which function a call enters, or nr_funcs: none of the program's. */
static size_t callee_of(const struct prog_code *code, uint64_t target)
{
	size_t i;

	for (i = 0; target && i < code->nr_funcs; i++)
		if (target - code->func_addrs[i] < code->func_lens[i])
			break;
	return target ? i : code->nr_funcs;
}

static int read_functions(struct functions *f, struct reason *why)
{
	struct utsname uts;
	enum jited_arch arch;
	size_t at = 0;
	int err = 0;

	if (uname(&uts) || jited_arch_parse(uts.machine, &arch))
		return reason_set(why, -ENOTSUP,
				  "cannot count the instructions of %.40s code",
				  uts.machine);
	for (size_t i = 0; !err && i < f->code->nr_funcs; i++) {
		if (f->code->func_lens[i] > f->code->jited_len - at) {
			err = -EINVAL;
			break;
		}
		err = hot_func_init(&f->hot[i], arch, f->code->jited + at,
				    f->code->func_lens[i], f->code->func_addrs[i]);
		at += f->code->func_lens[i];
	}
	if (err)
		reason_set(why, err, "cannot follow the JITed code: %s",
			   strerror(-err));
	return err;
}

/* Calls nest MAX_CALL_FRAMES deep at most, so that so many passes settle it. */
static void place_functions(struct functions *f)
{
	size_t nr = f->code->nr_funcs;

	for (size_t i = 0; i < nr; i++)
		f->depth[i] = i ? 1 : 0;
	for (size_t i = 0; i < nr; i++)
		for (size_t k = 0; k < f->hot[i].nr_calls; k++) {
			size_t callee = callee_of(f->code, f->hot[i].calls[k].target);

			if (callee < nr)
				f->depth[callee] = 0;
		}
	for (int pass = 0; pass < MAX_CALL_FRAMES; pass++)
		for (size_t i = 0; i < nr; i++)
			for (size_t k = 0; k < f->hot[i].nr_calls; k++) {
				const struct hot_call *call = &f->hot[i].calls[k];
				size_t callee = callee_of(f->code, call->target);

				if (callee < nr &&
				    f->depth[callee] < f->depth[i] + call->depth)
					f->depth[callee] = f->depth[i] + call->depth;
			}
}

/* What the functions execute that a path calls, and in turn they call. */
static void add_callees(const struct functions *f, const struct hot_path *path,
			int frames, struct static_cost *ret)
{
	for (size_t i = 0; frames && i < path->nr_targets; i++) {
		size_t callee = callee_of(f->code, path->targets[i]);
		const struct hot_path *through;

		if (callee == f->code->nr_funcs)
			continue;
		through = &f->hot[callee].through;
		ret->nr_callee_insns += through->nr_insns;
		for (size_t k = 0; k < through->nr_targets; k++)
			ret->nr_callee_calls +=
				callee_of(f->code, through->targets[k]) ==
				f->code->nr_funcs;
		add_callees(f, through, frames - 1, ret);
	}
}

static int choose_loop(const struct functions *f, struct static_cost *ret,
		       struct reason *why)
{
	const struct hot_loop *deepest = NULL, *loop;
	size_t nr_loops = 0, func = 0, i;

	for (i = 0; i < f->code->nr_funcs; i++) {
		nr_loops += f->hot[i].nr_loops;
		loop = hot_func_innermost(&f->hot[i]);
		if (!loop || (deepest && loop->depth + f->depth[i] <=
						 deepest->depth + f->depth[func]))
			continue;
		deepest = loop;
		func = i;
	}
	if (!deepest)
		return reason_set(why, -ENOENT,
				  "there is no loop in its JITed code: what repeats it "
				  "is a function of the kernel");
	*ret = (struct static_cost){
		.nr_insns = deepest->path.nr_insns,
		.nr_calls = deepest->path.nr_calls,
		.nr_loads = deepest->path.nr_loads,
		.nr_stores = deepest->path.nr_stores,
		.nr_taken = deepest->path.nr_taken,
		.nr_loops = nr_loops,
		.func = func,
		.func_addr = f->code->func_addrs[func],
		.head_offset = deepest->path.start - f->code->func_addrs[func],
	};
	if (ret->func_addr)
		ret->head_addr = deepest->path.start;
	add_callees(f, &deepest->path, MAX_CALL_FRAMES, ret);
	return 0;
}

static int analyse(const struct prog_code *code, struct static_cost *ret,
		   struct reason *why)
{
	struct functions f = {
		.code = code,
		.hot = calloc(code->nr_funcs, sizeof(*f.hot)),
		.depth = calloc(code->nr_funcs, sizeof(*f.depth)),
	};
	int err;

	if (!f.hot || !f.depth) {
		err = reason_set(why, -ENOMEM, "out of memory");
		goto out;
	}
	err = read_functions(&f, why);
	if (err)
		goto out;
	place_functions(&f);
	err = choose_loop(&f, ret, why);
out:
	for (size_t i = 0; f.hot && i < code->nr_funcs; i++)
		hot_func_release(&f.hot[i]);
	free(f.hot);
	free(f.depth);
	return err;
}

int static_cost_read(int prog_fd, struct static_cost *ret, struct reason *why)
{
	struct prog_code code;
	int err;

	err = prog_code_read(prog_fd, &code, why);
	if (err)
		return err;
	err = code.jited ? analyse(&code, ret, why)
			 : reason_set(why, -ENODATA, "%s", code.why_no_jited.text);
	prog_code_release(&code);
	return err;
}
