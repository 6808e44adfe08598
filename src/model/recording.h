/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What is known of a recording before its intervals: how it was made, on which
 * kernel and machine. Plain data. Texts are "" and figures ABSENT where the
 * recording does not say.
 */
#ifndef ITERTRACE_MODEL_RECORDING_H
#define ITERTRACE_MODEL_RECORDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/bench.h"
#include "model/feature.h"
#include "model/identity.h"
#include "model/snapshot.h"

/*
 * Bytes of a line, its newline included. A snapshot has some 10 KB, with hundreds of
 * long command lines some MB; more is neither written nor read.
 */
#define RECORDING_MAX_LINE (16 << 20)

#define RECORDING_TEXT_LEN     128
#define RECORDING_MAX_FEATURES 64

struct recording_head {
	char path[4096];
	char command[16];                   /* "run", "bench" */
	char itertrace[RECORDING_TEXT_LEN]; /* its version */
	char compiler[RECORDING_TEXT_LEN];  /* of the BPF objects */
	char sources[32];                   /* of the BPF objects: a digest */
	char host[RECORDING_TEXT_LEN];
	char loops[32];       /* the backend in use; "" for bench */
	uint64_t time_ns;     /* CLOCK_REALTIME at the start of the run */
	uint64_t interval_ns; /* that a run was asked to report at; 0 for bench */
	unsigned int part;    /* of a run in several files: from 0 */
	struct identity identity;
	struct feature features[RECORDING_MAX_FEATURES];
	size_t nr_features;
	struct calibration calibration;
};

/* What the reader says at the end of a recording. */
struct recording_end {
	uint64_t nr_intervals;
	uint64_t nr_bytes; /* of JSON that was read */
	uint64_t nr_lost;  /* lines that the writer could not write */
	bool is_whole;     /* there is a last line: nothing was cut off */
	bool is_continued; /* the run went on in another file */
	char loss[512];    /* what is missing, a sentence; "" if nothing */
};

#endif
