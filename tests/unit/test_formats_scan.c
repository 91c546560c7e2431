/* formats/text/scan*.c: documents read strictly, whole and in pieces, cut and damaged. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "formats/text/scan.h"

/* What came of a document: the first error, and how far it was good. */
struct outcome {
	unsigned errors;
	char rule[32];
	uint64_t byte;
	uint64_t elements;
	uint64_t good;
	int64_t from_ns;
	int64_t until_ns;
	uint64_t back;
};

static void note(struct outcome *o, const struct pf_scan *s)
{
	if (o->errors++ > 0)
		return;
	(void)strncpy(o->rule, s->rule, sizeof(o->rule) - 1);
	o->byte = s->byte;
}

/* In pieces of @step bytes. */
static struct outcome scan(const struct pf_scanner *scanner, struct pf_view text, size_t step)
{
	struct outcome o = { 0 };
	struct pf_scan *s = scanner->open();
	struct pf_err err = { 0 };
	assert_non_null(s);
	while (text.n > 0 && !s->over) {
		struct pf_view piece = { text.p, text.n < step ? text.n : step };
		text = (struct pf_view){ text.p + piece.n, text.n - piece.n };
		while (piece.n > 0 && !s->over) {
			size_t before = piece.n;
			int rc = pf_scan_feed(s, &piece, &err);
			assert_true(rc == 0 || rc == -EBADMSG);
			if (rc < 0)
				note(&o, s);
			assert_true(rc < 0 || piece.n < before);
		}
	}
	if (!s->over && scanner->end(s, &err) < 0)
		note(&o, s);
	o.elements = s->elements;
	o.good = s->good;
	o.from_ns = s->from_ns;
	o.until_ns = s->until_ns;
	o.back = s->back;
	(void)scanner->close(s);
	return o;
}

static struct outcome scan_text(const struct pf_scanner *scanner, const char *text)
{
	struct pf_view v = pf_view_of(text);
	struct outcome whole = scan(scanner, v, SIZE_MAX);
	for (size_t step = 1; step < 5; step++) {
		struct outcome pieces = scan(scanner, v, step);
		assert_memory_equal(&pieces, &whole, sizeof(whole));
	}
	return whole;
}

static const char json[] =
	"{\"perfolio\": {\"host\":\"w\303\244b\", \"samples\": [\n"
	"{\"timestamp\":10,\"a\":[1,-2.5e3,18446744073709552000,true,null,{\"b\":\"\\u00e4\\ud83d\\ude00\\n\"}]}\n"
	", {\"timestamp\":20,\"c\":{}}\n]}}\n";
static const char jsonl[] =
	"{\"perfolio\": {\"host\":\"x\"}}\n{\"timestamp\":10}\n{\"timestamp\":20,\"a\":[{\"timestamp\":7}]}\n";
static const char xml[] =
	"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<perfolio><host>w\303\244b &amp; &#x9b;</host>\n"
	"<samples><timestamp>10</timestamp><m><n>x</n></m></samples>\n<samples><timestamp>20</timestamp></samples>\n</perfolio>\n";
static const char csv[] = "timestamp,name,value\n10,\"a,\"\"b\"\"\n\303\244\",1\n20,b,\n";

static const struct {
	const struct pf_scanner *scanner;
	const char *text;
} good[] = {
	{ &pf_scanner_json, json }, { &pf_scanner_json, jsonl }, { &pf_scanner_xml, xml }, { &pf_scanner_csv, csv }
};

static void whole_documents_are_whole(void **state)
{
	(void)state;
	for (unsigned i = 0; i < PF_N(good); i++) {
		struct outcome o = scan_text(good[i].scanner, good[i].text);
		assert_int_equal(o.errors, 0);
		assert_int_equal(o.elements, 2);
		assert_int_equal(o.from_ns, 10);
		assert_int_equal(o.until_ns, 20);
		assert_true(good[i].scanner->looks_like(pf_view_of(good[i].text)));
	}
}

