// SPDX-License-Identifier: BSD-2-Clause
/*
 * Reads bytes as a recording, and prints what was read. The first byte says how: 'r'
 * as they are, 't' compressed first, so that what is mutated is the text; in capitals
 * with the tracers' sections.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>

#include "export/report.h"
#include "record/report.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static int make_file(const unsigned char *data, size_t size, int is_text)
{
	int fd = memfd_create("recording", 0);
	gzFile file;

	if (fd < 0)
		abort();
	if (!is_text) {
		if (write(fd, data, size) != (ssize_t)size)
			abort();
		return fd;
	}
	file = gzdopen(dup(fd), "wb1");
	if (!file || (size && gzwrite(file, data, (unsigned int)size) != (int)size) ||
	    gzclose(file) != Z_OK)
		abort();
	return fd;
}

/* Every sentence is one, and names the file. */
static void check_sentence(const struct reason *why, const char *path)
{
	size_t i, len = strlen(why->text);

	if (!strstr(why->text, path) && !strstr(why->text, "memory"))
		abort();
	for (i = 0; i < len; i++)
		if (iscntrl((unsigned char)why->text[i]))
			abort();
}

static void show(const struct report *r)
{
	FILE *out = fopen("/dev/null", "w");
	json_t *json = report_to_json(r);

	if (!out || !json)
		abort();
	report_print(out, r, 100);
	if (json_dumpf(json, out, JSON_COMPACT))
		abort();
	json_decref(json);
	fclose(out);
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	struct report *r = calloc(1, sizeof(*r));
	struct recording *recording;
	struct reason why = {""};
	char path[32];
	int fd, is_wanted;

	if (!size || !r) {
		free(r);
		return 0;
	}
	is_wanted = isupper(data[0]);
	fd = make_file(data + 1, size - 1, tolower(data[0]) == 't');
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (recording__open(path, &recording, &why)) {
		check_sentence(&why, path);
	} else {
		recording_want_sections(recording, is_wanted, is_wanted);
		if (report_read(recording, r, &why)) {
			check_sentence(&why, path);
		} else {
			show(r);
			report_release(r);
		}
		recording__close(recording);
	}
	close(fd);
	free(r);
	return 0;
}
