/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One row's evidence, and the rules by which it gets a verdict. Pure.
 *
 * With t the threshold, and shift and interval in percent of base's median:
 *
 *  1. Too few values for any p below 0.05, or an inflation above COMPARE_MAX_INFLATION, where
 *     the correction itself is not to be trusted: too little data.
 *  2. The interval lies within -t … t: no difference that matters, even where it is
 *     certain that there is a tiny one.
 *  3. Holm's p is below 0.05, the interval leaves out 0 and the shift is t at least:
 *     faster, slower. That there is a difference is certain then; that it is greater
 *     than t is the best guess, and the note says where the interval begins below t.
 *     Where a side is one boot the whole interval has to be beyond t: it does not know how
 *     much one run differs from the next, of which t leaves room for the more.
 *     Of a benchmark it has to be beyond COMPARE_CONTROL_FACTOR times what c's control
 *     shifted by. A control itself is neither; and where one shifted by t, no benchmark
 *     shows no difference either: the machine was another one.
 *  4. Else too little data: the note says which of the three is missing. Lack of
 *     power is never called equality.
 */
#ifndef ITERTRACE_COMPARE_ROW_H
#define ITERTRACE_COMPARE_ROW_H

#include "compare/side.h"

#define COMPARE_ALPHA 0.05

#define COMPARE_MAX_INFLATION 2.5

/*
 * What the machine does to a control it may do to another benchmark so many times: of
 * 153 pairs of 18 benchmarks of one boot, 19 had a row beyond 5% and beyond the control's
 * shift, 2 had a row beyond three times that, or no control that was certain to differ.
 */
#define COMPARE_CONTROL_FACTOR 3

/* Fewer values a side than these are warned of. */
#define COMPARE_FEW 9

/*
 * p, shift, interval and whether it is tested, from the sides' units; p and interval
 * are widened by the units' inflation. -ENOMEM. -EDOM: base costs nothing, so that
 * there is no percentage.
 */
int row_measure(struct comparison_row *row, const struct units *base,
		const struct units *fresh);

/*
 * The same from loads at placements that both sides have. -ENODATA: too few of them;
 * the row is then as it was.
 */
int row_measure_loads(struct comparison_row *row, const struct loads *base,
		      const struct loads *fresh);

/* Holm's p is below 0.05 and the interval leaves out 0. */
bool row_is_certain(const struct comparison_row *row);

/* A benchmark whose instructions are the same on every kernel. */
bool row_is_control(const struct comparison_row *row);

/*
 * Verdict and note, when p_holm is known. nr_tested: rows that share Holm's
 * adjustment.
 */
void row_judge(struct comparison_row *row, struct comparison *c, size_t nr_tested);

#endif
