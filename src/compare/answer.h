/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a server with Prometheus' HTTP API answers to an instant query. The text may be
 * anything. Pure.
 */
#ifndef ITERTRACE_COMPARE_ANSWER_H
#define ITERTRACE_COMPARE_ANSWER_H

#include <jansson.h>
#include <stddef.h>

#include "base/reason.h"

/* An answer with more members than these, or bytes, is not read. */
#define ANSWER_MAX_MEMBERS (2 << 20)
#define ANSWER_MAX_BYTES   (64 << 20)

struct answer {
	json_t *root;          /* owned */
	const json_t *samples; /* of a vector */
	const json_t *scalar;  /* of a scalar; NULL: it is a vector */
};

/*
 * server is for sentences; status HTTP's. -EREMOTEIO: the server says why not, and why
 * does; -EPROTO: it is no such answer. On failure *ret is untouched, otherwise
 * answer_release() it.
 */
int answer_read(const char *server, long status, const char *text, size_t len,
		struct answer *ret, struct reason *why);
void answer_release(struct answer *a);

size_t answer_size(const struct answer *a);

/* A label's value; "": it has none of that name. */
const char *answer_label(const json_t *labels, const char *name);

/*
 * A sample's labels, as long as the answer; its value may be NaN or infinite. -EPROTO:
 * it is no such thing.
 */
int answer_sample(const struct answer *a, size_t i, const json_t **ret_labels,
		  double *ret_value);
int answer_scalar(const struct answer *a, double *ret);

/*
 * What the server says against its own answer, the i-th; NULL: no more. Valid until
 * the answer goes.
 */
const char *answer_warning(const struct answer *a, size_t i);

#endif
