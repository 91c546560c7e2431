/* formats/pcp/record: bytes of real archives to structs and back; lengths that lie. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "formats/pcp/record.h"

/* Blank-separated hex digits to bytes. */
static struct pf_view bytes_of(struct pf_buf *b, const char *hex)
{
	unsigned have = 0;
	unsigned value = 0;
	pf_buf_clear(b);
	for (; *hex; hex++) {
		if (*hex == ' ')
			continue;
		value = value << 4 | (unsigned)(*hex <= '9' ? *hex - '0' : *hex - 'a' + 10);
		have = (have + 1) % 2;
		if (have == 0)
			pf_buf_char(b, (char)(unsigned char)value);
	}
	return pf_buf_text(b);
}

/* The first record of a-v2-basic. */
#define PROLOGUE                                                                                                       \
	"000000ac 6b0cf505 00000566 00000005 00800c03 00000001 00000001 0000007a 0000001f 00800c00 00000001 "          \
	"00000000 0000007a 000010ea 00800c02 00000001 00000001 0000007a 00000023 00800017 00000001 00000001 "          \
	"ffffffff 00000029 00800018 00000001 00000000 ffffffff 00000005 0600000d 676f6c64 656e2d61 007e7e7e "          \
	"06000018 2f737276 2f6f7574 2f612d76 322d6261 73696300 0300000c 00000000 00000068 000000ac"

static void real_record_of_values_is_understood(void **state)
{
	(void)state;
	struct pf_buf b = { 0 };
	struct pf_view rec = bytes_of(&b, PROLOGUE);
	assert_int_equal(rec.n, 172);
	assert_int_equal(pf_pcp_result_check(rec, 2, NULL), 0);

	struct pf_pcp_result r;
	struct pf_pcp_set set;
	struct pf_pcp_value v;
	uint64_t u;
	assert_int_equal(pf_pcp_result_decode(rec, 2, &r, NULL), 0);
	assert_true(r.time_ns == INT64_C(0x6b0cf505) * 1000000000 + 0x566 * 1000);
	assert_int_equal(r.n, 5);

	assert_int_equal(pf_pcp_result_next(&r, &set, NULL), 1);
	assert_int_equal(set.pmid, PF_PMID(2, 3, 3));
	assert_int_equal(pf_pcp_set_get(&set, 0, &v, NULL), 0);
	assert_int_equal(v.inst, 122);
	assert_int_equal(v.type, PF_STRING);
	assert_true(pf_view_is(pf_pcp_value_text(&v), "golden-a"));

	assert_int_equal(pf_pcp_result_next(&r, &set, NULL), 1);
	assert_int_equal(pf_pcp_set_get(&set, 0, &v, NULL), 0);
	assert_int_equal(pf_pcp_value_u64(&v, PF_U32, &u), 0);
	assert_int_equal(u, 4330);
	assert_int_equal(pf_pcp_value_u64(&v, PF_U64, &u), -EBADMSG);

	assert_int_equal(pf_pcp_result_next(&r, &set, NULL), 1);
	assert_int_equal(pf_pcp_result_next(&r, &set, NULL), 1);
	assert_int_equal(pf_pcp_set_get(&set, 0, &v, NULL), 0);
	assert_int_equal(v.inst, -1);
	assert_int_equal(pf_pcp_value_u64(&v, PF_U64, &u), 0);
	assert_int_equal(u, 104);
	assert_int_equal(pf_pcp_result_next(&r, &set, NULL), 1);
	assert_int_equal(pf_pcp_result_next(&r, &set, NULL), 0);
	pf_buf_done(&b);
}

