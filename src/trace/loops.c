// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <string.h>

#include "kernel/interpreter.h"
#include "trace/loops.h"

static const struct backend {
	const char *name;
	const char *feature; /* as the probe names it; NULL: any kernel has it */
	enum calibration_price price;
} backends[NR_LOOPS_BACKENDS] = {
	[LOOPS_BPF_FOR] = {"bpf_for", "bpf_iter_num_next", PRICE_BPF_FOR},
	[LOOPS_BPF_LOOP] = {"bpf_loop", "bpf_loop", PRICE_BPF_LOOP},
	[LOOPS_CAN_LOOP] = {"can_loop", "may_goto", PRICE_CAN_LOOP},
	[LOOPS_BOUNDED] = {"bounded", NULL, PRICE_FLOOR},
};

const char *loops_name(enum loops_backend backend)
{
	return backends[backend].name;
}

int loops_parse(const char *name, int *ret)
{
	int i;

	if (!strcmp(name, "auto")) {
		*ret = LOOPS_AUTO;
		return 0;
	}
	for (i = 0; i < NR_LOOPS_BACKENDS; i++) {
		if (!strcmp(name, backends[i].name)) {
			*ret = i;
			return 0;
		}
	}
	return -EINVAL;
}

/* What loaded is there, even if its code could not be read back. */
static bool is_there(enum feature_state state)
{
	return state != FEATURE_UNSUPPORTED && state != FEATURE_REFUSED;
}

/* Why a backend that was wanted, or would have been, is not to be had. */
static void explain_lack(struct probe *probe, int backend, struct feature *ret)
{
	if (probe_feature(probe, backends[backend].feature, ret))
		*ret = (struct feature){.state = FEATURE_UNKNOWN};
}

int loops_choose(struct probe *probe, int wanted, struct loops *ret, struct reason *why)
{
	int backend = wanted == LOOPS_AUTO ? LOOPS_BPF_FOR : wanted;
	enum feature_state iterator, may_goto, state = FEATURE_INLINED;
	const char *name = backends[backend].name;
	struct feature lack;
	int err;

	err = probe_state(probe, "bpf_iter_num_next", &iterator);
	if (!err)
		err = probe_state(probe, "may_goto", &may_goto);
	if (!err && backends[backend].feature)
		err = probe_state(probe, backends[backend].feature, &state);
	if (err)
		return reason_set(why, err, "cannot probe the kernel: %s",
				  strerror(-err));
	err = interpreter_check(is_there(iterator), why);
	if (err)
		return err;
	if (!is_there(state))
		explain_lack(probe, backend, &lack);
	if (!is_there(state) && wanted != LOOPS_AUTO)
		return reason_set(why, -ENOTSUP,
				  "this kernel has no %s loops: %s (--loops auto takes "
				  "what it has)",
				  name, lack.reason);
	if (!is_there(state)) {
		backend = LOOPS_BOUNDED;
		reason_set(&ret->why, 0, "bounded, because %s is %s here: %s", name,
			   feature_state_name(state), lack.reason);
	} else if (wanted != LOOPS_AUTO) {
		reason_set(&ret->why, 0, "%s, as asked for", name);
	} else {
		reason_set(&ret->why, 0, "%s, which this kernel has (%s: %s)", name,
			   backends[backend].feature, feature_state_name(state));
	}
	ret->backend = (enum loops_backend)backend;
	ret->iterator_is_called = iterator == FEATURE_CALL;
	ret->dead = (is_there(may_goto) ? 0 : DEAD_MAY_GOTO) |
		    (is_there(iterator) ? 0 : DEAD_KFUNC_CALLS);
	return 0;
}

void loops_price(const struct loops *l, const struct calibration *cal,
		 struct site_figures *site)
{
	const struct bench_result *price, *shape;

	if (!cal->done)
		return;
	price = &cal->prices[backends[l->backend].price];
	shape = &cal->prices[PRICE_SHAPE_7_3];
	if (price->measured)
		site->iterator_ns = price->median;
	if (l->backend == LOOPS_BPF_FOR && l->iterator_is_called && price->measured &&
	    shape->measured && price->lo > shape->hi)
		site->inlined_saves_ns = price->median - shape->median;
}
