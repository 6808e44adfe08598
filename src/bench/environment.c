// SPDX-License-Identifier: BSD-2-Clause
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/file.h"
#include "bench/environment.h"
#include "kernel/cpu_ticks.h"

#define INTERRUPTS_LIMIT (16U << 20) /* a row an interrupt, a column a CPU */

/* The column of /proc/interrupts that is the CPU's; -1: it has none. */
static int find_column(const char *heading, int cpu)
{
	const char *at = heading, *end = strchr(heading, '\n');
	int column = 0;

	while ((at = strstr(at, "CPU")) && at < end) {
		at += strlen("CPU");
		if (strtol(at, NULL, 10) == cpu)
			return column;
		column++;
	}
	return -1;
}

/* All interrupts of a CPU since it started; -1: not known. */
static long read_interrupts(int cpu)
{
	char *text = NULL, *line, *at, *end;
	long sum = 0;
	int column, i;

	if (file_read(AT_FDCWD, "/proc/interrupts", INTERRUPTS_LIMIT, &text, NULL))
		return -1;
	column = find_column(text, cpu);
	for (line = strchr(text, '\n'); column >= 0 && line;
	     line = strchr(line, '\n')) {
		at = strchr(++line, ':');
		for (i = 0, at = at ? at + 1 : NULL; at && i <= column; i++, at = end) {
			long n = strtol(at, &end, 10);

			if (end == at)
				break;
			if (i == column)
				sum += n;
		}
	}
	free(text);
	return column < 0 ? -1 : sum;
}

static long read_switches(void)
{
	struct rusage use;

	return getrusage(RUSAGE_THREAD, &use) ? -1 : use.ru_nivcsw;
}

void watch_frequency(struct watch *w)
{
	char path[96], line[32];
	double khz;

	snprintf(path, sizeof(path),
		 "/sys/devices/system/cpu/cpu%d/cpufreq/scaling_cur_freq", w->cpu);
	if (file_read_line(AT_FDCWD, path, line, sizeof(line)))
		return;
	khz = strtod(line, NULL);
	if (khz <= 0)
		return;
	w->khz_lo = isnan(w->khz_lo) || khz < w->khz_lo ? khz : w->khz_lo;
	w->khz_hi = isnan(w->khz_hi) || khz > w->khz_hi ? khz : w->khz_hi;
}

void watch_begin(struct watch *w)
{
	cpu_set_t one;

	w->cpu = sched_getcpu();
	w->is_pinned = !sched_getaffinity(0, sizeof(w->before), &w->before);
	CPU_ZERO(&one);
	CPU_SET(w->cpu, &one);
	if (w->is_pinned)
		sched_setaffinity(0, sizeof(one), &one);
	cpu_ticks_read(w->cpu, &w->busy_ticks, &w->steal_ticks);
	w->nr_switches = read_switches();
	w->nr_interrupts = read_interrupts(w->cpu);
	w->khz_lo = w->khz_hi = NAN;
	watch_frequency(w);
}

void watch_end(struct watch *w, struct bench_environment *ret)
{
	unsigned long long all, steal;
	long interrupts = read_interrupts(w->cpu), switches = read_switches();

	cpu_ticks_read(w->cpu, &all, &steal);
	watch_frequency(w);
	ret->cpu = w->cpu;
	ret->steal_percent = all > w->busy_ticks
				     ? 100.0 * (double)(steal - w->steal_ticks) /
					       (double)(all - w->busy_ticks)
				     : NAN;
	ret->nr_switches = switches < 0 ? -1 : switches - w->nr_switches;
	ret->nr_interrupts = interrupts < 0 ? -1 : interrupts - w->nr_interrupts;
	ret->khz_lo = w->khz_lo;
	ret->khz_hi = w->khz_hi;
	if (w->is_pinned)
		sched_setaffinity(0, sizeof(w->before), &w->before);
}
