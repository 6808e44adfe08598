// SPDX-License-Identifier: BSD-2-Clause
/* What is read of a recording, and what is said of a bad one. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "record/reader.h"
#include "unit/recording.h"

static const struct snapshot *snapshot;
static const struct bench_report *bench;
static struct reason why;

static struct recording *open_text(const char *text)
{
	struct recording *r = NULL;
	char *path = recording_of(text);

	if (recording__open(path, &r, &why))
		fail_msg("%s", why.text);
	drop(path);
	return r;
}

/* All that is left; RECORD_END or the error. */
static int read_rest(struct recording *r)
{
	int kind;

	do {
		kind = recording_next(r, &snapshot, &bench, &why);
	} while (kind >= 0 && kind != RECORD_END);
	return kind;
}

static void the_head_is_read(void **state)
{
	struct recording *r = open_text(HEAD END("0"));
	const struct recording_head *h = recording_head(r);

	(void)state;
	assert_string_equal(h->command, "run");
	assert_string_equal(h->itertrace, "0.1.0");
	assert_string_equal(h->compiler, "clang 14");
	assert_string_equal(h->host, "box");
	assert_string_equal(h->loops, "bpf_for");
	assert_int_equal(h->time_ns, 1700000000000000000);
	assert_int_equal(h->interval_ns, 10000000000);
	assert_string_equal(h->identity.release, "6.18.1");
	assert_string_equal(h->identity.boot_id, "b00t");
	assert_string_equal(h->identity.microcode, "0x2b");
	assert_int_equal(h->identity.nr_cpus_online, 4);
	assert_int_equal(h->identity.nr_cpus_possible, -1);
	assert_int_equal(h->identity.jit_enable, 1);
	assert_int_equal(h->identity.jit_harden, -1);
	assert_true(h->identity.has_btf);
	assert_int_equal(h->identity.nr_mitigations, 1);
	assert_string_equal(h->identity.mitigations[0].name, "retbleed");
	assert_string_equal(h->identity.mitigations[0].text, "Vulnerable");
	assert_string_equal(h->identity.config_digest, "crc32:12345678");
	assert_int_equal(h->identity.nr_config, 1);
	assert_string_equal(h->identity.config[0].name, "CONFIG_HZ");
	assert_string_equal(h->identity.config[0].text, "250");
	assert_int_equal(h->nr_features, 1);
	assert_string_equal(h->features[0].name, "bpf_loop");
	assert_int_equal(h->features[0].state, FEATURE_INLINED);
	assert_int_equal(h->features[0].nr_insns, 19);
	assert_true(h->calibration.done);
	assert_true(h->calibration.prices[PRICE_BPF_FOR].measured);
	assert_float_equal(h->calibration.prices[PRICE_BPF_FOR].median, 2.5, 0);
	assert_float_equal(h->calibration.prices[PRICE_BPF_FOR].hi, 2.75, 0);
	assert_false(h->calibration.prices[PRICE_CLOCK].measured);
	recording__close(r);
}

