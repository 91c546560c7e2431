/* formats/text/doc.c and the formats: layout, nesting, misuse, cutting after any flush. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
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
	b->text[have + (size_t)n] = '\0';
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

static void pretty_puts_each_member_on_a_line(void **state)
{
	(void)state;
	static const struct {
		const char *words, *want;
	} cases[] = {
		{ "json,pretty",
		  "{\n  \"dtrace\": {\n    \"format-version\": 1,\n    \"clock\": {\n      \"timestamp\": 2\n    },\n    \"probes\": [\n"
		  "      {\n        \"id\": 1,\n        \"output\": []\n      },\n      {\n        \"id\": 2,\n        \"output\": [\n"
		  "          {\n            \"value\": true\n          }\n        ]\n      }\n    ]\n  }\n}\n" },
		{ "json,pretty,indent=0",
		  "{\n\"dtrace\": {\n\"format-version\": 1,\n\"clock\": {\n\"timestamp\": 2\n},\n\"probes\": [\n{\n\"id\": 1,\n"
		  "\"output\": []\n},\n{\n\"id\": 2,\n\"output\": [\n{\n\"value\": true\n}\n]\n}\n]\n}\n}\n" },
		{ "json",
		  "{\"dtrace\": {\"format-version\":1, \"clock\": {\"timestamp\":2}, \"probes\": [\n{\"id\":1, \"output\": []}\n"
		  ", {\"id\":2, \"output\": [{\"value\":true}]}\n]}}\n" },
		{ "jsonl",
		  "{\"dtrace\": {\"format-version\":1, \"clock\": {\"timestamp\":2}}}\n{\"id\":1, \"output\": []}\n"
		  "{\"id\":2, \"output\": [{\"value\":true}]}\n" },
		{ "xml,pretty",
		  "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<dtrace>\n  <format-version>1</format-version>\n  <clock>\n"
		  "    <timestamp>2</timestamp>\n  </clock>\n  <probes>\n    <id>1</id>\n  </probes>\n  <probes>\n    <id>2</id>\n"
		  "    <output>\n      <value>true</value>\n    </output>\n  </probes>\n</dtrace>\n" },
		{ "html",
		  "<div class=\"line\">" DIV("format-version", "1") DIV(
			  "timestamp",
			  "2") "</div>\n"
			       "<div class=\"line\">" DIV(
				       "id", "1") "</div>\n"
						  "<div class=\"line\">" DIV("id", "2") "<div class=\"record\">" DIV(
							  "value", "true") "</div></div>\n" },
		{ "csv", "id,path,value\n1,,\n2,output.0.value,true\n" },
	};
	static const char *const columns[] = { "id" };
	for (size_t i = 0; i < PF_N(cases); i++) {
		struct bench *b = bench_open(cases[i].words);
		pf_doc_columns(b->doc, columns, 1, true);
		pf_doc_int(b->doc, "format-version", 1);
		pf_doc_object_begin(b->doc, "clock");
		pf_doc_int(b->doc, "timestamp", 2);
		pf_doc_object_end(b->doc);
		assert_int_equal(pf_doc_begin(b->doc), 0);
		for (int id = 1; id < 3; id++) {
			pf_doc_piece_begin(b->doc);
			pf_doc_int(b->doc, "id", id);
			pf_doc_list_begin(b->doc, "output");
			if (id == 2) {
				pf_doc_object_begin(b->doc, NULL);
				pf_doc_bool(b->doc, "value", true);
				pf_doc_object_end(b->doc);
			}
			pf_doc_list_end(b->doc);
			assert_int_equal(pf_doc_piece_end(b->doc), 0);
		}
		assert_int_equal(pf_doc_end(b->doc), 0);
		assert_string_equal(bench_text(b), cases[i].want);
		bench_close(b);
	}
}

static void raw_stands_beside_the_first_text_that_lost_something(void **state)
{
	(void)state;
	struct bench *b = bench_open("jsonl");
	assert_int_equal(pf_doc_begin(b->doc), 0);
	pf_doc_piece_begin(b->doc);
	pf_doc_text(b->doc, "a", PF_VIEW("\xff\x00x"));
	pf_doc_text(b->doc, "b", PF_VIEW("\xfe"));
	pf_doc_name(b->doc, "c", "\xfd");
	pf_doc_list_begin(b->doc, "d");
	pf_doc_text(b->doc, NULL, PF_VIEW("\xfc"));
	pf_doc_list_end(b->doc);
	pf_doc_object_begin(b->doc, "e");
	pf_doc_text(b->doc, "f", PF_VIEW("\xfb"));
	pf_doc_object_end(b->doc);
	assert_int_equal(pf_doc_piece_end(b->doc), 0);
	assert_int_equal(pf_doc_flush(b->doc), 0);
#define R "\xef\xbf\xbd"
	assert_string_equal(bench_text(b), "{\"a\":\"" R "\\u0000x\",\"raw\":\"0xff0078\",\"b\":\"" R "\",\"c\":\"" R
					   "\", \"d\": [\"" R "\"], \"e\": {\"f\":\"" R "\",\"raw\":\"0xfb\"}}\n");
	bench_close(b);
}

static void large_integers_become_strings_only_with_bigstr(void **state)
{
	(void)state;
	static const struct {
		const char *words, *want;
	} cases[] = {
		{ "jsonl",
		  "[9007199254740991,9007199254740992,-9007199254740991,-9007199254740992,18446744073709551615,1.5,\"nan\"]" },
		{ "jsonl,bigstr",
		  "[9007199254740991,\"9007199254740992\",-9007199254740991,\"-9007199254740992\",\"18446744073709551615\",1.5,\"nan\"]" },
	};
	for (size_t i = 0; i < PF_N(cases); i++) {
		struct bench *b = bench_open(cases[i].words);
		assert_int_equal(pf_doc_begin(b->doc), 0);
		pf_doc_piece_begin(b->doc);
		pf_doc_list_begin(b->doc, "l");
		pf_doc_int(b->doc, NULL, (INT64_C(1) << 53) - 1);
		pf_doc_int(b->doc, NULL, INT64_C(1) << 53);
		pf_doc_int(b->doc, NULL, 1 - (INT64_C(1) << 53));
		pf_doc_int(b->doc, NULL, -(INT64_C(1) << 53));
		pf_doc_uint(b->doc, NULL, UINT64_MAX);
		pf_doc_real(b->doc, NULL, 1.5);
		pf_doc_real(b->doc, NULL, __builtin_nan(""));
		pf_doc_list_end(b->doc);
		assert_int_equal(pf_doc_piece_end(b->doc), 0);
		assert_int_equal(pf_doc_flush(b->doc), 0);
		assert_non_null(strstr(bench_text(b), cases[i].want));
		bench_close(b);
	}
}

static void wrong_nesting_is_counted_and_repaired(void **state)
{
	(void)state;
	struct bench *b = bench_open("json");
	pf_doc_int(b->doc, "h", 1);
	pf_doc_object_begin(b->doc, "left-open");
	assert_int_equal(pf_doc_begin(b->doc), 0);
	pf_doc_int(b->doc, "outside", 1);
	pf_doc_object_begin(b->doc, "outside");
	pf_doc_object_end(b->doc);
	assert_int_equal(pf_doc_piece_end(b->doc), 0);
	pf_doc_piece_begin(b->doc);
	pf_doc_piece_begin(b->doc);
	pf_doc_int(b->doc, NULL, 1);
	pf_doc_list_end(b->doc);
	pf_doc_object_end(b->doc);
	pf_doc_list_begin(b->doc, "l");
	pf_doc_int(b->doc, "named", 2);
	pf_doc_object_end(b->doc);
	assert_int_equal(pf_doc_piece_end(b->doc), 0);
	pf_doc_piece_begin(b->doc);
	pf_doc_list_begin(b->doc, "forgotten");
	pf_doc_piece_drop(b->doc);
	pf_doc_piece_drop(b->doc);
	pf_doc_piece_begin(b->doc);
	for (int i = 0; i < 100; i++)
		pf_doc_object_begin(b->doc, "deep");
	pf_doc_int(b->doc, "too-deep", 1);
	for (int i = 0; i < 100; i++)
		pf_doc_object_end(b->doc);
	pf_doc_int(b->doc, "n", 3);
	assert_int_equal(pf_doc_piece_end(b->doc), 0);
	pf_doc_piece_begin(b->doc);
	pf_doc_int(b->doc, "unfinished", 1);
	assert_int_equal(pf_doc_end(b->doc), 0);
	assert_int_equal(pf_doc_end(b->doc), 0);
	pf_doc_piece_begin(b->doc);
	assert_int_equal(pf_doc_begin(b->doc), 0);

	static const char begins[] =
		"{\"dtrace\": {\"h\":1, \"left-open\": {}, \"probes\": [\n{\"value\":1, \"l\": [2]}\n, {\"deep\": {";
	static const char ends[] = "}},\"n\":3}\n]}}\n";
	const char *text = bench_text(b);
	assert_memory_equal(text, begins, sizeof(begins) - 1);
	assert_string_equal(text + strlen(text) - strlen(ends), ends);
	assert_true(pf_doc_misuses(b->doc) > 8);
	assert_int_equal(pf_doc_close(b->doc), 0);
	(void)close(b->fds[0]);
	(void)close(b->fds[1]);
	free(b);
}

static void pasted_members_are_the_written_ones(void **state)
{
	(void)state;
	static const char *const formats[] = { "json",	     "json,pretty", "jsonl",	   "xml",
					       "xml,pretty", "html",	    "html,pretty", "csv" };
	static const char *const columns[] = { "t", "name", "units", "value" };
	for (size_t i = 0; i < PF_N(formats); i++) {
		char texts[2][4096];
		for (int paste = 0; paste < 2; paste++) {
			struct bench *b = bench_open(formats[i]);
			struct pf_doc_members members = { { NULL, 0 }, 0 };
			char kept[512];
			pf_doc_columns(b->doc, columns, 4, false);
			assert_int_equal(pf_doc_begin(b->doc), 0);
			for (int k = 0; k < 3; k++) {
				pf_doc_piece_begin(b->doc);
				pf_doc_int(b->doc, "t", k);
				pf_doc_list_begin(b->doc, "l");
				pf_doc_object_begin(b->doc, NULL);
				if (k == 0 || !paste) {
					pf_doc_mark(b->doc);
					pf_doc_name(b->doc, "name", "a,\"<b");
					pf_doc_name(b->doc, "units", "");
					pf_doc_cut(b->doc, &members);
					assert_true(members.bytes.n < sizeof(kept));
					memcpy(kept, members.bytes.p, members.bytes.n);
					members.bytes.p = kept;
				} else {
					pf_doc_paste(b->doc, &members);
				}
				pf_doc_int(b->doc, "value", 7);
				pf_doc_object_end(b->doc);
				pf_doc_list_end(b->doc);
				assert_int_equal(pf_doc_piece_end(b->doc), 0);
			}
			assert_int_equal(pf_doc_end(b->doc), 0);
			assert_int_equal(write(b->fds[1], "\n", 1), 1);
			const char *text = bench_text(b);
			assert_true(strlen(text) < sizeof(texts[0]));
			memcpy(texts[paste], text, strlen(text) + 1);
			bench_close(b);
		}
		assert_string_equal(texts[0], texts[1]);
	}
}

static void pieces_reach_the_descriptor_whole_and_in_time(void **state)
{
	(void)state;
	struct bench *b = bench_open("json");
	char chunk[1000];
	memset(chunk, 'x', sizeof(chunk));
	assert_int_equal(pf_doc_begin(b->doc), 0);
	(void)bench_text(b);
	for (int i = 0; i < 60; i++) { /* below 64 KiB: nothing is written yet */
		pf_doc_piece_begin(b->doc);
		pf_doc_text(b->doc, "value", (struct pf_view){ chunk, sizeof(chunk) });
		assert_int_equal(pf_doc_piece_end(b->doc), 0);
	}
	b->text[0] = '\0';
	assert_int_equal(write(b->fds[1], "!", 1), 1);
	assert_string_equal(bench_text(b), "!");

	pf_doc_piece_begin(b->doc); /* a flush in the middle of a piece leaves the piece alone */
	pf_doc_text(b->doc, "value", PF_VIEW("late"));
	assert_int_equal(pf_doc_flush(b->doc), 0);
	b->text[0] = '\0';
	const char *text = bench_text(b);
	assert_null(strstr(text, "late"));
	assert_string_equal(text + strlen(text) - 3, "\"}\n");
	assert_int_equal(pf_doc_piece_end(b->doc), 0);
	assert_int_equal(pf_doc_flush(b->doc), 0);
	b->text[0] = '\0';
	assert_string_equal(bench_text(b), ", {\"value\":\"late\"}\n");
	bench_close(b);
}