static void no_cut_or_changed_word_reads_beyond_the_record(void **state)
{
	(void)state;
	struct pf_buf b = { 0 };
	struct pf_view rec = bytes_of(&b, PROLOGUE);
	for (size_t n = 0; n < rec.n; n++) {
		/* A heap copy of exactly that size lets the sanitizer see one byte too many. */
		pf_autofree char *copy = malloc(n + 1);
		memcpy(copy, rec.p, n);
		(void)pf_pcp_result_check((struct pf_view){ copy, n }, 2, NULL);
		(void)pf_pcp_result_check((struct pf_view){ copy, n }, 3, NULL);
	}
	for (size_t off = 0; off + 4 <= rec.n; off += 4) {
		static const uint32_t bad[] = { 0, 1, 2, 0x7fffffff, 0x80000000, 0xffffffff, 0x6567616e };
		for (size_t i = 0; i < PF_N(bad); i++) {
			struct pf_buf changed = { 0 };
			pf_buf_view(&changed, rec);
			pf_be_set_u32(&changed, off, bad[i]);
			(void)pf_pcp_result_check(pf_buf_text(&changed), 2, NULL);
			pf_buf_done(&changed);
		}
	}
	struct pf_err err = { 0 };
	pf_be_set_u32(&b, 0x14, 0x7fffffff); /* values of the first set */
	assert_int_equal(pf_pcp_result_check(pf_buf_text(&b), 2, &err), -EBADMSG);
	assert_non_null(strstr(err.text, "value sets"));
	pf_buf_done(&b);
}

static void times_of_version_2_end_in_2038(void **state)
{
	(void)state;
	static const struct {
		uint64_t sec;
		bool two;
	} rows[] = { { 1, true }, { 0x7fffffff, true }, { 0x80000000, false }, { 0xffffffff, false } };
	for (size_t i = 0; i < PF_N(rows); i++) {
		int64_t ns = (int64_t)rows[i].sec * 1000000000 + 5000;
		for (unsigned version = 2; version <= 3; version++) {
			struct pf_buf b = { 0 };
			pf_pcp_put_time(&b, version, ns);
			struct pf_be c = pf_be_of(pf_buf_text(&b));
			bool holds = version == 3 || rows[i].two;
			assert_true(pf_pcp_time(&c, version) == (holds ? ns : -1));
			pf_buf_done(&b);
		}
	}
}

static void marks_hold_no_metric(void **state)
{
	(void)state;
	struct pf_buf b = { 0 };
	struct pf_pcp_result r;
	assert_int_equal(pf_pcp_result_decode(bytes_of(&b, "00000018 6b0cf527 00000000 0593746a 00000000 00000018"), 3,
					      &r, NULL),
			 0);
	assert_int_equal(r.n, 0);
	assert_true(r.time_ns == INT64_C(0x6b0cf527) * 1000000000 + 0x0593746a);
	assert_int_equal(
		pf_pcp_result_decode(bytes_of(&b, "00000014 6b0cf516 0000c5ee 00000000 00000014"), 2, &r, NULL), 0);
	assert_int_equal(r.n, 0);
	pf_buf_done(&b);
}

static void instance_domains_come_full_and_as_changes(void **state)
{
	(void)state;
	static const struct {
		const char *hex;
		bool delta;
		uint32_t n;
		const char *last; /* NULL: removed */
		int32_t id;
	} cases[] = {
		{ "00000033 00000002 6b0cf51d 00011a52 0f000003 00000002 00000000 00000004 00000000 00000003 6c6f0062723000 00000033",
		  false, 2, "br0", 4 },
		{ "0000002b 00000005 6b0cf511 00000000 030ee64d 0f000003 00000001 00000000 00000000 6c6f00 0000002b",
		  false, 1, "lo", 0 },
		{ "0000002c 00000006 6b0cf513 00000000 030a462c 0f000003 00000001 00000004 00000000 62723000 0000002c",
		  true, 1, "br0", 4 },
		{ "00000028 00000006 6b0cf517 00000000 030b4f48 0f000003 00000001 00000004 ffffffff 00000028", true, 1,
		  NULL, 4 },
	};
	struct pf_buf b = { 0 };
	for (size_t i = 0; i < PF_N(cases); i++) {
		struct pf_view rec = bytes_of(&b, cases[i].hex);
		struct pf_pcp_indom in;
		assert_int_equal(pf_pcp_indom_decode(rec, &in, NULL), 0);
		assert_int_equal(in.delta, cases[i].delta);
		assert_int_equal(in.n, cases[i].n);
		assert_int_equal(in.indom, PF_INDOM(60, 3));
		struct pf_pcp_instance inst = pf_pcp_indom_get(&in, in.n - 1);
		assert_int_equal(inst.id, cases[i].id);
		assert_int_equal(inst.removed, cases[i].last == NULL);
		if (cases[i].last)
			assert_true(pf_view_is(inst.name, cases[i].last));
		for (size_t n = 0; n < rec.n; n++) {
			pf_autofree char *copy = malloc(n + 1);
			memcpy(copy, rec.p, n);
			(void)pf_pcp_indom_decode((struct pf_view){ copy, n }, &in, NULL);
		}
		pf_be_set_u32(&b, rec.n > 0x30 ? 0x14 : 0x18, 0x6567616e); /* the count */
		assert_int_equal(pf_pcp_indom_decode(pf_buf_text(&b), &in, NULL), -EBADMSG);
	}
	pf_buf_done(&b);
}

