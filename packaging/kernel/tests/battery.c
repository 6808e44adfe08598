// SPDX-License-Identifier: BSD-2-Clause
/*
 * battery [--programs=N] [--runs=N] [--seed=N] [--limits=N] [--rnd-hi32] [--dump=SEED]:
 * random programs over numeric iterators, and N with a jump that is close to the longest,
 * run on this kernel and by the model, their results compared. --rnd-hi32: loaded with
 * BPF_F_TEST_RND_HI32.
 * Prints a line a program, the same on every kernel that does as the model does,
 * but for "# " lines. Exit status 1: they differ.
 */
#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "program.h"

#define LOG_BYTES (1 << 20)

/* The kernel's own, in place of an access mode; it shows it, and takes none. */
#define BPF_NOSPEC 0xc0

struct battery {
	struct iter_num_ids ids;
	int map_fd;
	__u32 prog_flags;
	char *log;
	unsigned long nr_refused;
	unsigned long nr_runs;
	unsigned long nr_wrong;
	/* in what the kernel made of the programs */
	unsigned long nr_calls;    /* of kfuncs */
	unsigned long nr_barriers; /* against speculation */
};

static int find_ids(struct iter_num_ids *ids)
{
	struct btf *btf = btf__load_vmlinux_btf();

	if (!btf)
		return -errno;
	ids->new = btf__find_by_name_kind(btf, "bpf_iter_num_new", BTF_KIND_FUNC);
	ids->next = btf__find_by_name_kind(btf, "bpf_iter_num_next", BTF_KIND_FUNC);
	ids->destroy =
		btf__find_by_name_kind(btf, "bpf_iter_num_destroy", BTF_KIND_FUNC);
	btf__free(btf);
	return ids->new > 0 && ids->next > 0 && ids->destroy > 0 ? 0 : -ENOENT;
}

static int load(struct battery *b, const struct program *p, int log_level)
{
	LIBBPF_OPTS(bpf_prog_load_opts, opts, .prog_flags = b->prog_flags);

	b->log[0] = '\0';
	if (log_level) {
		opts.log_buf = b->log;
		opts.log_size = LOG_BYTES;
		opts.log_level = (__u32)log_level;
	}
	return bpf_prog_load(BPF_PROG_TYPE_SCHED_CLS, "battery", "GPL", p->insns, p->nr,
			     &opts);
}

static void count_insns(struct battery *b, int fd)
{
	static struct bpf_insn insns[60000];
	struct bpf_prog_info info = {};
	__u32 size = sizeof(info);

	info.xlated_prog_insns = (__u64)(unsigned long)insns;
	info.xlated_prog_len = sizeof(insns);
	if (bpf_obj_get_info_by_fd(fd, &info, &size))
		return;
	for (size_t i = 0; i < info.xlated_prog_len / sizeof(insns[0]) && i < 60000;
	     i++) {
		b->nr_calls += insns[i].code == (BPF_JMP | BPF_CALL) &&
			       insns[i].src_reg == BPF_PSEUDO_KFUNC_CALL;
		b->nr_barriers += insns[i].code == (BPF_ST | BPF_NOSPEC);
	}
}

static int run_kernel(struct battery *b, int fd, struct battery_value *value)
{
	char packet[64] = {};
	LIBBPF_OPTS(bpf_test_run_opts, opts, .data_in = packet,
		    .data_size_in = sizeof(packet), .repeat = 1);
	__u32 key = 0;
	int err;

	if (bpf_map_update_elem(b->map_fd, &key, value, BPF_ANY))
		return -errno;
	err = bpf_prog_test_run_opts(fd, &opts);
	if (err)
		return err;
	return bpf_map_lookup_elem(b->map_fd, &key, value) ? -errno : 0;
}

static void dump(const struct program *p)
{
	for (size_t i = 0; i < p->nr; i++)
		printf("# %4zu: code %02x dst %d src %d off %d imm %d\n", i,
		       p->insns[i].code, p->insns[i].dst_reg, p->insns[i].src_reg,
		       p->insns[i].off, p->insns[i].imm);
}