static void an_interval_is_read(void **state)
{
	struct recording *r = open_text(HEAD SNAPSHOT(
		"11",
		"\"tracers\":[{\"name\":\"exec\",\"state\":\"on\",\"reason\":null,"
		"\"events\":7,\"lost\":{\"ring_full\":2}},{\"name\":\"runq\","
		"\"state\":\"off\",\"reason\":\"no BTF\"}],\"sites\":[" SITE(
			"exec.argv", "30", "5.5") "," SILENT_SITE("x") "],"
		"\"self\":{\"cpu_percent\":1.5,\"rss_bytes\":4096},"
		"\"host_bpf\":{\"cpu_percent\":3}") END("1"));
	const struct site_figures *s;

	(void)state;
	assert_int_equal(recording_next(r, &snapshot, &bench, &why), RECORD_INTERVAL);
	assert_false(snapshot->summary);
	assert_int_equal(snapshot->time_ns, 11);
	assert_int_equal(snapshot->interval_ns, 10000000000);
	assert_int_equal(snapshot->nr_tracers, 2);
	assert_true(snapshot->tracers[0].on);
	assert_int_equal(snapshot->tracers[0].events, 7);
	assert_string_equal(snapshot->tracers[0].lost[0].cause, "ring_full");
	assert_int_equal(snapshot->tracers[0].lost[0].nr, 2);
	assert_false(snapshot->tracers[1].on);
	assert_string_equal(snapshot->tracers[1].reason, "no BTF");
	assert_int_equal(snapshot->nr_sites, 2);
	s = &snapshot->sites[0];
	assert_string_equal(s->name, "exec.argv");
	assert_int_equal(s->entries, 10);
	assert_int_equal(s->trips, 30);
	assert_int_equal(s->classes[2], 7);
	assert_int_equal(s->fit, SITE_FIT_OK);
	assert_float_equal(s->ns_per_trip, 5.5, 0);
	assert_float_equal(s->ns_per_trip_hi, 99, 0);
	assert_float_equal(s->mean_ns, 100, 0);
	assert_true(is_absent(s->inlined_saves_ns));
	s = &snapshot->sites[1];
	assert_int_equal(s->fit, SITE_FIT_TOO_FEW);
	assert_true(is_absent(s->ns_per_trip));
	assert_true(is_absent(s->mean_ns));
	assert_int_equal(s->timed, 0);
	assert_float_equal(snapshot->self.cpu_percent, 1.5, 0);
	assert_float_equal(snapshot->self.rss_bytes, 4096, 0);
	assert_true(is_absent(snapshot->self.map_bytes));
	assert_float_equal(snapshot->self.host_bpf_cpu_percent, 3, 0);
	assert_ptr_equal(snapshot->calibration, &recording_head(r)->calibration);
	assert_int_equal(recording_next(r, &snapshot, &bench, &why), RECORD_END);
	assert_true(recording_end(r)->is_whole);
	assert_string_equal(recording_end(r)->loss, "");
	assert_int_equal(recording_end(r)->nr_intervals, 1);
	recording__close(r);
}

static void equal_names_are_one_pointer(void **state)
{
	struct recording *r = open_text(
		HEAD SNAPSHOT("1", "\"sites\":[" SITE("a.b", "1", "2") "]")
			SNAPSHOT("2", "\"sites\":[" SITE("a.b", "1", "2") "]"));
	const char *name;

	(void)state;
	recording_next(r, &snapshot, &bench, &why);
	name = snapshot->sites[0].name;
	recording_next(r, &snapshot, &bench, &why);
	assert_ptr_equal(snapshot->sites[0].name, name);
	recording__close(r);
}

#define EXEC_SECTION                                                             \
	"\"tracers\":[{\"name\":\"exec\",\"state\":\"on\",\"lost\":{}}],\"sites\":[],"  \
	"\"exec\":{\"processes\":[{\"pid\":7,\"argv\":[\"a\",\"}\\\"]\"],"        \
	"\"argv_truncated\":true},{\"pid\":8,\"argv\":null}],\"execs\":2,\"unlisted\":5}"

static void sections_are_read_where_they_are_wanted(void **state)
{
	struct recording *r = open_text(HEAD SNAPSHOT("1", EXEC_SECTION)
						SNAPSHOT("2", EXEC_SECTION));
	const struct table *t;
	const struct cell *row;

	(void)state;
	recording_next(r, &snapshot, &bench, &why);
	assert_int_equal(snapshot->nr_sections, 0);
	recording_want_sections(r, true, false);
	recording_next(r, &snapshot, &bench, &why);
	assert_int_equal(snapshot->nr_sections, 1);
	assert_string_equal(snapshot->sections[0].tracer, "exec");
	assert_int_equal(snapshot->sections[0].totals[0].value, 2);
	t = &snapshot->sections[0].tables[0];
	assert_int_equal(t->nr_rows, 2);
	assert_int_equal(t->nr_unlisted, 5);
	row = t->cells;
	assert_string_equal(t->columns[0].key, "pid");
	assert_int_equal(row[0].number, 7);
	assert_string_equal(t->columns[11].key, "argv");
	assert_string_equal(row[11].list[1], "}\"]");
	assert_null(row[11].list[2]);
	assert_false(row[t->nr_columns + 11].present);
	recording__close(r);
}

