// SPDX-License-Identifier: BSD-2-Clause
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "kernel/ksyms.h"

#define KALLSYMS           "/proc/kallsyms"
#define KALLSYMS_MAX_BYTES (256u << 20)

struct ksym {
	uint64_t addr;
	const char *name; /* in text */
	bool is_global;
};

struct ksyms {
	char *text;        /* the file, its lines cut into strings */
	struct ksym *syms; /* by address; of those at one, globals first */
	size_t nr_syms;
	uint64_t call_base;
};

static int compare_ksyms(const void *a, const void *b)
{
	const struct ksym *x = a, *y = b;

	if (x->addr != y->addr)
		return x->addr < y->addr ? -1 : 1;
	return (int)y->is_global - (int)x->is_global;
}

/* "ffffffff81000000 T _stext[\t[module]]", cut in place. False: no such line. */
static bool parse_line(char *line, struct ksym *ret)
{
	char *end, type;

	ret->addr = strtoull(line, &end, 16);
	if (end == line || end[0] != ' ' || !end[1] || end[2] != ' ')
		return false;
	type = end[1];
	ret->name = end + 3;
	ret->is_global = isupper((unsigned char)type);
	end[3 + strcspn(end + 3, "\t ")] = '\0';
	return ret->name[0] != '\0';
}

static size_t count_lines(const char *text)
{
	size_t nr = 1;

	for (; (text = strchr(text, '\n')); text++)
		nr++;
	return nr;
}

static int parse_text(struct ksyms *k)
{
	char *line = k->text, *next;
	struct ksym sym;

	k->syms = calloc(count_lines(k->text), sizeof(*k->syms));
	if (!k->syms)
		return -ENOMEM;
	for (; line; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		/* symbols at 0 are absolute, or hidden */
		if (!parse_line(line, &sym) || !sym.addr)
			continue;
		if (!strcmp(sym.name, "__bpf_call_base"))
			k->call_base = sym.addr;
		k->syms[k->nr_syms++] = sym;
	}
	qsort(k->syms, k->nr_syms, sizeof(*k->syms), compare_ksyms);
	return 0;
}

int ksyms__new(struct ksyms **ret, struct reason *why)
{
	struct ksyms *k = calloc(1, sizeof(*k));
	int err = -ENOMEM;

	if (!k)
		goto out;
	err = file_read(AT_FDCWD, KALLSYMS, KALLSYMS_MAX_BYTES, &k->text, NULL);
	if (err) {
		reason_set(why, err, "cannot read " KALLSYMS ": %s", strerror(-err));
		goto out;
	}
	err = parse_text(k);
	if (!err && !k->call_base)
		err = reason_set(why, -EACCES,
				 "the kernel hides its addresses (needs CAP_SYSLOG and "
				 "kernel.kptr_restrict below 2)");
	if (!err) {
		*ret = k;
		k = NULL;
	}
out:
	ksyms__free(k);
	return err;
}

void ksyms__free(struct ksyms *k)
{
	if (!k)
		return;
	free(k->syms);
	free(k->text);
	free(k);
}

/* The last symbol at or below addr, or NULL. */
static const struct ksym *find(const struct ksyms *k, uint64_t addr)
{
	size_t lo = 0, hi = k->nr_syms, mid;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (k->syms[mid].addr <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (!lo)
		return NULL;
	/* of those at one address the first: a global one, if there is any */
	for (lo--; lo && k->syms[lo - 1].addr == k->syms[lo].addr; lo--)
		;
	return &k->syms[lo];
}

const char *ksyms_name_at(const struct ksyms *k, uint64_t addr)
{
	const struct ksym *sym = find(k, addr);

	return sym && sym->addr == addr ? sym->name : NULL;
}

uint64_t ksyms_call_base(const struct ksyms *k)
{
	return k->call_base;
}
