/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ITERTRACE_EXPORT_CALIBRATION_H
#define ITERTRACE_EXPORT_CALIBRATION_H

#include <stdio.h>

#include "model/bench.h"

/* One line a price, in ns a trip with its interval; or why there is none. */
void calibration_print(FILE *out, const struct calibration *cal);

#endif