static void a_taken_snapshot_survives_the_next_line(void **state)
{
	struct recording *r = open_text(HEAD SNAPSHOT("1", EXEC_SECTION)
						SNAPSHOT("2", EXEC_SECTION));
	struct snapshot taken;

	(void)state;
	recording_want_sections(r, true, true);
	recording_next(r, &snapshot, &bench, &why);
	recording_take_snapshot(r, &taken);
	recording_next(r, &snapshot, &bench, &why);
	assert_int_equal(taken.time_ns, 1);
	assert_int_equal(taken.sections[0].tables[0].cells[0].number, 7);
	snapshot_release(&taken);
	recording__close(r);
}

static void a_bench_is_read(void **state)
{
	struct recording *r = open_text(
		HEAD "{\"schema\":\"itertrace.bench/1\",\"kernel\":{},\"results\":["
		     "{\"name\":\"bpf_for\",\"state\":\"measured\",\"nr_loops\":100,"
		     "\"threads\":2,\"rounds\":5,\"ns_per_iter\":{\"median\":2,\"lo\":1.5,"
		     "\"hi\":2.5,\"min\":1},\"samples\":[1.5,2.5,2],\"linear\":true,"
		     "\"by_load\":{\"placement\":[0,63],\"ns\":[1.25,2.75]},"
		     "\"counters\":{\"cycles\":{\"per_trip\":6,\"scaled\":true}}},"
		     "{\"name\":\"can_loop\",\"state\":\"unsupported\",\"reason\":\"old\"}],"
		     "\"pairs\":[],\"partial\":true,\"took_s\":3}\n" END("1"));

	(void)state;
	assert_int_equal(recording_next(r, &snapshot, &bench, &why), RECORD_BENCH);
	assert_int_equal(bench->nr_results, 2);
	assert_true(bench->results[0].measured);
	assert_int_equal(bench->results[0].nr_threads, 2);
	assert_float_equal(bench->results[0].median, 2, 0);
	assert_int_equal(bench->results[0].nr_samples, 3);
	assert_float_equal(bench->results[0].samples[1], 2.5, 0);
	assert_int_equal(bench->loads[0].nr, 2);
	assert_int_equal(bench->loads[0].placements[1], 63);
	assert_float_equal(bench->loads[0].ns[1], 2.75, 0);
	assert_int_equal(bench->loads[1].nr, 0);
	assert_int_equal(bench->results[0].nr_counters, 1);
	assert_true(bench->results[0].counters[0].scaled);
	assert_true(bench->results[0].is_linear);
	assert_false(bench->results[1].measured);
	assert_int_equal(bench->results[1].state, FEATURE_UNSUPPORTED);
	assert_string_equal(bench->results[1].reason, "old");
	assert_true(bench->is_partial);
	recording__close(r);
}

