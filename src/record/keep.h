/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ITERTRACE_RECORD_KEEP_H
#define ITERTRACE_RECORD_KEEP_H

#include <stddef.h>

/*
 * Leave in the text of a JSON object only the members with these keys, NULL-terminated,
 * without looking into the others: parsing what nobody asks for is most of the
 * work. Returns the new length. A text that is no object stays as it is: that is the
 * parser's to say.
 */
size_t keep_members(char *text, size_t len, const char *const *keys);

#endif
