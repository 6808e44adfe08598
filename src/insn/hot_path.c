// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "insn/hot_path.h"
#include "insn/jited_step.h"

#define NONE           SIZE_MAX
#define MAX_FACTS      8            /* sets of known zeros kept of one step */
#define COST_OF_A_CALL (1ULL << 32) /* dearer than any number of instructions */

/* Steps are numbered as in struct jited_steps. */
struct node {
	size_t next[2]; /* the step behind it, and the one that it jumps to; NONE */
	size_t region;  /* the innermost around it; NONE: not reachable */
};

/* A loop; region 0 is the whole function. */
struct region {
	size_t head; /* step */
	size_t parent;
	unsigned int depth;
};

struct graph {
	const struct jited_step *steps;
	struct node *nodes;
	size_t nr_steps;
	struct region *regions;
	size_t nr_regions;
};

/* ---- loops ------------------------------------------------------------------ */

static size_t step_at(const struct jited_steps *steps, uint64_t addr)
{
	size_t low = 0, high = steps->nr_steps;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (steps->steps[middle].addr < addr)
			low = middle + 1;
		else
			high = middle;
	}
	return low < steps->nr_steps && steps->steps[low].addr == addr ? low : NONE;
}

/*
 * A jump out of [addr, end) becomes a return. -EINVAL: a jump into the middle of
 * an instruction.
 */
static int link_steps(struct graph *g, const struct jited_steps *steps, uint64_t addr,
		      uint64_t end)
{
	for (size_t i = 0; i < steps->nr_steps; i++) {
		struct jited_step *s = &steps->steps[i];
		struct node *node = &g->nodes[i];

		*node = (struct node){.next = {NONE, NONE}, .region = NONE};
		if (s->flow <= FLOW_CALL || s->flow == FLOW_BRANCH)
			node->next[0] = i + 1 < steps->nr_steps ? i + 1 : NONE;
		if (s->flow != FLOW_GOTO && s->flow != FLOW_BRANCH)
			continue;
		if (s->target >= addr && s->target < end) {
			node->next[1] = step_at(steps, s->target);
			if (node->next[1] == NONE)
				return -EINVAL;
		} else if (s->flow == FLOW_GOTO) {
			s->flow = FLOW_RETURN;
		}
	}
	return 0;
}

/* Tarjan's algorithm, SIAM Journal on Computing 1 (1972), without recursion. */
struct tarjan {
	size_t *index;         /* in the order of visits over all regions, from 1 */
	size_t *low;           /* NONE: its component is complete */
	size_t *stack, *calls; /* steps */
	unsigned char *edge;   /* of a step: which to follow next */
	size_t nr_stack, nr_calls, nr_visits;
};

static void visit(struct tarjan *t, size_t step)
{
	t->index[step] = t->low[step] = ++t->nr_visits;
	t->edge[step] = 0;
	t->stack[t->nr_stack++] = step;
	t->calls[t->nr_calls++] = step;
}

/* Take a component off the stack; if it is a loop, it becomes a region. */
static void close_component(struct graph *g, struct tarjan *t, size_t root,
			    size_t region)
{
	const struct node *node = &g->nodes[root];
	bool is_loop = t->stack[t->nr_stack - 1] != root || node->next[0] == root ||
		       node->next[1] == root;
	size_t loop = region, step;

	if (is_loop && !(region && root == g->regions[region].head)) {
		loop = g->nr_regions++;
		g->regions[loop] = (struct region){
			.head = root,
			.parent = region,
			.depth = g->regions[region].depth + 1,
		};
	}
	do {
		step = t->stack[--t->nr_stack];
		g->nodes[step].region = loop;
		t->low[step] = NONE;
	} while (step != root);
}

/*
 * Find the loops right inside a region: its components without the edges to its
 * head. The first step of one that is visited is where control enters it.
 */