static void labels_survive_a_round_trip(void **state)
{
	(void)state;
	for (unsigned version = 2; version <= 3; version++) {
		struct pf_pcp_label label = {
			.version = version, .pid = 122, .start_ns = INT64_C(1796011269001382000), .volume = -1
		};
		(void)snprintf(label.host, sizeof(label.host), "%s", "golden-a");
		(void)snprintf(label.zone, sizeof(label.zone), "%s", "AEDT-11");
		if (version == 3)
			(void)snprintf(label.zoneinfo, sizeof(label.zoneinfo), "%s", ":Australia/Melbourne");
		struct pf_buf b = { 0 };
		pf_pcp_label_encode(&b, &label);
		assert_int_equal(b.n, version == 3 ? PF_PCP_LABEL3_LEN : PF_PCP_LABEL2_LEN);
		struct pf_pcp_label back;
		assert_int_equal(pf_pcp_label_decode(pf_buf_text(&b), &back, NULL), 0);
		assert_memory_equal(&back, &label, sizeof(label));

		struct pf_err err = { 0 };
		b.p[7] = 6;
		assert_int_equal(pf_pcp_label_decode(pf_buf_text(&b), &back, &err), -EPROTO);
		assert_non_null(strstr(err.text, "version 6"));
		b.p[4] = 'X';
		assert_int_equal(pf_pcp_label_decode(pf_buf_text(&b), &back, &err), -EBADMSG);
		pf_buf_done(&b);
	}
}

static void version_3_seconds_stand_low_word_first(void **state)
{
	(void)state;
	struct pf_buf b = { 0 };
	pf_pcp_put_time(&b, 3, INT64_C(5000000000) * 1000000000 + 7);
	struct pf_buf want = { 0 };
	struct pf_view w = bytes_of(&want, "2a05f200 00000001 00000007");
	assert_int_equal(b.n, w.n);
	assert_memory_equal(b.p, w.p, w.n);
	pf_buf_done(&b);
	pf_buf_done(&want);
}

static void units_keep_signs_and_scales(void **state)
{
	(void)state;
	struct pf_units u = { .space = 1,
			      .time = -1,
			      .count = 2,
			      .space_scale = PF_SPACE_KBYTE,
			      .time_scale = PF_TIME_SEC,
			      .count_scale = -3 };
	struct pf_units back = pf_pcp_units_of(pf_pcp_units_word(&u));
	assert_memory_equal(&back, &u, sizeof(u));
	assert_int_equal(pf_pcp_units_word(&(struct pf_units)PF_UNITS_COUNT), 0x00100000);
}

static void descriptors_survive_a_round_trip(void **state)
{
	(void)state;
	const struct pf_metric m = {
		"disk.dev.read", PF_PMID(60, 0, 4), PF_INDOM(60, 1), PF_U64, PF_COUNTER, PF_UNITS_COUNT, ""
	};
	struct pf_buf b = { 0 };
	pf_pcp_desc_encode(&b, &m, NULL, 0);
	struct pf_pcp_desc d;
	assert_int_equal(pf_pcp_desc_decode(pf_buf_text(&b), &d, NULL), 0);
	assert_int_equal(d.pmid, m.pmid);
	assert_int_equal(d.indom, m.indom);
	assert_int_equal(d.type, m.type);
	assert_int_equal(d.sem, m.sem);
	struct pf_view name;
	assert_true(pf_pcp_name_next(&d.names, &name));
	assert_true(pf_view_is(name, m.name));
	assert_false(pf_pcp_name_next(&d.names, &name));
	pf_be_set_u32(&b, 32, 0x7fffffff); /* length of the name */
	assert_int_equal(pf_pcp_desc_decode(pf_buf_text(&b), &d, NULL), -EBADMSG);
	pf_buf_done(&b);
}

