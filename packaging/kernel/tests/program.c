// SPDX-License-Identifier: BSD-2-Clause
/*
 * r6: digest of what was seen; r7: the map's value; r8: an iterator's address, or
 * r10; r9: a value. Stack: -8 the key; from -16 down the iterators, one a level;
 * from -208 down kept pointers, one a level.
 */
#include "program.h"

#include <limits.h>
#include <string.h>

#include "insn/asm.h"

#define MAX_LABELS 200
#define MAX_LEVELS 3

struct label {
	int at;
	int users[8];
	int nr_users;
};

struct writer {
	struct program *p;
	const struct iter_num_ids *ids;
	uint64_t random;
	struct label labels[MAX_LABELS];
	int nr_labels;
	int nr_loops;
	int subprog; /* label, 0: there is none */
};

/* xorshift64* */
static uint32_t draw(uint64_t *state, uint32_t below)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return (uint32_t)((*state * 2685821657736338717ULL) >> 32) % below;
}

static uint64_t seeded(uint64_t seed)
{
	return (seed + 1) * 0x9e3779b97f4a7c15ULL | 1;
}

static uint32_t choose(struct writer *w, uint32_t below)
{
	return draw(&w->random, below);
}

static void put(struct writer *w, struct bpf_insn insn)
{
	if (w->p->nr < PROGRAM_MAX_INSNS)
		w->p->insns[w->p->nr++] = insn;
}

static int new_label(struct writer *w)
{
	int l = ++w->nr_labels;

	w->labels[l] = (struct label){.at = -1};
	return l;
}

static void place(struct writer *w, int l)
{
	w->labels[l].at = (int)w->p->nr;
}

static void jump(struct writer *w, struct bpf_insn insn, int l)
{
	w->labels[l].users[w->labels[l].nr_users++] = (int)w->p->nr;
	put(w, insn);
}

static void resolve(struct writer *w)
{
	for (int l = 1; l <= w->nr_labels; l++) {
		for (int u = 0; u < w->labels[l].nr_users; u++) {
			int at = w->labels[l].users[u];
			struct bpf_insn *insn = &w->p->insns[at];

			if (insn->code == (BPF_JMP | BPF_CALL))
				insn->imm = w->labels[l].at - at - 1;
			else
				insn->off = (int16_t)(w->labels[l].at - at - 1);
		}
	}
}

static void see(struct writer *w, uint8_t reg)
{
	put(w, INSN_ALU_IMM(BPF_MUL, 6, 31));
	put(w, INSN_ALU_REG(BPF_ADD, 6, reg));
}

static int16_t slot_of(int level)
{
	return (int16_t)(-16 - 8 * level);
}
static int16_t kept_of(int level)
{
	return (int16_t)(-208 - 8 * level);
}

/* --- the iterator's address --------------------------------------------------- */

enum setup { SETUP_PAIR, SETUP_HOISTED, SETUP_THROUGH_R8, SETUP_APART, NR_SETUPS };

static void write_setup(struct writer *w, enum setup setup, int16_t slot)
{
	switch (setup) {
	case SETUP_HOISTED:
		put(w, INSN_MOV_REG(1, 8));
		break;
	case SETUP_THROUGH_R8:
		put(w, INSN_MOV_REG(1, 8));
		put(w, INSN_ALU_IMM(BPF_ADD, 1, slot));
		break;
	default:
		put(w, INSN_MOV_REG(1, 10));
		put(w, INSN_ALU_IMM(BPF_ADD, 1, slot));
		if (setup == SETUP_APART)
			put(w, INSN_MOV_IMM(4, 11));
	}
}

static void prepare_setup(struct writer *w, enum setup setup, int16_t slot)
{
	if (setup == SETUP_HOISTED || setup == SETUP_THROUGH_R8)
		put(w, INSN_MOV_REG(8, 10));
	if (setup == SETUP_HOISTED)
		put(w, INSN_ALU_IMM(BPF_ADD, 8, slot));
}

/* --- bounds --------------------------------------------------------------------- */