static void split_region(struct graph *g, struct tarjan *t, size_t region)
{
	size_t head = g->regions[region].head, before = t->nr_visits, step, next;

	visit(t, head);
	while (t->nr_calls) {
		step = t->calls[t->nr_calls - 1];
		if (t->edge[step] < 2) {
			next = g->nodes[step].next[t->edge[step]++];
			if (next == NONE ||
			    (region &&
			     (next == head || g->nodes[next].region != region)))
				continue;
			if (t->index[next] <= before)
				visit(t, next);
			else if (t->low[next] != NONE && t->index[next] < t->low[step])
				t->low[step] = t->index[next];
			continue;
		}
		t->nr_calls--;
		next = t->nr_calls ? t->calls[t->nr_calls - 1] : NONE;
		if (next != NONE && t->low[step] < t->low[next])
			t->low[next] = t->low[step];
		if (t->low[step] == t->index[step])
			close_component(g, t, step, region);
	}
}

/* -EINVAL: control runs into what is no instruction. */
static int find_loops(struct graph *g)
{
	size_t nr = g->nr_steps;
	struct tarjan t = {
		.index = calloc(nr, sizeof(size_t)),
		.low = calloc(nr, sizeof(size_t)),
		.stack = calloc(nr, sizeof(size_t)),
		.calls = calloc(nr, sizeof(size_t)),
		.edge = calloc(nr, 1),
	};
	int err = 0;

	if (!t.index || !t.low || !t.stack || !t.calls || !t.edge) {
		err = -ENOMEM;
		goto out;
	}
	g->regions[0] = (struct region){.head = 0, .parent = NONE};
	g->nr_regions = 1;
	for (size_t i = 0; i < g->nr_regions; i++)
		split_region(g, &t, i);
	for (size_t i = 0; i < nr; i++)
		if (g->nodes[i].region != NONE && g->nodes[i].next[0] == NONE &&
		    (g->steps[i].flow == FLOW_NEXT || g->steps[i].flow == FLOW_BRANCH))
			err = -EINVAL;
out:
	free(t.index);
	free(t.low);
	free(t.stack);
	free(t.calls);
	free(t.edge);
	return err;
}

static bool is_inside(const struct graph *g, size_t step, size_t region)
{
	size_t inner = g->nodes[step].region;

	while (inner != NONE && inner != region)
		inner = g->regions[inner].parent;
	return inner == region;
}

/* ---- the cheapest way ------------------------------------------------------- */

/* Being about to execute a step, with what is known. */
struct state {
	size_t step;    /* nr_steps: arrived */
	uint32_t zeros; /* registers known to be 0 */
	bool taken;     /* a jump led here */
	size_t from;    /* the state before; NONE */
	size_t older;   /* another one of the same step that was expanded */
	uint64_t cost;
};

/* Dijkstra's algorithm over states; a heap of those still to expand. */
struct search {
	const struct graph *g;
	size_t region;
	bool knows; /* facts count */
	struct state *states;
	size_t nr_states, max_states;
	size_t *heap;
	size_t nr_heap;
	size_t *expanded; /* of a step: the last of its states; NONE */
};

static bool heap_less(const struct search *s, size_t a, size_t b)
{
	const struct state *x = &s->states[s->heap[a]], *y = &s->states[s->heap[b]];

	return x->cost < y->cost || (x->cost == y->cost && s->heap[a] < s->heap[b]);
}

static void heap_swap(struct search *s, size_t a, size_t b)
{
	size_t other = s->heap[a];

	s->heap[a] = s->heap[b];
	s->heap[b] = other;
}

static size_t heap_pop(struct search *s)
{
	size_t top = s->heap[0], at = 0, child;

	s->heap[0] = s->heap[--s->nr_heap];
	while ((child = 2 * at + 1) < s->nr_heap) {
		if (child + 1 < s->nr_heap && heap_less(s, child + 1, child))
			child++;
		if (!heap_less(s, child, at))
			break;
		heap_swap(s, child, at);
		at = child;
	}
	return top;
}

static int push(struct search *s, const struct state *state)
{
	size_t max = s->max_states ? 2 * s->max_states : 256, at = s->nr_heap;

	if (s->nr_states == s->max_states) {
		struct state *states = realloc(s->states, max * sizeof(*states));
		size_t *heap;

		if (!states)
			return -ENOMEM;
		s->states = states;
		heap = realloc(s->heap, max * sizeof(*heap));
		if (!heap)
			return -ENOMEM;
		s->heap = heap;
		s->max_states = max;
	}
	s->states[s->nr_states] = *state;
	s->heap[s->nr_heap++] = s->nr_states++;
	while (at && heap_less(s, at, (at - 1) / 2)) {
		heap_swap(s, at, (at - 1) / 2);
		at = (at - 1) / 2;
	}
	return 0;
}

