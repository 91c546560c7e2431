/* formats/pcp/labels: label sets and help texts of real archives to structs and back; lengths that lie. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "formats/pcp/context.h"
#include "formats/pcp/labels.h"
#include "formats/pcp/reader.h"

/* Records of b-v3-basic.meta: labels of a domain, of the instances of a domain (the first of three has none here), a help text. */
static const unsigned char domain[] =
	"\0\0\0\x49\0\0\0\x07\x6b\x0c\xf5\x0b\0\0\0\0\0\xed\x62\x12\0\0\0\x02\0\0\0\x3c\0\0\0\x01"
	"\xff\xff\xff\xff\0\0\0\x11{\"agent\":\"linux\"}\0\0\0\x01\0\x02\x05\x02\0\x09\0\x07"
	"\0\0\0\x49";
static const unsigned char help[] = "\0\0\0\x34\0\0\0\x04\0\0\0\x05\x0f\0\x08\0"
				    "1, 5 and 15 minute load average\0\0\0\0\x34";

static struct pf_view record(const void *bytes, size_t n)
{
	return (struct pf_view){ bytes, n - 1 };
}

static void a_real_set_of_labels_is_understood_and_written_as_it_was(void **state)
{
	(void)state;
	struct pf_view rec = record(domain, sizeof(domain));
	struct pf_pcp_labels l;
	struct pf_arena room = { 0 };
	const struct pf_label_set *sets;
	assert_int_equal(pf_pcp_labels_decode(rec, &l, NULL), 0);
	assert_true(l.time_ns == INT64_C(0x6b0cf50b) * 1000000000 + 0xed6212);
	assert_int_equal(l.owner, PF_OF_DOMAIN);
	assert_int_equal(l.ident, 60);
	assert_int_equal(l.n, 1);
	int64_t time_ns = l.time_ns;
	assert_int_equal(pf_pcp_labels_unpack(&l, &room, &sets), 0);
	assert_int_equal(sets[0].inst, -1);
	assert_int_equal(sets[0].n, 1);
	assert_true(pf_view_is(sets[0].labels[0].name, "agent"));
	assert_true(pf_view_is(sets[0].labels[0].value, "\"linux\""));
	assert_int_equal(sets[0].labels[0].flags, PF_OF_DOMAIN);

	struct pf_buf b = { 0 };
	pf_pcp_labels_encode(&b, 3, time_ns, PF_OF_DOMAIN, 60, sets, 1);
	assert_int_equal(b.n, rec.n);
	assert_memory_equal(b.p, rec.p, rec.n);
	pf_buf_done(&b);
	pf_arena_done(&room);
}

static void version_2_has_microseconds(void **state)
{
	(void)state;
	struct pf_buf b = { 0 };
	struct pf_pcp_labels l;
	struct pf_pcp_packed_set set;
	const struct pf_label_set sets[] = { { .inst = 7, .json = PF_VIEW("") }, { .inst = 9, .error = -12345 } };
	pf_pcp_labels_encode(&b, 2, INT64_C(1796011269000001000), PF_OF_INSTANCES, 0x0f000002, sets, 2);
	assert_int_equal(pf_pcp_labels_decode(pf_buf_text(&b), &l, NULL), 0);
	assert_true(l.time_ns == INT64_C(1796011269000001000));
	assert_true(pf_pcp_labels_next(&l, &set));
	assert_int_equal(set.inst, 7);
	assert_int_equal(set.n, 0);
	assert_true(pf_pcp_labels_next(&l, &set));
	assert_int_equal(set.inst, 9);
	assert_int_equal(set.error, -12345);
	assert_false(pf_pcp_labels_next(&l, &set));
	pf_buf_done(&b);
}

static void help_text_is_understood_and_written_as_it_was(void **state)
{
	(void)state;
	struct pf_pcp_text t;
	struct pf_buf b = { 0 };
	assert_int_equal(pf_pcp_text_decode(record(help, sizeof(help)), &t, NULL), 0);
	assert_int_equal(t.type, PF_PCP_TEXT_LINE | PF_PCP_TEXT_OF_METRIC);
	assert_int_equal(t.ident, PF_PMID(60, 2, 0));
	assert_true(pf_view_is(t.text, "1, 5 and 15 minute load average"));
	pf_pcp_text_encode(&b, &t);
	assert_int_equal(b.n, sizeof(help) - 1);
	assert_memory_equal(b.p, help, b.n);
	pf_buf_done(&b);
}