static void choose_bounds(uint64_t *random, bool allow_long, int32_t *start,
			  int32_t *end)
{
	static const int32_t starts[] = {
		INT_MIN, INT_MIN + 1, INT_MIN + 7, -100,        -3,          -1,      0,
		1,       2,           1000,        INT_MAX - 3, INT_MAX - 1, INT_MAX,
	};
	static const int64_t lengths[] = {
		0,         1,         2,  3,  5,
		9,         17,        -1, -5, (int64_t)MODEL_MAX_LOOPS + 1,
		1LL << 31, 1LL << 32,
	};
	uint32_t kind = draw(random, 16);
	int64_t last;

	*start = kind < 12 ? starts[draw(random, sizeof(starts) / sizeof(starts[0]))]
			   : (int32_t)(draw(random, UINT32_MAX));
	last = *start + lengths[draw(random, sizeof(lengths) / sizeof(lengths[0]))];
	if (allow_long && kind == 11)
		last = *start + (int64_t)MODEL_MAX_LOOPS;
	if (last > INT_MAX)
		last = INT_MAX;
	if (last < INT_MIN)
		last = INT_MIN;
	/* Cut to INT_MAX it may have become a long one. */
	if (!allow_long && last - *start > 64 && last - *start <= MODEL_MAX_LOOPS)
		last = *start + 3;
	*end = (int32_t)last;
}

static void write_constants(struct writer *w, bool allow_long)
{
	int32_t start, end;

	choose_bounds(&w->random, allow_long && !w->p->has_long_loop, &start, &end);
	if (end > start && (int64_t)end - start == MODEL_MAX_LOOPS) {
		w->p->has_long_loop = true;
		w->p->long_stop = start + 5;
	}
	put(w,
	    choose(w, 2) ? INSN_MOV_IMM(2, start) : INSN_ALU32_IMM(BPF_MOV, 2, start));
	put(w, choose(w, 2) ? INSN_MOV_IMM(3, end) : INSN_ALU32_IMM(BPF_MOV, 3, end));
}

static void write_variables(struct writer *w)
{
	put(w, INSN_LDX(BPF_W, 2, 7, offsetof(struct battery_value, start)));
	put(w, INSN_LDX(BPF_W, 3, 7, offsetof(struct battery_value, end)));
}

/* Jumps to l if a bit of the path is set. */
static void write_fork(struct writer *w, int l)
{
	put(w, INSN_LDX(BPF_W, 1, 7, offsetof(struct battery_value, path)));
	jump(w, INSN_JMP_IMM(BPF_JSET, 1, 1 << choose(w, 8), 0), l);
}

static void write_bounds(struct writer *w, int level, bool allow_long)
{
	uint32_t kind = choose(w, level ? 2 : 6);
	int other = new_label(w), join = new_label(w);

	switch (kind) {
	case 0:
		write_constants(w, allow_long);
		break;
	case 1: /* two paths with constants of their own */
	case 2: /* constants on one, variables on the other */
		write_fork(w, other);
		write_constants(w, allow_long);
		jump(w, INSN_GOTO(0), join);
		place(w, other);
		if (kind == 1)
			write_constants(w, false);
		else
			write_variables(w);
		place(w, join);
		break;
	default:
		write_variables(w);
	}
}

/* --- one loop -------------------------------------------------------------------- */

enum form {
	FORM_TOP,    /* tested at the top */
	FORM_PEELED, /* the first next apart; its value is loaded by the loop's load */
	FORM_BOTTOM, /* if (r0 != NULL) goto body */
	FORM_CALL_TARGET, /* a jump to the call */
	FORM_ADD_TARGET,  /* a jump between the two instructions that set r1 */
	FORM_TEST_TARGET, /* two calls with one test */
	FORM_SUBPROG,     /* the iterator is in its caller's frame */
	NR_FORMS
};

struct loop {
	enum form form;
	enum setup setup;
	int level;
	int16_t slot;
	int16_t kept;
	bool apart_test;   /* an instruction between the call and the test */
	bool apart_load;   /* and between the test and the load */
	bool null_is_seen; /* r0 is read where it is NULL */
	bool keep;         /* the pointer, in memory */
	bool load_twice;   /* the pointer lives on */
	bool load_late;    /* or does on one path only, and some instructions on */
	bool no_load;
	uint8_t dst;
	int out;  /* label: there was no value */
	int done; /* label: left by a break */
};

static void write_next(struct writer *w)
{
	put(w, INSN_CALL_BTF(w->ids->next));
}

