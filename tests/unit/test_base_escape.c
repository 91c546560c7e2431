/* base/escape.c: nothing that a terminal obeys gets through. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>

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

static void sentences_keep_their_lines_and_their_room(void **state)
{
	(void)state;
	char text[16] = "a\tb\n\x1b[c";
	pf_escape_sentence(text, sizeof(text));
	assert_string_equal(text, "a\tb\n\\x1b[c");

	char full[12] = "ab\x1b"
			"defghijk";
	pf_escape_sentence(full, sizeof(full));
	assert_string_equal(full, "ab\\x1bdefgh");

	char end[8] = "abcdef\x1b";
	pf_escape_sentence(end, sizeof(end));
	assert_string_equal(end, "abcdef");

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
		cmocka_unit_test(sentences_keep_their_lines_and_their_room),
		cmocka_unit_test(notices_hold_nothing_a_terminal_obeys),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
