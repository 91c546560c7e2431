/* formats/text/utf8.c, escape.c and the tables of each format: which bytes survive, which are replaced, and by what. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "formats/text/form.h"
#include "formats/text/utf8.h"

#define R "\xef\xbf\xbd"

static void each_maximal_ill_formed_subpart_becomes_one_replacement(void **state)
{
	(void)state;
	/* Rows from The Unicode Standard, tables 3-8 to 3-11, and the edges of table 3-7. */
	static const struct {
		const char *in;
		const char *want;
	} cases[] = {
		{ "abc", "abc" },
		{ "\xc3\xa9", "\xc3\xa9" },
		{ "\xc0\xaf\xe0\x80\xbf\xf0\x81\x82"
		  "A",
		  R R R R R R R R "A" },
		{ "\xed\xa0\x80\xed\xbf\xbf\xed\xaf"
		  "A",
		  R R R R R R R R "A" },
		{ "\xf4\x91\x92\x93\xff"
		  "A\x80\xbf"
		  "B",
		  R R R R R "A" R R "B" },
		{ "\xe1\x80\xe2\xf0\x91\x92\xf1\xbf"
		  "A",
		  R R R R "A" },
		{ "\xc1\xbf", R R },
		{ "\xc2\x80", "\\u0080" }, /* terminals obey these */
		{ "\xc2\x9b", "\\u009b" },
		{ "\xc2\x9f", "\\u009f" },
		{ "\xc2\xa0", "\xc2\xa0" },
		{ "\xdf\xbf", "\xdf\xbf" },
		{ "\xe0\x9f\xbf", R R R },
		{ "\xe0\xa0\x80", "\xe0\xa0\x80" },
		{ "\xed\x9f\xbf", "\xed\x9f\xbf" },
		{ "\xee\x80\x80", "\xee\x80\x80" },
		{ "\xf0\x8f\xbf\xbf", R R R R },
		{ "\xf0\x90\x80\x80", "\xf0\x90\x80\x80" },
		{ "\xf4\x8f\xbf\xbf", "\xf4\x8f\xbf\xbf" },
		{ "\xf4\x90\x80\x80", R R R R },
		{ "\xf5\x80\x80\x80", R R R R },
		{ "\xf0\x9f\x98", R },
		{ "\xf0\x9f\x98z", R "z" },
		{ "\xe2\x82", R },
		{ "\xc3", R },
		{ "\xc3\xc3\xa9", R "\xc3\xa9" },
		{ "\xfe\xff", R R },
		{ "\x80", R },
	};
	for (size_t i = 0; i < PF_N(cases); i++) {
		struct pf_buf b = { 0 };
		bool lost = pf_doc_form_json.escape(&b, pf_view_of(cases[i].in));
		assert_string_equal(b.p, cases[i].want);
		assert_int_equal(lost, strstr(cases[i].want, R) && !strstr(cases[i].in, R));
		pf_buf_done(&b);
	}
}

static void code_points_are_decoded(void **state)
{
	(void)state;
	static const struct {
		struct pf_view in;
		uint32_t cp;
	} cases[] = {
		{ { "\x7f", 1 }, 0x7f },
		{ { "\xc2\x80", 2 }, 0x80 },
		{ { "\xdf\xbf", 2 }, 0x7ff },
		{ { "\xe0\xa0\x80", 3 }, 0x800 },
		{ { "\xef\xbf\xbf", 3 }, 0xffff },
		{ { "\xf0\x90\x80\x80", 4 }, 0x10000 },
		{ { "\xf4\x8f\xbf\xbf", 4 }, 0x10ffff },
	};
	for (size_t i = 0; i < PF_N(cases); i++) {
		uint32_t cp = 0;
		bool ok = false;
		assert_int_equal(pf_utf8_next(cases[i].in, &cp, &ok), cases[i].in.n);
		assert_true(ok);
		assert_int_equal(cp, cases[i].cp);
	}
}

/* What the specification says about one byte, apart from the tables under test. */
static const char *expected(char format, uint8_t c, char *own)
{
	static const char *const named[] = {
		['\b'] = "\\b", ['\t'] = "\\t", ['\n'] = "\\n", ['\f'] = "\\f", ['\r'] = "\\r"
	};
	own[0] = (char)c;
	own[1] = '\0';
	if (c >= 0x80)
		return R;
	if (format == 'j') {
		if (c == '"' || c == '\\')
			(void)snprintf(own, 8, "\\%c", c);
		else if (c < PF_N(named) && named[c])
			return named[c];
		else if (c < 0x20)
			(void)snprintf(own, 8, "\\u%04x", c);
		return own;
	}
	bool forbidden = c < 0x20 && c != '\t' && c != '\n' && c != '\r';
	if (format == 'c')
		return forbidden || c == 0x7f || c == '\r' ? R
		       : c == '"'			   ? "\"\"\"\""
		       : c == ','			   ? "\",\""
		       : c == '\n'			   ? "\"\n\""
							   : own;
	return forbidden ? R : c == '\r' ? "&#13;" : c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : own;
}

static void every_byte_is_written_as_its_format_wants(void **state)
{
	(void)state;
	static const struct {
		char format;
		const struct pf_doc_form *form;
	} forms[] = {
		{ 'j', &pf_doc_form_json }, { 'j', &pf_doc_form_jsonl }, { 'x', &pf_doc_form_xml },
		{ 'x', &pf_doc_form_html }, { 'c', &pf_doc_form_csv },
	};
	for (size_t f = 0; f < PF_N(forms); f++) {
		for (unsigned c = 0; c < 256; c++) {
			struct pf_buf b = { 0 };
			char byte = (char)c;
			char own[8];
			const char *want = expected(forms[f].format, (uint8_t)c, own);
			bool lost = forms[f].form->escape(&b, (struct pf_view){ &byte, 1 });
			if (c == 0 && forms[f].format == 'j')
				want = "\\u0000";
			assert_string_equal(b.p, want);
			assert_int_equal(lost, strcmp(want, R) == 0);
			pf_buf_done(&b);
		}
	}
}

static void xml_cannot_hold_two_characters_that_json_can(void **state)
{
	(void)state;
	static const char *const bad[] = { "\xef\xbf\xbe", "\xef\xbf\xbf" };
	for (size_t i = 0; i < PF_N(bad); i++) {
		struct pf_buf x = { 0 };
		struct pf_buf j = { 0 };
		assert_true(pf_doc_form_xml.escape(&x, pf_view_of(bad[i])));
		assert_string_equal(x.p, R);
		assert_false(pf_doc_form_json.escape(&j, pf_view_of(bad[i])));
		assert_string_equal(j.p, bad[i]);
		pf_buf_done(&x);
		pf_buf_done(&j);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_maximal_ill_formed_subpart_becomes_one_replacement),
		cmocka_unit_test(code_points_are_decoded),
		cmocka_unit_test(every_byte_is_written_as_its_format_wants),
		cmocka_unit_test(xml_cannot_hold_two_characters_that_json_can),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
