// SPDX-License-Identifier: BSD-2-Clause
#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif
#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "bench/counters.h"

#define NR_GROUPS     2
#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define NO_GENERIC    UINT64_MAX

static const struct event {
	const char *name;
	uint64_t generic; /* enum perf_hw_id */
	int group;
} events[NR_COUNTERS] = {
	[COUNTER_CYCLES] = {"cycles", PERF_COUNT_HW_CPU_CYCLES, 0},
	[COUNTER_INSTRUCTIONS] = {"instructions", PERF_COUNT_HW_INSTRUCTIONS, 0},
	[COUNTER_BRANCHES] = {"branches", PERF_COUNT_HW_BRANCH_INSTRUCTIONS, 0},
	[COUNTER_BRANCH_MISSES] = {"branch-misses", PERF_COUNT_HW_BRANCH_MISSES, 0},
	[COUNTER_STORE_FORWARD_BLOCKS] = {"store-forward-blocks", NO_GENERIC, 1},
	[COUNTER_BACKEND_STALL_CYCLES] = {"backend-stall-cycles",
					  PERF_COUNT_HW_STALLED_CYCLES_BACKEND, 1},
	[COUNTER_SLOTS] = {"slots", NO_GENERIC, 1},
	[COUNTER_BACKEND_BOUND_SLOTS] = {"backend-bound-slots", NO_GENERIC, 1},
};

/* What read(2) gives of a group: PERF_FORMAT_GROUP and both times. */
struct group_read {
	uint64_t nr;
	uint64_t enabled_ns, running_ns;
	uint64_t values[NR_COUNTERS];
};

struct group {
	int leader; /* descriptor; -1: empty */
	unsigned int nr;
	enum counter_id members[NR_COUNTERS]; /* as read */
	struct group_read before;
};

struct counters {
	int fds[NR_COUNTERS]; /* -1: absent */
	const char *absence[NR_COUNTERS];
	struct group groups[NR_GROUPS];
};

const char *counters_name(unsigned int id)
{
	return id < NR_COUNTERS ? events[id].name : NULL;
}

const char *counters_absence(const struct counters *c, enum counter_id id)
{
	return c->absence[id];
}

/* ---- pure --------------------------------------------------------------------- */

struct counter_value counters_scale(uint64_t delta, uint64_t enabled_ns,
				    uint64_t running_ns)
{
	struct counter_value v = {0};

	if (!running_ns)
		return v;
	v.present = true;
	v.scaled = running_ns < enabled_ns;
	v.value = (double)delta;
	if (v.scaled)
		v.value *= (double)enabled_ns / (double)running_ns;
	return v;
}

void counters_drop_dead(struct counter_values *v)
{
	static const enum counter_id alive[] = {COUNTER_CYCLES, COUNTER_INSTRUCTIONS};

	for (size_t i = 0; i < ARRAY_SIZE(alive); i++)
		if (v->v[alive[i]].present && !(v->v[alive[i]].value > 0))
			memset(v, 0, sizeof(*v));
}

static bool is_listed(unsigned int model, const uint8_t *models, size_t nr)
{
	return memchr(models, (int)model, nr) && model <= UINT8_MAX;
}

