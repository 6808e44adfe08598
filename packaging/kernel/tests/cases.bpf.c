// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The uses of a numeric iterator that have a name. What they should give is in cases.c. */
#include "loop.bpf.h"

char _license[] SEC("license") = "GPL";

/* What a run is given … */
volatile int start, end, path;
/* … and what it leaves: what new() returned, trips, and the sum of their values. */
long ret;
unsigned long trips;
long sum;

struct bounds {
	struct bpf_spin_lock lock;
	int start;
	int end;
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct bounds);
} bounds SEC(".maps");

/* The compiler does not know what x is from here on; the verifier does. */
#define opaque(x) asm volatile("" : "+r"(x))

static __always_inline void take_all(struct bpf_iter_num *it)
{
	int *value;

	while ((value = bpf_iter_num_next(it))) {
		trips++;
		sum += *value;
	}
}

SEC("tc")
int run_through(void *ctx)
{
	struct bpf_iter_num it;

	ret = bpf_iter_num_new(&it, start, end);
	take_all(&it);
	bpf_iter_num_destroy(&it);
	return 0;
}

/* path: the value to leave at */
SEC("tc")
int leave_by_break(void *ctx)
{
	int i;

	bpf_for (i, start, end) {
		if (i == path)
			break;
		trips++;
		sum += i;
	}
	return 0;
}

SEC("tc")
int go_on_by_continue(void *ctx)
{
	int i;

	bpf_for (i, start, end) {
		trips++;
		if (i & 1)
			continue;
		sum += i;
	}
	return 0;
}

/* Each further one that is not NULL counts a thousand. */
SEC("tc")
int next_after_exhaustion(void *ctx)
{
	struct bpf_iter_num it;

	ret = bpf_iter_num_new(&it, start, end);
	take_all(&it);
	if (bpf_iter_num_next(&it))
		trips += 1000;
	if (bpf_iter_num_next(&it))
		trips += 1000;
	bpf_iter_num_destroy(&it);
	return 0;
}

/* The second has the first one's slot. */
SEC("tc")
int destroy_early(void *ctx)
{
	struct bpf_iter_num it;
	int *value;

	bpf_iter_num_new(&it, start, end);
	value = bpf_iter_num_next(&it);
	if (value) {
		trips++;
		sum += *value;
	}
	bpf_iter_num_destroy(&it);
	ret = bpf_iter_num_new(&it, start, end);
	take_all(&it);
	bpf_iter_num_destroy(&it);
	return 0;
}

SEC("tc")
int destroy_at_once(void *ctx)
{
	struct bpf_iter_num it;

	ret = bpf_iter_num_new(&it, start, end);
	bpf_iter_num_destroy(&it);
	return 0;
}

SEC("tc")
int three_deep(void *ctx)
{
	int i, j, k;

	bpf_for (i, start, end) {
		bpf_for (j, 0, path) {
			bpf_for (k, 0, 5) {
				trips++;
				sum += i * 100 + j * 10 + k;
			}
		}
	}
	return 0;
}

/* The second ends when the first does, or before. */
SEC("tc")
int two_at_once(void *ctx)
{
	struct bpf_iter_num one, two;
	int *a, *b;

	ret = bpf_iter_num_new(&one, start, end);
	bpf_iter_num_new(&two, 0, path);
	while ((a = bpf_iter_num_next(&one))) {
		trips++;
		sum += *a;
		b = bpf_iter_num_next(&two);
		if (b)
			sum += 1000 * *b;
	}
	bpf_iter_num_destroy(&two);
	bpf_iter_num_destroy(&one);
	return 0;
}

static __noinline int take_one(struct bpf_iter_num *it)
{
	int *value = bpf_iter_num_next(it);

	if (!value)
		return 0;
	trips++;
	sum += *value;
	return 1;
}

SEC("tc")
int in_callers_frame(void *ctx)
{
	struct bpf_iter_num it;

	ret = bpf_iter_num_new(&it, start, end);
	while (take_one(&it))
		;
	bpf_iter_num_destroy(&it);
	return 0;
}

static __noinline long loop_over_bounds(__u32 nr, void *ctx)
{
	int i;

	bpf_for (i, start, end) {
		trips++;
		sum += i;
	}
	return 0;
}

SEC("tc")
int in_callback(void *ctx)
{
	bpf_loop(path, loop_over_bounds, NULL, 0);
	return 0;
}

SEC("tc")
int under_spin_lock(void *ctx)
{
	struct bounds *b = bpf_map_lookup_elem(&bounds, &(__u32){0});
	struct bpf_iter_num it;
	unsigned long nr = 0;
	int s = start, e = end;
	long all = 0;
	int *value;

	if (!b)
		return 0;
	bpf_spin_lock(&b->lock);
	bpf_iter_num_new(&it, s, e);
	while ((value = bpf_iter_num_next(&it))) {
		nr++;
		all += *value;
	}
	bpf_iter_num_destroy(&it);
	bpf_spin_unlock(&b->lock);
	trips = nr;
	sum = all;
	return 0;
}

SEC("tc")
int two_constants_into_one_call(void *ctx)
{
	struct bpf_iter_num it;
	int from = 2, to = 7;

	opaque(from);
	opaque(to);
	if (path) {
		from = -3;
		to = 1;
		opaque(from);
		opaque(to);
	}
	ret = bpf_iter_num_new(&it, from, to);
	take_all(&it);
	bpf_iter_num_destroy(&it);
	return 0;
}

SEC("tc")
int constants_or_variables(void *ctx)
{
	struct bpf_iter_num it;
	int from = 2, to = 7;

	opaque(from);
	opaque(to);
	if (path) {
		from = start;
		to = end;
	}
	ret = bpf_iter_num_new(&it, from, to);
	take_all(&it);
	bpf_iter_num_destroy(&it);
	return 0;
}

SEC("tc")
int constants_in_order(void *ctx)
{
	struct bpf_iter_num it;

	ret = bpf_iter_num_new(&it, -2, 4);
	take_all(&it);
	bpf_iter_num_destroy(&it);
	return 0;
}

SEC("tc")
int constants_reversed(void *ctx)
{
	struct bpf_iter_num it;

	ret = bpf_iter_num_new(&it, 4, -2);
	take_all(&it);
	bpf_iter_num_destroy(&it);
	return 0;
}

SEC("tc")
int constants_too_far_apart(void *ctx)
{
	struct bpf_iter_num it;

	ret = bpf_iter_num_new(&it, -1, 8388608);
	take_all(&it);
	bpf_iter_num_destroy(&it);
	return 0;
}

SEC("tc")
int bounds_from_a_map(void *ctx)
{
	struct bounds *b = bpf_map_lookup_elem(&bounds, &(__u32){0});
	struct bpf_iter_num it;

	if (!b)
		return 0;
	b->start = start;
	b->end = end;
	ret = bpf_iter_num_new(&it, b->start, b->end);
	take_all(&it);
	bpf_iter_num_destroy(&it);
	return 0;
}