static void a_descriptor_that_does_not_block_loses_nothing(void **state)
{
	(void)state;
	enum { BIG = 400000 };
	struct bench *b = bench_open("jsonl");
	assert_int_equal(fcntl(b->fds[1], F_SETFL, O_NONBLOCK), 0);
	pid_t child = fork();
	assert_true(child >= 0);
	if (child == 0) { /* the reader counts */
		size_t n = 0;
		ssize_t got;
		(void)close(b->fds[1]);
		while ((got = read(b->fds[0], b->text, sizeof(b->text))) > 0)
			n += (size_t)got;
		_exit(n == BIG + sizeof("{\"v\":\"\"}\n") - 1 ? 0 : 1);
	}
	char *text = calloc(1, BIG);
	assert_non_null(text);
	memset(text, 'x', BIG);
	assert_int_equal(pf_doc_begin(b->doc), 0);
	pf_doc_piece_begin(b->doc);
	pf_doc_text(b->doc, "v", (struct pf_view){ text, BIG });
	assert_int_equal(pf_doc_piece_end(b->doc), 0);
	free(text);
	bench_close(b);
	int status = 0;
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
}

static void the_first_write_error_stays(void **state)
{
	(void)state;
	struct bench *b = bench_open("json");
	assert_int_equal(pf_doc_begin(b->doc), 0);
	(void)close(b->fds[0]);
	add_probe(b->doc);
	assert_int_equal(pf_doc_flush(b->doc), -EPIPE);
	pf_doc_piece_begin(b->doc);
	assert_int_equal(pf_doc_piece_end(b->doc), -EPIPE);
	assert_int_equal(pf_doc_close(b->doc), -EPIPE);
	(void)close(b->fds[1]);
	free(b);
}