static void no_cut_or_changed_byte_reads_beyond_the_record(void **state)
{
	(void)state;
	const struct pf_view recs[] = { record(domain, sizeof(domain)), record(help, sizeof(help)) };
	for (unsigned r = 0; r < PF_N(recs); r++) {
		for (size_t at = 4; at < recs[r].n; at++) {
			struct pf_pcp_labels l;
			struct pf_pcp_text t;
			/* Heap copies of exactly that size let the sanitizer see one byte too many. */
			pf_autofree char *cut = malloc(at);
			memcpy(cut, recs[r].p, at);
			(void)pf_pcp_labels_decode((struct pf_view){ cut, at }, &l, NULL);
			(void)pf_pcp_text_decode((struct pf_view){ cut, at }, &t, NULL);
			pf_autofree char *changed = malloc(recs[r].n);
			memcpy(changed, recs[r].p, recs[r].n);
			changed[at] = (char)(unsigned char)(changed[at] ^ 0xff);
			const struct pf_label_set *sets;
			struct pf_arena room = { 0 };
			struct pf_view whole = { changed, recs[r].n };
			(void)pf_pcp_text_decode(whole, &t, NULL);
			if (pf_pcp_labels_decode(whole, &l, NULL) == 0)
				assert_int_equal(pf_pcp_labels_unpack(&l, &room, &sets), 0);
			pf_arena_done(&room);
		}
	}
	struct pf_err err = { 0 };
	struct pf_pcp_labels l;
	unsigned char far[sizeof(domain)];
	memcpy(far, domain, sizeof(domain));
	far[65] = 1; /* the value begins 256 bytes later */
	assert_int_equal(pf_pcp_labels_decode(record(far, sizeof(far)), &l, &err), -EBADMSG);
	assert_string_equal(err.text, "label 0 of 1 lies outside its text");
}

static void values_of_labels_become_text(void **state)
{
	(void)state;
	static const struct {
		struct pf_view json;
		const char *text;
	} cases[] = {
		{ PF_VIEW("42"), "42" },
		{ PF_VIEW("true"), "true" },
		{ PF_VIEW("\"\""), "" },
		{ PF_VIEW("\"web1\""), "web1" },
		{ PF_VIEW("\"a\\\"b\\\\c\\/\\n\\t\""), "a\"b\\c/\n\t" },
		{ PF_VIEW("\"\\u0041\\u00e4\\u20ac\\ud83d\\ude00\""), "A\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80" },
		{ PF_VIEW("\"\\ud83d\\u0041 \\x \\u12\""), "\\ud83dA \\x \\u12" },
		{ PF_VIEW("\""), "\"" },
		{ PF_VIEW("\"\\\""), "\\" },
	};
	for (unsigned i = 0; i < PF_N(cases); i++) {
		struct pf_buf b = { 0 };
		pf_pcp_label_text(&b, cases[i].json);
		assert_int_equal(b.failed, 0);
		if (!pf_view_is(pf_buf_text(&b), cases[i].text))
			fail_msg("case %u: %.*s", i, (int)b.n, b.p);
		pf_buf_done(&b);
	}
}

static void labels_of_a_whole_archive_are_found_by_name(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		int rc;
		const char *value;
	} cases[] = {
		{ "hostname", 1, "golden-a" },
		{ "userid", 1, "0" },
		{ "machineid", 1, "3d1219c7c4c5404aaa1f6d2a48adfda4" },
		{ "agent", 0, "" },
		{ "host", 0, "" },
	};
	const char *top = getenv("PF_SOURCE_ROOT");
	for (unsigned a = 0; a < 2; a++) {
		char path[512];
		(void)snprintf(path, sizeof(path), "%s/tests/golden/pcp/%s", top ? top : ".",
			       a ? "b-v3-basic" : "a-v2-basic");
		struct pf_pcp_reader *r;
		struct pf_err err = { 0 };
		if (pf_pcp_reader_open(&r, path, NULL, &err) < 0)
			fail_msg("%s", err.text);
		for (unsigned i = 0; i < PF_N(cases); i++) {
			struct pf_buf b = { 0 };
			assert_int_equal(pf_pcp_meta_label(pf_pcp_reader_meta(r), cases[i].name, &b, NULL),
					 cases[i].rc);
			assert_true(pf_view_is(pf_buf_text(&b), cases[i].value));
			pf_buf_done(&b);
		}
		(void)pf_pcp_reader_close(r);
	}
}

