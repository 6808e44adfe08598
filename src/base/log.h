/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Messages for people, on stderr, one line each, with the program's name in
 * front, or, where stderr is the journal, the level of each. What is shown is the
 * only mutable global of the project. Used by cmd/, main and the daemon's loop;
 * stat/, base/ and insn/ never log.
 */
#ifndef ITERTRACE_BASE_LOG_H
#define ITERTRACE_BASE_LOG_H

enum log_level {
	LOG_LEVEL_ERROR,
	LOG_LEVEL_WARN,
	LOG_LEVEL_INFO,
	LOG_LEVEL_DEBUG, /* -v: libbpf's own messages too */
};

void log_set_level(enum log_level level);
enum log_level log_level(void);

void log_print(enum log_level level, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

#define log_error(...) log_print(LOG_LEVEL_ERROR, __VA_ARGS__)
#define log_warn(...)  log_print(LOG_LEVEL_WARN, __VA_ARGS__)
#define log_info(...)  log_print(LOG_LEVEL_INFO, __VA_ARGS__)
#define log_debug(...) log_print(LOG_LEVEL_DEBUG, __VA_ARGS__)

#endif
