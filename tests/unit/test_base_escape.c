/* base/escape.c: nothing that a terminal obeys gets through. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/escape.h"

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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(controls_and_broken_utf8_become_hex),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
