/* base/escape.c: nothing that a terminal obeys gets through. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/escape.h"
#include "base/notice.h"

static void controls_and_broken_utf8_become_hex(void **state)
{
	(void)state;
	static const struct {
		struct pf_view in;
		const char *out;
	} cases[] = {
		{ { "sda", 3 }, "sda" },
		{ { "\x1b]0;x\a", 6 }, "\\x1b]0;x\\x07" },
		{ { "a\0b\x7f", 4 }, "a\\x00b\\x7f" },
		{ { "\xc3\xa4\xe2\x82\xac", 5 }, "\xc3\xa4\xe2\x82\xac" },
		{ { "\xc2\x9b", 2 }, "\\xc2\\x9b" }, /* C1 in UTF-8 */
		{ { "\x9b[2J", 4 }, "\\x9b[2J" },    /* C1 alone */
		{ { "\xc0\x9b", 2 }, "\\xc0\\x9b" }, /* overlong */
		{ { "\xe0\x82\x9b", 3 }, "\\xe0\\x82\\x9b" },
		{ { "\xed\xa0\x80", 3 }, "\\xed\\xa0\\x80" }, /* surrogate */
		{ { "\xf0\x9f\x98\x80", 4 }, "\xf0\x9f\x98\x80" },
		{ { "\xf0\x9f\x98", 3 }, "\\xf0\\x9f\\x98" },
		{ { "\xf4\x90\x80\x80", 4 }, "\\xf4\\x90\\x80\\x80" },
		{ { "", 0 }, "" },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pf_buf b = { 0 };
		pf_escape_text(&b, cases[i].in);
		assert_true(pf_view_is(pf_buf_text(&b), cases[i].out));
		pf_buf_done(&b);
	}
}

static void recorded_lines_stay_lines(void **state)
{
	(void)state;
	struct pf_buf b = { 0 };
	pf_escape_lines(&b, pf_view_of("Net\tif\x1b[c: 1\nNet \x80\r\n"));
	assert_true(pf_view_is(pf_buf_text(&b), "Net\tif\\x1b[c: 1\nNet \\x80\\x0d\n"));
	pf_buf_done(&b);
}

static void a_short_form_keeps_both_ends(void **state)
{
	(void)state;
	static const struct {
		const char *in;
		size_t room;
		const char *out;
	} cases[] = {
		{ "abcdefghij", 10, "abcdefghij" },
		{ "abcdefghijk", 10, "abc...hijk" },
		{ "\x1b\x1b\x1b\x1b", 12, "\\x1b...\\x1b" },
		{ "\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4", 8, "\xc3\xa4...\xc3\xa4" },
		{ "abcdef", 4, "abcd" },
		{ "abcdef", 0, "" },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char out[32];
		size_t n = pf_escape_short(out, cases[i].room, pf_view_of(cases[i].in), false);
		assert_true(n <= cases[i].room);
		out[n] = '\0';
		assert_string_equal(out, cases[i].out);
	}
}

static void what_is_wrong_stays_behind_a_value_of_any_length(void **state)
{
	(void)state;
	char *value = malloc(65537);
	struct pf_err err = { 0 };
	assert_non_null(value);
	memset(value, 'x', 65536);
	value[65536] = '\0';
	memcpy(value, "first", 5);
	memcpy(value + 65532, "last", 4);
	(void)pf_err_set(&err, -EINVAL, "--name '%s' is no name; give one of %u", value, 3U);
	assert_non_null(strstr(err.text, "--name 'firstx"));
	assert_non_null(strstr(err.text, "xx...xx"));
	assert_non_null(strstr(err.text, "xlast' is no name; give one of 3"));
	(void)pf_err_context(&err, -EINVAL, "%s", value);
	assert_non_null(strstr(err.text, "firstx"));
	assert_non_null(strstr(err.text, "last' is no name; give one of 3"));

	char *again = value;
	(void)pf_err_set(&err, -ENOENT, "%s and %s: %s", value, again, "not there");
	assert_non_null(strstr(err.text, "last and first"));
	assert_non_null(strstr(err.text, "last: not there"));
	assert_true(strlen(err.text) < sizeof(err.text));
	free(value);
}

