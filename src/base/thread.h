/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ITERTRACE_BASE_THREAD_H
#define ITERTRACE_BASE_THREAD_H

/*
 * The calling thread has this name, of 15 bytes at most, and no capability any more, nor
 * does what it executes: these go by thread, and those of others are theirs.
 */
void thread_confine(const char *name);

#endif
