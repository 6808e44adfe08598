/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Losses by cause: rare, so one shared counter each. Define NR_LOST first. */
#ifndef ITERTRACE_LOST_BPF_H
#define ITERTRACE_LOST_BPF_H

__u64 lost[NR_LOST];

#define count_lost(cause) ((void)__sync_fetch_and_add(&lost[cause], 1))

#endif
