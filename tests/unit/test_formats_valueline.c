/* tests/unit/test_formats_valueline.c - lines of programs: a name and a value, or a JSON object. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "formats/feed/valueline.h"

static void good_lines_are_read(void **state)
{
	(void)state;
	static const struct {
		const char *line, *name, *instance, *units, *help;
		bool counter;
		double value;
	} cases[] = {
		{ "a 1", "a", "", "", "", false, 1 },
		{ "  a.b\t-1.5e3 \r", "a.b", "", "", "", false, -1500 },
		{ "{\"name\":\"a\",\"value\":2}", "a", "", "", "", false, 2 },
		{ " { \"value\" : 2 , \"name\" : \"a\" } ", "a", "", "", "", false, 2 },
		{ "{\"name\":\"a\",\"value\":2,\"instance\":\"x y\",\"type\":\"counter\",\"units\":\"bytes\",\"help\":\"h\"}",
		  "a", "x y", "bytes", "h", true, 2 },
		{ "{\"name\":\"a\",\"type\":\"gauge\",\"value\":true,\"more\":\"x\",\"n\":1e2,\"z\":null}", "a", "", "",
		  "", false, 1 },
		{ "{\"name\":\"\\u00e4\\ud83d\\ude00\\n\\/\",\"value\":-0.5}", "\xc3\xa4\xf0\x9f\x98\x80\n/", "", "",
		  "", false, -0.5 },
	};
	for (size_t i = 0; i < PF_N(cases); i++) {
		struct pf_valueline v;
		int rc = pf_valueline_parse(pf_view_of(cases[i].line), &v);
		if (rc != 1)
			print_error("%s: %s\n", cases[i].line, v.why);
		assert_int_equal(rc, 1);
		assert_true(pf_view_is(v.name, cases[i].name));
		assert_true(pf_view_is(v.instance, cases[i].instance));
		assert_true(pf_view_is(v.units, cases[i].units));
		assert_true(pf_view_is(v.help, cases[i].help));
		assert_int_equal(v.counter, cases[i].counter);
		assert_true(v.value == cases[i].value);
	}
	struct pf_valueline v;
	assert_int_equal(pf_valueline_parse(PF_VIEW("{\"name\":\"a\",\"value\":null}"), &v), 1);
	assert_true(isnan(v.value));
}

static void what_is_no_value_is_skipped_or_refused(void **state)
{
	(void)state;
	struct pf_valueline v;
	assert_int_equal(pf_valueline_parse(PF_VIEW(""), &v), 0);
	assert_int_equal(pf_valueline_parse(PF_VIEW("  \t\r"), &v), 0);
	assert_int_equal(pf_valueline_parse(PF_VIEW("# x"), &v), 0);
	static const char *const lines[] = {
		"a",
		"a b",
		"a 1 2",
		"a nan",
		"a 0x1",
		"a\xff 1",
		"{",
		"{}",
		"{\"name\":\"a\"}",
		"{\"value\":1}",
		"{\"name\":\"\",\"value\":1}",
		"{\"name\":\"a\",\"value\":1",
		"{\"name\":\"a\",\"value\":1,}",
		"{\"name\":\"a\",\"value\":1} x",
		"{\"name\":\"a\",\"value\":\"1\"}",
		"{\"name\":\"a\",\"value\":01}",
		"{\"name\":\"a\",\"value\":+1}",
		"{\"name\":\"a\",\"value\":1.}",
		"{\"name\":\"a\",\"value\":.5}",
		"{\"name\":\"a\",\"value\":-}",
		"{\"name\":\"a\",\"value\":[1]}",
		"{\"name\":\"a\",\"value\":1,\"x\":{}}",
		"{\"name\":\"a\",\"name\":\"b\",\"value\":1}",
		"{\"name\":\"a\",\"value\":1,\"type\":\"other\"}",
		"{\"name\":1,\"value\":1}",
		"{\"name\":\"a\\x\",\"value\":1}",
		"{\"name\":\"a\\u0000\",\"value\":1}",
		"{\"name\":\"a\\ud800\",\"value\":1}",
		"{\"name\":\"a\\udc00\",\"value\":1}",
		"{\"name\":\"a\\u12\",\"value\":1}",
		"{\"name\":\"a\tb\",\"value\":1}",
		"{\"name\" \"a\",\"value\":1}",
		"[1]",
	};
	for (size_t i = 0; i < PF_N(lines); i++) {
		int rc = pf_valueline_parse(pf_view_of(lines[i]), &v);
		if (rc >= 0)
			print_error("%s is taken\n", lines[i]);
		assert_true(rc < 0);
		assert_true(v.why[0] != '\0');
	}
	assert_true(pf_valueline_parse(PF_VIEW("a\0 1"), &v) < 0);
}

static void a_line_is_limited(void **state)
{
	(void)state;
	static char line[PF_VALUELINE_MAX + 2];
	struct pf_valueline v;
	memset(line, 'a', sizeof(line));
	memcpy(line + PF_VALUELINE_MAX - 2, " 1", 2);
	assert_int_equal(pf_valueline_parse((struct pf_view){ line, PF_VALUELINE_MAX }, &v), 1);
	memcpy(line + PF_VALUELINE_MAX - 1, " 1", 2);
	assert_true(pf_valueline_parse((struct pf_view){ line, PF_VALUELINE_MAX + 1 }, &v) < 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(good_lines_are_read),
		cmocka_unit_test(what_is_no_value_is_skipped_or_refused),
		cmocka_unit_test(a_line_is_limited),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
