/* formats/text/options.c: the words of --oformat and -x oformat=. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "formats/text/doc.h"

static void right_words_are_taken_in_any_order(void **state)
{
	(void)state;
	static const struct {
		const char *words;
		struct pf_doc_options want;
	} cases[] = {
		{ "json", { PF_FORMAT_JSON, false, 2, false, false, false } },
		{ "xml", { PF_FORMAT_XML, false, 2, false, false, false } },
		{ "html", { PF_FORMAT_HTML, false, 2, false, false, false } },
		{ "jsonl", { PF_FORMAT_JSONL, false, 2, false, false, false } },
		{ "csv", { PF_FORMAT_CSV, false, 2, false, false, false } },
		{ "none", { PF_FORMAT_TEXT, false, 2, false, false, false } },
		{ "text", { PF_FORMAT_TEXT, false, 2, false, false, false } },
		{ "json,pretty", { PF_FORMAT_JSON, true, 2, false, false, false } },
		{ "pretty,json", { PF_FORMAT_JSON, true, 2, false, false, false } },
		{ "header,pretty,json,indent=0,bigstr", { PF_FORMAT_JSON, true, 0, true, true, false } },
		{ "texts,jsonl", { PF_FORMAT_JSONL, false, 2, false, false, true } },
		{ "json,indent=16", { PF_FORMAT_JSON, false, 16, false, false, false } },
	};
	for (size_t i = 0; i < PF_N(cases); i++) {
		struct pf_doc_options o;
		assert_int_equal(pf_doc_options_parse(cases[i].words, true, &o, NULL), 0);
		assert_int_equal(o.format, cases[i].want.format);
		assert_int_equal(o.pretty, cases[i].want.pretty);
		assert_int_equal(o.indent, cases[i].want.indent);
		assert_int_equal(o.bigstr, cases[i].want.bigstr);
		assert_int_equal(o.header, cases[i].want.header);
		assert_int_equal(o.texts, cases[i].want.texts);
	}
}

static void wrong_words_are_named(void **state)
{
	(void)state;
	static const struct {
		const char *words;
		bool all;
		const char *sentence;
	} cases[] = {
		{ "foo", true,
		  "'foo' is no output format: use json, xml, html, jsonl, csv or none, and with it pretty, indent=N, bigstr, header or texts" },
		{ "foo", false,
		  "'foo' is no output format: use json, xml, html, text or none, and with it pretty, indent=N, bigstr or header" },
		{ "jsonl", false,
		  "'jsonl' is no output format: use json, xml, html, text or none, and with it pretty, indent=N, bigstr or header" },
		{ "JSON", true,
		  "'JSON' is no output format: use json, xml, html, jsonl, csv or none, and with it pretty, indent=N, bigstr, header or texts" },
		{ "json,texts", false,
		  "'texts' is no output format: use json, xml, html, text or none, and with it pretty, indent=N, bigstr or header" },
		{ "json,xml", true, "'xml' is a second output format: name one" },
		{ "json,json", true, "'json' is a second output format: name one" },
		{ "none,json", true, "'json' is a second output format: name one" },
		{ "", true, "an output format is missing in '': use json, xml, html, jsonl, csv or none" },
		{ NULL, true, "an output format is missing in '': use json, xml, html, jsonl, csv or none" },
		{ "json,", true, "an output format is missing in 'json,': use json, xml, html, jsonl, csv or none" },
		{ ",json", true, "an output format is missing in ',json': use json, xml, html, jsonl, csv or none" },
		{ "json,,pretty", true,
		  "an output format is missing in 'json,,pretty': use json, xml, html, jsonl, csv or none" },
		{ "pretty", true, "'pretty' names no output format: use json, xml, html, jsonl, csv or none" },
		{ "json,indent=17", true, "indent=17: want a number from 0 to 16" },
		{ "json,indent=", true, "indent=: want a number from 0 to 16" },
		{ "json,indent=-1", true, "indent=-1: want a number from 0 to 16" },
		{ "json,indent=2x", true, "indent=2x: want a number from 0 to 16" },
	};
	for (size_t i = 0; i < PF_N(cases); i++) {
		struct pf_doc_options o = { .indent = 77 };
		struct pf_err err = { 0 };
		assert_int_equal(pf_doc_options_parse(cases[i].words, cases[i].all, &o, &err), -EINVAL);
		assert_string_equal(err.text, cases[i].sentence);
		assert_int_equal(o.indent, 77); /* untouched */
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(right_words_are_taken_in_any_order),
		cmocka_unit_test(wrong_words_are_named),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
