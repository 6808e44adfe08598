/* SPDX-License-Identifier: BSD-2-Clause */
/* What made-up pages have in common: chance, heads of recordings, hostile texts. */
#ifndef ITERTRACE_TESTS_MADE_H
#define ITERTRACE_TESTS_MADE_H

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/time.h"
#include "model/recording.h"

#define BEGAN_NS (1767225600 * NSEC_PER_SEC) /* 2026-01-01 00:00:00 UTC */

static uint64_t chance = 88172645463325252ULL;

/* xorshift64*, Vigna. */
static inline double uniform(void)
{
	chance ^= chance >> 12;
	chance ^= chance << 25;
	chance ^= chance >> 27;
	return ((double)((chance * 2685821657736338717ULL) >> 11) + 0.5) * 0x1p-53;
}

static inline double normal(void)
{
	double radius = sqrt(-2 * log(uniform()));

	return radius * cos(2 * M_PI * uniform());
}

static inline void *must(void *memory)
{
	if (!memory) {
		fputs("pages: out of memory\n", stderr);
		exit(1);
	}
	return memory;
}

#define TEXT(to, from) snprintf(to, sizeof(to), "%s", from)

static inline void fill_identity(struct identity *id, const char *release, const char *build)
{
	static const char *const mitigations[][2] = {
		{"meltdown", "Not affected"},
		{"retbleed", "Vulnerable"},
		{"spectre_v2", "Mitigation: Enhanced / Automatic IBRS; IBPB: conditional"},
	};
	int i;

	*id = (struct identity){
		.nr_cpus_online = 8,
		.nr_cpus_possible = 8,
		.jit_enable = 1,
		.jit_harden = 0,
		.kptr_restrict = 0,
		.unprivileged_bpf_disabled = 2,
		.has_btf = 1,
		.nr_mitigations = 3,
		.nr_config = 2,
	};
	TEXT(id->release, release);
	TEXT(id->version, "#1 SMP PREEMPT_DYNAMIC Debian (2026-01-01)");
	TEXT(id->arch, "x86_64");
	TEXT(id->build_id, build);
	TEXT(id->cpu_model, "Intel(R) Xeon(R) Processor @ 2.90GHz");
	TEXT(id->clock_source, "tsc");
	TEXT(id->virtualised, "kvm");
	TEXT(id->lockdown, "none");
	TEXT(id->config[0].name, "CONFIG_PREEMPT");
	TEXT(id->config[0].text, release[0] == '7' ? "y" : "n");
	TEXT(id->config[1].name, "CONFIG_HZ");
	TEXT(id->config[1].text, "250");
	for (i = 0; i < 3; i++) {
		TEXT(id->mitigations[i].name, mitigations[i][0]);
		TEXT(id->mitigations[i].text, mitigations[i][1]);
	}
}

static inline struct recording_head *make_head(const char *path, const char *release)
{
	struct recording_head *h = must(calloc(1, sizeof(*h)));

	TEXT(h->path, path);
	TEXT(h->command, "run");
	TEXT(h->itertrace, "0.1.0");
	TEXT(h->compiler, "clang 14.0.6");
	TEXT(h->host, "db-17.example.net");
	TEXT(h->loops, "bpf_for");
	h->time_ns = BEGAN_NS;
	fill_identity(&h->identity, release, "4a5a9b0affb6d7e1c2b3a4958677685940312233");
	return h;
}

/* Of a file, a process, a kernel that means harm; then bytes that are no text. */
static const char *const hostile[] = {
	"<script>document.title='owned'</script>",
	"\"><img src=x onerror=document.title='owned'>",
	"' onmouseover='document.title=1",
	"</style><script>document.title='owned'</script>",
	"]]><svg/onload=document.title='owned'>",
	"javascript:document.title='owned'",
	"<!--",
	"&lt;b&gt;&amp;#60;",
	"a\xE2\x80\xAE" "drow\xE2\x80\x8F" "b\x1b[31m\x07\x7f",
	"\xff\xfe\xc0\xaf\xed\xa0\x80 not UTF-8",
	"</title></desc></text></svg></table><h1>owned</h1>",
	"{{7*7}} ${7*7} %s%n%n",
};
#define NR_HOSTILE (sizeof(hostile) / sizeof(hostile[0]))

#endif
