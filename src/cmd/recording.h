/* SPDX-License-Identifier: BSD-2-Clause */
/* --record and its options, of the commands that can record. */
#ifndef ITERTRACE_CMD_RECORDING_H
#define ITERTRACE_CMD_RECORDING_H

#include <argp.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/reason.h"
#include "kernel/probe.h"
#include "model/recording.h"
#include "record/writer.h"

struct record_options {
	char path[4096]; /* "": nothing is recorded */
	uint64_t max_bytes, max_age_ns;
	bool force;
};

#define RECORD_DEFAULTS                                                    \
	{                                                                  \
		.max_bytes = 256 << 20, .max_age_ns = 86400 * NSEC_PER_SEC \
	}

enum { KEY_RECORD = 0x200, KEY_RECORD_MAX, KEY_RECORD_AGE, KEY_FORCE };

/* For both tables of argp_option. */
#define RECORD_FILE_OPTIONS(what)                                               \
	{"record", KEY_RECORD, "FILE", 0, what, 0},                             \
	{                                                                       \
		"force", KEY_FORCE, NULL, 0, "With --record: overwrite FILE", 0 \
	}

/* 0; -ENOENT: the option is none of these; another errno: why says what is wrong. */
int record_take_option(struct record_options *o, int key, const char *value,
		       struct reason *why);

/* The same for argp. */
error_t record_parse_option(struct record_options *o, int key, const char *arg);

/* Open what is recorded to, if anything is; then *ret is not NULL. -errno. */
int record_open(const struct record_options *o, struct recorder **ret,
		struct reason *why);

/*
 * All that a recording's head says of this kernel and machine; the command fills in
 * the rest. Probes the kernel.
 */
int record_describe(struct probe *probe, const char *command,
		    struct recording_head *ret, struct reason *why);

/* recorder_start() with that head. */
int record_start(struct recorder *r, const struct recording_head *head,
		 struct reason *why);

/* Log what went wrong meanwhile. r may be NULL. */
void record_say_news(struct recorder *r);

/* And at the end: recorder__close(). */
int record_close(struct recorder *r, bool is_done);

#endif
