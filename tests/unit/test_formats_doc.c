/* formats/text/doc.c and the formats: layout, nesting, misuse, cutting after any flush. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "formats/text/doc.h"

/* A document on a pipe; what it wrote is read back. Small enough never to fill the pipe. */
struct bench {
	struct pf_doc *doc;
	int fds[2];
	char text[65536];
};

static struct bench *bench_open(const char *words)
{
	struct bench *b = calloc(1, sizeof(*b));
	assert_non_null(b);
	struct pf_err err = { 0 };
	struct pf_doc_options o;
	assert_int_equal(pf_doc_options_parse(words, true, &o, &err), 0);
	assert_int_equal(pipe(b->fds), 0);
	assert_int_equal(pf_doc_open(&b->doc, &o, b->fds[1], "dtrace", "probes", &err), 0);
	return b;
}

static const char *bench_text(struct bench *b)
{
	size_t have = strlen(b->text);
	ssize_t n = read(b->fds[0], b->text + have, sizeof(b->text) - 1 - have);
	assert_true(n >= 0);
	return b->text;
}

static void bench_close(struct bench *b)
{
	assert_int_equal(pf_doc_misuses(b->doc), 0);
	assert_int_equal(pf_doc_close(b->doc), 0);
	(void)close(b->fds[1]);
	(void)close(b->fds[0]);
	free(b);
}

static void add_probe(struct pf_doc *doc)
{
	pf_doc_piece_begin(doc);
	pf_doc_int(doc, "timestamp", 8105220231);
	pf_doc_name(doc, "name", "BEGIN");
	pf_doc_list_begin(doc, "output");
	pf_doc_object_begin(doc, NULL);
	pf_doc_int(doc, "value", 42);
	pf_doc_object_end(doc);
	pf_doc_object_begin(doc, NULL);
	pf_doc_list_begin(doc, "aggregation-data");
	pf_doc_object_begin(doc, NULL);
	pf_doc_list_begin(doc, "keys");
	pf_doc_object_begin(doc, NULL);
	pf_doc_text(doc, "value", PF_VIEW("a<b"));
	pf_doc_object_end(doc);
	pf_doc_object_begin(doc, NULL);
	pf_doc_uint(doc, "value", UINT64_MAX);
	pf_doc_object_end(doc);
	pf_doc_list_end(doc);
	pf_doc_int(doc, "count", -1);
	pf_doc_object_end(doc);
	pf_doc_list_end(doc);
	pf_doc_name(doc, "aggregation-name", "n");
	pf_doc_list_begin(doc, "aggregation-names");
	pf_doc_name(doc, NULL, "n");
	pf_doc_name(doc, NULL, "m");
	pf_doc_list_end(doc);
	pf_doc_object_end(doc);
	pf_doc_list_end(doc);
	assert_int_equal(pf_doc_piece_end(doc), 0);
}

static void each_format_has_its_layout(void **state)
{
	(void)state;
	static const char probe_json[] =
		"{\"timestamp\":8105220231,\"name\":\"BEGIN\", \"output\": [{\"value\":42}, {\"aggregation-data\": [{\"keys\": [{\"value\":\"a<b\"}, "
		"{\"value\":18446744073709551615}],\"count\":-1}],\"aggregation-name\":\"n\", \"aggregation-names\": [\"n\",\"m\"]}]}\n";
	static const char probe_xml[] =
		"<probes><timestamp>8105220231</timestamp><name>BEGIN</name><output><value>42</value></output><output><aggregation-data>"
		"<keys><value>a&lt;b</value></keys><keys><value>18446744073709551615</value></keys><count>-1</count></aggregation-data>"
		"<aggregation-name>n</aggregation-name><aggregation-names>n</aggregation-names><aggregation-names>m</aggregation-names>"
		"</output></probes>\n";
#define DIV(tag, text) "<div class=\"data\" data-tag=\"" tag "\">" text "</div>"
#define GAP	       "<div class=\"text\"> </div>"
	static const char probe_html[] = "<div class=\"line\">" DIV("timestamp", "8105220231")
		GAP DIV("name", "BEGIN") "<div class=\"record\">" DIV("value", "42") "</div><div class=\"record\">" DIV(
			"value", "a&lt;b") DIV("value", "18446744073709551615") DIV("count", "-1")
			DIV("aggregation-name", "n") DIV("aggregation-names", "n")
				GAP DIV("aggregation-names", "m") "</div></div>\n";
	static const char probe_csv[] =
		"8105220231,BEGIN,output.0.value,42\n"
		"8105220231,BEGIN,output.1.aggregation-data.0.keys.0.value,a<b\n"
		"8105220231,BEGIN,output.1.aggregation-data.0.keys.1.value,18446744073709551615\n"
		"8105220231,BEGIN,output.1.aggregation-data.0.count,-1\n"
		"8105220231,BEGIN,output.1.aggregation-name,n\n"
		"8105220231,BEGIN,output.1.aggregation-names.0,n\n"
		"8105220231,BEGIN,output.1.aggregation-names.1,m\n";
	static const struct {
		const char *words, *begin, *between, *probe, *end;
	} cases[] = {
		{ "json", "{\"dtrace\": {\"probes\": [\n", ", ", probe_json, "]}}\n" },
		{ "jsonl", "", "", probe_json, "" },
		{ "xml", "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<dtrace>\n", "", probe_xml, "</dtrace>\n" },
		{ "html", "", "", probe_html, "" },
		{ "csv", "timestamp,name,path,value\n", "", probe_csv, "" },
	};
	static const char *const columns[] = { "timestamp", "name" };
	for (size_t i = 0; i < PF_N(cases); i++) {
		struct bench *b = bench_open(cases[i].words);
		struct pf_buf want = { 0 };
		pf_doc_columns(b->doc, columns, 2, true);
		pf_buf_str(&want, cases[i].begin);
		assert_int_equal(pf_doc_begin(b->doc), 0);
		if (want.n > 0)
			assert_string_equal(bench_text(b), want.p);
		for (int n = 0; n < 2; n++) {
			pf_buf_str(&want, n ? cases[i].between : "");
			pf_buf_str(&want, cases[i].probe);
			add_probe(b->doc);
			assert_int_equal(pf_doc_flush(b->doc), 0);
			assert_string_equal(bench_text(b), want.p);
		}
		pf_buf_str(&want, cases[i].end);
		assert_int_equal(pf_doc_end(b->doc), 0);
		assert_int_equal(write(b->fds[1], "!", 1), 1);
		pf_buf_char(&want, '!');
		assert_string_equal(bench_text(b), want.p);
		pf_buf_done(&want);
		bench_close(b);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_format_has_its_layout),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
