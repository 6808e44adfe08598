/* SPDX-License-Identifier: BSD-2-Clause */
/* Which construct the tracers' loops run on. */
#ifndef ITERTRACE_TRACE_LOOPS_H
#define ITERTRACE_TRACE_LOOPS_H

#include <stdbool.h>

#include "base/reason.h"
#include "bpf/wire.h"
#include "kernel/dead_code.h"
#include "kernel/probe.h"
#include "model/snapshot.h"

#define LOOPS_AUTO (-1)

/* "bpf_for", "bpf_loop", "can_loop", "bounded". */
const char *loops_name(enum loops_backend backend);

/* LOOPS_AUTO for "auto"; -EINVAL: no such backend. */
int loops_parse(const char *name, int *ret);

struct loops {
	enum loops_backend backend;
	bool iterator_is_called; /* bpf_iter_num_next: not inlined by this kernel */
	unsigned int dead;       /* DEAD_…: what must be taken out of every object */
	struct reason why;       /* of the choice, a sentence */
};

/*
 * wanted: a backend or LOOPS_AUTO, which takes bpf_for where the kernel has it
 * and a bounded loop elsewhere. -ENOTSUP: the kernel lacks the one
 * wanted. The probe is not kept.
 */
int loops_choose(struct probe *probe, int wanted, struct loops *ret,
		 struct reason *why);

/*
 * Price a site's trips: iterator_ns, and inlined_saves_ns where the iterator is
 * called and calibration knows what it would cost inlined.
 */
void loops_price(const struct loops *l, const struct calibration *cal,
		 struct site_figures *site);

#endif