static void write_test(struct writer *w, const struct loop *l)
{
	if (l->apart_test)
		put(w, INSN_MOV_IMM(4, 3));
	jump(w, INSN_JMP_IMM(BPF_JEQ, 0, 0, 0), l->out);
}

/* Loads the value, and leaves it in r5. */
static void write_load(struct writer *w, const struct loop *l)
{
	if (l->apart_load)
		put(w, INSN_MOV_IMM(4, 5));
	if (l->no_load) {
		put(w, INSN_MOV_IMM(5, 1));
		return;
	}
	put(w, INSN_LDX(BPF_W, l->dst, 0, 0));
	if (l->dst != 0 && l->load_twice) {
		put(w, INSN_LDX(BPF_W, 4, 0, 0));
		see(w, 4);
	}
	if (l->dst != 0 && l->keep)
		put(w, INSN_STX(BPF_DW, 10, 0, l->kept));
	see(w, l->dst);
	if (l->dst != 5)
		put(w, INSN_MOV_REG(5, l->dst));
}

static void write_loop(struct writer *w, int level);

/* Behind an instruction of two and a jump, on one of the two paths. */
static void write_late_load(struct writer *w)
{
	const struct bpf_insn ld_imm64[] = {INSN_LD_IMM64(4, 0, 9, 0)};
	int skip = new_label(w);

	put(w, ld_imm64[0]);
	put(w, ld_imm64[1]);
	write_fork(w, skip);
	put(w, INSN_LDX(BPF_W, 4, 0, 0));
	place(w, skip);
	see(w, 4);
}

/* The value is in r5. */
static void write_body(struct writer *w, const struct loop *l)
{
	put(w, INSN_LDX(BPF_DW, 1, 7, offsetof(struct battery_value, trips)));
	put(w, INSN_ALU_IMM(BPF_ADD, 1, 1));
	put(w, INSN_STX(BPF_DW, 7, 1, offsetof(struct battery_value, trips)));
	if (l->load_late)
		write_late_load(w);
	if (!l->no_load) {
		put(w, INSN_LDX(BPF_W, 1, 7, offsetof(struct battery_value, stop)));
		jump(w, INSN_JMP32_REG(BPF_JEQ, 5, 1, 0), l->done);
	}
	if (l->level + 1 < MAX_LEVELS && w->nr_loops < 4 && !choose(w, 4))
		write_loop(w, l->level + 1);
}

static void write_subprog_call(struct writer *w, const struct loop *l)
{
	if (!w->subprog)
		w->subprog = new_label(w);
	jump(w, INSN_CALL_FUNC(0), w->subprog);
	jump(w, INSN_JMP_IMM(BPF_JEQ, 0, 0, 0), l->out);
	put(w, INSN_ALU32_REG(BPF_MOV, 5, 0));
	see(w, 5);
}

/* next(r1); the value with bit 32 set, or 0. */
static void write_subprog(struct writer *w)
{
	int null = new_label(w);

	place(w, w->subprog);
	put(w, INSN_CALL_BTF(w->ids->next));
	jump(w, INSN_JMP_IMM(BPF_JEQ, 0, 0, 0), null);
	put(w, INSN_LDX(BPF_W, 1, 0, 0));
	put(w, INSN_MOV_IMM(0, 65536));
	put(w, INSN_ALU_IMM(BPF_MUL, 0, 65536));
	put(w, INSN_ALU_REG(BPF_ADD, 0, 1));
	place(w, null);
	put(w, INSN_EXIT());
}