/*
 * Does this state allow anything that none already expanded at the same step,
 * at no higher cost, did? A state with fewer facts allows more. Of many sets of
 * facts the last is the empty one, after which there is nothing more to see.
 */
static bool is_new(struct search *s, size_t at)
{
	struct state *state = &s->states[at];
	size_t nr = 0;

	for (size_t i = s->expanded[state->step]; i != NONE; i = s->states[i].older) {
		if (!(s->states[i].zeros & ~state->zeros))
			return false;
		nr++;
	}
	if (nr >= MAX_FACTS - 1)
		state->zeros = 0;
	state->older = s->expanded[state->step];
	s->expanded[state->step] = at;
	return true;
}

static uint32_t bit(int reg)
{
	return reg == NO_REG ? 0 : 1U << reg;
}

static uint32_t zeros_behind(const struct jited_step *step, uint32_t zeros)
{
	uint32_t behind = step->flow == FLOW_CALL ? 0 : zeros & ~step->writes;

	behind |= bit(step->zeroes);
	if (zeros & bit(step->copies_from))
		behind |= bit(step->copies_to);
	return behind;
}

/* Follow one edge out of a state, if that is possible with what is known. */
static int follow(struct search *s, size_t at, int edge)
{
	const struct state from = s->states[at];
	const struct jited_step *step = &s->g->steps[from.step];
	size_t head = s->g->regions[s->region].head;
	struct state to = {
		.step = s->g->nodes[from.step].next[edge],
		.taken = edge == 1,
		.from = at,
		.cost = from.cost + 1 + (step->flow == FLOW_CALL ? COST_OF_A_CALL : 0),
	};
	bool is_zero_edge = (step->condition == IF_ZERO) == (edge == 1);

	if (to.step == NONE || !is_inside(s->g, to.step, s->region))
		return 0;
	if (s->region && to.step == head)
		to.step = s->g->nr_steps;
	if (s->knows)
		to.zeros = zeros_behind(step, from.zeros);
	if (step->flow == FLOW_BRANCH && step->condition != IF_OTHER) {
		if (from.zeros & bit(step->tests) && !is_zero_edge)
			return 0;
		if (s->knows && is_zero_edge && step->tests_all)
			to.zeros |= bit(step->tests);
	}
	return push(s, &to);
}

static int expand(struct search *s, size_t at)
{
	const struct state state = s->states[at];
	const struct jited_step *step = &s->g->steps[state.step];
	struct state end = {
		.step = s->g->nr_steps,
		.from = at,
		.cost = state.cost + 1,
	};
	int err;

	if (step->flow == FLOW_RETURN)
		return s->region ? 0 : push(s, &end);
	err = follow(s, at, 0);
	return err ? err : follow(s, at, 1);
}

/* 1: *ret is the state on arrival; 0: there is no way. */
static int search_run(struct search *s, size_t *ret)
{
	struct state start = {.step = s->g->regions[s->region].head, .from = NONE};
	size_t at;
	int err;

	s->nr_states = s->nr_heap = 0;
	for (size_t i = 0; i < s->g->nr_steps; i++)
		s->expanded[i] = NONE;
	err = push(s, &start);
	while (!err && s->nr_heap) {
		at = heap_pop(s);
		if (s->states[at].step == s->g->nr_steps) {
			*ret = at;
			return 1;
		}
		if (is_new(s, at))
			err = expand(s, at);
	}
	return err;
}

/* Add what is executed on the way to a state. */
static void count_way(const struct search *s, size_t last, struct hot_path *ret)
{
	size_t call;

	ret->start = s->g->steps[s->g->regions[s->region].head].addr;
	for (size_t at = last; s->states[at].from != NONE; at = s->states[at].from) {
		const struct state *before = &s->states[s->states[at].from];
		const struct jited_step *step = &s->g->steps[before->step];

		ret->nr_insns++;
		ret->nr_calls += step->flow == FLOW_CALL;
		ret->nr_loads += step->nr_loads;
		ret->nr_stores += step->nr_stores;
		ret->nr_taken += s->states[at].taken;
	}
	call = ret->nr_calls;
	ret->nr_targets = call < HOT_PATH_NR_TARGETS ? call : HOT_PATH_NR_TARGETS;
	for (size_t at = last; s->states[at].from != NONE; at = s->states[at].from) {
		const struct state *before = &s->states[s->states[at].from];
		const struct jited_step *step = &s->g->steps[before->step];

		if (step->flow == FLOW_CALL && --call < HOT_PATH_NR_TARGETS)
			ret->targets[call] = step->target;
	}
}