static void check_program(struct battery *b, const char *name, const struct program *p,
			  uint64_t seed, unsigned int runs)
{
	struct battery_value input, kernel, model;
	uint64_t all = 0, trips = 0, ret;
	int fd, err;

	fd = load(b, p, 0);
	if (fd < 0) {
		b->nr_refused++;
		printf("%s %llu: refused, %s\n", name, (unsigned long long)seed,
		       strerror(-fd));
		if (getenv("BATTERY_LOG")) {
			load(b, p, 1);
			printf("%s\n", b->log);
		}
		return;
	}
	count_insns(b, fd);
	for (unsigned int run = 0; run < runs; run++) {
		program_choose_input(p, seed, run, &input);
		kernel = model = input;
		err = run_kernel(b, fd, &kernel);
		if (!err)
			err = model_run(p->insns, p->nr, &b->ids, &model, &ret);
		b->nr_runs++;
		if (err || memcmp(&kernel, &model, sizeof(model))) {
			b->nr_wrong++;
			printf("%s %llu run %u: start %d end %d stop %d path %#x: "
			       "digest %#llx trips %llu, model %#llx %llu; %s\n",
			       name, (unsigned long long)seed, run, input.start,
			       input.end, input.stop, input.path,
			       (unsigned long long)kernel.digest,
			       (unsigned long long)kernel.trips,
			       (unsigned long long)model.digest,
			       (unsigned long long)model.trips,
			       err ? strerror(-err) : "differs");
		}
		all = all * 31 + kernel.digest;
		trips += kernel.trips;
	}
	printf("%s %llu: %016llx %llu\n", name, (unsigned long long)seed,
	       (unsigned long long)all, (unsigned long long)trips);
	close(fd);
}

static void say_sums(struct battery *b, const char *what)
{
	printf("# %s: %lu refused, %lu runs, %lu wrong, %lu barriers, %lu kfunc calls "
	       "left\n",
	       what, b->nr_refused, b->nr_runs, b->nr_wrong, b->nr_barriers,
	       b->nr_calls);
	b->nr_refused = b->nr_runs = b->nr_calls = b->nr_barriers = 0;
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{"programs", required_argument, NULL, 'p'},
		{"runs", required_argument, NULL, 'r'},
		{"seed", required_argument, NULL, 's'},
		{"limits", required_argument, NULL, 'l'},
		{"rnd-hi32", no_argument, NULL, 'h'},
		{"dump", required_argument, NULL, 'd'},
		{},
	};
	unsigned long programs = 500, runs = 20, seed = 0, limits = 60;
	struct battery b = {.log = malloc(LOG_BYTES)};
	static struct program p;
	int c, err;

	setvbuf(stdout, NULL, _IOLBF, 0);
	err = find_ids(&b.ids);
	b.map_fd = bpf_map_create(BPF_MAP_TYPE_ARRAY, "battery", sizeof(__u32),
				  sizeof(struct battery_value), 1, NULL);
	if (err || b.map_fd < 0 || !b.log) {
		fprintf(stderr, "battery: no numeric iterator or no map here: %s\n",
			strerror(err ? -err : errno));
		return 2;
	}
	while ((c = getopt_long(argc, argv, "", options, NULL)) != -1) {
		unsigned long n = optarg ? strtoul(optarg, NULL, 0) : 0;

		switch (c) {
		case 'p':
			programs = n;
			break;
		case 'r':
			runs = n;
			break;
		case 's':
			seed = n;
			break;
		case 'l':
			limits = n;
			break;
		case 'h':
			b.prog_flags = BPF_F_TEST_RND_HI32;
			break;
		case 'd':
			program_write(&p, n, &b.ids, b.map_fd);
			dump(&p);
			return 0;
		default:
			return 2;
		}
	}
	for (unsigned long i = 0; i < programs; i++) {
		program_write(&p, seed + i, &b.ids, b.map_fd);
		check_program(&b, "program", &p, seed + i, (unsigned int)runs);
	}
	say_sums(&b, "random programs");
	for (unsigned int slack = 0; slack < limits; slack++) {
		program_write_limit(&p, slack, false, &b.ids, b.map_fd);
		check_program(&b, "limit-forwards", &p, slack, 2);
		program_write_limit(&p, slack, true, &b.ids, b.map_fd);
		check_program(&b, "limit-backwards", &p, slack, 2);
	}
	say_sums(&b, "long jumps");
	return b.nr_wrong ? 1 : 0;
}