static void nothing_is_written_without_a_beginning(void **state)
{
	(void)state;
	struct bench *b = bench_open("json");
	pf_doc_int(b->doc, "h", 1);
	assert_int_equal(pf_doc_flush(b->doc), 0);
	assert_int_equal(pf_doc_end(b->doc), 0);
	assert_int_equal(write(b->fds[1], "!", 1), 1);
	assert_string_equal(bench_text(b), "!");
	bench_close(b);

	struct pf_doc_options text = { .format = PF_FORMAT_TEXT };
	struct pf_doc *doc = NULL;
	assert_int_equal(pf_doc_open(&doc, &text, 1, "r", "l", NULL), -EINVAL);
	assert_null(doc);
	assert_int_equal(pf_doc_close(NULL), 0);
}

int main(void)
{
	(void)signal(SIGPIPE, SIG_IGN);
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_format_has_its_layout),
		cmocka_unit_test(pretty_puts_each_member_on_a_line),
		cmocka_unit_test(raw_stands_beside_the_first_text_that_lost_something),
		cmocka_unit_test(large_integers_become_strings_only_with_bigstr),
		cmocka_unit_test(wrong_nesting_is_counted_and_repaired),
		cmocka_unit_test(pasted_members_are_the_written_ones),
		cmocka_unit_test(pieces_reach_the_descriptor_whole_and_in_time),
		cmocka_unit_test(a_descriptor_that_does_not_block_loses_nothing),
		cmocka_unit_test(the_first_write_error_stays),
		cmocka_unit_test(nothing_is_written_without_a_beginning),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