static void a_value_cannot_end_the_line(void **state)
{
	(void)state;
	struct pf_err err = { 0 };
	(void)pf_err_set(&err, -EINVAL, "no\n%s%c", "a\nb\tc", '\r');
	assert_string_equal(err.text, "no\na\\x0ab\\x09c\\x0d");
	(void)pf_err_context(&err, -EINVAL, "%s", "d\n");
	assert_string_equal(err.text, "d\\x0a: no\na\\x0ab\\x09c\\x0d");

	struct pf_err on = { 0 };
	(void)pf_err_set(&on, -EINVAL, "%s", err.text);
	assert_string_equal(on.text, err.text);
	(void)pf_err_set(&on, -EINVAL, "again: %s", on.text);
	assert_non_null(strstr(on.text, "again: d\\x0a: no\\x0aa"));
}

static void sentences_draw_what_printf_draws(void **state)
{
	(void)state;
	static const char bytes[] = { 'a', 'b', 'c' };
	char want[256];
	struct pf_err err = { 0 };
#define SAME(...)                                                                                                      \
	do {                                                                                                           \
		(void)snprintf(want, sizeof(want), __VA_ARGS__);                                                       \
		(void)pf_err_set(&err, -EINVAL, __VA_ARGS__);                                                          \
		assert_string_equal(err.text, want);                                                                   \
	} while (0)
	SAME("%d %u %x %04o %02d %3d%%", -7, 8U, 255U, 8U, 5, 6);
	SAME("%lld %llu %zu %ld %lu %06lld %llx", -1LL, 2ULL, (size_t)3, 4L, 5UL, 6LL, 0xfULL);
	SAME("%" PRIu64 " %" PRId64, UINT64_MAX, INT64_MIN);
	SAME("%.3f %g %.10g %8.1f", 1.5, 2.25, 3.0, 4.5);
	SAME("%.*s %.2s %c", (int)sizeof(bytes), bytes, "xyz", 'q');
	SAME("%-6s|%6s|%-4d", "left", "right", 1); /* left to printf */
#undef SAME
}

static void errors_and_notices_are_harmless(void **state)
{
	(void)state;
	struct pf_err err = { 0 };
	(void)pf_err_set(&err, -EINVAL, "host %s", "\x1b[2J");
	assert_string_equal(err.text, "host \\x1b[2J");
	(void)pf_err_context(&err, -EINVAL, "file %s", "\x9b");
	assert_string_equal(err.text, "file \\x9b: host \\x1b[2J");
}

static void copy_text(void *arg, enum pf_severity severity, const char *text)
{
	(void)severity;
	assert_true(strlen(text) < 64);
	memcpy(arg, text, strlen(text) + 1);
}

static void notices_hold_nothing_a_terminal_obeys(void **state)
{
	(void)state;
	char told[64] = "";
	struct pf_notice notice = { copy_text, told };
	pf_notice(&notice, PF_WARNING, "recorded for %s", "\x1b]0;x\a");
	assert_string_equal(told, "recorded for \\x1b]0;x\\x07");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(controls_and_broken_utf8_become_hex),
		cmocka_unit_test(recorded_lines_stay_lines),
		cmocka_unit_test(a_short_form_keeps_both_ends),
		cmocka_unit_test(what_is_wrong_stays_behind_a_value_of_any_length),
		cmocka_unit_test(a_value_cannot_end_the_line),
		cmocka_unit_test(sentences_draw_what_printf_draws),
		cmocka_unit_test(errors_and_notices_are_harmless),
		cmocka_unit_test(notices_hold_nothing_a_terminal_obeys),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
