/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the service manager is told, see sd_notify(3); without one, nothing. The
 * variables that name it stay in the environment.
 */
#ifndef ITERTRACE_CMD_NOTIFY_H
#define ITERTRACE_CMD_NOTIFY_H

#include <stdint.h>

void notify_ready(void);
void notify_reloading(void); /* notify_ready() ends it */
void notify_stopping(void);
void notify_alive(void);

/* A sentence for "systemctl status". */
void notify_status(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* How often it wants notify_alive(), with time to spare; 0: never. */
uint64_t notify_alive_ns(void);

#endif
