/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Loop sites: loops that know what they cost.
 *
 *	site_for(SITE_X, i, 0, n) { … }
 *
 * is bpf_for(i, 0, n) { … } charged to the site: entries, trips, longest, trips
 * by class, and on one entry in 2^k the clock at both ends. break, continue and
 * return work; the body runs on whichever backend user space chose.
 *
 *	SITE_BODY(add_one, struct sum, i, s) { s->n += i; return true; }
 *	site_loop(SITE_X, 0, n, add_one, &s);
 *
 * is the same for a body that is a function (false: break), and the only form
 * that bpf_loop(), whose body must be a function, can run too.
 *
 * The bounds must not be negative. The including file defines NR_SITES first. A site belongs to one program
 * (wire.h, invariant 1).
 *
 * Not practical: counting in the body. A counter that is looked at after the
 * loop becomes precise, and the verifier then walks every iteration. So trips
 * are taken from the last value of the loop variable, which the iterator hands
 * out and the verifier does not track: nothing is added to a trip but a
 * register move.
 */
#ifndef ITERTRACE_SITE_BPF_H
#define ITERTRACE_SITE_BPF_H

#include "loop.bpf.h"
#include "hist.h"
#include "wire.h"

const volatile __u32 loops_backend = LOOPS_BPF_FOR;
const volatile bool sites_enabled =
	true;                   /* false: no trace of the accounting is left */
__u32 site_threshold[NR_SITES]; /* user space adapts these; 0: hardly ever timed */
__u32 loops_zero;               /* stays 0, but the verifier does not know */

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, NR_SITES);
	__type(key, __u32);
	__type(value, struct site_stat);
} site_stats SEC(".maps");

struct site_scope {
	struct site_stat *stat;
	__u64 since_ns; /* 0: this entry is not timed */
	__u32 backend;
	int start, end;
	int tried; /* trips, of the backends that count by themselves */
	int last;  /* the loop variable's last value; start - 1 before the first trip */
};

static __always_inline struct site_scope site_enter(__u32 backend, __u32 site,
						    int start, int end)
{
	struct site_scope s = {
		.backend = backend,
		.start = start,
		.end = end,
		.last = start - 1,
	};
	__u32 key =
		site; /* a copy, so that site itself stays a constant on any kernel */

	if (s.backend == LOOPS_CAN_LOOP)
		s.tried = loops_zero;
	if (!sites_enabled)
		return s;
	s.stat = bpf_map_lookup_elem(&site_stats, &key);
	if (!s.stat)
		return s;
	if ((__u32)++s.stat->entries * SITE_HASH <= site_threshold[site])
		s.since_ns = bpf_ktime_get_ns();
	return s;
}

/* The number of bits of trips < 2^24; no branch, for the reasons that hist.h gives. */
static __always_inline __u32 site_class(__u64 trips)
{
	__u64 v = trips, bits = 0, shift;

	shift = hist_sign(0xFFFF - v) << 4;
	v >>= shift;
	bits += shift;
	shift = hist_sign(0xFF - v) << 3;
	v >>= shift;
	bits += shift;
	shift = hist_sign(0xF - v) << 2;
	v >>= shift;
	bits += shift;
	shift = hist_sign(0x3 - v) << 1;
	v >>= shift;
	bits += shift;
	/* v is 0 … 3 by now, of 0, 1, 2, 2 bits. */
	return (bits + v - (v >> 1 & v)) % SITE_NR_CLASSES;
}

static __always_inline void site_charge(struct site_scope *s, __u64 trips)
{
	struct site_stat *stat = s->stat;
	__u64 now;

	/*
	 * The verifier walks a bounded loop and knows its trips; as an index below
	 * they would be precise, and it would walk on separately from every number
	 * of trips. What comes back from memory it does not know.
	 */
	if (s->backend == LOOPS_BOUNDED) {
		*(volatile __u64 *)&stat->last_trips = trips;
		trips = *(volatile __u64 *)&stat->last_trips & SITE_TRIPS_MASK;
	}
	if (s->since_ns) {
		now = bpf_ktime_get_ns();
		stat->ring[stat->timed++ & (SITE_RING - 1)] =
			SITE_TIMED(elapsed_ns(now, s->since_ns), trips);
	}
	stat->trips += trips;
	if (trips > stat->max_trips)
		stat->max_trips = trips;
	stat->classes[site_class(trips)]++;
}