/* What is refused, of the loads and of the samples, is refused by line and name. */
static void a_bench_of_odd_figures_is_refused(void **state)
{
	static const struct {
		const char *members, *message;
	} cases[] = {
		{"\"by_load\":{\"placement\":[0],\"ns\":[1,2]}",
		 "2 figures of 1 placements"},
		{"\"by_load\":{\"placement\":[64],\"ns\":[1]}",
		 "placement that is not from 0 to 63"},
		{"\"by_load\":{\"placement\":[-1],\"ns\":[1]}",
		 "placement that is not from 0 to 63"},
		{"\"by_load\":{\"placement\":[1.5],\"ns\":[1]}",
		 "placement that is not from 0 to 63"},
		{"\"by_load\":{\"placement\":[1],\"ns\":[\"x\"]}", "\"ns\" is no number"},
		{"\"by_load\":{\"placement\":[1],\"ns\":[1e200]}", "no figure"},
		{"\"by_load\":7", "\"by_load\" is no object"},
		{"\"samples\":[1,null]", "\"samples\" is no number"},
		{"\"samples\":[-1e200]", "no figure"},
	};
	char text[2000];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct recording *r;

		snprintf(text, sizeof(text),
			 HEAD "{\"schema\":\"itertrace.bench/1\",\"results\":[{\"name\":"
			      "\"bpf_for\",\"state\":\"measured\",\"nr_loops\":100,"
			      "\"ns_per_iter\":{\"median\":2,\"lo\":1,\"hi\":2},%s}]}\n",
			 cases[i].members);
		r = open_text(text);
		assert_int_equal(recording_next(r, &snapshot, &bench, &why), -EINVAL);
		if (!strstr(why.text, cases[i].message) || !strstr(why.text, "line 2"))
			fail_msg("'%s' has no '%s'", why.text, cases[i].message);
		recording__close(r);
	}
}

static void control_characters_become_question_marks(void **state)
{
	struct recording *r = open_text(
		HEAD SNAPSHOT("1", "\"sites\":[" SITE("a\\u001b[1m\\n\xe2\x80\xae", "1",
						      "2") "]"));

	(void)state;
	recording_next(r, &snapshot, &bench, &why);
	assert_string_equal(snapshot->sites[0].name, "a?[1m????");
	recording__close(r);
}

/* ---- what is missing ----------------------------------------------------------- */

static void loss_is_said(const char *text, uint64_t nr_intervals, const char *loss)
{
	struct recording *r = open_text(text);

	assert_int_equal(read_rest(r), RECORD_END);
	assert_int_equal(recording_end(r)->nr_intervals, nr_intervals);
	if (!strstr(recording_end(r)->loss, loss))
		fail_msg("'%s' has no '%s'", recording_end(r)->loss, loss);
	recording__close(r);
}

static void what_is_missing_is_said(void **state)
{
	(void)state;
	loss_is_said(HEAD SNAPSHOT("1", NO_SITES), 1, "ends behind line 2 without");
	loss_is_said(HEAD SNAPSHOT("1", NO_SITES) "{\"schema\":\"it", 1,
		     "cut off in line 3");
	loss_is_said(HEAD SNAPSHOT("1", NO_SITES)
		     "{\"schema\":\"itertrace.end/1\",\"end\":\"limit\",\"lines\":1}\n",
		     1, "reached its limit");
	loss_is_said(HEAD "{\"schema\":\"itertrace.lost/1\",\"overrun\":2,\"failed\":3}\n" END(
			     "1"),
		     0, "missing: 5");
	loss_is_said(HEAD "{\"schema\":\"itertrace.new/1\",\"a\":[]}\n" END("1"), 0,
		     "does not know: 1");
}

/* Whatever the place: all whole lines before it are read, and no more. */
static void a_file_cut_anywhere_is_read_up_to_there(void **state)
{
	static const char text[] = HEAD SNAPSHOT("1", NO_SITES)
		SNAPSHOT("2", NO_SITES) SNAPSHOT("3", NO_SITES) END("3");
	char *path = recording_of(text), *part;
	unsigned char bytes[4096];
	FILE *file = fopen(path, "r");
	size_t len = fread(bytes, 1, sizeof(bytes), file), i;
	uint64_t before = 0, nr;
	struct recording *r;

	(void)state;
	fclose(file);
	drop(path);
	for (i = 1; i < len; i++) {
		part = file_of(bytes, i);
		r = NULL;
		nr = 0;
		if (!recording__open(part, &r, &why)) {
			assert_int_equal(read_rest(r), RECORD_END);
			nr = recording_end(r)->nr_intervals;
			assert_true(recording_end(r)->is_whole ==
				    !recording_end(r)->loss[0]);
		} else {
			assert_non_null(strstr(why.text, "cut off within its first"));
		}
		assert_true(nr >= before && nr <= 3);
		before = nr;
		recording__close(r);
		drop(part);
	}
	assert_int_equal(before, 3);
}