static void write_form(struct writer *w, const struct loop *l)
{
	int top = new_label(w), mid = new_label(w);

	switch (l->form) {
	case FORM_PEELED:
		write_setup(w, l->setup, l->slot);
		write_next(w);
		write_test(w, l);
		jump(w, INSN_GOTO(0), mid);
		place(w, top);
		write_setup(w, l->setup, l->slot);
		write_next(w);
		write_test(w, l);
		place(w, mid);
		break;
	case FORM_BOTTOM:
		jump(w, INSN_GOTO(0), mid);
		place(w, top);
		write_load(w, l);
		write_body(w, l);
		place(w, mid);
		write_setup(w, l->setup, l->slot);
		write_next(w);
		jump(w, INSN_JMP_IMM(BPF_JNE, 0, 0, 0), top);
		jump(w, INSN_GOTO(0), l->out);
		return;
	case FORM_CALL_TARGET:
		write_setup(w, SETUP_PAIR, l->slot);
		place(w, top);
		write_next(w);
		write_test(w, l);
		write_load(w, l);
		write_body(w, l);
		write_setup(w, l->setup, l->slot);
		jump(w, INSN_GOTO(0), top);
		return;
	case FORM_ADD_TARGET:
		put(w, INSN_MOV_REG(1, 10));
		place(w, top);
		put(w, INSN_ALU_IMM(BPF_ADD, 1, l->slot));
		write_next(w);
		write_test(w, l);
		write_load(w, l);
		write_body(w, l);
		put(w, INSN_MOV_REG(1, 10));
		jump(w, INSN_GOTO(0), top);
		return;
	case FORM_TEST_TARGET: {
		int other = new_label(w);

		place(w, top);
		write_fork(w, other);
		write_setup(w, l->setup, l->slot);
		write_next(w);
		jump(w, INSN_GOTO(0), mid);
		place(w, other);
		write_setup(w, l->setup, l->slot);
		write_next(w);
		place(w, mid);
		write_test(w, l);
		break;
	}
	case FORM_SUBPROG:
		place(w, top);
		write_setup(w, l->setup, l->slot);
		write_subprog_call(w, l);
		write_body(w, l);
		jump(w, INSN_GOTO(0), top);
		return;
	default:
		place(w, top);
		write_setup(w, l->setup, l->slot);
		write_next(w);
		write_test(w, l);
	}
	write_load(w, l);
	write_body(w, l);
	jump(w, INSN_GOTO(0), top);
}

static void write_after(struct writer *w, const struct loop *l)
{
	int null = new_label(w);

	/* After exhaustion, or where a break left off. */
	for (uint32_t k = choose(w, 3); k > 0; k--) {
		int none = new_label(w);

		write_setup(w, l->setup, l->slot);
		write_next(w);
		put(w, INSN_MOV_IMM(1, 77));
		jump(w, INSN_JMP_IMM(BPF_JEQ, 0, 0, 0), none);
		put(w, INSN_LDX(BPF_W, 1, 0, 0));
		place(w, none);
		see(w, 1);
	}
	if (!l->keep)
		return;
	put(w, INSN_LDX(BPF_DW, 1, 10, l->kept));
	jump(w, INSN_JMP_IMM(BPF_JEQ, 1, 0, 0), null);
	put(w, INSN_LDX(BPF_W, 1, 1, 0));
	see(w, 1);
	place(w, null);
}

static void write_loop(struct writer *w, int level)
{
	static const uint8_t dsts[] = {0, 1, 2, 3, 4, 5, 9, 9};
	struct loop l = {
		.form = choose(w, NR_FORMS),
		/* r8 is the outermost loop's */
		.setup = level ? (choose(w, 2) ? SETUP_PAIR : SETUP_APART)
			       : choose(w, NR_SETUPS),
		.level = level,
		.slot = slot_of(level),
		.kept = kept_of(level),
		.apart_test = !choose(w, 5),
		.apart_load = !choose(w, 5),
		.null_is_seen = !choose(w, 3),
		.keep = !choose(w, 4),
		.load_twice = !choose(w, 5),
		.load_late = !choose(w, 4),
		.no_load = !choose(w, 8),
		.dst = dsts[choose(w, sizeof(dsts))],
		.out = new_label(w),
		.done = new_label(w),
	};
	bool has_pointer;

	w->nr_loops++;
	has_pointer = l.dst != 0 && !l.no_load && l.form != FORM_SUBPROG;
	l.keep = l.keep && has_pointer;
	l.load_late = l.load_late && has_pointer;
	if (l.keep)
		put(w, INSN_ST(BPF_DW, 10, l.kept, 0));
	if (l.no_load)
		w->p->all_short = true;
	write_bounds(w, level, !level && !l.no_load);
	put(w, INSN_MOV_REG(1, 10));
	put(w, INSN_ALU_IMM(BPF_ADD, 1, l.slot));
	put(w, INSN_CALL_BTF(w->ids->new));
	put(w, INSN_ALU32_REG(BPF_MOV, 0, 0));
	see(w, 0);
	prepare_setup(w, l.setup, l.slot);
	write_form(w, &l);
	place(w, l.out);
	if (l.null_is_seen)
		see(w, 0);
	place(w, l.done);
	write_after(w, &l);
	put(w, INSN_MOV_REG(1, 10));
	put(w, INSN_ALU_IMM(BPF_ADD, 1, l.slot));
	put(w, INSN_CALL_BTF(w->ids->destroy));
}