static __always_inline void site_leave(struct site_scope *s)
{
	if (!s->stat)
		return;
	site_charge(s, (__u32)(s->last + 1 - s->start) & SITE_TRIPS_MASK);
}

static __always_inline void site_begin(struct site_scope *s, struct bpf_iter_num *it)
{
	if (s->backend == LOOPS_BPF_FOR)
		bpf_iter_num_new(it, s->start, s->end);
}

static __always_inline bool site_next(struct site_scope *s, struct bpf_iter_num *it,
				      int *i)
{
	int *next;

	if (s->backend == LOOPS_BPF_FOR) {
		next = bpf_iter_num_next(it);
		if (!next)
			return false;
		*i = *next;
		return (__u32)*i < (__u32)s->end;
	}
	if (s->backend == LOOPS_CAN_LOOP && !can_loop)
		return false;
	/*
	 * Opaque, or clang compares before it asks for the backend: under can_loop
	 * the comparison would split what the verifier does not know of the count,
	 * down to a value that it knows, and then walks every trip.
	 */
	if (s->backend == LOOPS_BOUNDED) {
		asm volatile("" : "+r"(s->tried));
		if (s->tried >= LOOPS_BOUNDED_MAX)
			return false;
	}
	*i = s->start + s->tried++;
	return (__u32)*i < (__u32)s->end;
}

static __always_inline void site_end(struct bpf_iter_num *it)
{
	if (loops_backend == LOOPS_BPF_FOR)
		bpf_iter_num_destroy(it);
}

/*
 * The outer loop makes one trip and gives the cleanup its scope; it makes none
 * if the site's own lookup fails, which it cannot: the test keeps the verifier
 * from walking the body twice.
 */
/* clang-format off */
#define site_for(site, i, start, end)						\
	for (struct site_scope ___scope __attribute__((cleanup(site_leave))) =	\
		     site_enter(loops_backend, site, start, end),		\
		     *___once = &___scope;					\
	     ___once && (___scope.stat || !sites_enabled); ___once = NULL)	\
		for (struct bpf_iter_num ___it					\
		     __attribute__((aligned(8), cleanup(site_end))), *___no =	\
		     (site_begin(&___scope, &___it), (struct bpf_iter_num *)NULL); \
		     (void)___no, site_next(&___scope, &___it, &(i));)		\
			if (___scope.last = (i), 0) {} else
/* clang-format on */

/*
 * The body's parameter loops_backend hides the global of that name on purpose:
 * inside the callback it is a constant, so that the loops of a body that has
 * loops of its own are compiled there for bpf_loop alone. (Else may_goto would
 * end up in subprograms, out of reach for the code that removes it for old
 * kernels.)
 */
#define SITE_BODY(name, type, i, ctx)                                                  \
	static __always_inline bool name(const __u32 loops_backend, int i, type *ctx); \
	struct name##_frame {                                                          \
		type context;                                                          \
		int start;                                                             \
	};                                                                             \
	static long name##_callback(__u64 n, struct name##_frame *f)                   \
	{                                                                              \
		return !name(LOOPS_BPF_LOOP, f->start + (int)n, &f->context);          \
	}                                                                              \
	static __always_inline bool name(const __u32 loops_backend, int i, type *ctx)

/* The frame is a copy, so that ctx can live in registers on the other backends. */
#define site_loop(site, from, to, body, ctx_ptr)                                       \
	({                                                                             \
		const __u32 ___backend = loops_backend;                                \
                                                                                       \
		if (___backend == LOOPS_BPF_LOOP) {                                    \
			struct site_scope ___s =                                       \
				site_enter(___backend, site, from, to);                \
			struct body##_frame ___f = {*(ctx_ptr), (from)};               \
			long ___n = 0;                                                 \
                                                                                       \
			if ((from) < (to))                                             \
				___n = bpf_loop((to) - (from), body##_callback, &___f, \
						0);                                    \
			*(ctx_ptr) = ___f.context;                                     \
			___s.last = ___s.start - 1 + (int)___n;                        \
			site_leave(&___s);                                             \
		} else {                                                               \
			int ___i;                                                      \
                                                                                       \
			site_for (site, ___i, from, to)                                \
				if (!body(___backend, ___i, ctx_ptr))                  \
					break;                                         \
		}                                                                      \
	})

#endif