/* Each beginning of a document is told to be cut, unless it is one. */
static void a_cut_is_told_wherever_it_is(void **state)
{
	(void)state;
	for (unsigned i = 0; i < PF_N(good); i++) {
		size_t n = strlen(good[i].text);
		bool lines = good[i].text == jsonl || good[i].text == csv;
		for (size_t cut = 1; cut + 1 < n; cut++) {
			struct outcome o = scan(good[i].scanner, (struct pf_view){ good[i].text, cut }, SIZE_MAX);
			bool ends = lines && (good[i].text[cut - 1] == '\n' ||
					      (good[i].text == jsonl && good[i].text[cut] == '\n'));
			if (good[i].text == csv && ends)
				continue; /* the newline may be in a quoted field */
			assert_int_equal(o.errors, ends ? 0 : 1);
			assert_true(o.good <= cut);
			if (!ends)
				assert_string_equal(o.rule, "cut");
		}
	}
}

static void what_is_good_ends_with_the_last_whole_element(void **state)
{
	(void)state;
	const char *second = strstr(json, "\n, {");
	struct outcome o = scan(&pf_scanner_json, (struct pf_view){ json, (size_t)(second - json) + 10 }, SIZE_MAX);
	assert_int_equal(o.good, second - json);
	assert_int_equal(o.elements, 1);
	assert_int_equal(o.until_ns, 10);
	second = strstr(xml, "\n<samples><timestamp>20");
	o = scan(&pf_scanner_xml, (struct pf_view){ xml, (size_t)(second - xml) + 12 }, SIZE_MAX);
	assert_int_equal(o.good, second - xml);
	o = scan_text(&pf_scanner_json, "{\"p\": {\"s\": [{\"timestamp\":1");
	assert_int_equal(o.good, strlen("{\"p\": {\"s\": ["));
}