/* ---- what is wrong ------------------------------------------------------------- */

/* The sentence names the file, and has this in it. */
static void file_is_refused(char *path, const char *sentence)
{
	struct recording *r = NULL;
	int err = recording__open(path, &r, &why);

	if (!err)
		err = read_rest(r);
	assert_true(err < 0);
	if (!strstr(why.text, path) || !strstr(why.text, sentence))
		fail_msg("'%s' has no '%s'", why.text, sentence);
	recording__close(r);
	drop(path);
}

static void refused(const char *text, const char *sentence)
{
	file_is_refused(recording_of(text), sentence);
}

static void refused_line(const char *line, const char *sentence)
{
	char text[8192];

	snprintf(text, sizeof(text), HEAD "%s", line);
	refused(text, sentence);
}

static void what_is_no_recording_is_refused(void **state)
{
	(void)state;
	file_is_refused(file_of("", 0), "is empty");
	file_is_refused(file_of("PK\3\4", 4), "not compressed by gzip");
	file_is_refused(file_of(HEAD, strlen(HEAD)), "compress it first");
	refused("", "is empty");
	refused("{\"schema\"", "cut off within its first line");
	refused("{\"schema\":\"other/1\"}\n", "line 1: 'other/1' is no line");
	refused("{\"schema\":\"itertrace.recording/2\"}\n", "another version");
	refused("{\"schema\":\"itertrace.recording/10\"}\n", "another version");
	refused(SNAPSHOT("1", NO_SITES), "line 1: a recording does not begin");
	refused("[]\n", "line 1: \"schema\" is missing");
	refused("{\"schema\":\"itertrace.recording/1\",\"time_ns\":1}\n",
		"line 1: \"kernel\" is missing");
	assert_int_equal(recording__open("/", &(struct recording *){NULL}, &why),
			 -EISDIR);
	assert_non_null(strstr(why.text, "is a directory"));
	assert_int_equal(recording__open("/nosuch", &(struct recording *){NULL}, &why),
			 -ENOENT);
}

