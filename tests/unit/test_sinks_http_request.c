/* test_sinks_http_request.c - what is asked of the HTTP server. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sinks/http_request.h"

#define GET(fields) PF_VIEW("GET /metrics HTTP/1.1\r\n" fields "\r\n")

static void a_head_is_complete_with_its_empty_line(void **state)
{
	(void)state;
	static const struct {
		struct pf_view in;
		int rc;
	} cases[] = {
		{ PF_VIEW(""), 0 },
		{ PF_VIEW("GET /metrics HTTP/1.1\r\n"), 0 },
		{ PF_VIEW("GET /metrics HTTP/1.1\r\nHost: x\r\n\r"), 0 },
		{ PF_VIEW("GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n"), 1 },
		{ PF_VIEW("GET / HTTP/1.0\n\n"), 1 },
		{ PF_VIEW("GET http://h HTTP/1.1\r\n\r\n"), 1 },
		{ PF_VIEW("GET\r\n\r\n"), -EINVAL },
		{ PF_VIEW("GET /metrics\r\n\r\n"), -EINVAL },
		{ PF_VIEW("GET /metrics HTTP/2\r\n\r\n"), -EINVAL },
		{ PF_VIEW("GET metrics HTTP/1.1\r\n\r\n"), -EINVAL },
		{ PF_VIEW("G T /metrics HTTP/1.1\r\n\r\n"), -EINVAL },
		{ PF_VIEW("\r\n\r\n"), -EINVAL },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pf_http_request r;
		assert_int_equal(pf_http_request_parse(cases[i].in, &r), cases[i].rc);
	}
}

static void the_form_follows_the_weights(void **state)
{
	(void)state;
	static const struct {
		struct pf_view in;
		bool open, gzip;
	} cases[] = {
		{ GET(""), false, false },
		{ GET("Accept: */*\r\n"), false, false },
		{ GET("Accept: application/openmetrics-text\r\n"), true, false },
		{ GET("ACCEPT:application/OpenMetrics-Text;q=0.5,text/plain;q=0.4\r\n"), true, false },
		{ GET("Accept: text/plain, application/openmetrics-text;q=0.9\r\n"), false, false },
		{ GET("Accept: application/openmetrics-text;q=0\r\n"), false, false },
		{ GET("Accept: application/openmetrics-text;q=x\r\n"), false, false },
		{ GET("Accept-Encoding: gzip\r\n"), false, true },
		{ GET("Accept-Encoding: br;q=1, gzip;q=0\r\n"), false, false },
		{ GET("Accept-Encoding: *\r\n"), false, true },
		{ GET("Accept-Encoding: *, gzip;q=0\r\n"), false, false },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pf_http_request r;
		assert_int_equal(pf_http_request_parse(cases[i].in, &r), 1);
		assert_int_equal(r.wants_open, cases[i].open);
		assert_int_equal(r.gzip, cases[i].gzip);
	}
}

static void a_path_ends_at_its_query(void **state)
{
	(void)state;
	struct pf_http_request r;
	assert_int_equal(pf_http_request_parse(PF_VIEW("GET http://h:1/metrics?a=/b HTTP/1.1\r\n\r\n"), &r), 1);
	assert_true(pf_view_is(r.path, "/metrics"));
	assert_int_equal(pf_http_request_parse(PF_VIEW("GET http://h HTTP/1.1\r\n\r\n"), &r), 1);
	assert_true(pf_view_is(r.path, "/"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_head_is_complete_with_its_empty_line),
		cmocka_unit_test(the_form_follows_the_weights),
		cmocka_unit_test(a_path_ends_at_its_query),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