/* Models of family 6 with P-cores, arch/x86/include/asm/intel-family.h. */
static uint64_t intel_event(unsigned int model, enum counter_id id)
{
	/* Sandy and Ivy Bridge, Haswell, Broadwell, Skylake to Comet Lake */
	static const uint8_t older[] = {0x2a, 0x2d, 0x3a, 0x3e, 0x3c, 0x3f, 0x45,
					0x46, 0x3d, 0x47, 0x4f, 0x56, 0x4e, 0x5e,
					0x55, 0x8e, 0x9e, 0xa5, 0xa6, 0x66};
	/* Ice, Tiger and Rocket Lake */
	static const uint8_t ice_lake[] = {0x7d, 0x7e, 0x6a, 0x6c, 0x8c, 0x8d, 0xa7};
	/* Alder, Raptor and Meteor Lake; Sapphire, Emerald and Granite Rapids */
	static const uint8_t newer[] = {0x97, 0x9a, 0xb7, 0xba, 0xbf, 0xaa,
					0xac, 0x8f, 0xcf, 0xad, 0xae};
	bool is_ice = is_listed(model, ice_lake, sizeof(ice_lake));
	bool is_newer = is_listed(model, newer, sizeof(newer));

	if (id == COUNTER_STORE_FORWARD_BLOCKS && is_newer)
		return 0x8203;
	if (id == COUNTER_STORE_FORWARD_BLOCKS)
		return is_ice || is_listed(model, older, sizeof(older)) ? 0x0203 : 0;
	if (!is_ice && !is_newer)
		return 0;
	if (id == COUNTER_SLOTS)
		return 0x01a4;
	return id == COUNTER_BACKEND_BOUND_SLOTS ? 0x02a4 : 0;
}

uint64_t counters_raw_event(const struct counters_cpu *cpu, enum counter_id id)
{
	switch (cpu->vendor) {
	case VENDOR_INTEL:
		return cpu->family == 6 ? intel_event(cpu->model, id) : 0;
	case VENDOR_AMD:
		return id == COUNTER_STORE_FORWARD_BLOCKS && cpu->family >= 0x17
			       ? 0x0224
			       : 0;
	case VENDOR_ARM64:
		return id == COUNTER_BACKEND_STALL_CYCLES ? 0x24 : 0;
	default:
		return 0;
	}
}

/* ---- the processor ------------------------------------------------------------ */

static struct counters_cpu this_cpu(void)
{
	struct counters_cpu cpu = {0};
#if defined(__x86_64__) || defined(__i386__)
	unsigned int eax, ebx, ecx, edx;

	if (!__get_cpuid(0, &eax, &ebx, &ecx, &edx))
		return cpu;
	if (ebx == signature_INTEL_ebx && ecx == signature_INTEL_ecx)
		cpu.vendor = VENDOR_INTEL;
	else if (ebx == signature_AMD_ebx && ecx == signature_AMD_ecx)
		cpu.vendor = VENDOR_AMD;
	__get_cpuid(1, &eax, &ebx, &ecx, &edx);
	cpu.family = eax >> 8 & 15;
	if (cpu.family == 15)
		cpu.family += eax >> 20 & 255;
	cpu.model = (eax >> 4 & 15) | (eax >> 12 & 0xf0);
#elif defined(__aarch64__)
	cpu.vendor = VENDOR_ARM64;
#endif
	return cpu;
}

static int open_event(uint32_t type, uint64_t config, int leader)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = type,
		.config = config,
		.disabled = leader < 0,
		.exclude_user = 1,
		.exclude_hv = 1,
		.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED |
			       PERF_FORMAT_TOTAL_TIME_RUNNING,
	};
	long fd = syscall(SYS_perf_event_open, &attr, 0, -1, leader,
			  PERF_FLAG_FD_CLOEXEC);

	return fd < 0 ? -errno : (int)fd;
}

static int open_counter(struct counters *c, const struct counters_cpu *cpu,
			enum counter_id id)
{
	struct group *group = &c->groups[events[id].group];
	uint64_t raw = counters_raw_event(cpu, id);
	int fd = -ENOENT;

	if (events[id].generic != NO_GENERIC)
		fd = open_event(PERF_TYPE_HARDWARE, events[id].generic, group->leader);
	if (fd < 0 && raw)
		fd = open_event(PERF_TYPE_RAW, raw, group->leader);
	if (fd < 0) {
		c->absence[id] = events[id].generic == NO_GENERIC && !raw
					 ? "no event for it is known on this processor"
					 : "the kernel does not offer it on this "
					   "processor";
		return fd;
	}
	c->fds[id] = fd;
	if (group->leader < 0)
		group->leader = fd;
	group->members[group->nr++] = id;
	return 0;
}