static void a_context_is_sorted_and_says_each_thing_once(void **state)
{
	(void)state;
	struct pf_pcp_context c = { 0 };
	struct pf_buf b = { 0 };
	struct pf_pcp_labels l;
	struct pf_pcp_packed_set set;
	pf_pcp_context_add(&c, PF_VIEW("userid"), PF_VIEW("0"), PF_OF_CONTEXT | PF_LABEL_OPTIONAL);
	pf_pcp_context_text(&c, "hostname", PF_VIEW("a\"b\\c\n"), PF_OF_CONTEXT);
	pf_pcp_context_text(&c, "host", PF_VIEW(""), PF_OF_CONTEXT);
	pf_pcp_context_text(&c, "hostname", PF_VIEW("other"), PF_OF_CONTEXT);
	assert_int_equal(pf_pcp_context_encode(&c, &b, 3, 1000), 0);
	assert_int_equal(pf_pcp_labels_decode(pf_buf_text(&b), &l, NULL), 0);
	assert_int_equal(l.owner, PF_OF_CONTEXT);
	assert_int_equal(l.ident, UINT32_MAX);
	assert_true(pf_pcp_labels_next(&l, &set));
	assert_true(pf_view_is(set.json, "{\"host\":\"\",\"hostname\":\"a\\\"b\\\\c\\u000a\",\"userid\":0}"));
	static const char *const names[] = { "host", "hostname", "userid" };
	assert_int_equal(set.n, PF_N(names));
	for (uint32_t i = 0; i < set.n; i++)
		assert_true(pf_view_is(pf_pcp_labels_get(&set, i).name, names[i]));
	assert_true(pf_view_is(pf_pcp_labels_get(&set, 2).value, "0"));
	assert_int_equal(pf_pcp_labels_get(&set, 2).flags, PF_OF_CONTEXT | PF_LABEL_OPTIONAL);
	struct pf_buf text = { 0 };
	pf_pcp_label_text(&text, pf_pcp_labels_get(&set, 1).value);
	assert_true(pf_view_is(pf_buf_text(&text), "a\"b\\c\n"));
	pf_buf_done(&text);
	pf_buf_done(&b);
	pf_pcp_context_done(&c);
}

static void a_context_never_becomes_larger_than_it_can_be(void **state)
{
	(void)state;
	struct pf_pcp_context c = { 0 };
	struct pf_buf b = { 0 };
	struct pf_pcp_labels l;
	pf_autofree char *much = calloc(1, 40000);
	memset(much, 'x', 39999);
	for (unsigned i = 0; i < 200; i++) {
		char name[16];
		(void)snprintf(name, sizeof(name), "n%u", i);
		pf_pcp_context_text(&c, name, i % 50 == 20 ? pf_view_of(much) : PF_VIEW("v"), PF_OF_CONTEXT);
	}
	pf_pcp_context_add(&c, pf_view_of(much), PF_VIEW("1"), PF_OF_CONTEXT);
	assert_int_equal(c.n, PF_PCP_CONTEXT_MAX);
	assert_int_equal(pf_pcp_context_encode(&c, &b, 2, 1000), 0);
	assert_true(b.n < 65536);
	assert_int_equal(pf_pcp_labels_decode(pf_buf_text(&b), &l, NULL), 0);
	pf_buf_done(&b);
	pf_pcp_context_done(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_real_set_of_labels_is_understood_and_written_as_it_was),
		cmocka_unit_test(version_2_has_microseconds),
		cmocka_unit_test(help_text_is_understood_and_written_as_it_was),
		cmocka_unit_test(no_cut_or_changed_byte_reads_beyond_the_record),
		cmocka_unit_test(values_of_labels_become_text),
		cmocka_unit_test(labels_of_a_whole_archive_are_found_by_name),
		cmocka_unit_test(a_context_is_sorted_and_says_each_thing_once),
		cmocka_unit_test(a_context_never_becomes_larger_than_it_can_be),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
