// SPDX-License-Identifier: BSD-2-Clause
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "kernel/cpu_ticks.h"

#define STAT_LIMIT (1U << 20)

/* /proc/stat, "cpuN user nice system idle iowait irq softirq steal …". */
void cpu_ticks_read(int cpu, unsigned long long *ret_all, unsigned long long *ret_steal)
{
	unsigned long long t[8] = {0};
	char *text = NULL, *line, key[16] = "cpu ";
	int i;

	*ret_all = *ret_steal = 0;
	if (file_read(AT_FDCWD, "/proc/stat", STAT_LIMIT, &text, NULL))
		return;
	if (cpu >= 0)
		snprintf(key, sizeof(key), "cpu%d ", cpu);
	line = strstr(text, key);
	if (line &&
	    sscanf(line + strlen(key), "%llu %llu %llu %llu %llu %llu %llu %llu", &t[0],
		   &t[1], &t[2], &t[3], &t[4], &t[5], &t[6], &t[7]) == 8) {
		for (i = 0; i < 8; i++)
			*ret_all += t[i];
		*ret_steal = t[7];
	}
	free(text);
}
