/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Why something did not work, as one sentence for a person: what was tried,
 * on what, why it failed, what to do. Libraries fill it in and return the
 * errno; only cmd/ prints it. No allocation, no logging.
 */
#ifndef ITERTRACE_BASE_REASON_H
#define ITERTRACE_BASE_REASON_H

struct reason {
	char text[512];
};

/*
 * Store the sentence and return err, so that a failing function can end in
 * "return reason_set(why, -EINVAL, …)". why may be NULL. A text that is too
 * long is cut.
 */
int reason_set(struct reason *why, int err, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

#endif
