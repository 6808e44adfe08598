/* SPDX-License-Identifier: BSD-2-Clause */
/* A probe's result as a table, as JSON, and one construct's evidence as text. */
#ifndef ITERTRACE_EXPORT_PROBE_H
#define ITERTRACE_EXPORT_PROBE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "model/feature.h"
#include "model/identity.h"
#include "model/listing.h"

#define PROBE_SCHEMA "itertrace.probe/1"

/* How text is to look. */
struct probe_style {
	bool is_coloured;
	int width; /* columns; reasons are wrapped to fit */
};

/*
 * name, state, instructions, reason:
 *
 *   CONSTRUCT                 STATE        INSNS  WHY
 *   bpf_iter_num_next         call             1  calls bpf_iter_num_next
 */
void probe_print_table(FILE *out, const struct feature *features, size_t nr,
		       const struct probe_style *style);

/* Schema PROBE_SCHEMA; NULL: out of memory. The caller's to json_decref(). */
json_t *probe_to_json(const struct identity *id, const struct feature *features,
		      size_t nr);

/* [{"name","state","reason","insns","description"}]; as above. */
json_t *features_to_json(const struct feature *features, size_t nr);

/* The name, what it is, its state and why. */
void probe_print_feature(FILE *out, const struct feature *f,
			 const struct probe_style *style);

/* Title, note and lines; those of the construct marked. */
void probe_print_listing(FILE *out, const char *title, const struct listing *l,
			 bool is_hex, const struct probe_style *style);

#endif
