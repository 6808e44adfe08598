/* SPDX-License-Identifier: BSD-2-Clause */
/* --prometheus and its options: the two sides of compare, as a server knows them. */
#ifndef ITERTRACE_CMD_PROMETHEUS_H
#define ITERTRACE_CMD_PROMETHEUS_H

#include <argp.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/reason.h"
#include "base/time.h"
#include "compare/digest.h"

struct prometheus_options {
	const char *server; /* NULL: none is asked */
	const char *base, *fresh;
	const char *token_file;
	uint64_t since_ns, timeout_ns; /* 0: the default */
};

enum { KEY_PROMETHEUS = 0x300, KEY_BASE, KEY_NEW, KEY_SINCE, KEY_TIMEOUT, KEY_TOKEN };

#define PROMETHEUS_OPTIONS                                                            \
	{"prometheus",                                                                \
	 KEY_PROMETHEUS,                                                              \
	 "URL",                                                                       \
	 0,                                                                           \
	 "Compare the hosts that this server knows of, rather than recordings",       \
	 1},                                                                          \
		{"base",                                                              \
		 KEY_BASE,                                                            \
		 "SELECTOR",                                                          \
		 0,                                                                   \
		 "The hosts with the kernel that is known: labels of "                \
		 "itertrace_kernel_info, such as '{release=~\"7.2.*\"}'",             \
		 1},                                                                  \
		{"new", KEY_NEW, "SELECTOR", 0, "The hosts with the other one", 1},   \
		{"since", KEY_SINCE, "TIME", 0, "How far back to look (default: 1h)", \
		 1},                                                                  \
		{"timeout",                                                           \
		 KEY_TIMEOUT,                                                         \
		 "TIME",                                                              \
		 0,                                                                   \
		 "How long the server may take in all (default: 30s)",                \
		 1},                                                                  \
	{                                                                             \
		"token-file", KEY_TOKEN, "FILE", 0, "Send the token in FILE to it", 1 \
	}

/* 0; -ENOENT: the option is none of these; -EINVAL, -ERANGE: why says what is wrong. */
int prometheus_take_option(struct prometheus_options *o, int key, char *value,
			   struct reason *why);

/* They go together. -EINVAL, with a sentence. */
int prometheus_check(const struct prometheus_options *o, struct reason *why);

#define PROMETHEUS_MAX_WARNINGS 8

struct prometheus_sides {
	struct digest **digests; /* base's, then the new side's; owned, as is each */
	size_t nr_base, nr_new;
	char warnings[PROMETHEUS_MAX_WARNINGS][COMPARISON_TEXT_LEN];
	size_t nr_warnings;
};

/*
 * -ENODATA: no host is selected; any other: the server cannot be asked, or cannot be
 * understood; with a sentence. Release in any case.
 */
int prometheus_ask(const struct prometheus_options *o, struct prometheus_sides *ret,
		   struct reason *why);
void prometheus_release(struct prometheus_sides *s);

#endif