static void write_prologue(struct writer *w, int map_fd)
{
	const struct bpf_insn ld_map[] = {
		INSN_LD_IMM64(1, BPF_PSEUDO_MAP_FD, map_fd, 0)};

	put(w, INSN_ST(BPF_DW, 10, -8, 0));
	put(w, ld_map[0]);
	put(w, ld_map[1]);
	put(w, INSN_MOV_REG(2, 10));
	put(w, INSN_ALU_IMM(BPF_ADD, 2, -8));
	put(w, INSN_CALL(BPF_FUNC_map_lookup_elem));
	put(w, INSN_JMP_IMM(BPF_JNE, 0, 0, 2));
	put(w, INSN_MOV_IMM(0, 0));
	put(w, INSN_EXIT());
	put(w, INSN_MOV_REG(7, 0));
	put(w, INSN_MOV_IMM(6, 1));
}

static void write_epilogue(struct writer *w)
{
	put(w, INSN_STX(BPF_DW, 7, 6, offsetof(struct battery_value, digest)));
	put(w, INSN_MOV_IMM(0, 0));
	put(w, INSN_EXIT());
}

static void start_program(struct program *p)
{
	p->nr = 0;
	p->has_long_loop = p->all_short = false;
}

void program_write(struct program *p, uint64_t seed, const struct iter_num_ids *ids,
		   int map_fd)
{
	struct writer w = {.p = p, .ids = ids, .random = seeded(seed)};

	start_program(p);
	write_prologue(&w, map_fd);
	write_loop(&w, 0);
	if (w.nr_loops < 3 && choose(&w, 2))
		write_loop(&w, 0);
	write_epilogue(&w);
	if (w.subprog)
		write_subprog(&w);
	resolve(&w);
}

static void fill(struct writer *w, size_t nr)
{
	while (nr--)
		put(w, INSN_ALU_IMM(BPF_XOR, 6, 5));
}

void program_write_limit(struct program *p, unsigned int slack, bool backwards,
			 const struct iter_num_ids *ids, int map_fd)
{
	struct writer w = {.p = p, .ids = ids, .random = seeded(slack)};
	int far = new_label(&w), back = new_label(&w), out = new_label(&w);
	size_t from;

	start_program(p);
	write_prologue(&w, map_fd);
	if (backwards) {
		/* Taken once at most: the second time r9 is not 0. */
		put(&w, INSN_MOV_IMM(9, 0));
		jump(&w, INSN_GOTO(0), back);
		place(&w, far);
		from = w.p->nr;
		put(&w, INSN_MOV_IMM(9, 1));
		jump(&w, INSN_GOTO(0), out);
		place(&w, back);
		write_loop(&w, 0);
		fill(&w, 32767 - 1 - slack - (w.p->nr - from));
		jump(&w, INSN_JMP_IMM(BPF_JEQ, 9, 0, 0), far);
	} else {
		write_fork(&w, far);
		from = w.p->nr;
		write_loop(&w, 0);
		fill(&w, 32767 - slack - (w.p->nr - from));
		place(&w, far);
	}
	place(&w, out);
	write_epilogue(&w);
	if (w.subprog)
		write_subprog(&w);
	resolve(&w);
}

void program_choose_input(const struct program *p, uint64_t seed, unsigned int run,
			  struct battery_value *value)
{
	uint64_t random = seeded(seed * 1000 + run);

	memset(value, 0, sizeof(*value));
	choose_bounds(&random, !p->has_long_loop && !p->all_short, &value->start,
		      &value->end);
	value->path = draw(&random, 256);
	value->stop = (int32_t)((uint32_t)value->start + draw(&random, 12));
	if (p->has_long_loop)
		value->stop = p->long_stop;
}