static void a_wrong_line_is_named(void **state)
{
	static const struct {
		const char *line, *sentence;
	} wrong[] = {
		{"\n", "line 2: it is no JSON"},
		{"{\n", "line 2: it is no JSON"},
		{"{\"schema\":\"itertrace.snapshot/2\"}\n", "line 2: it is of another version"},
		{HEAD, "line 2: it is the head of another"},
		{END("0") SNAPSHOT("1", NO_SITES), "line 3: it stands behind the last"},
		{END("7"), "line 2: 0 lines are between it and the head, and 7"},
		{SNAPSHOT("1", "\"time_ns\":2," NO_SITES), "duplicate"},
		{SNAPSHOT("-1", NO_SITES), "\"time_ns\" is not a whole number"},
		{SNAPSHOT("1.5", NO_SITES), "\"time_ns\" is not a whole number"},
		{SNAPSHOT("99999999999999999999", NO_SITES), "too big integer"},
		{SNAPSHOT("null", NO_SITES), "\"time_ns\" is missing"},
		{SNAPSHOT("1", "\"sites\":{}"), "\"sites\" is no array"},
		{SNAPSHOT("1", "\"tracers\":[]"), "\"sites\" is missing"},
		{SNAPSHOT("1", "\"sites\":[7]"), "item 1 of \"sites\" is no object"},
		{SNAPSHOT("1", "\"sites\":[{}]"), "\"site\" is missing"},
		{SNAPSHOT("1", "\"sites\":[" SITE("a", "1", "2") "," SITE("a", "1", "2") "]"),
		 "site 'a' is in it twice"},
		{SNAPSHOT("1", "\"sites\":[" SITE("a", "1", "NaN") "]"), "invalid token"},
		{SNAPSHOT("1", "\"sites\":[" SITE("a", "1", "1e999") "]"), "overflow"},
		{SNAPSHOT("1", "\"sites\":[" SITE("a", "1", "1e99") "]"), "is no figure"},
		{SNAPSHOT("1", "\"sites\":[" SITE("a", "1", "\"5\"") "]"), "is no number"},
		{SNAPSHOT("1", "\"sites\":[" SITE("a", "1", "100") "]"),
		 "not within its interval"},
		{SNAPSHOT("1", "\"sites\":[" SITE("a\\u0000b", "1", "2") "]"), "\\u0000"},
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		refused_line(wrong[i].line, wrong[i].sentence);
}

static void a_raw_nul_is_refused(void **state)
{
	static const char text[] = HEAD "{\"schema\":\"itertrace.snap\0shot/1\"}\n";

	(void)state;
	file_is_refused(recording_of_bytes(text, sizeof(text) - 1), "line 2");
}

/* It may also look as if the rest were missing. */
static bool is_damage_seen(char *path)
{
	struct recording *r = NULL;
	int err = recording__open(path, &r, &why);
	bool is_seen;

	if (!err)
		err = read_rest(r);
	is_seen = err < 0 || recording_end(r)->loss[0];
	recording__close(r);
	drop(path);
	return is_seen;
}

static void a_flipped_bit_is_seen(void **state)
{
	char *path = recording_of(HEAD SNAPSHOT("1", NO_SITES) END("1"));
	unsigned char bytes[4096];
	FILE *file = fopen(path, "r");
	size_t len = fread(bytes, 1, sizeof(bytes), file), i;

	(void)state;
	fclose(file);
	drop(path);
	/* All but gzip's head, of which most says nothing, and what fills the last byte
	 * before the check sum. */
	for (i = 10; i < len; i++) {
		if (i == len - 9)
			continue;
		bytes[i] ^= 4;
		if (!is_damage_seen(file_of(bytes, len)))
			fail_msg("the bit flipped in byte %zu of %zu is not seen", i, len);
		bytes[i] ^= 4;
	}
}

static void a_flood_ends_soon(void **state)
{
	char *path = file_of("", 0), zeros[1 << 16] = "";
	gzFile file = gzopen(path, "wb1");
	int i;

	(void)state;
	gzputs(file, HEAD);
	for (i = 0; i < 1 << 9; i++)
		gzwrite(file, zeros, sizeof(zeros));
	gzclose(file);
	file_is_refused(path, "line 2 has more than 16 MiB");
}

static void a_name_of_megabytes_is_refused(void **state)
{
	size_t size = 10 << 20, at;
	char *text = malloc(size + 4096);

	(void)state;
	at = (size_t)sprintf(text, HEAD "{\"schema\":\"itertrace.snapshot/1\",\"time_ns\":1,"
					"\"interval_ns\":1,\"sites\":[{\"site\":\"");
	memset(text + at, 'x', size);
	strcpy(text + at + size, "\"}]}\n");
	refused(text, "line 2: a name of 10485760 bytes");
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_head_is_read),
		cmocka_unit_test(an_interval_is_read),
		cmocka_unit_test(equal_names_are_one_pointer),
		cmocka_unit_test(sections_are_read_where_they_are_wanted),
		cmocka_unit_test(a_taken_snapshot_survives_the_next_line),
		cmocka_unit_test(a_bench_is_read),
		cmocka_unit_test(a_bench_of_odd_figures_is_refused),
		cmocka_unit_test(control_characters_become_question_marks),
		cmocka_unit_test(what_is_missing_is_said),
		cmocka_unit_test(a_file_cut_anywhere_is_read_up_to_there),
		cmocka_unit_test(what_is_no_recording_is_refused),
		cmocka_unit_test(a_wrong_line_is_named),
		cmocka_unit_test(a_raw_nul_is_refused),
		cmocka_unit_test(a_flipped_bit_is_seen),
		cmocka_unit_test(a_flood_ends_soon),
		cmocka_unit_test(a_name_of_megabytes_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
