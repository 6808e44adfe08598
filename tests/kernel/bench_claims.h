/* SPDX-License-Identifier: BSD-2-Clause */
/* What the tests of the workloads share: all of them, loaded. */
#ifndef ITERTRACE_TESTS_BENCH_CLAIMS_H
#define ITERTRACE_TESTS_BENCH_CLAIMS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "bench/programs.h"

#define NR(array)     (sizeof(array) / sizeof((array)[0]))
#define ALL_WORKLOADS (WORKLOAD_BIT(NR_WORKLOADS) - 1)
#define MAX_MAPS      16

struct fixture {
	struct probe *probe;
	struct programs *programs;
	const struct runner *runner;
};

static inline int load_workloads(struct fixture *f)
{
	struct reason why = {"no sentence"};
	int err;

	err = probe__new(&f->probe, &why);
	if (!err)
		err = programs__new(f->probe, ALL_WORKLOADS, true, &f->programs, &why);
	if (!err) {
		f->runner = programs_runner(f->programs);
		err = f->runner->load(f->runner->context, &why);
	}
	if (err)
		print_error("%s\n", why.text);
	return err;
}

static inline void unload_workloads(struct fixture *f)
{
	programs__free(f->programs);
	probe__free(f->probe);
}

static inline void need_root(void)
{
	if (!geteuid())
		return;
	print_message("loading BPF programs needs root\n");
	skip();
}

/* For tests that want the workloads and nothing else. */
static inline int set_up_workloads(void **state)
{
	static struct fixture f;

	*state = &f;
	return geteuid() ? 0 : load_workloads(&f);
}

static inline int tear_down_workloads(void **state)
{
	unload_workloads(*state);
	return 0;
}

static inline struct fixture *loaded_workloads(void **state)
{
	need_root();
	return *state;
}

static inline bool is_possible(const struct fixture *f, int id)
{
	return programs_possible(f->programs) & WORKLOAD_BIT(id);
}

/* The sum of all 64-bit values of a map with one entry, over the CPUs where it has some. */
static inline uint64_t sum_of_map(int fd, const struct bpf_map_info *info)
{
	bool percpu = info->type == BPF_MAP_TYPE_PERCPU_ARRAY ||
		      info->type == BPF_MAP_TYPE_PERCPU_HASH;
	size_t size = info->value_size, i;
	uint64_t *values, sum = 0;
	__u32 key = 0;

	if (percpu)
		size = 8 * (size_t)libbpf_num_possible_cpus();
	values = calloc(1, size + 8);
	assert_non_null(values);
	assert_int_equal(bpf_map_lookup_elem(fd, &key, values), 0);
	for (i = 0; i < size / 8; i++)
		sum += values[i];
	free(values);
	return sum;
}

/* The same of the one map of a workload's program that has this name, or ends in it. */
static inline uint64_t sum_of(const struct fixture *f, enum workload_id id,
			      const char *name)
{
	__u32 ids[MAX_MAPS], len = sizeof(struct bpf_prog_info), i;
	struct bpf_prog_info program = {.nr_map_ids = MAX_MAPS,
					.map_ids = (uintptr_t)ids};
	uint64_t sum = 0;
	int nr = 0;

	assert_int_equal(
		bpf_obj_get_info_by_fd(programs_fd(f->programs, id), &program, &len),
		0);
	for (i = 0; i < program.nr_map_ids; i++) {
		struct bpf_map_info map = {0};
		int fd = bpf_map_get_fd_by_id(ids[i]);

		len = sizeof(map);
		assert_int_equal(bpf_obj_get_info_by_fd(fd, &map, &len), 0);
		if (strstr(map.name, name)) {
			sum = sum_of_map(fd, &map);
			nr++;
		}
		close(fd);
	}
	assert_int_equal(nr, 1);
	return sum;
}

#endif