static int explain(int err, struct reason *why)
{
	switch (err) {
	case -ENOENT:
	case -EOPNOTSUPP:
	case -ENODEV:
		return reason_set(why, err,
				  "no hardware counters: the kernel sees no PMU, as is "
				  "usual in a virtual machine");
	case -EACCES:
	case -EPERM:
		return reason_set(why, err,
				  "no hardware counters: counting in kernel mode needs "
				  "CAP_PERFMON, or kernel.perf_event_paranoid of 1 or "
				  "less");
	case -ENOSYS:
		return reason_set(why, err,
				  "no hardware counters: the kernel is built without "
				  "perf events");
	default:
		return reason_set(why, err, "no hardware counters: perf_event_open: %s",
				  strerror(-err));
	}
}

int counters__new(struct counters **ret, struct reason *why)
{
	struct counters_cpu cpu = this_cpu();
	struct counters *c;
	int err;

	c = calloc(1, sizeof(*c));
	if (!c)
		return reason_set(why, -ENOMEM, "out of memory");
	for (int i = 0; i < NR_COUNTERS; i++)
		c->fds[i] = -1;
	for (int i = 0; i < NR_GROUPS; i++)
		c->groups[i].leader = -1;
	err = open_counter(c, &cpu, COUNTER_CYCLES);
	if (err) {
		counters__free(c);
		return explain(err, why);
	}
	for (int i = COUNTER_CYCLES + 1; i < NR_COUNTERS; i++)
		open_counter(c, &cpu, (enum counter_id)i);
	*ret = c;
	return 0;
}

void counters__free(struct counters *c)
{
	if (!c)
		return;
	for (int i = 0; i < NR_COUNTERS; i++)
		if (c->fds[i] >= 0)
			close(c->fds[i]);
	free(c);
}

/* ---- counting ----------------------------------------------------------------- */

static int read_group(const struct group *group, struct group_read *ret)
{
	size_t want = sizeof(uint64_t) * (3 + (size_t)group->nr);
	ssize_t got = read(group->leader, ret, sizeof(*ret));

	if (got < 0)
		return -errno;
	/* 0: the group is in error, as a pinned one would be */
	return (size_t)got == want ? 0 : -EIO;
}

static int switch_group(const struct group *group, unsigned long request)
{
	return ioctl(group->leader, request, PERF_IOC_FLAG_GROUP) ? -errno : 0;
}

/* The first group is the last to start and the first to stop: it counts least else. */
int counters_begin(struct counters *c)
{
	int err = 0;

	for (int i = 0; !err && i < NR_GROUPS; i++)
		if (c->groups[i].leader >= 0)
			err = read_group(&c->groups[i], &c->groups[i].before);
	for (int i = NR_GROUPS - 1; !err && i >= 0; i--)
		if (c->groups[i].leader >= 0)
			err = switch_group(&c->groups[i], PERF_EVENT_IOC_ENABLE);
	return err;
}

static void add_group(const struct group *group, const struct group_read *now,
		      struct counter_values *ret)
{
	const struct group_read *before = &group->before;

	for (unsigned int i = 0; i < group->nr; i++)
		ret->v[group->members[i]] =
			counters_scale(now->values[i] - before->values[i],
				       now->enabled_ns - before->enabled_ns,
				       now->running_ns - before->running_ns);
}

int counters_end(struct counters *c, struct counter_values *ret)
{
	struct counter_values values = {0};
	struct group_read now;
	int err = 0;

	for (int i = 0; !err && i < NR_GROUPS; i++)
		if (c->groups[i].leader >= 0)
			err = switch_group(&c->groups[i], PERF_EVENT_IOC_DISABLE);
	for (int i = 0; !err && i < NR_GROUPS; i++) {
		if (c->groups[i].leader < 0)
			continue;
		err = read_group(&c->groups[i], &now);
		if (!err)
			add_group(&c->groups[i], &now, &values);
	}
	if (err)
		return err;
	counters_drop_dead(&values);
	*ret = values;
	return 0;
}
