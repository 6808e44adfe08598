// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "insn/asm.h"
#include "insn/region.h"

static bool is_self_move(const struct bpf_insn *insn, unsigned int reg)
{
	struct bpf_insn move = INSN_MOV_REG(reg, reg);

	return !memcmp(insn, &move, sizeof(move));
}

/* The only place of the pair "first = first; second = second". */
static int find_marker(const struct bpf_insn *insns, size_t nr, unsigned int first,
		       unsigned int second, size_t *ret)
{
	bool found = false;
	size_t i;

	for (i = 0; i + 1 < nr; i += insn_slots(&insns[i])) {
		if (!is_self_move(&insns[i], first) ||
		    !is_self_move(&insns[i + 1], second))
			continue;
		if (found)
			return -EEXIST;
		found = true;
		*ret = i;
	}
	return found ? 0 : -ENOENT;
}

int insn_region_find(const struct bpf_insn *insns, size_t nr, struct insn_region *ret)
{
	size_t begin, end;
	int err;

	err = find_marker(insns, nr, INSN_MARK_OUTER, INSN_MARK_INNER, &begin);
	if (err)
		return err;
	err = find_marker(insns, nr, INSN_MARK_INNER, INSN_MARK_OUTER, &end);
	if (err)
		return err;
	begin += INSN_MARK_SLOTS;
	if (begin > end)
		return -ENOENT;
	ret->begin = begin;
	ret->end = end;
	return 0;
}

static bool is_jit_helper(const struct bpf_insn *insn, int helper)
{
	return helper && insn_call_kind(insn) == INSN_CALL_HELPER &&
	       insn->imm == helper;
}

/* The kernel is called: not the program's own functions, not what the JIT does. */
static bool is_kernel_call(const struct bpf_insn *insn, int helper)
{
	enum insn_call_kind kind = insn_call_kind(insn);

	return (kind == INSN_CALL_HELPER || kind == INSN_CALL_KFUNC) &&
	       !is_jit_helper(insn, helper);
}

/* A walk over the control flow: slots to visit, and slots already seen. */
struct walk {
	size_t nr;
	size_t nr_todo;
	size_t *todo; /* room for nr: a slot is put here once */
	bool *seen;
};

static int walk_init(struct walk *w, size_t nr)
{
	w->nr = nr;
	w->nr_todo = 0;
	w->todo = calloc(nr + 1, sizeof(*w->todo));
	w->seen = calloc(nr + 1, sizeof(*w->seen));
	return w->todo && w->seen ? 0 : -ENOMEM;
}

static void walk_release(struct walk *w)
{
	free(w->todo);
	free(w->seen);
}

static int walk_push(struct walk *w, int64_t slot)
{
	if (slot < 0 || slot >= (int64_t)w->nr)
		return -EINVAL;
	if (!w->seen[slot]) {
		w->seen[slot] = true;
		w->todo[w->nr_todo++] = (size_t)slot;
	}
	return 0;
}

/* Push what may run after the instruction in slot at. */
static int walk_push_next(struct walk *w, const struct bpf_insn *insns, size_t at)
{
	const struct bpf_insn *insn = &insns[at];
	int err;

	if (insn_is_exit(insn))
		return 0;
	if (insn_is_indirect_goto(insn))
		return -ENOTSUP;
	if (insn_is_goto(insn) || insn_is_branch(insn)) {
		err = walk_push(w, insn_jump_target(insn, at));
		if (err || insn_is_goto(insn))
			return err;
	}
	return walk_push(w, (int64_t)(at + insn_slots(insn)));
}

/* A call of the kernel in the way: the first one, and whether it can be read. */
static void note_call(const struct bpf_insn *insn, struct insn_shape *shape)
{
	if (!shape->call.code)
		shape->call = *insn;
	if (insn_call_kind(insn) == INSN_CALL_HELPER && !insn->imm)
		shape->nr_hidden++;
}

/*
 * Does a path lead from the region's begin to its end? 1, 0, or -errno. With a
 * shape, calls of the kernel end a path and are noted there. Parts of the
 * construct may stand outside of the region; paths are followed there too.
 */
static int find_path(const struct bpf_insn *insns, size_t nr,
		     const struct insn_region *region, int helper,
		     struct insn_shape *shape)
{
	struct walk w;
	size_t at;
	int err;

	err = walk_init(&w, nr);
	if (!err)
		err = walk_push(&w, (int64_t)region->begin);
	while (!err && w.nr_todo) {
		at = w.todo[--w.nr_todo];
		if (at == region->end) {
			err = 1;
			break;
		}
		if (shape && is_kernel_call(&insns[at], helper)) {
			note_call(&insns[at], shape);
			continue;
		}
		err = walk_push_next(&w, insns, at);
	}
	walk_release(&w);
	return err;
}

static void count_insn(const struct bpf_insn *insn, int helper,
		       struct insn_shape *shape)
{
	shape->nr_insns++;
	if (insn_is_branch(insn))
		shape->nr_branches++;
	if (insn_call_kind(insn) == INSN_CALL_BPF)
		shape->nr_bpf_calls++;
	if (is_jit_helper(insn, helper))
		shape->nr_jit_helpers++;
	if (is_kernel_call(insn, helper) && !shape->nr_calls++)
		shape->call = *insn;
}

int insn_region_shape(const struct bpf_insn *insns, size_t nr,
		      const struct insn_region *region, int helper,
		      struct insn_shape *ret)
{
	struct insn_shape shape = {0};
	int reached, uncalled;
	size_t i;

	if (region->begin > region->end || region->end >= nr)
		return -EINVAL;
	for (i = region->begin; i < region->end; i += insn_slots(&insns[i]))
		count_insn(&insns[i], helper, &shape);
	reached = find_path(insns, nr, region, helper, NULL);
	if (reached < 0)
		return reached;
	uncalled = find_path(insns, nr, region, helper, &shape);
	if (uncalled < 0)
		return uncalled;
	shape.reaches_end = reached;
	shape.reaches_end_uncalled = uncalled;
	*ret = shape;
	return 0;
}

enum feature_state insn_shape_state(const struct insn_shape *shape)
{
	if (!shape->reaches_end)
		return FEATURE_UNKNOWN;
	if (shape->reaches_end_uncalled)
		return FEATURE_INLINED;
	/* an address that reads 0 may be a helper id that the JIT replaces */
	if (shape->nr_hidden)
		return FEATURE_UNKNOWN;
	return shape->nr_insns == 1 && shape->nr_calls ? FEATURE_CALL : FEATURE_PARTIAL;
}

bool insn_shape_is_folded(const struct insn_shape *constant,
			  const struct insn_shape *variable)
{
	return constant->reaches_end_uncalled && !constant->nr_branches &&
	       variable->reaches_end_uncalled && variable->nr_branches;
}
