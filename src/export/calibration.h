/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ITERTRACE_EXPORT_CALIBRATION_H
#define ITERTRACE_EXPORT_CALIBRATION_H

#include <jansson.h>
#include <stdio.h>

#include "model/bench.h"

/* One line a price, in ns a trip with its interval; or why there is none. */
void calibration_print(FILE *out, const struct calibration *cal);

/*
 * {price: {"median","lo","hi","rounds"}}, null where a price is not known; null if
 * not calibrated. cal may be NULL. A new reference; NULL: out of memory.
 */
json_t *calibration_to_json(const struct calibration *cal);

#endif
