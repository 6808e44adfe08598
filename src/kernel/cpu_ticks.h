/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ITERTRACE_KERNEL_CPU_TICKS_H
#define ITERTRACE_KERNEL_CPU_TICKS_H

/*
 * The time of a CPU since it started, or with -1 of all, in ticks; and what of it
 * the hypervisor took. Both 0: it is not known.
 */
void cpu_ticks_read(int cpu, unsigned long long *ret_all,
		    unsigned long long *ret_steal);

#endif