/*
 * What is known may rule out every way round a loop that is never repeated; its
 * cost is then that of the cheapest way, possible or not.
 */
static int find_path(struct search *s, size_t region, struct hot_path *ret)
{
	size_t last;
	int found;

	s->region = region;
	s->knows = true;
	found = search_run(s, &last);
	if (!found) {
		s->knows = false;
		found = search_run(s, &last);
	}
	if (found < 0)
		return found;
	if (found)
		count_way(s, last, ret);
	return 0;
}

/* ---- the function ----------------------------------------------------------- */

/* Outer loops first, as regions are; those of one depth by address. */
static int compare_loops(const void *a, const void *b)
{
	const struct hot_loop *x = a, *y = b;

	if (x->depth != y->depth)
		return x->depth < y->depth ? -1 : 1;
	return (x->path.start > y->path.start) - (x->path.start < y->path.start);
}

static int find_paths(const struct graph *g, struct hot_func *ret)
{
	struct search s = {.g = g, .expanded = calloc(g->nr_steps, sizeof(size_t))};
	int err = s.expanded ? find_path(&s, 0, &ret->through) : -ENOMEM;

	for (size_t i = 1; !err && i < g->nr_regions; i++) {
		ret->loops[i - 1].depth = g->regions[i].depth;
		err = find_path(&s, i, &ret->loops[i - 1].path);
	}
	ret->nr_loops = g->nr_regions - 1;
	qsort(ret->loops, ret->nr_loops, sizeof(*ret->loops), compare_loops);
	free(s.states);
	free(s.heap);
	free(s.expanded);
	return err;
}

static void list_calls(const struct graph *g, struct hot_func *ret)
{
	for (size_t i = 0; i < g->nr_steps; i++) {
		if (g->steps[i].flow != FLOW_CALL || g->nodes[i].region == NONE)
			continue;
		ret->calls[ret->nr_calls++] = (struct hot_call){
			.target = g->steps[i].target,
			.depth = g->regions[g->nodes[i].region].depth,
		};
	}
}

static int analyse(struct graph *g, struct hot_func *ret)
{
	int err = find_loops(g);

	if (err)
		return err;
	ret->loops = calloc(g->nr_regions, sizeof(*ret->loops));
	ret->calls = calloc(g->nr_steps, sizeof(*ret->calls));
	if (!ret->loops || !ret->calls)
		return -ENOMEM;
	list_calls(g, ret);
	return find_paths(g, ret);
}

int hot_func_init(struct hot_func *ret, enum jited_arch arch, const uint8_t *code,
		  size_t len, uint64_t addr)
{
	struct jited_steps steps;
	struct hot_func new = {0};
	struct graph g;
	int err;

	err = jited_steps_init(&steps, arch, code, len, addr);
	if (err)
		return err;
	g = (struct graph){
		.steps = steps.steps,
		.nr_steps = steps.nr_steps,
		.nodes = calloc(steps.nr_steps + 1, sizeof(*g.nodes)),
		.regions = calloc(steps.nr_steps + 1, sizeof(*g.regions)),
	};
	if (!g.nodes || !g.regions)
		err = -ENOMEM;
	else if (!g.nr_steps)
		err = -EINVAL;
	if (!err)
		err = link_steps(&g, &steps, addr, addr + len);
	if (!err)
		err = analyse(&g, &new);
	if (err)
		hot_func_release(&new);
	else
		*ret = new;
	free(g.nodes);
	free(g.regions);
	jited_steps_release(&steps);
	return err;
}

void hot_func_release(struct hot_func *f)
{
	free(f->loops);
	free(f->calls);
	memset(f, 0, sizeof(*f));
}

const struct hot_loop *hot_func_innermost(const struct hot_func *f)
{
	const struct hot_loop *deepest = NULL;

	for (size_t i = 0; i < f->nr_loops; i++)
		if (!deepest || f->loops[i].depth > deepest->depth)
			deepest = &f->loops[i];
	return deepest;
}