static void each_fault_has_its_word(void **state)
{
	(void)state;
	static const struct {
		const struct pf_scanner *scanner;
		const char *text;
		const char *rule;
		uint64_t byte;
	} cases[] = {
		{ &pf_scanner_json, "{\"a\":1,\"b\":2,\"\\u0061\":3}", "duplicate", 23 },
		{ &pf_scanner_json, "{\"a\":{\"a\":1},\"b\":[{\"a\":1},{\"a\":1}]} x", "syntax", 36 },
		{ &pf_scanner_json, "{\"\":1,\"\":2}", "duplicate", 10 },
		{ &pf_scanner_json, "{\"a\":01}", "number", 7 },
		{ &pf_scanner_json, "{\"a\":1.}", "number", 7 },
		{ &pf_scanner_json, "{\"a\":-}", "number", 6 },
		{ &pf_scanner_json, "{\"a\":18446744073709551616}", "number", 25 },
		{ &pf_scanner_json, "{\"a\":-9223372036854775809}", "number", 25 },
		{ &pf_scanner_json, "{\"a\":nul}", "syntax", 8 },
		{ &pf_scanner_json, "{\"a\":NaN}", "syntax", 5 },
		{ &pf_scanner_json, "{\"a\":1,}", "syntax", 7 },
		{ &pf_scanner_json, "{\"a\" 1}", "syntax", 5 },
		{ &pf_scanner_json, "{a:1}", "syntax", 1 },
		{ &pf_scanner_json, "{\"a\":[1 2]}", "syntax", 8 },
		{ &pf_scanner_json, "{\"a\":[1}}", "syntax", 7 },
		{ &pf_scanner_json, "{\"a\":\"\\x\"}", "escape", 7 },
		{ &pf_scanner_json, "{\"a\":\"\\ud83d\"}", "escape", 12 },
		{ &pf_scanner_json, "{\"a\":\"\\ude00\"}", "escape", 11 },
		{ &pf_scanner_json, "{\"a\":\"\t\"}", "control", 6 },
		{ &pf_scanner_json, "{\"a\":\"\300\257\"}", "utf8", 6 },
		{ &pf_scanner_json, "{\"a\":\"\355\240\200\"}", "utf8", 6 },
		{ &pf_scanner_json, "[1]", "syntax", 0 },
		{ &pf_scanner_json, "{}\n{\"a\":1\n{\"b\":2}\n", "cut", 9 },
		{ &pf_scanner_xml, "<?xml version=\"1.1\" encoding=\"UTF-8\"?><a/>", "syntax", 17 },
		{ &pf_scanner_xml, "<?xml version=\"1.0\" encoding=\"UTF-8\"?><a><b></a></b>", "syntax", 47 },
		{ &pf_scanner_xml, "<?xml version=\"1.0\" encoding=\"UTF-8\"?><a>&nbsp;</a>", "reference", 46 },
		{ &pf_scanner_xml, "<?xml version=\"1.0\" encoding=\"UTF-8\"?><a>&#0;</a>", "reference", 44 },
		{ &pf_scanner_xml, "<?xml version=\"1.0\" encoding=\"UTF-8\"?><a>\001</a>", "control", 41 },
		{ &pf_scanner_xml, "<?xml version=\"1.0\" encoding=\"UTF-8\"?><a></a><b></b>", "syntax", 45 },
		{ &pf_scanner_xml, "<?xml version=\"1.0\" encoding=\"UTF-8\"?><!DOCTYPE a>", "syntax", 39 },
		{ &pf_scanner_xml, "<?xml version=\"1.0\" encoding=\"UTF-8\"?></a>", "syntax", 39 },
		{ &pf_scanner_csv, "a,b\n1,2\n1\n3,4\n", "fields", 9 },
		{ &pf_scanner_csv, "a,b\n1,x\"y\n", "quote", 7 },
		{ &pf_scanner_csv, "a,b\n1,\"x\"y\n", "quote", 9 },
		{ &pf_scanner_csv, "a,b\n1,\377\n", "utf8", 6 },
	};
	for (unsigned i = 0; i < PF_N(cases); i++) {
		struct outcome o = scan_text(cases[i].scanner, cases[i].text);
		assert_true(o.errors >= 1);
		assert_string_equal(o.rule, cases[i].rule);
		assert_int_equal(o.byte, cases[i].byte);
	}
}

static void a_bad_line_costs_itself_alone(void **state)
{
	(void)state;
	struct outcome o =
		scan_text(&pf_scanner_json,
			  "{\"h\":{}}\n{\"timestamp\":1}\n{\"timestamp\":x}\n{\"timestamp\"\n{\"timestamp\":4}\n");
	assert_int_equal(o.errors, 2);
	assert_int_equal(o.elements, 2);
	assert_int_equal(o.until_ns, 4);
	o = scan_text(&pf_scanner_csv, "timestamp,b\n1,x\n2\n3,\377\377\n4,y\n");
	assert_int_equal(o.errors, 2);
	assert_int_equal(o.elements, 2);
	assert_int_equal(o.until_ns, 4);
}

static void times_that_go_back_are_counted(void **state)
{
	(void)state;
	struct outcome o = scan_text(&pf_scanner_csv, "timestamp,b\n5,x\n5,y\n4,z\n6,z\n");
	assert_int_equal(o.back, 1);
	assert_int_equal(o.elements, 4);
}

static void nesting_has_a_limit(void **state)
{
	(void)state;
	char text[256] = "{\"a\":";
	memset(text + 5, '[', 100);
	struct outcome o = scan_text(&pf_scanner_json, text);
	assert_string_equal(o.rule, "depth");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whole_documents_are_whole),
		cmocka_unit_test(a_cut_is_told_wherever_it_is),
		cmocka_unit_test(what_is_good_ends_with_the_last_whole_element),
		cmocka_unit_test(each_fault_has_its_word),
		cmocka_unit_test(a_bad_line_costs_itself_alone),
		cmocka_unit_test(times_that_go_back_are_counted),
		cmocka_unit_test(nesting_has_a_limit),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
