/* SPDX-License-Identifier: BSD-2-Clause */
/* Recordings made by hand, for tests of what reads them. */
#ifndef TESTS_UNIT_RECORDING_H
#define TESTS_UNIT_RECORDING_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#define HEAD                                                                      \
	"{\"schema\":\"itertrace.recording/1\",\"command\":\"run\","              \
	"\"itertrace\":\"0.1.0\",\"compiler\":\"clang 14\",\"host\":\"box\","     \
	"\"time_ns\":1700000000000000000,\"interval_ns\":10000000000,"            \
	"\"loops\":\"bpf_for\",\"kernel\":{\"release\":\"6.18.1\","               \
	"\"arch\":\"x86_64\",\"boot_id\":\"b00t\",\"microcode\":\"0x2b\","        \
	"\"cpus_online\":4,\"jit_enable\":1,\"btf\":true,"                        \
	"\"mitigations\":{\"retbleed\":\"Vulnerable\"},"                          \
	"\"config_digest\":\"crc32:12345678\",\"config\":{\"CONFIG_HZ\":\"250\"}},\"" \
	"features\":[{\"name\":\"bpf_loop\",\"state\":\"inlined\","               \
	"\"reason\":\"\",\"insns\":19}],\"calibration\":{\"bpf_for\":"            \
	"{\"median\":2.5,\"lo\":2.25,\"hi\":2.75,\"rounds\":9},"                  \
	"\"clock\":null},\"part\":0}\n"

#define NO_SITES "\"tracers\":[],\"sites\":[]"
#define SNAPSHOT(time, members)                                              \
	"{\"schema\":\"itertrace.snapshot/1\",\"time_ns\":" time             \
	",\"interval_ns\":10000000000,\"loops\":\"bpf_for\"," members "}\n"
#define END(lines) \
	"{\"schema\":\"itertrace.end/1\",\"time_ns\":9,\"end\":\"done\",\"lines\":" lines \
	",\"lost\":0}\n"

/* A site whose costs are known, and one that says nothing. */
#define SITE(name, trips, cost)                                              \
	"{\"site\":\"" name "\",\"entries\":10,\"trips\":" trips             \
	",\"max_trips\":9,\"timed\":5,\"trips_log2\":[0,3,7],\"fit\":\"ok\"," \
	"\"ns_per_trip\":" cost ",\"ns_per_trip_lo\":1,\"ns_per_trip_hi\":99," \
	"\"ns_per_loop\":50,\"ns_per_loop_lo\":40,\"ns_per_loop_hi\":60,"    \
	"\"mean_ns\":100,\"iterator_ns\":2,\"inlined_saves_ns\":null}"
#define SILENT_SITE(name)                                                      \
	"{\"site\":\"" name "\",\"entries\":3,\"trips\":6,\"fit\":\"too_few\"," \
	"\"ns_per_trip\":null}"

/* A file with these bytes; its name is the caller's to unlink and free. */
static inline char *file_of(const void *bytes, size_t len)
{
	char *path = strdup("/tmp/recording-XXXXXX");
	int fd = mkstemp(path);

	if (fd < 0 || write(fd, bytes, len) != (ssize_t)len)
		abort();
	close(fd);
	return path;
}

/* One with the text, compressed. */
static inline char *recording_of_bytes(const char *text, size_t len)
{
	char *path = file_of("", 0);
	gzFile file = gzopen(path, "wb");

	if (!file || (len && gzwrite(file, text, (unsigned int)len) != (int)len) ||
	    gzclose(file) != Z_OK)
		abort();
	return path;
}

static inline char *recording_of(const char *text)
{
	return recording_of_bytes(text, strlen(text));
}

static inline void drop(char *path)
{
	unlink(path);
	free(path);
}

#endif
