// SPDX-License-Identifier: BSD-2-Clause
/* What the listener makes of Accept, Host and the age of the last interval. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "export/http.h"

#define SECOND 1000000000ULL

static void the_format_follows_accept(void **state)
{
	static const struct {
		const char *accept;
		bool open;
	} cases[] = {
		{NULL, false},
		{"", false},
		{"*/*", false},
		{"text/html,application/xhtml+xml,*/*;q=0.8", false},
		{"application/openmetrics-text", true},
		{"Application/OpenMetrics-Text; Version=1.0.0", true},
		{"text/plain;version=0.0.4", false},
		/* What Prometheus 2.42 and 3.0 send. */
		{"application/openmetrics-text;version=1.0.0,application/openmetrics-text;"
		 "version=0.0.1;q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1",
		 true},
		{"application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.6,"
		 "application/openmetrics-text;version=0.0.1;q=0.5,text/plain;"
		 "version=1.0.0;q=0.4,text/plain;version=0.0.4;q=0.3,*/*;q=0.2",
		 true},
		{"text/plain;q=1, application/openmetrics-text;q=0.5", false},
		{"application/openmetrics-text;q=0, */*", false},
		{"application/openmetrics-text;q=0.5, */*;q=0.9", false},
		{"application/openmetrics-text;q=0.5, text/plain;q=0.4, */*;q=0.9", true},
		{"application/openmetrics-textual", false},
		{",,;;q=,\t", false},
		{"application/openmetrics-text;q=nan", false},
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		if (http_wants_openmetrics(cases[i].accept) != cases[i].open)
			fail_msg("wrong for %s", cases[i].accept);
}

static void a_host_that_is_a_name_is_told_from_an_address(void **state)
{
	static const char *const addresses[] = {
		"localhost",   "LocalHost:9464", "127.0.0.1", "127.0.0.1:9464",
		"10.1.2.3:80", "[::1]",          "[::1]:9464",
	};
	static const char *const names[] = {
		"",        "evil.example",      "localhost.evil.example:9464", "127.0.0.1.evil.example",
		"[::1",    "[evil]:9464",       "::1",                         "127.0.0.1evil",
		"1.2.3:5", "[::1]evil.example",
		"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
	};
	size_t i;

	(void)state;
	assert_true(http_host_is_address(NULL));
	for (i = 0; i < sizeof(addresses) / sizeof(addresses[0]); i++)
		if (!http_host_is_address(addresses[i]))
			fail_msg("%s is an address", addresses[i]);
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (http_host_is_address(names[i]))
			fail_msg("%s is none", names[i]);
}

static unsigned int health_at(uint64_t now_s, bool is_tracing, char text[256])
{
	const struct http_health h = {
		.now_ns = now_s * SECOND,
		.published_ns = 100 * SECOND,
		.interval_ns = 10 * SECOND,
		.is_tracing = is_tracing,
	};

	return http_health(&h, text, 256);
}

static void health_is_lost_after_three_intervals_without_one(void **state)
{
	char text[256];

	(void)state;
	assert_int_equal(health_at(100, true, text), 200);
	assert_string_equal(text, "ok\n");
	assert_int_equal(health_at(130, true, text), 200);
	assert_int_equal(health_at(131, true, text), 503);
	assert_non_null(strstr(text, "for 31 s"));
	assert_non_null(strstr(text, "takes 10 s"));
	/* The other thread may have published in between. */
	assert_int_equal(health_at(99, true, text), 200);
}

static void without_a_tracer_there_is_no_health(void **state)
{
	char text[256];

	(void)state;
	assert_int_equal(health_at(101, false, text), 503);
	assert_non_null(strstr(text, "all tracers are off"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_format_follows_accept),
		cmocka_unit_test(a_host_that_is_a_name_is_told_from_an_address),
		cmocka_unit_test(health_is_lost_after_three_intervals_without_one),
		cmocka_unit_test(without_a_tracer_there_is_no_health),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
