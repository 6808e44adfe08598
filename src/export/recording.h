/* SPDX-License-Identifier: BSD-2-Clause */
/* The line that a recording begins with, see itertrace-recording(5). */
#ifndef ITERTRACE_EXPORT_RECORDING_H
#define ITERTRACE_EXPORT_RECORDING_H

#include <jansson.h>

#include "model/recording.h"

#define RECORDING_SCHEMA "itertrace.recording/1"

/* A new reference; NULL: out of memory. */
json_t *recording_head_to_json(const struct recording_head *head);

#endif