static void built_records_read_back(void **state)
{
	(void)state;
	for (unsigned version = 2; version <= 3; version++) {
		struct pf_pcp_build build = { 0 };
		struct pf_buf out = { 0 };
		pf_pcp_build_begin(&build);
		pf_pcp_build_set(&build, 1, PF_U64);
		pf_pcp_build_bits(&build, 0, UINT64_MAX);
		pf_pcp_build_bits(&build, 1, 5);
		pf_pcp_build_set(&build, 2, PF_S32);
		pf_pcp_build_bits(&build, -1, (uint64_t)-7);
		pf_pcp_build_set(&build, 3, PF_STRING);
		pf_pcp_build_text(&build, -1, PF_VIEW("hullo"));
		assert_int_equal(pf_pcp_build_end(&build, version, INT64_C(1796011269001382000), &out), 0);
		assert_int_equal(out.n % 4, 0);
		assert_int_equal(pf_pcp_result_check(pf_buf_text(&out), version, NULL), 0);

		struct pf_pcp_result r;
		struct pf_pcp_set set;
		struct pf_pcp_value v;
		uint64_t u;
		assert_int_equal(pf_pcp_result_decode(pf_buf_text(&out), version, &r, NULL), 0);
		assert_true(r.time_ns == INT64_C(1796011269001382000));
		assert_int_equal(pf_pcp_result_next(&r, &set, NULL), 1);
		assert_int_equal(set.n, 2);
		assert_int_equal(pf_pcp_set_get(&set, 0, &v, NULL), 0);
		assert_int_equal(pf_pcp_value_u64(&v, PF_U64, &u), 0);
		assert_true(u == UINT64_MAX);
		assert_int_equal(pf_pcp_result_next(&r, &set, NULL), 1);
		assert_int_equal(pf_pcp_set_get(&set, 0, &v, NULL), 0);
		assert_int_equal(pf_pcp_value_u64(&v, PF_S32, &u), 0);
		assert_true((int64_t)u == -7);
		assert_int_equal(pf_pcp_result_next(&r, &set, NULL), 1);
		assert_int_equal(pf_pcp_set_get(&set, 0, &v, NULL), 0);
		assert_true(pf_view_is(pf_pcp_value_text(&v), "hullo"));
		pf_pcp_build_done(&build);
		pf_buf_done(&out);
	}
}

static void index_entries_survive_a_round_trip(void **state)
{
	(void)state;
	for (unsigned version = 2; version <= 3; version++) {
		const struct pf_pcp_entry e = {
			.time_ns = INT64_C(1796011269001382000), .volume = 2, .meta = 0x195e, .data = 0x1748
		};
		struct pf_buf b = { 0 };
		pf_pcp_entry_encode(&b, version, &e);
		assert_int_equal(b.n, version == 3 ? PF_PCP_ENTRY3_LEN : PF_PCP_ENTRY2_LEN);
		struct pf_pcp_entry back;
		assert_int_equal(pf_pcp_entry_decode(pf_buf_text(&b), version, &back, NULL), 0);
		assert_true(back.time_ns == e.time_ns && back.volume == e.volume && back.meta == e.meta &&
			    back.data == e.data);
		assert_int_equal(pf_pcp_entry_decode((struct pf_view){ b.p, b.n - 1 }, version, &back, NULL), -EBADMSG);
		pf_buf_done(&b);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(real_record_of_values_is_understood),
		cmocka_unit_test(no_cut_or_changed_word_reads_beyond_the_record),
		cmocka_unit_test(times_of_version_2_end_in_2038),
		cmocka_unit_test(marks_hold_no_metric),
		cmocka_unit_test(instance_domains_come_full_and_as_changes),
		cmocka_unit_test(labels_survive_a_round_trip),
		cmocka_unit_test(version_3_seconds_stand_low_word_first),
		cmocka_unit_test(units_keep_signs_and_scales),
		cmocka_unit_test(descriptors_survive_a_round_trip),
		cmocka_unit_test(built_records_read_back),
		cmocka_unit_test(index_entries_survive_a_round_trip),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
